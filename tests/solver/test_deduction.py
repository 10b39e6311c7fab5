"""Deduction against positions with their sources, against all layouts, and against slow and plain rules."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from layouts import layouts
from plain_rules import plain_deduction
from positions import read_positions

from bot.board import Board, Cell, Coordinate, Rules, neighbour_sums
from bot.errors import ContradictionError
from bot.solver.deduction.compiled_board import (
    MINE,
    SAFE,
    UNKNOWN,
    apply_number_rules,
    load_codes,
    new_board,
)
from bot.solver.deduction.compiled_ladder import suppose
from bot.solver.deduction.ladder import Rung, deduce

ALL = Rung.SINGLE | Rung.PAIR | Rung.TOTAL | Rung.CONTRADICTION
LADDERS = [Rung.SINGLE, Rung.PAIR, Rung.SINGLE | Rung.TOTAL, Rung.CONTRADICTION, ALL]


class Position(NamedTuple):
    name: str
    board: Board
    rules: Rules
    rungs: Rung
    safe: set[Coordinate]
    mines: set[Coordinate]


def positions() -> list[Position]:
    found = []
    for each in read_positions("deduction"):
        known = {(r, c): letter for r, (right,) in enumerate(each.known) for c, letter in enumerate(right)}
        found.append(
            Position(
                each.name,
                each.board,
                each.rules,
                Rung[each.words["rungs"].upper()],
                {cell for cell, letter in known.items() if letter == "s"},
                {cell for cell, letter in known.items() if letter == "*" and each.board[cell] != Cell.MINE},
            )
        )
    return found


@pytest.mark.parametrize("position", positions(), ids=lambda position: position.name)
def test_position(position: Position) -> None:
    deduction = deduce(position.board, position.rules, position.rungs)
    assert set(deduction.safe) == position.safe
    assert set(deduction.mines) == position.mines


@st.composite
def boards(draw: st.DrawFn) -> tuple[Board, Rules]:
    """Boards of real games, some cells opened, some flagged rightly or wrongly, the total known or not."""
    rows, columns = draw(st.integers(1, 4)), draw(st.integers(1, 5))
    size = rows * columns
    mines = np.zeros(size, dtype=bool)
    mines[draw(st.lists(st.integers(0, size - 1), max_size=8))] = True
    opened = np.array(draw(st.lists(st.integers(0, 3), min_size=size, max_size=size))) > 0
    looks = draw(
        st.lists(
            st.sampled_from([Cell.COVERED, Cell.COVERED, Cell.FLAG, Cell.QUESTION]),
            min_size=size,
            max_size=size,
        )
    )
    shape = (rows, columns)
    codes = np.where(
        opened & ~mines, neighbour_sums(mines.reshape(shape)).ravel(), np.array(looks, dtype=np.int8)
    )
    codes = codes.astype(np.int8).reshape(shape)
    while np.count_nonzero(codes > 8) > 11:  # all layouts of so many cells are tried
        row, column = next((r, c) for r, c in np.argwhere(codes > 8) if not mines[r * columns + c])
        codes[row, column] = neighbour_sums(mines.reshape(shape))[row, column]
    total = int(mines.sum()) if draw(st.booleans()) else None
    return Board(codes), Rules(columns, rows, total)


@settings(max_examples=300, deadline=None)
@given(boards(), st.sampled_from(LADDERS))
def test_what_is_certain_is_so_in_every_layout(case: tuple[Board, Rules], rungs: Rung) -> None:
    board, rules = case
    deduction = deduce(board, rules, rungs)
    cells, possible = layouts(board, rules.mines if rungs & Rung.TOTAL else None)
    assert len(possible)
    place = {cell: index for index, cell in enumerate(cells)}
    for cell in deduction.safe:
        assert not possible[:, place[cell]].any()
    for cell in deduction.mines:
        assert possible[:, place[cell]].all()


@settings(max_examples=300, deadline=None)
@given(boards(), st.sampled_from(LADDERS))
def test_the_worklist_finds_what_whole_scans_find(case: tuple[Board, Rules], rungs: Rung) -> None:
    board, rules = case
    deduction = deduce(board, rules, rungs)
    safe, mines = plain_deduction(board, rules, rungs)
    assert set(deduction.safe) == safe
    assert set(deduction.mines) == mines
    assert sum(deduction.found.values()) == len(safe)


@settings(max_examples=200, deadline=None)
@given(boards())
def test_what_is_only_supposed_leaves_the_board_as_it_was(case: tuple[Board, Rules]) -> None:
    board, rules = case
    field = new_board(board.rows, board.columns, rules.mines)
    load_codes(field, np.array(board.codes))
    apply_number_rules(field)
    kept: list[Any] = [field.state, field.near, field.unknown, field.counts, field.queued]
    before = [array.copy() for array in kept]
    possible = np.zeros(field.state.shape[0], np.int8)
    for cell in np.flatnonzero(field.state == UNKNOWN):
        for state in (MINE, SAFE):
            fine = suppose(field, int(cell), state, possible)
            assert not fine or possible[cell] & state
            assert all(np.array_equal(now, was) for now, was in zip(kept, before, strict=True))


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(boards(), st.data())
def test_a_board_is_called_impossible_only_where_no_layout_is_left(
    case: tuple[Board, Rules], data: st.DataObject
) -> None:
    board, rules = case
    opened = [(r, c) for r in range(board.rows) for c in range(board.columns) if board[r, c] <= 8]
    if not opened:
        return
    cell = data.draw(st.sampled_from(opened))
    wrong = board.replaced([cell], Cell.EMPTY)
    codes = wrong.codes.copy()
    codes[cell] = data.draw(st.integers(0, 8))
    wrong = Board(codes)
    try:
        deduce(wrong, rules, ALL)
    except ContradictionError:
        assert not len(layouts(wrong, rules.mines)[1])


@pytest.mark.parametrize(
    ("text", "rungs", "words"),
    [
        ("1#\n3#", Rung.SINGLE, "row 1, column 0 cannot be a 3"),
        ("*.", Rung.SINGLE, "row 0, column 1 cannot be a 0"),
        ("1#1#2#", Rung.SINGLE, "cannot be a [12]"),
        ("#####\n11x21", Rung.CONTRADICTION, "cannot be a"),
    ],
)
def test_a_board_that_cannot_be_is_told(text: str, rungs: Rung, words: str) -> None:
    board = Board.parse(text)
    with pytest.raises(ContradictionError, match=words):
        deduce(board, Rules(board.columns, board.rows), rungs)


def test_the_rules_for_one_number_do_not_see_every_contradiction() -> None:
    board = Board.parse("#####\n11x21")
    assert not deduce(board, Rules(5, 2), Rung.SINGLE).safe


def test_a_total_that_cannot_be_is_told_by_the_total_only() -> None:
    board = Board.parse("#1x##")
    assert deduce(board, Rules(5, 1, 0), Rung.SINGLE).mines == ((0, 0),)
    with pytest.raises(ContradictionError, match="0 mines"):
        deduce(board, Rules(5, 1, 0), Rung.TOTAL)
    with pytest.raises(ContradictionError, match="4 mines"):
        deduce(board, Rules(5, 1, 4), Rung.TOTAL)


def test_a_flag_is_a_covered_cell_like_others() -> None:
    board = Board.parse("#F\n1x")
    deduction = deduce(board, Rules(2, 2, 1), ALL)
    assert not deduction.safe
    assert not deduction.mines
    assert deduction.unsettled.tolist() == [[True, True], [False, False]]
    assert deduction.missing[1, 0] == 1
    assert deduction.unknown[1, 0] == 2


def test_the_hardest_rung_needed_is_named() -> None:
    by = {position.name: deduce(*position[1:4]).rung for position in positions()}
    assert by["endoh1, rule 1"] is Rung.SINGLE
    assert by["endoh1, rule 3"] is Rung.PAIR
    assert by["part 7, contradiction"] is Rung.CONTRADICTION
    assert by["the total is used up"] is Rung.TOTAL
    assert by["endoh1, rule 2"] is None


def test_what_follows_from_a_harder_rung_is_put_down_to_it() -> None:
    # Found by search: after a contradiction the pair rule has something to say again, but not by itself.
    board = Board.parse("###1\n2#2#\n1##1")
    deduction = deduce(board, Rules(4, 3), Rung.PAIR | Rung.CONTRADICTION)
    assert deduction.found == {Rung.CONTRADICTION: 3}
    assert not deduce(board, Rules(4, 3), Rung.PAIR).safe


def test_uncompiled_is_the_same(tmp_path: Path) -> None:
    script = (
        "import json, sys\n"
        "from bot.board import Board, Rules\n"
        "from bot.solver.deduction.ladder import Rung, deduce\n"
        "for text, mines, rungs in json.load(sys.stdin):\n"
        "    board = Board.parse(text)\n"
        "    found = deduce(board, Rules(board.columns, board.rows, mines), Rung(rungs))\n"
        "    print(json.dumps([found.safe, found.mines, found.missing.tolist(), found.unknown.tolist()]))\n"
    )
    asked = [
        (str(each.board), each.rules.mines, rungs) for each in positions() for rungs in (each.rungs, ALL)
    ]
    done = subprocess.run(
        [sys.executable, "-c", script],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "MINEBOT_HOME": str(tmp_path)},
        cwd=Path(__file__).parents[2],
    )
    answers = []
    for text, mines, rungs in asked:
        board = Board.parse(text)
        found = deduce(board, Rules(board.columns, board.rows, mines), Rung(rungs))
        answers.append(json.dumps([found.safe, found.mines, found.missing.tolist(), found.unknown.tolist()]))
    assert done.stderr == ""
    assert done.stdout.splitlines() == answers
