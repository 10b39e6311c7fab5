"""What the general reader counts as broken rules is what `Board.faults` lists."""

from __future__ import annotations

import numpy as np
import pytest

from bot.board import Board, Cell, FaultKind, Rules
from bot.vision.general.consistency import rule_violations, violation_count

RNG = np.random.default_rng(3)
RULES_OF_NEIGHBOURS = {
    FaultKind.ZERO_BESIDE_COVERED,
    FaultKind.TOO_FEW_MINES_POSSIBLE,
    FaultKind.TOO_MANY_MINES_AROUND,
}


@pytest.mark.parametrize("_", range(20))
def test_the_cells_with_violations_are_those_with_faults(_: int) -> None:
    shown = [*range(9), Cell.COVERED, Cell.COVERED, Cell.COVERED, Cell.FLAG, Cell.QUESTION, Cell.UNREAD]
    board = Board(RNG.choice(shown, (9, 12)))
    faults = {
        fault.cell for fault in board.faults(Rules(12, 9)) if fault.kind in RULES_OF_NEIGHBOURS and fault.cell
    }
    violations = np.argwhere(rule_violations(board.codes)).tolist()
    # A flag beside a zero is a fault twice, and a violation once.
    assert {(row, column) for row, column in violations} == faults


def test_a_number_counts_each_mine_that_is_missing_or_too_many() -> None:
    assert violation_count(Board.parse("3#\n..").codes) == 2 + 2
    assert violation_count(Board.parse("1F\nFF").codes) == 2
    assert violation_count(Board.parse("1*\n11").codes) == 0
