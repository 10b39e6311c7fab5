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
    assert totals.get(SIZE) == mines


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
