"""The mine totals of games that no theme knows."""

from __future__ import annotations

import pytest

from bot.board import Board
from bot.targets.window.observe.mine_totals import MineTotals

SIZE = (3, 3)


@pytest.mark.parametrize(
    ("text", "mines"),
    [("1*1\n111\n...", 1), ("1F1\n111\n...", 1), ("1#1\n121\n...", None), ("1#1\n11!\n...", None)],
)
def test_what_a_won_game_has_left_are_its_mines_where_the_numbers_say_so(
    text: str, mines: int | None
) -> None:
    totals = MineTotals()
    assert totals.learn(Board.parse(text)) is (mines is not None)
    assert totals.get(SIZE) is None, "one game does not say how many the next one has"
    totals.learn(Board.parse(text))
    assert totals.get(SIZE) == mines


def test_games_with_now_so_many_mines_and_now_others_have_no_total() -> None:
    totals, one, two = MineTotals(), Board.parse("1#1\n111\n..."), Board.parse("1#1\n222\n1#1")
    for board in (one, two, two, two):
        assert totals.learn(board)
        assert totals.get(SIZE) is None


def test_a_total_that_was_learned_and_is_wrong_is_not_learned_again() -> None:
    totals, board = MineTotals(), Board.parse("1#1\n111\n...")
    for _ in range(2):
        totals.learn(board)
    assert totals.get(SIZE) == 1
    totals.doubt(SIZE)
    for _ in range(2):
        totals.learn(board)
    assert totals.get(SIZE) is None


def test_clicks_that_were_not_seen_to_open_count_once_two_games_agree() -> None:
    totals, board, other = MineTotals(), Board.parse("1#1\n11#\n..#"), Board.parse("##1\n#21\n##.")
    assert not totals.learn(board, [(1, 2), (2, 2)])
    assert totals.get(SIZE) is None, "a click may have opened more than its own cell"
    assert not totals.learn(board, [(0, 1), (2, 2)]), "the 1 at the top left has a mine beside it"
    assert not totals.learn(other, [(1, 0), (2, 0), (2, 1)]), "two mines, and one in the game before"
    assert totals.learn(other, [(1, 0), (2, 0), (2, 1)])
    assert totals.get(SIZE) == 2
    totals.doubt(SIZE)
    assert totals.get(SIZE) is None
    assert totals.is_doubted(SIZE)
