"""Candidates of one guess played on in the same layouts, to learn what tells them apart.

How candidates differ is hidden by the luck of the rest of the game. With that luck taken out
(control_variate.py) and in the same layout, the difference of two has a standard deviation of 0.17 on Expert,
and so a fifth of the variance that it would have in games of their own. They are played on by the safest
cell, which takes a quarter of the time of the learned player, and tells much the same: what is won more from
one candidate than from another correlates by 0.83 (116 positions, 1,000 layouts each).
"""

from __future__ import annotations

import numpy as np

from bot.solver.constraints.workspace import Bytes, Floats, Ints
from bot.solver.deduction.compiled_board import CompiledBoard, copy_board, cover_all, mines_left
from bot.solver.guess.control_variate import begin_control
from bot.solver.guess.outcomes import prepare_outcomes
from bot.solver.guess.player import Player
from bot.solver.guess.score import best_scored, blend_score, closest_candidates, weigh_candidate
from bot.solver.guess.score_correction import describe_candidate
from bot.solver.jit.compiler import jit, part
from bot.solver.probability.combination import SOLVABLE
from bot.solver.probability.components import release_cells
from bot.solver.probability.mine_chances import mine_chances
from bot.solver.probability.sampling import sample_layout, weigh_rest
from bot.solver.simulate.minefield import lay_mines
from bot.solver.simulate.self_play import play_on

CLOSE_MARGIN = 0.03
"""Candidates whose score is further behind the best are not played on."""


@part
def play_from(
    field: CompiledBoard, scout: Player, minefield: Bytes, cell: int, expected: float, follows: Floats
) -> float:
    """Open a candidate of the position in a layout and play on to the end. `expected` and `follows` are what
    `weigh_candidate` says of the candidate. Returns the result, with the luck taken out."""
    copy_board(field, scout.field)
    shown = minefield[cell]
    begin_control(scout, expected, follows[shown] if shown != 9 else 0.0)
    return float(play_on(scout, None, minefield, cell, -1, False)[0])


@jit
def compare_candidates(
    player: Player,
    scout: Player,
    layouts: Ints,
    first: int,
    stops: Ints,
    tries: int,
    seen: Floats,
    results: Floats,
) -> None:
    """Play a game for each row of `layouts`, mines as `row * columns + column`, to its scored guess number
    `stops[game]` after the first zero; then from the best candidates: in the layout of the game, and in
    `tries - 1` others drawn from those that fit the position.

    Fills `seen`, shape (games, candidates, CORRECTION_INPUTS), with what a correction is told from, and
    `results`, shape (games, candidates, 2), with the mean result of each in the first layout and every other
    one after it, and in those between: what both say is no luck. NaN where there are not so many candidates,
    or none.
    """
    field, ws = player.field, player.ws
    minefield = np.zeros(field.state.shape[0], np.int8)
    most = results.shape[1]
    picked = np.zeros(most, np.int32)
    expected = np.zeros(most)
    follows = np.zeros((most, 9))
    results[:] = np.nan
    for game in range(layouts.shape[0]):
        lay_mines(field, layouts[game], minefield)
        cover_all(field)
        begin_control(player, 0.0, 0.0)
        _, guess = play_on(player, None, minefield, first, stops[game], False)
        if guess < 0:
            continue
        found, cons = mine_chances(field, ws, player.settings.layer_states, player.chance, player.combined)
        if found == SOLVABLE:
            count = closest_candidates(player, best_scored(player), CLOSE_MARGIN, picked)
            for at in range(count):
                picked[at] = player.candidates[picked[at]]
            prepare_outcomes(player.outcomes, ws, player.combined)
            for at in range(count):
                expected[at], _ = weigh_candidate(player, picked[at])
                if expected[at] <= 0:
                    count = at  # too much work to be weighed: nothing is known of it, nor of those after it
                    break
                follows[at] = player.outcomes.follows
                blend_score(player, picked[at], expected[at])
                describe_candidate(player, picked[at])
                seen[game, at] = player.seen
                results[game, at, :] = 0.0
            rest = weigh_rest(player.sampler, ws, player.combined, mines_left(field))
            done = 0
            while count > 0 and done < tries and (done == 0 or rest.shape[0] > 0):
                if done > 0:
                    if not sample_layout(player.sampler, rest, field, ws, player.combined):
                        break
                    minefield[:] = player.sampler.minefield
                for at in range(count):
                    results[game, at, done % 2] += play_from(
                        field, scout, minefield, picked[at], expected[at], follows[at]
                    )
                done += 1
            results[game, :, 0] /= max((done + 1) // 2, 1)
            if done > 1:
                results[game, :, 1] /= done // 2
            else:
                results[game, :, 1] = np.nan
        release_cells(ws, cons)
