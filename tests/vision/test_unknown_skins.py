"""Boards that the rules and the network read together."""

from __future__ import annotations

import numpy as np
import pytest

from bot.board import Board
from bot.vision.general.general_reader import GeneralReading
from bot.vision.grid import Grid
from bot.vision.grids.grid_search import FoundGrid
from bot.vision.trained.cell_reader import CellScores
from bot.vision.trained.cell_windows import Floats
from bot.vision.trained.network import LABELS, NOT_A_CELL
from bot.vision.trained.trained_reader import TrainedReading
from bot.vision.unknown_skins import agreed, is_one_board, read_unknown_boards

PICTURE = np.zeros((60, 60, 3), np.uint8)
GRID = Grid(2, 3, 10, 10, 5, 5)
BOARD = Board.parse("##1..\n##1..\n#21..\n#1...\n#1...")


def scores_of(board: Board, sure: float) -> Floats:
    """Scores by which each cell is likelier than any other label by a factor of e to this power."""
    scores = np.zeros((*board.codes.shape, LABELS), np.float32)
    np.put_along_axis(scores, board.codes[..., None].astype(np.intp), sure, axis=2)
    return np.asarray(scores - np.log(np.exp(scores).sum(axis=2, keepdims=True)), np.float32)


SURE = scores_of(BOARD, 6)


def found(grid: Grid) -> FoundGrid:
    return FoundGrid(grid, grid, 1.0)


def read(
    monkeypatch: pytest.MonkeyPatch,
    rules: list[GeneralReading],
    network: list[TrainedReading],
    scores: Floats = SURE,
) -> list[str]:
    """What is read where the rules, and the network, read these boards, and the network says so of cells."""
    told = CellScores(scores, np.zeros(scores.shape[:2], np.intp), np.zeros((1, 1), np.float32))
    monkeypatch.setattr("bot.vision.unknown_skins.CellReader.read", lambda *_: told)
    for name, value in (
        ("grid_batches", iter(())),
        ("read_any_boards", rules),
        ("read_trained_boards", network),
    ):
        monkeypatch.setattr(f"bot.vision.unknown_skins.{name}", lambda *_, value=value: value)
    return [str(one.board) for one in read_unknown_boards(PICTURE)]


def by_rules(text: str, grid: Grid = GRID) -> GeneralReading:
    return GeneralReading(found(grid), Board.parse(text), 0)


def by_network(text: str, grid: Grid = GRID) -> TrainedReading:
    return TrainedReading(found(grid), Board.parse(text), 0)


def test_cells_that_both_read_alike_or_one_alone_are_read() -> None:
    one, other = Board.parse("12!!#"), Board.parse("13!4F")
    assert str(Board(agreed(one.codes, other.codes))) == "1!!4!"
    assert np.array_equal(agreed(one.codes, other.codes), agreed(other.codes, one.codes))


def test_where_they_differ_a_cell_is_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    other = str(BOARD).replace("2", "3")
    assert read(monkeypatch, [by_rules(str(BOARD))], [by_network(other)]) == [str(BOARD).replace("2", "!")]


def test_where_they_differ_in_much_there_is_no_board(monkeypatch: pytest.MonkeyPatch) -> None:
    other = str(BOARD).replace("#", ".")
    assert read(monkeypatch, [by_rules(str(BOARD))], [by_network(other)]) == []


def test_what_the_network_alone_reads_is_a_board(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read(monkeypatch, [], [by_network(str(BOARD))]) == [str(BOARD)]
    smaller = by_rules("##\n#1", Grid(12, 13, 10, 10, 2, 2))
    assert read(monkeypatch, [smaller], [by_network(str(BOARD))]) == [str(BOARD)]


def test_what_the_rules_alone_read_is_unread_where_the_network_is_sure_of_something_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = str(BOARD).replace("2", "3")
    assert read(monkeypatch, [by_rules(text)], []) == [text.replace("3", "!")]
    assert read(monkeypatch, [by_rules(text)], [], scores_of(BOARD, 3)) == [text]
    assert read(monkeypatch, [by_rules("44444\n" * 4 + "44444")], []) == []


def test_what_the_network_takes_for_no_cells_is_no_board(monkeypatch: pytest.MonkeyPatch) -> None:
    outside = SURE.copy()
    outside[..., NOT_A_CELL] = 0
    assert read(monkeypatch, [by_rules(str(BOARD))], [], outside) == []


def test_a_grid_of_other_cells_is_another_board() -> None:
    assert is_one_board(GRID, Grid(4, 6, 10, 10, 5, 5))
    assert not is_one_board(GRID, Grid(8, 3, 10, 10, 5, 5))
    assert not is_one_board(GRID, Grid(2, 3, 8, 10, 5, 5))
    assert not is_one_board(GRID, Grid(2, 3, 10, 10, 6, 5))
