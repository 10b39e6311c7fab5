"""The look ahead over written-out solutions, held to the exact values of perfect play on small boards."""

from __future__ import annotations

import numpy as np
import pytest
from layouts import every_layout

from bot.solver.endgame.exact_search import HOLDS_MINE, new_endgame
from bot.solver.endgame.greedy_lookahead import greedy_choice, greedy_wins, look_ahead, new_lookahead
from bot.solver.guess.player import new_player
from bot.solver.simulate.self_play import play_many

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


def wins(rows: int, columns: int, mines: int, exact: int) -> int:
    """Games won of all layouts, the corner first, with the exact search for up to `exact` solutions."""
    player = new_player(rows, columns, mines)
    deeper = new_player(rows, columns, mines)
    player.settings.policy = 0
    player.settings.solutions = exact
    every = every_layout(rows, columns, mines, first=0)
    won = np.zeros(len(every))
    play_many(player, deeper, every, columns + 3, won)
    return int(won.sum())


def test_it_plays_every_5x5_layout_with_5_mines_perfectly() -> None:
    # 64.161 %, the value of perfect play in shared/bench/README.md.
    assert wins(5, 5, 5, 400) == 27271


def test_it_plays_5x5_with_3_mines_perfectly_without_the_exact_search() -> None:
    assert wins(5, 5, 3, 1) == 1798


def test_the_quick_player_is_counted_as_it_plays() -> None:
    """Three cells in a row show 0, 1 and 2 mines beside them: what is won is counted by hand."""
    game = new_endgame(6, 3)
    # Opening the first cell tells two pairs apart, and each pair is then won whole or by half.
    game.values[:4] = [[1, 0, 3], [1, 2, 3], [2, HOLDS_MINE, 1], [2, 1, HOLDS_MINE]]
    ahead = new_lookahead(6, 3)
    ahead.rows[:4] = range(4)
    work = np.zeros(1, np.int64)
    assert greedy_wins(game.values, ahead, 0, 4, 3, work) == 3
    assert look_ahead(game, ahead, 4, 3, 1000) == 3


def test_a_dead_cell_is_never_chosen() -> None:
    ahead = new_lookahead(4, 2)
    ahead.counts[0] = [3, 0, 0, 0, 0, 0, 0, 0, 0, 1]  # safer, and teaches nothing
    ahead.counts[1] = [1, 1, 0, 0, 0, 0, 0, 0, 0, 2]
    assert greedy_choice(ahead, 4, 2) == 1
    ahead.counts[1] = [2, 0, 0, 0, 0, 0, 0, 0, 0, 2]
    assert greedy_choice(ahead, 4, 2) == -1
