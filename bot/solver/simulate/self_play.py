"""Whole games for learning and for measuring variants: no clicks are recorded.

With `control` or `explore`, the luck is taken out of the results (control_variate.py).
"""

from __future__ import annotations

import numpy as np

from bot.solver.constraints.workspace import Bytes, Floats, Ints
from bot.solver.deduction.compiled_board import cover_all
from bot.solver.guess.control_variate import begin_control, controlled_play
from bot.solver.guess.player import Player
from bot.solver.guess.policy import choose_guess
from bot.solver.jit.compiler import jit
from bot.solver.simulate.minefield import lay_mines

play_on = controlled_play(choose_guess)
"""The loop of the player as it is."""


@jit
def play_game(player: Player, deeper: Player | None, minefield: Bytes, first: int) -> float:
    """Play one game. Returns 1 for a win, 0 for a loss, NaN where the minefield is not one of its total;
    for a controlled game, its result."""
    cover_all(player.field)
    begin_control(player, 0.0, 0.0)
    return play_on(player, deeper, minefield, first, -1, False)[0]


@jit
def play_many(player: Player, deeper: Player | None, layouts: Ints, first: int, results: Floats) -> None:
    """Play a game for each row of `layouts`, mines as `row * columns + column`; results as of `play_game`."""
    minefield = np.zeros(player.field.state.shape[0], np.int8)
    for game in range(layouts.shape[0]):
        lay_mines(player.field, layouts[game], minefield)
        begun = player.record_size[0]
        results[game] = play_game(player, deeper, minefield, first)
        if np.isnan(results[game]):
            player.record_size[0] = begun
        for row in range(begun, player.record_size[0]):
            player.record_outcome[row] += results[game] / player.record_weight[row]
