"""Candidates of one guess played on in the same layouts, to learn what tells them apart.

How candidates differ is hidden by the luck of the rest of the game. With that luck taken out (controlled.py)
and in the same layout, the difference of two has a standard deviation of 0.17 on Expert, and so a fifth of
the variance that it would have in games of their own. They are played on by the safest cell, which takes a
quarter of the time of the learned player, and tells much the same: what is won more from one candidate than
from another correlates by 0.83 (116 positions, 1,000 layouts each).
"""

from __future__ import annotations

import numpy as np

from bot.solver.analysis import FINE
from bot.solver.chances import chances
from bot.solver.compiled import jit, part
from bot.solver.controlled import begin
from bot.solver.correction import see
from bot.solver.draws import draw, prepare_draws
from bot.solver.field import Field, clear
from bot.solver.fronts import forget
from bot.solver.games import lay
from bot.solver.outlook import prepare
from bot.solver.player import LIMIT, Player
from bot.solver.rolled import copy_field
from bot.solver.scored import blended, closest, scored, weigh
from bot.solver.selfplay import play_on
from bot.solver.workspace import Bytes, Floats, Ints

CLOSE = 0.03
"""Candidates whose score is further behind the best are not played on."""


@part
def play_from(
    field: Field, scout: Player, minefield: Bytes, cell: int, expected: float, follows: Floats
) -> float:
    """Open a candidate of the position in a layout and play on to the end. `expected` and `follows` are what
    `weigh` says of the candidate. Returns the result, with the luck taken out."""
    copy_field(field, scout.field)
    shown = minefield[cell]
    begin(scout, expected, follows[shown] if shown != 9 else 0.0)
    return float(play_on(scout, None, minefield, cell, -1, False)[0])


@jit
def compare(
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

    Fills `seen`, shape (games, candidates, SEEN), with what a correction is told from, and `results`, shape
    (games, candidates, 2), with the mean result of each in the first layout and every other one after it, and
    in those between: what both say is no luck. NaN where there are not so many candidates, or none.
    """
    field, ws = player.field, player.ws
    minefield = np.zeros(field.state.shape[0], np.int8)
    most = results.shape[1]
    picked = np.zeros(most, np.int32)
    expected = np.zeros(most)
    follows = np.zeros((most, 9))
    results[:] = np.nan
    for game in range(layouts.shape[0]):
        lay(field, layouts[game], minefield)
        clear(field)
        begin(player, 0.0, 0.0)
        _, guess = play_on(player, None, minefield, first, stops[game], False)
        if guess < 0:
            continue
        found, cons = chances(field, ws, int(player.settings[LIMIT]), player.chance, player.out)
        if found == FINE:
            count = closest(player, scored(player), CLOSE, picked)
            for at in range(count):
                picked[at] = player.candidates[picked[at]]
            prepare(player.look, ws, player.out)
            for at in range(count):
                expected[at], _ = weigh(player, picked[at])
                if expected[at] <= 0:
                    count = at  # too much work to be weighed: nothing is known of it, nor of those after it
                    break
                follows[at] = player.look.follows
                blended(player, picked[at], expected[at])
                see(player, picked[at])
                seen[game, at] = player.seen
                results[game, at, :] = 0.0
            known = prepare_draws(player.draws, player.look.log_factorial, field, ws, player.out)
            done = 0
            while count > 0 and done < tries and (done == 0 or known):
                if done > 0:
                    if not draw(player.draws, field, ws, player.out):
                        break
                    minefield[:] = player.draws.minefield
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
        forget(ws, cons)
