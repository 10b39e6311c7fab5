"""The rules that a board of the trained reader keeps."""

from __future__ import annotations

from bot.board import Board
from bot.vision.trained.broken_rules import broken_count


def test_where_mines_are_shown_none_stays_hidden() -> None:
    assert broken_count(Board.parse("1*1\n111").codes) == 0
    assert broken_count(Board.parse("2*1\n##1").codes) == 1
    assert broken_count(Board.parse("2F1\n##1").codes) == 0


def test_a_number_with_too_many_mines_breaks_the_rules() -> None:
    assert broken_count(Board.parse("1F\nFF").codes) == 2
