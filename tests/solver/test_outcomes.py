"""What a candidate would show and teach, against the layouts written out one by one."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest

from bot.board import Board, Cell
from bot.solver.deduction.compiled_board import (
    MINE,
    OPENED,
    SAFE,
    UNKNOWN,
    CompiledBoard,
    cover_all,
)
from bot.solver.guess import control_variate, playing_on
from bot.solver.guess.outcomes import prepare_outcomes, work_out_outcomes
from bot.solver.guess.player import SCORED, Player, load_board, new_player
from bot.solver.guess.playing_on import Manner
from bot.solver.probability.components import release_cells
from bot.solver.probability.mine_chances import mine_chances
from bot.solver.simulate.minefield import lay_mines
from bot.solver.value.inputs import BEST_NEXT

pytestmark = pytest.mark.slow

POSITIONS = [
    ("1###\n####\n####", 3),
    ("1#2#\n####\n####", 3),
    ("#####\n#2#1#\n#####", 2),
    ("1####\n1####\n2####\n####1", 5),
    ("####\n#1##\n####\n##2#", 3),
]


def layouts(player: Player, board: Board, mines: int) -> list[frozenset[tuple[int, int]]]:
    covered = [(r, c) for r in range(board.rows) for c in range(board.columns) if board[r, c] > 8]
    found = []
    for chosen in itertools.combinations(covered, mines):
        layout = frozenset(chosen)
        if all(
            sum(cell in layout for cell in board.neighbours(r, c)) == board[r, c]
            for r in range(board.rows)
            for c in range(board.columns)
            if board[r, c] <= 8
        ):
            found.append(layout)
    return found


def shown(field: CompiledBoard, board: Board, cell: int) -> tuple[int, int]:
    stride = board.columns + 2
    return cell // stride - 1, cell % stride - 1


@pytest.mark.parametrize(("text", "mines"), POSITIONS)
def test_numbers_and_safe_cells_of_every_candidate(text: str, mines: int) -> None:
    board = Board.parse(text)
    player = new_player(board.rows, board.columns, mines)
    load_board(player, board.codes)
    field, look = player.field, player.outcomes
    found, cons = mine_chances(field, player.ws, 20000, player.chance, player.combined)
    assert found == 0
    every = layouts(player, board, mines)
    prepare_outcomes(look, player.ws, player.combined)
    for cell in np.flatnonzero(field.state == UNKNOWN):
        row, column = shown(field, board, int(cell))
        alive = [layout for layout in every if (row, column) not in layout]
        assert 1 - player.chance[cell] == pytest.approx(len(alive) / len(every), abs=1e-12)
        if not alive or len(alive) == len(every):
            continue
        assert work_out_outcomes(look, field, player.ws, player.trial, player.combined, int(cell), 20000)
        numbers = Counter(
            sum(beside in layout for beside in board.neighbours(row, column)) for layout in alive
        )
        for number in range(9):
            assert look.number[number] == pytest.approx(numbers[number] / len(alive), abs=1e-12)
            if not numbers[number]:
                continue
            after = [
                layout
                for layout in alive
                if sum(beside in layout for beside in board.neighbours(row, column)) == number
            ]
            lowest = min(
                sum(other in layout for layout in after) / len(after)
                for r, c in board.where(9)  # type: ignore[arg-type]
                if (other := (r, c)) != (row, column)
            )
            if lowest > 0 and look.safe[number] == 0:
                # Fronts that the candidate does not touch keep their chances: an estimate.
                assert look.features[number, BEST_NEXT] == pytest.approx(1 - lowest, abs=0.05)
            if lowest > 0:
                assert look.safe[number] == 0
    release_cells(player.ws, cons)


def test_a_crossed_out_flag_stands_where_no_mine_is() -> None:
    board = Board.parse("Xx1#\n####")
    assert board[0, 1] == Cell.WRONG_FLAG
    player = new_player(2, 4, None)
    load_board(player, board.codes)
    stride = board.columns + 2
    assert list(player.field.state[stride + 1 : stride + 5]) == [MINE, SAFE, OPENED, UNKNOWN]


def as_written(function: Any) -> Any:
    """The function uncompiled: compiling all that a game may need takes too long for one test."""
    return getattr(function, "py_func", function)


@pytest.fixture
def callable_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The loop and what it calls are made uncompiled, so that Python can call them."""
    for module in (control_variate, playing_on):
        monkeypatch.setattr(module, "part", lambda function: function)
        for name, one in vars(module).copy().items():
            monkeypatch.setattr(module, name, as_written(one))
    monkeypatch.setattr(control_variate, "CONTROLLED", Manner(*map(as_written, control_variate.CONTROLLED)))


def choose_first(player: Player, deeper: Player | None, afresh: bool) -> int:
    """The first cell of which nothing is known."""
    player.result.kind = SCORED
    return int(np.flatnonzero(player.field.state == UNKNOWN)[0])


@pytest.mark.usefixtures("callable_parts")
def test_a_minefield_of_another_total_is_not_played() -> None:
    player = new_player(1, 5, 1)
    minefield = np.zeros(player.field.state.shape[0], np.int8)
    lay_mines(player.field, np.array([2, 4], np.int32), minefield)  # two mines, where one is said
    cover_all(player.field)
    play_on = control_variate.controlled_play(choose_first)
    result, guess = play_on(player, None, minefield, 7 + 2, -1, False)
    assert np.isnan(result)
    assert guess == -1


@pytest.mark.usefixtures("callable_parts")
@pytest.mark.parametrize("early", [True, False])
def test_guesses_are_counted_from_the_first_zero_or_from_the_beginning(
    early: bool,
) -> None:
    """No cell of this board is a zero: the mines lie in the middle of the first and of the last row."""

    player = new_player(3, 3, 2)
    minefield = np.zeros(player.field.state.shape[0], np.int8)
    lay_mines(player.field, np.array([1, 7], np.int32), minefield)
    cover_all(player.field)
    play_on = control_variate.controlled_play(choose_first)
    _, guess = play_on(player, None, minefield, 2 * 5 + 2, 0, early)
    assert (guess >= 0) == early
    assert (player.field.counts.opened == 1) == early
