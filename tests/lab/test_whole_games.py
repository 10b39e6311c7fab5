"""Compiled games against the loop: the same clicks, the same guesses, the same end, game by game."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from bot.board import LEVELS, FirstClick, Result, Rules
from bot.game.minefield import Minefield
from bot.lab.games import OpensAt, Playout, Task, generated, given, play_compiled, play_loop
from bot.strategy.base import Strategy
from bot.strategy.best import Best
from bot.strategy.exact import Exact
from bot.strategy.registry import strategy

pytestmark = pytest.mark.slow

COMPILED = ["best", "exact"]
"""The strategies whose games are compiled."""


def held_alike(task: Task, player: Strategy) -> Playout:
    compiled, loop = play_compiled(task, player), play_loop(task, player)
    assert compiled is not None
    assert compiled.clicks == loop.clicks
    assert compiled.guesses == pytest.approx(loop.guesses, abs=1e-9)
    assert compiled.result is loop.result
    assert compiled.minefield == loop.minefield
    return loop


# A moved mine or a shifted field skews where mines can be: such games are played by the loop alone.
@pytest.mark.parametrize(
    "first_click", [rule for rule in FirstClick if rule not in (FirstClick.MOVED, FirstClick.SHIFTED)]
)
@pytest.mark.parametrize("name", COMPILED)
def test_every_move_is_the_same(name: str, first_click: FirstClick) -> None:
    player = strategy(name)
    loops = [
        held_alike(task, player)
        for rules, games in (
            (Rules(*LEVELS["beginner"], first_click), 25),
            (Rules(16, 9, 30, first_click), 10),
            (Rules(*LEVELS["expert"], first_click), 8),
        )
        for task in generated(rules, games, seed=8)
    ]
    assert {loop.result for loop in loops} == {Result.WON, Result.LOST}
    assert max(len(loop.guesses) for loop in loops) > 3


@pytest.mark.parametrize("name", COMPILED)
def test_boards_of_many_totals_one_after_the_other(name: str) -> None:
    rng = np.random.default_rng(3)
    fields = [
        Minefield.from_cells(8, 6, rng.permutation(np.arange(1, 48))[:mines].tolist())
        for mines in rng.integers(0, 47, 30)
    ]
    # Without a first click: there has to be a cell in the middle of it.
    player = OpensAt(strategy(name), (0, 0))
    for task in given(fields, FirstClick.SAFE):
        held_alike(task, player)


def test_more_thought_is_held_alike_too() -> None:
    for task in generated(Rules(8, 8, 15), 12, seed=2):
        held_alike(task, Best(think=4))


@pytest.mark.parametrize(("first_click", "won"), [(FirstClick.SAFE, 0.70403), (FirstClick.ZERO, 0.97143)])
def test_best_plays_perfectly_where_exact_search_reaches(first_click: FirstClick, won: float) -> None:
    # Every layout of 4x4 with 4 mines that the first click allows; the values of perfect play are published.
    rules = Rules(4, 4, 4, first_click)
    player = Best(think=4)  # which lets it search 1,600 layouts: all that there can be
    first = play_loop(next(generated(rules, 1, 0)), player).clicks[0]
    fields = [
        field
        for cells in itertools.combinations(range(16), 4)
        if (field := Minefield.from_cells(4, 4, cells)).allows(first, first_click)
    ]
    wins = [play_compiled(task, player) for task in given(fields, first_click)]
    rate = sum(game is not None and game.result is Result.WON for game in wins) / len(wins)
    assert rate == pytest.approx(won, abs=5e-6)


def test_exact_is_worse_there() -> None:
    rules = Rules(4, 4, 4)
    games = [play_compiled(task, Exact()) for task in generated(rules, 400, 0)]
    assert sum(game is not None and game.result is Result.WON for game in games) / 400 < 0.70


def test_only_the_loop_plays_what_is_not_compiled() -> None:
    task = next(generated(Rules(5, 5, 4), 1, 0))
    assert play_compiled(task, strategy("seed")) is None


@pytest.mark.parametrize("name", COMPILED)
def test_a_board_without_mines_is_won(name: str) -> None:
    """Every cell is certain then, where the first click was expected to be one cell."""
    (task,) = generated(Rules(5, 5, 0, FirstClick.ANY), 1, seed=0)
    played = play_compiled(task, strategy(name)) or play_loop(task, strategy(name))
    assert played.result is Result.WON
