"""What is advised on one position."""

from __future__ import annotations

import pytest

from bot.board import Board, FirstClick, Observation, Phase, Rules
from bot.errors import ContradictionError, UsageError
from bot.strategy.advice import advise
from bot.strategy.best import Best


def rules(board: Board, mines: int | None, first_click: FirstClick = FirstClick.SAFE) -> Rules:
    return Rules(board.columns, board.rows, mines, first_click)


def test_a_certain_cell_comes_first() -> None:
    board = Board.parse("###\n11x")
    advice = advise(board, rules(board, 1))
    assert advice.best == (0, 2)
    assert advice.survival == 1
    assert advice.win == 1
    assert advice.reason == "best: 1 cell is no mine in any layout that fits"


def test_what_wins_most_is_not_always_the_safest() -> None:
    board = Board.parse("####\n####\n###1")  # of tests/positions/chances.txt
    advice = advise(board, rules(board, 4))
    assert advice.best == (0, 1)
    assert advice.survival == pytest.approx(5 / 8)
    assert advice.win == pytest.approx(5 / 12)
    assert advice.candidates[0].cell == advice.best


def test_it_is_what_best_opens() -> None:
    for text, mines in (("2########\n" + "#########\n" * 8, 10), ("####\n####\n1###\n####", 4)):
        board = Board.parse(text)
        for think in (1, 4):
            said = advise(board, rules(board, mines), think=think)
            decision = Best(think=think).decide(Observation(board, Phase.PLAYING, rules(board, mines)), 1)
            assert (said.best,) == decision.safe
            assert said.candidates == decision.candidates


@pytest.mark.parametrize(
    ("first_click", "survival", "win"),
    [
        (FirstClick.ANY, 0.75, 961 / 1820),
        (FirstClick.SAFE, 1.0, 0.70403),
        (FirstClick.ZERO, 1.0, 0.97143),
    ],
)
def test_the_exact_value_of_an_untouched_board(first_click: FirstClick, survival: float, win: float) -> None:
    # Perfect play on 4x4 with 4 mines, as it was published for other exact searches.
    board = Board.covered(4, 4)
    advice = advise(board, rules(board, 4, first_click))
    assert advice.survival == survival
    assert advice.win == pytest.approx(win, abs=1e-5)


def test_a_named_strategy_says_what_is_best() -> None:
    board = Board.parse("####\n####\n###1")
    advice = advise(board, rules(board, 4), "seed")
    assert advice.best == (0, 0)
    assert advice.reason.startswith("seed:")
    assert advice.win is not None
    assert advice.win < 5 / 12
    assert advise(board, rules(board, 4), "local").best is None
    with pytest.raises(UsageError):
        advise(board, rules(board, 4), "nobody")


@pytest.mark.parametrize(("text", "words"), [("X#\n##", "game is over"), ("##\n##", "every covered cell")])
def test_nothing_to_open(text: str, words: str) -> None:
    board = Board.parse(text)
    advice = advise(board, rules(board, 4))
    assert (advice.best, advice.survival, advice.win) == (None, None, None)
    assert words in advice.reason


def test_an_unread_cell_is_never_advised() -> None:
    board = Board.parse("!1#\n1*#\n##*")
    advice = advise(board, rules(board, 2))
    assert (0, 0) in advice.solved.safe
    assert advice.best is not None
    assert advice.best != (0, 0)


def test_a_board_that_cannot_be() -> None:
    board = Board.parse("#3\n##\n1#")
    with pytest.raises(ContradictionError):
        advise(board, rules(board, None))


def test_a_guess_on_what_the_total_makes_a_mine_never_wins() -> None:
    """The rung that chose it does not look at the total, and the search has no such cell."""
    board = Board.parse("##?\n##2")
    advice = advise(board, rules(board, 4, FirstClick.ANY), "seed")
    assert (advice.best, advice.survival, advice.win) == ((0, 0), 0.0, 0.0)
