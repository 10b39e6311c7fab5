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
from bot.vision.unknown_skins import is_one_board, read_unknown_boards

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


def test_what_the_rules_leave_unread_the_network_may_read(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read(monkeypatch, [by_rules(str(BOARD).replace("2", "!"))], [by_network(str(BOARD))]) == [
        str(BOARD)
    ]


def test_where_they_differ_a_cell_is_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    other = str(BOARD).replace("2", "3")
    assert read(monkeypatch, [by_rules(other)], [by_network(str(BOARD))]) == [str(BOARD).replace("2", "!")]


def test_where_they_differ_in_much_there_is_no_board(monkeypatch: pytest.MonkeyPatch) -> None:
    other = str(BOARD).replace("#", ".")
    assert read(monkeypatch, [by_rules(other)], [by_network(str(BOARD))]) == []


def test_what_the_network_reads_by_the_rules_of_the_game_it_does_not_doubt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = str(BOARD).replace("2", "3")
    assert read(monkeypatch, [by_rules(text)], [by_network(text)], SURE) == [text]


def test_of_cropped_cells_the_network_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    text = str(BOARD).replace("2", "3")
    left, over = Grid(-12, 3, 10, 10, 5, 5), Grid(-14, 3, 10, 10, 5, 5)
    assert read(monkeypatch, [by_rules(text, left)], []) == [text.replace("3", "!")]
    assert read(monkeypatch, [by_rules(text, over)], []) == [text]


def test_mines_that_the_network_alone_sees_are_unread_until_the_game_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    going_on, over = str(BOARD).replace("#2", "*2"), str(BOARD).replace("#2", "*2").replace("##", "X#")
    assert read(monkeypatch, [], [by_network(going_on)]) == [going_on.replace("*", "!")]
    assert read(monkeypatch, [], [by_network(over)]) == [over]


@pytest.mark.parametrize(
    ("around", "is_larger"), [("#", True), (".", False)]
)  # plain paper looks like opened cells
def test_a_board_of_which_the_network_misses_the_edge_is_whole(
    monkeypatch: pytest.MonkeyPatch, around: str, is_larger: bool
) -> None:
    wider = "\n".join(around + line for line in str(BOARD).split("\n"))
    whole = by_rules(wider, Grid(2, 3, 10, 10, 6, 5))
    inner = by_network(str(BOARD), Grid(12, 3, 10, 10, 5, 5))
    scores = scores_of(Board.parse(wider), 6)
    assert read(monkeypatch, [whole], [inner], scores) == [wider if is_larger else str(BOARD)]


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
