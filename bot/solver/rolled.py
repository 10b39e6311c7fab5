"""Guesses by playing on: layouts are drawn, and from each of the best candidates the game is played to its
next hard guess, whose learned value stands for the rest.

The layouts are those of the position, each as likely as the other, drawn by walking the counted fronts
backwards; every candidate is tried on the same ones, so that their luck is common and the difference tells.
What is drawn hangs on the board alone: the same board gives the same guess everywhere.
"""

from __future__ import annotations

import math

import numpy as np

from bot.solver.analysis import FINE, OUT_FRONTS
from bot.solver.chances import chances, settle_certain
from bot.solver.compiled import part
from bot.solver.draws import draw, prepare_draws
from bot.solver.field import COLUMNS, OPENS, ROWS, SAFES, TOTAL, Field, deduce, reveal
from bot.solver.fronts import forget
from bot.solver.player import CUT, HURRY, LIMIT, ROLL_MARGIN, ROLL_PRIOR, ROLLS, WIN, Player
from bot.solver.scored import scored
from bot.solver.searched import closed_endgame, endgame
from bot.solver.workspace import Bytes

MOST = 6
"""Candidates that are played on from, at most."""

SPREAD = 0.45
"""The standard deviation of the difference of two candidates on one layout, on the high side."""

EVERY = 16
"""Layouts after which candidates are given up that are this many standard errors behind: ..."""
BEHIND = 2.5


@part
def copy_field(source: Field, target: Field) -> None:
    """Make the second field like the first."""
    target.state[:] = source.state
    target.shown[:] = source.shown
    target.unknown[:] = source.unknown
    target.near[:] = source.near
    target.queued[:] = source.queued
    target.numbers[:] = source.numbers


@part
def roll(scout: Player, minefield: Bytes, cell: int) -> float:
    """Open a cell and all that is certain then, up to the next hard guess. Returns the chance to win."""
    field, ws = scout.field, scout.ws
    numbers = field.numbers
    goal = numbers[ROWS] * numbers[COLUMNS] - numbers[TOTAL]
    guess = cell
    while True:
        if minefield[guess] == 9:
            return 0.0
        reveal(field, guess, minefield[guess])
        while True:
            deduce(field)
            if numbers[SAFES] == 0:
                if numbers[OPENS] == goal:
                    return 1.0
                found, cons = chances(field, ws, int(scout.settings[LIMIT]), scout.chance, scout.out)
                if found != FINE:
                    forget(ws, cons)
                    return 0.0
                if settle_certain(field, ws, scout.out) == 0:
                    break
                forget(ws, cons)
            for at in range(numbers[SAFES]):
                safe = field.safes[at]
                reveal(field, safe, minefield[safe])
            numbers[SAFES] = 0
        fronts = int(scout.out[OUT_FRONTS])
        guess = endgame(scout, fronts)
        if guess >= 0:
            forget(ws, cons)
            return float(scout.result[WIN])
        guess = closed_endgame(scout, fronts)
        if guess < 0:
            scored(scout)
            forget(ws, cons)
            return float(scout.result[2])
        forget(ws, cons)


@part
def rolled(player: Player, scout: Player, choice: int, seed: int) -> int:
    """Of the cells whose score is close to the best, the one that does best in games played on from them.

    Expects the candidates and their scores, and `choice` as the best of them. HURRY ends it with the best so
    far.
    """
    count = player.candidate_count[0]
    score = player.score
    picked = np.zeros(MOST, np.int32)
    prior = np.zeros(MOST)
    kept = 0
    once = score[:count].copy()
    lowest = max(player.result[2] - player.settings[ROLL_MARGIN], 1e-9)
    while kept < MOST:
        pick = -1
        for k in range(count):
            if once[k] >= lowest and (pick < 0 or once[k] > once[pick]):
                pick = k
        if pick < 0:
            break
        picked[kept] = pick
        prior[kept] = once[pick]
        once[pick] = 0.0
        kept += 1
    if kept < 2:
        return choice
    if not prepare_draws(player.draws, player.look.log_factorial, player.field, player.ws, player.out):
        return choice
    np.random.seed(seed & 0x7FFFFFFF)
    total = np.zeros(MOST)
    alive = np.ones(MOST, np.int8)
    layouts = 0
    rolls = player.settings[ROLLS]
    weight = player.settings[ROLL_PRIOR]
    remaining = kept
    while remaining > 1 and rolls >= remaining:
        if player.settings[HURRY] > 0:
            player.result[CUT] = 1.0
            break
        if not draw(player.draws, player.field, player.ws, player.out):
            break
        layouts += 1
        for k in range(kept):
            if alive[k]:
                copy_field(player.field, scout.field)
                total[k] += roll(scout, player.draws.minefield, player.candidates[picked[k]])
                rolls -= 1
        if layouts % EVERY == 0:
            best = -1.0
            for k in range(kept):
                if alive[k]:
                    best = max(best, total[k] + weight * prior[k])
            behind = BEHIND * SPREAD * math.sqrt(layouts)
            for k in range(kept):
                if alive[k] and total[k] + weight * prior[k] < best - behind:
                    alive[k] = 0
                    remaining -= 1
                    score[picked[k]] = (total[k] + weight * prior[k]) / (layouts + weight)
    best = -1.0
    for k in range(kept):
        if alive[k]:
            score[picked[k]] = (total[k] + weight * prior[k]) / (layouts + weight)
            if score[picked[k]] > best:
                best = score[picked[k]]
                choice = player.candidates[picked[k]]
    # What was given up, or not played on from, stays behind.
    for k in range(count):
        score[k] = min(score[k], best)
    player.result[2] = best
    return int(choice)
