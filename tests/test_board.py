"""The words of the board: text in, text out, and what makes a board impossible."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.board import SYMBOLS, Board, Cell, FaultKind, Rules, Spread
from bot.errors import FormatError, UsageError

RULES = Rules(3, 3, 2)


def kinds(text: str, rules: Rules | None = None) -> list[FaultKind]:
    board = Board.parse(text)
    return [fault.kind for fault in board.faults(rules or Rules(board.columns, board.rows, None))]


@given(
    st.integers(1, 6).flatmap(
        lambda width: st.lists(
            st.text(alphabet=SYMBOLS, min_size=width, max_size=width), min_size=1, max_size=6
        )
    )
)
def test_text_round_trips(lines: list[str]) -> None:
    board = Board.parse("\n".join(lines))
    assert str(board) == "\n".join(lines)
    assert eval(repr(board)) == board
    assert hash(eval(repr(board))) == hash(board)


@pytest.mark.parametrize(
    ("text", "told"),
    [("", "at least one row"), ("##\n#", "row 1"), ("#a\n##", "column 1"), ("#\t#\n##", "row 0, column 1")],
)
def test_bad_text_names_the_place(text: str, told: str) -> None:
    with pytest.raises(FormatError, match=told):
        Board.parse(text)


@pytest.mark.parametrize(("columns", "rows", "mines"), [(0, 3, 1), (3, -1, 1), (3, 3, 10), (3, 3, -1)])
def test_rules_that_cannot_be_are_refused(columns: int, rows: int, mines: int) -> None:
    with pytest.raises(UsageError):
        Rules(columns, rows, mines)


@pytest.mark.parametrize(
    "text",
    ["###\n###\n###", "1##\n###\n###", "1F#\n###\n###", "...\n111\n###", ".1#\n.11\n..."],
)
def test_possible_boards_have_no_faults(text: str) -> None:
    assert kinds(text) == []


def test_a_zero_beside_a_covered_cell_is_a_frame_in_flight() -> None:
    assert FaultKind.ZERO_BESIDE_COVERED in kinds("###\n#.#\n###")
    assert FaultKind.ZERO_BESIDE_COVERED in kinds(".F\n##")


def test_a_zero_beside_a_covered_cell_is_normal_where_openings_do_not_spread() -> None:
    assert kinds("###\n#.#\n###", Rules(3, 3, 2, spread=Spread.NONE)) == []


def test_a_number_with_too_few_covered_cells() -> None:
    assert kinds("3#\n11") == [FaultKind.TOO_FEW_MINES_POSSIBLE]


def test_a_number_with_too_many_flags() -> None:
    assert FaultKind.TOO_MANY_MINES_AROUND in kinds("1F\nF2")


def test_an_unread_cell_is_a_fault_and_may_be_a_mine() -> None:
    assert kinds("1!\n11") == [FaultKind.UNREAD]


@pytest.mark.parametrize(
    ("text", "mines", "fault"),
    [("FF#\n###\n###", 1, True), ("221\n###\n111", 4, True), ("FF#\n###\n###", 2, False)],
)
def test_the_mine_total(text: str, mines: int, fault: bool) -> None:
    found = kinds(text, Rules(3, 3, mines))
    assert (FaultKind.MINE_TOTAL in found) is fault


def test_a_finished_board_is_judged_only_by_its_total() -> None:
    assert kinds("X1#\n*2#\n.x#", Rules(3, 3, 2)) == []
    assert kinds("X1#\n*2#\n..*", Rules(3, 3, 2)) == [FaultKind.MINE_TOTAL]


def test_boards_are_values() -> None:
    board = Board.parse("12\n##")
    assert board.where(Cell.COVERED) == [(1, 0), (1, 1)]
    assert board.replaced([(1, 0)], Cell.FLAG) == Board.parse("12\nF#")
    with pytest.raises(ValueError, match="read-only"):
        board.codes[0, 0] = 3
