"""The rules that a board of the general reader keeps; on games that go on, those of `Board.faults`."""

from __future__ import annotations

import numpy as np
import pytest

from bot.board import Board, Cell, FaultKind, Rules
from bot.vision.general.odds.broken_rules import broken_count, broken_rules

RNG = np.random.default_rng(3)
RULES_OF_NEIGHBOURS = {
    FaultKind.ZERO_BESIDE_COVERED,
    FaultKind.TOO_FEW_MINES_POSSIBLE,
    FaultKind.TOO_MANY_MINES_AROUND,
}


@pytest.mark.parametrize("_", range(20))
def test_the_cells_that_break_rules_are_those_with_faults(_: int) -> None:
    shown = [*range(9), Cell.COVERED, Cell.COVERED, Cell.COVERED, Cell.FLAG, Cell.QUESTION, Cell.UNREAD]
    board = Board(RNG.choice(shown, (9, 12)))
    faults = {
        fault.cell for fault in board.faults(Rules(12, 9)) if fault.kind in RULES_OF_NEIGHBOURS and fault.cell
    }
    broken = np.argwhere(broken_rules(board.codes)).tolist()
    # A flag beside a zero is a fault twice, and counts here once.
    assert {(row, column) for row, column in broken} == faults


def test_a_number_counts_each_mine_that_is_missing_or_too_many() -> None:
    assert broken_count(Board.parse("3#\n..").codes) == 2 + 2
    assert broken_count(Board.parse("1F\nFF").codes) == 2
    assert broken_count(Board.parse("1*\n11").codes) == 0


def test_where_mines_are_shown_none_stays_hidden() -> None:
    assert broken_count(Board.parse("1*1\n111").codes) == 0
    assert broken_count(Board.parse("2*1\n##1").codes) == 1
    assert broken_count(Board.parse("2F1\n##1").codes) == 0


def test_a_cell_that_is_unread_can_be_a_mine_that_is_shown() -> None:
    assert broken_count(Board.parse("2*1\n!#1").codes) == 0
