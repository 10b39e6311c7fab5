"""Games and analyses in several threads of one program are those of one thread."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import TypeVar

import pytest

from bot import Game, Rules, analyse, play, read
from bot.board import Board
from bot.solver.simulate.best_games import AT_ONCE, KINDS, lent_players

THREADS = 3

PICTURE = Path(__file__).parents[1] / "docs" / "screenshot.png"

KINDS_PLAYED = ((30, 16, 99), (30, 16, 120), (9, 9, 10), (8, 8, 10), (16, 16, 40), (12, 9, 20))
"""More than are kept, and one size with two totals."""

Result = TypeVar("Result")


def in_threads(call: Callable[[], Result]) -> list[Result]:
    """What a call gives in each of some threads that begin it at once."""
    begun = Barrier(THREADS)

    def begin(_: int) -> Result:
        begun.wait(60)
        return call()

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(begin, range(THREADS)))


def games(strategy: str) -> list[tuple[object, ...]]:
    reports = [play(Game(Rules(*kind), seed=1), strategy) for kind in KINDS_PLAYED]
    return [(each.outcome, each.guesses, each.decisions, each.observation.board) for each in reports]


def analyses() -> list[tuple[object, ...]]:
    boards = [
        Board.parse("1" + "#" * 29 + ("\n" + "#" * 30) * 15),
        Board.parse("2########\n" + "#########\n" * 8),
        Board.parse("####\n####\n1###\n####"),
    ]
    found = [analyse(board, mines) for board, mines in zip(boards, (99, 10, 4), strict=True)]
    return [(each.best, each.win, each.reason, each.probability.tobytes()) for each in found]


def test_players_that_are_lent_at_once_share_nothing() -> None:
    with lent_players(5, 4, 3, 2) as (one, deeper), lent_players(5, 4, 3, 2) as (other, other_deeper):
        assert deeper is not None
        assert other_deeper is not None
        arrays = [each.field.state for each in (one, deeper, other, other_deeper)]
        assert len({array.ctypes.data for array in arrays}) == 4


def test_a_player_is_lent_again_unless_it_was_left_in_the_midst() -> None:
    with lent_players(5, 4, 3, 1) as (first, _):
        first.memory[:] = 1
    with lent_players(5, 4, 3, 1) as (again, _):
        assert again is first
    with lent_players(5, 4, 2, 1) as (again, _):
        assert again is first
        assert again.field.counts.total == 2
        assert not again.memory.any()
    with pytest.raises(KeyboardInterrupt), lent_players(5, 4, 3, 1):
        raise KeyboardInterrupt
    with lent_players(5, 4, 3, 1) as (again, _):
        assert again is not first


def test_few_players_are_kept() -> None:
    from bot.solver.simulate import best_games

    def lend(many: int) -> None:
        if many:
            with lent_players(3, 3, 1, 1):
                lend(many - 1)

    lend(AT_ONCE + 2)
    assert len(best_games._free[3, 3, 1]) == AT_ONCE
    for rows in range(4, 5 + KINDS):
        with lent_players(rows, 3, 1, 1):
            pass
    assert len(best_games._free) == KINDS
    assert (3, 3, 1) not in best_games._free


@pytest.mark.parametrize("strategy", ["best", "exact", "seed", "local"])
def test_games(strategy: str) -> None:
    alone = games(strategy)
    assert in_threads(lambda: games(strategy)) == [alone] * THREADS


def test_analyses() -> None:
    alone = analyses()
    assert in_threads(analyses) == [alone] * THREADS


def test_readings() -> None:
    alone = read(PICTURE)
    for reading in in_threads(lambda: read(PICTURE)):
        assert (reading.board, reading.mines, reading.grid) == (alone.board, alone.mines, alone.grid)
