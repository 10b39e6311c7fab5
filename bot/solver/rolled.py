"""Guesses by playing on: layouts are drawn, and from each of the best candidates the game is played to its
end by the safest cell, with the luck taken out whose odds are known (controlled.py).

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
from bot.solver.controlled import FACTOR, TOLD, begin, open_controlled, tell
from bot.solver.draws import draw, prepare_draws
from bot.solver.field import COLUMNS, OPENS, ROWS, SAFES, TOTAL, Field, deduce, reveal
from bot.solver.fronts import forget
from bot.solver.games import safest
from bot.solver.outlook import prepare
from bot.solver.player import CUT, HURRY, LIMIT, ROLL_MARGIN, ROLL_PRIOR, ROLLS, WIN, Player
from bot.solver.scored import closest, weigh
from bot.solver.searched import closed_endgame, endgame, settle_closed
from bot.solver.workspace import Bytes

MOST = 6
"""Candidates that are played on from, at most."""

SPREAD = 0.18
"""The standard deviation of the difference of two candidates on one layout."""

TRUST = 0.5
"""The player plays on better than by the safest cell, and other candidates may gain by that: of as many
layouts as one likes, so much is still left to the score."""

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
def play_out(scout: Player, minefield: Bytes, cell: int) -> float:
    """Open a cell and play on by the safest one, from what `begin` said. Returns the controlled result."""
    field, ws = scout.field, scout.ws
    numbers, controlled = field.numbers, scout.controlled
    goal = numbers[ROWS] * numbers[COLUMNS] - numbers[TOTAL]
    guess = cell
    while True:
        if minefield[guess] == 9:
            return float(controlled[TOLD])
        reveal(field, guess, minefield[guess])
        while True:
            deduce(field)
            if numbers[SAFES] == 0:
                if numbers[OPENS] == goal:
                    tell(controlled, 1.0)
                    return float(controlled[TOLD])
                found, cons = chances(field, ws, int(scout.settings[LIMIT]), scout.chance, scout.out)
                if found != FINE:
                    forget(ws, cons)
                    return float(controlled[TOLD])
                if settle_certain(field, ws, scout.out) == 0:
                    fronts = int(scout.out[OUT_FRONTS])
                    if endgame(scout, fronts) >= 0:
                        forget(ws, cons)
                        tell(controlled, scout.result[WIN])
                        return float(controlled[TOLD])
                    closed = closed_endgame(scout, fronts) >= 0
                    if closed:
                        controlled[FACTOR] *= settle_closed(scout, minefield)
                    else:
                        guess = safest(field, scout.chance)
                        open_controlled(scout, minefield, guess)
                    forget(ws, cons)
                    if not closed:
                        break
                else:
                    forget(ws, cons)
            for at in range(numbers[SAFES]):
                safe = field.safes[at]
                reveal(field, safe, minefield[safe])
            numbers[SAFES] = 0


@part
def rolled(player: Player, scout: Player, choice: int, seed: int) -> int:
    """Of the cells whose score is close to the best, the one that does best in games played on from them.

    Expects the candidates and their scores, and `choice` as the best of them. HURRY ends it with the best so
    far. Before the first zero the score stands: the safest cell is no way to play then.
    """
    if np.all(player.field.shown != 0):
        return choice
    count = player.candidate_count[0]
    score = player.score
    picked = np.zeros(MOST, np.int32)
    kept = closest(player, choice, player.settings[ROLL_MARGIN], picked)
    prior = np.zeros(MOST)
    for k in range(kept):
        prior[k] = score[picked[k]]
    if kept < 2:
        return choice
    if not prepare_draws(player.draws, player.look.log_factorial, player.field, player.ws, player.out):
        return choice
    expected = np.zeros(MOST)
    follows = np.zeros((MOST, 10))
    prepare(player.look, player.ws, player.out)
    for k in range(kept):
        expected[k], _ = weigh(player, player.candidates[picked[k]])
        follows[k, :9] = player.look.follows
    np.random.seed(seed & 0x7FFFFFFF)
    total = np.zeros(MOST)
    alive = np.ones(MOST, np.int8)
    layouts = 0
    rolls = player.settings[ROLLS]
    weight = 1.0
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
                cell = player.candidates[picked[k]]
                copy_field(player.field, scout.field)
                begin(scout, expected[k], follows[k, player.draws.minefield[cell]])
                total[k] += play_out(scout, player.draws.minefield, cell)
                rolls -= 1
        weight = player.settings[ROLL_PRIOR] + TRUST * layouts
        if layouts % EVERY == 0:
            best = -1.0
            for k in range(kept):
                if alive[k]:
                    best = max(best, total[k] + weight * prior[k])
            behind = BEHIND * SPREAD * math.sqrt(layouts + weight)
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
