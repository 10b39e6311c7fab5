"""Guesses by playing on: layouts are drawn, and from each of the best candidates the game is played to its
end by the safest cell, with the luck taken out whose odds are known (control_variate.py).

The layouts are those of the position, each as likely as the other, drawn by walking the counted components
backwards; every candidate is tried on the same ones, so that their luck is common and the difference tells.
What is drawn hangs on the board alone: the same board gives the same guess everywhere.
"""

from __future__ import annotations

import math

import numpy as np

from bot.solver.deduction.compiled_board import copy_board, mines_left
from bot.solver.guess.control_variate import begin_control, controlled_play
from bot.solver.guess.endgame_guess import search_isolated_group, search_whole_board
from bot.solver.guess.outcomes import prepare_outcomes
from bot.solver.guess.player import ENDGAMES, GROUPS, SCORED, Player
from bot.solver.guess.safest import safest_cell
from bot.solver.guess.score import closest_candidates, weigh_candidate
from bot.solver.jit.compiler import part
from bot.solver.probability.sampling import sample_layout, weigh_rest

MOST_CANDIDATES = 6
"""Candidates that are played on from, at most."""

DIFFERENCE_DEVIATION = 0.18
"""The standard deviation of the difference of two candidates on one layout."""

PRIOR_GROWTH = 0.5
"""The player plays on better than by the safest cell, and other candidates may gain by that: of as many
layouts as one likes, so much is still left to the score."""

PRUNE_EVERY = 16
"""Layouts after which candidates are given up that are this many standard errors behind: ..."""

PRUNE_BEHIND = 2.5


@part
def choose_safest(player: Player, deeper: Player | None, afresh: bool) -> int:
    """The guess in games that are played on: by exact search where few solutions are left, of the board or of
    an isolated group, else the safest cell."""
    components = player.combined.components
    cell = search_whole_board(player, components)
    if cell >= 0:
        player.result.kind = ENDGAMES
        return cell
    cell = search_isolated_group(player, components)
    if cell >= 0:
        player.result.kind = GROUPS
        return cell
    player.result.kind = SCORED
    return safest_cell(player.field, player.chance)


play_out = controlled_play(choose_safest)
"""The loop of rollouts."""


@part
def best_by_rollouts(player: Player, scout: Player, choice: int, seed: int) -> int:
    """Of the cells whose score is close to the best, the one that does best in games played on from them.

    Expects the candidates and their scores, and `choice` as the best of them. `hurry` ends it with the best
    so far. Before the first zero the score stands: the safest cell is no way to play then.
    """
    if np.all(player.field.shown != 0):
        return choice
    count = player.candidate_count[0]
    score = player.score
    picked = np.zeros(MOST_CANDIDATES, np.int32)
    kept = closest_candidates(player, choice, player.settings.roll_margin, picked)
    prior = np.zeros(MOST_CANDIDATES)
    for k in range(kept):
        prior[k] = score[picked[k]]
    if kept < 2:
        return choice
    rest = weigh_rest(player.sampler, player.ws, player.combined, mines_left(player.field))
    if rest.shape[0] == 0:
        return choice
    expected = np.zeros(MOST_CANDIDATES)
    follows = np.zeros((MOST_CANDIDATES, 10))
    prepare_outcomes(player.outcomes, player.ws, player.combined)
    for k in range(kept):
        expected[k], _ = weigh_candidate(player, player.candidates[picked[k]])
        follows[k, :9] = player.outcomes.follows
    np.random.seed(seed & 0x7FFFFFFF)
    scout.settings.control = 1
    total = np.zeros(MOST_CANDIDATES)
    alive = np.ones(MOST_CANDIDATES, np.int8)
    layouts = 0
    rolls = player.settings.rolls
    weight = 1.0
    remaining = kept
    while remaining > 1 and rolls >= remaining:
        if player.settings.hurry > 0:
            player.result.cut = 1
            break
        if not sample_layout(player.sampler, rest, player.field, player.ws, player.combined):
            break
        layouts += 1
        for k in range(kept):
            if alive[k]:
                cell = player.candidates[picked[k]]
                copy_board(player.field, scout.field)
                begin_control(scout, expected[k], follows[k, player.sampler.minefield[cell]])
                result, _ = play_out(scout, None, player.sampler.minefield, cell, -1, False)
                # A position that cannot be leaves what was counted before.
                total[k] += scout.controlled.result if np.isnan(result) else result
                rolls -= 1
        weight = player.settings.roll_prior + PRIOR_GROWTH * layouts
        if layouts % PRUNE_EVERY == 0:
            best = -1.0
            for k in range(kept):
                if alive[k]:
                    best = max(best, total[k] + weight * prior[k])
            behind = PRUNE_BEHIND * DIFFERENCE_DEVIATION * math.sqrt(layouts + weight)
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
    player.result.score = best
    return int(choice)
