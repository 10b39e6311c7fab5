"""Boards that the rules and the network read together."""

from __future__ import annotations

import numpy as np
import pytest

from bot.board import Board
from bot.vision.general.general_reader import GeneralReading
from bot.vision.grid import Grid
from bot.vision.grids.grid_search import FoundGrid
from bot.vision.trained.trained_reader import TrainedReading
from bot.vision.unknown_skins import agreed, is_one_board, read_unknown_boards

PICTURE = np.zeros((60, 60, 3), np.uint8)
GRID = Grid(2, 3, 10, 10, 5, 5)
BOARD = Board.parse("##1..\n##1..\n#21..\n#1...\n#1...")


def found(grid: Grid) -> FoundGrid:
    return FoundGrid(grid, grid, 1.0)


def read(
    monkeypatch: pytest.MonkeyPatch, rules: list[GeneralReading], network: list[TrainedReading], chance: float
) -> list[str]:
    """What is read where the rules, and the network, read these boards, and its cells are likely ones."""
    for name, value in (
        ("grid_batches", iter(())),
        ("read_any_boards", rules),
        ("read_trained_boards", network),
        ("cell_chance", chance),
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
    assert read(monkeypatch, [by_rules(str(BOARD))], [by_network(other)], 1) == [str(BOARD).replace("2", "!")]


def test_where_they_differ_in_much_there_is_no_board(monkeypatch: pytest.MonkeyPatch) -> None:
    other = str(BOARD).replace("#", ".")
    assert read(monkeypatch, [by_rules(str(BOARD))], [by_network(other)], 1) == []


def test_what_the_network_alone_reads_is_a_board(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read(monkeypatch, [], [by_network(str(BOARD))], 1) == [str(BOARD)]
    smaller = by_rules("##\n#1", Grid(12, 13, 10, 10, 2, 2))
    assert read(monkeypatch, [smaller], [by_network(str(BOARD))], 1) == [str(BOARD)]


@pytest.mark.parametrize(("chance", "boards"), [(0.9, 1), (0.3, 0)])
def test_what_the_rules_alone_read_is_one_if_its_cells_may_be_cells(
    monkeypatch: pytest.MonkeyPatch, chance: float, boards: int
) -> None:
    assert len(read(monkeypatch, [by_rules(str(BOARD))], [], chance)) == boards


def test_a_grid_of_other_cells_is_another_board() -> None:
    assert is_one_board(GRID, Grid(4, 6, 10, 10, 5, 5))
    assert not is_one_board(GRID, Grid(8, 3, 10, 10, 5, 5))
    assert not is_one_board(GRID, Grid(2, 3, 8, 10, 5, 5))
    assert not is_one_board(GRID, Grid(2, 3, 10, 10, 6, 5))
