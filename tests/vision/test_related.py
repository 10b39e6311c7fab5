"""Grids that are related to one that is no board."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from bot.board import Board, Cell
from bot.errors import FormatError
from bot.vision.general import general_reader
from bot.vision.general.cell_reader import CellReader
from bot.vision.general.general_reader import GeneralReading, read_any_boards
from bot.vision.general.labelling import Labelling
from bot.vision.general.second_look import BESIDE
from bot.vision.grid import Grid, Image
from bot.vision.grids.grid_search import FoundGrid
from bot.vision.grids.lattices.periodicity import MIN_PITCH
from bot.vision.grids.related import has_lines_of, have_one_middle, related_grids
from bot.vision.picture_reader import read_boards
from training.reader.no_boards import picture_without_board
from training.reader.variety.varied import sample

GRID = Grid(40.0, 30.0, 20.0, 20.0, 10, 9)

OTHERS = {
    "half as wide": replace(GRID, cell_width=10.0, columns=20),
    "half as large": replace(GRID, cell_width=10.0, cell_height=10.0, columns=20, rows=18),
    "twice as high": replace(GRID, cell_height=40.0, rows=5),
    "twice as large": replace(GRID, cell_width=40.0, cell_height=40.0, columns=6, rows=5),
}
"""Grids that may be found in place of GRID."""


@pytest.mark.parametrize("name", OTHERS)
def test_a_grid_is_among_those_that_are_related_to_what_is_found_in_its_place(name: str) -> None:
    related = [*related_grids(OTHERS[name])]
    assert any(other.pitch == GRID.pitch for other in related)
    assert not any(other.pitch == OTHERS[name].pitch for other in related)
    assert all(one.rect == one.rect.clipped(OTHERS[name].rect) for one in related)
    assert len({*related}) == len(related)


def test_grids_of_one_size_have_one_middle_if_it_lies_within_a_few_cells() -> None:
    for other in (GRID.moved(31.0, -17.0), replace(GRID, columns=4, rows=7), GRID.moved(0.0, 59.0)):
        assert have_one_middle(GRID, other)
    for other in (
        GRID.moved(61.0, 0.0),
        GRID.moved(0.0, 61.0),
        replace(GRID, cell_width=21.0),
        GRID.moved(0.0, 900.0),
    ):
        assert not have_one_middle(GRID, other)


def test_grids_of_other_lines_or_cells_do_not_have_the_lines_of_one() -> None:
    assert has_lines_of(replace(GRID, x=101.0, columns=4), GRID)
    for other in (
        *OTHERS.values(),
        replace(GRID, cell_width=21.0),
        *(GRID.moved(*by) for by in ((10, 0), (0, 5))),
    ):
        assert not has_lines_of(other, GRID)


def test_a_grid_with_wide_cells_is_related_to_none() -> None:
    assert not [*related_grids(replace(GRID, wide_columns=2))]


@pytest.mark.parametrize("pitch", [1.9, 5.3, 9.0, 24.0])
def test_no_related_grid_has_cells_that_are_too_small_to_be_found(pitch: float) -> None:
    """Half of 5.3 pixels was read: there was a cell without any pixels in its middle."""
    small = replace(GRID, cell_width=pitch, cell_height=2 * pitch)
    sides = [min(one.pitch) for one in related_grids(small)]
    assert all(side >= MIN_PITCH for side in sides)
    assert (pitch / 2 in sides) == (pitch / 2 >= MIN_PITCH)


def found_in_place(monkeypatch: pytest.MonkeyPatch, name: str) -> Image:
    """A picture of a board of which another grid is found."""
    one = sample(4)
    grid, other = one.grid, OTHERS[name]
    across, down = other.cell_width / GRID.cell_width, other.cell_height / GRID.cell_height
    wrong = Grid(
        grid.x + (other.x - GRID.x) / GRID.cell_width * grid.cell_width,
        grid.y + (other.y - GRID.y) / GRID.cell_height * grid.cell_height,
        grid.cell_width * across,
        grid.cell_height * down,
        int(grid.columns / across),
        int(grid.rows / down),
    )
    find_only(monkeypatch, wrong)
    return one.image


def find_only(monkeypatch: pytest.MonkeyPatch, *grids: Grid) -> None:
    found = [FoundGrid(one, one, 1.0) for one in grids]
    monkeypatch.setattr(general_reader, "grid_batches", lambda _: iter([found]))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["half as wide", "half as large"])
def test_a_board_is_read_whose_grid_is_related_to_what_is_found(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    image = found_in_place(monkeypatch, name)
    [read] = read_any_boards(image)
    assert np.array_equal(read.board.codes, sample(4).board.codes)


def found_beside(monkeypatch: pytest.MonkeyPatch, right: float = 0.5, down: float = 0.5) -> Image:
    """A picture of a board of which a grid is found that is moved by some parts of a cell."""
    one = sample(4)
    width, height = one.grid.pitch
    find_only(monkeypatch, one.grid.moved(right * width, down * height))
    return one.image


@pytest.mark.parametrize(("right", "down"), [(0.3, 0.0), (-0.2, 0.4), (0.0, -0.5), (0.5, 0.5)])
def test_a_board_is_read_whose_cells_lie_beside_those_that_are_found(
    monkeypatch: pytest.MonkeyPatch, right: float, down: float
) -> None:
    [read] = read_any_boards(found_beside(monkeypatch, right, down))
    assert np.array_equal(read.board.codes, sample(4).board.codes)


def test_what_is_read_otherwise_a_little_beside_is_no_board(monkeypatch: pytest.MonkeyPatch) -> None:
    image = found_beside(monkeypatch)
    monkeypatch.setattr(general_reader, "places_beside", lambda grid, *_: [grid.moved(grid.pitch[0] / 2, 0)])
    assert read_any_boards(image) == []


def steady_place(monkeypatch: pytest.MonkeyPatch, first: float, last: float) -> float | None:
    """Where a board that was found at 0 is steady, which is read alike from one place to another one and not
    beyond; in parts of a cell to the right."""
    codes = np.ones(GRID.shape, np.int8)

    def labelled(_reader: object, _image: Image, grid: Grid) -> tuple[Grid, Labelling] | None:
        place = (grid.x - GRID.x) / GRID.cell_width
        return (grid, Labelling(codes, 0.0, 0, 0)) if first - 0.001 <= place <= last + 0.001 else None

    monkeypatch.setattr(general_reader, "labelled", labelled)
    board = GeneralReading(FoundGrid(GRID, GRID, 1.0), Board(codes), 0.0)
    steady = general_reader._steady_place(CellReader(), np.zeros((9, 9, 3), np.uint8), board)
    return None if steady is None else (steady.x - GRID.x) / GRID.cell_width


def test_a_board_is_read_in_the_middle_of_where_it_can_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    step = BESIDE
    assert steady_place(monkeypatch, -2 * step, 2 * step) == 0
    assert steady_place(monkeypatch, -9 * step, 9 * step) == 0
    assert steady_place(monkeypatch, 0, 4 * step) == pytest.approx(step)
    assert steady_place(monkeypatch, -4 * step, 0) == pytest.approx(-step)
    assert steady_place(monkeypatch, 0, step) is None
    assert steady_place(monkeypatch, -step / 2, step / 2) is None


def test_the_second_best_place_is_tried_where_the_best_one_is_no_board(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    image, places = found_beside(monkeypatch), list[Grid]()
    right = sample(4).grid

    def both(_: Image, grid: Grid) -> list[Grid]:
        places.extend([right.moved(0.4 * right.cell_width, 0.0), right] if not places else [])
        return places

    monkeypatch.setattr(general_reader, "places_of_cells", both)
    monkeypatch.setattr(general_reader, "related_grids", lambda _: [])
    [read] = read_any_boards(image)
    assert read.found.grid == right


def test_beside_a_board_that_is_known_no_other_grids_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[Image] = []

    def none(_reader: CellReader, image: Image, _: list[FoundGrid]) -> list[GeneralReading]:
        tried.append(image)
        return []

    monkeypatch.setattr(general_reader, "_on_other_grids", none)
    one = sample(4)
    with_room = np.pad(one.image, ((0, 300), (0, 400), (0, 0)), mode="edge")
    [read] = read_boards(with_room, [])
    assert np.array_equal(read.board.codes, one.board.codes)
    assert not tried
    with pytest.raises(FormatError):
        read_boards(picture_without_board("calendar", 1).image, [])
    assert len(tried) == 1


def test_of_boards_that_reach_into_each_other_the_better_one_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    small, beside = Grid(0, 0, 20, 20, 6, 6), Grid(200, 0, 20, 20, 10, 10)
    reach = {small: small, beside: replace(beside, x=0, columns=20)}

    def read(_reader: object, _image: Image, found: FoundGrid, **_: bool) -> GeneralReading:
        grid = reach[found.grid]
        board = Board(np.ones(grid.shape, np.int8))
        return GeneralReading(replace(found, grid=grid), board, 0.0)

    find_only(monkeypatch, small, beside)
    monkeypatch.setattr(general_reader, "read_board", lambda *_, **__: None)
    monkeypatch.setattr(general_reader, "related_grids", lambda _: [])
    monkeypatch.setattr(general_reader, "places_of_cells", lambda _, grid: [grid])
    monkeypatch.setattr(general_reader, "_steady_place", lambda _reader, _image, board: board.found.grid)
    monkeypatch.setattr(general_reader, "_read_by_cells", read)
    assert [one.found.grid for one in read_any_boards(np.zeros((220, 420, 3), np.uint8))] == [reach[beside]]


def looked_at(
    monkeypatch: pytest.MonkeyPatch, codes: npt.NDArray[np.int8], *others: Grid, cost: float = 0.0
) -> list[Grid]:
    """Which grids are read, where the first one that is found, GRID, is a board with these cells, and how
    unsure they are."""
    read: list[Grid] = []

    def board(_reader: object, _image: Image, found: FoundGrid, **_: bool) -> GeneralReading | None:
        read.append(found.grid)
        return GeneralReading(found, Board(codes), cost) if found.grid == GRID else None

    find_only(monkeypatch, GRID, *others)
    monkeypatch.setattr(general_reader, "read_board", board)
    assert [one.found.grid for one in read_any_boards(np.zeros((300, 300, 3), np.uint8))] == [GRID]
    return read


SMALL = [Grid(45.0 + 4 * place, 35.0 + 3 * place, 8.0, 8.0, 6, 5) for place in range(12)]
"""Grids of drawings on the cells of GRID."""


def test_what_lies_in_a_board_of_which_all_is_read_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    codes = np.ones(GRID.shape, np.int8)
    same, beside = GRID.moved(0.5, 0.5), GRID.moved(0.0, 300.0)
    large = replace(GRID, x=50.0, columns=8, cell_width=1.1 * GRID.cell_width)
    assert looked_at(monkeypatch, codes, *SMALL[:3], same, beside, large) == [GRID, beside, large]


@pytest.mark.parametrize("cost", [0.0, 0.1])
def test_other_lines_of_cells_of_its_size_are_tried_where_a_board_is_not_sure(
    monkeypatch: pytest.MonkeyPatch, cost: float
) -> None:
    codes = np.ones(GRID.shape, np.int8)
    half = replace(GRID.moved(10.0, 6.0), columns=GRID.columns - 1, rows=GRID.rows - 1)
    assert looked_at(monkeypatch, codes, half, cost=cost) == ([GRID, half] if cost else [GRID])


@pytest.mark.parametrize("code", [Cell.UNREAD, Cell.COVERED])
def test_a_board_that_is_not_sure_leaves_all_other_grids_to_be_looked_at(
    monkeypatch: pytest.MonkeyPatch, code: Cell
) -> None:
    codes = np.full(GRID.shape, code, np.int8)
    if code == Cell.UNREAD:
        codes[1:] = 1
    assert looked_at(monkeypatch, codes, *SMALL[:5]) == [GRID, *SMALL[:5]]


def test_of_many_grids_those_are_read_in_whose_middle_there_are_cells(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(general_reader, "_could_be_cells", lambda _, grid: grid.x == SMALL[10].x)
    assert looked_at(monkeypatch, np.full(GRID.shape, Cell.COVERED, np.int8), *SMALL) == [
        GRID,
        *SMALL[: general_reader.READ_ANYWAY - 1],
        SMALL[10],
    ]


def test_the_middle_of_grids_of_one_size_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[Grid] = []

    def places(_: Image, grid: Grid) -> list[Grid]:
        tried.append(grid)
        return []

    monkeypatch.setattr(general_reader, "places_of_cells", places)
    monkeypatch.setattr(general_reader, "read_board", lambda *_, **__: None)
    find_only(monkeypatch, GRID, GRID.moved(7.0, 3.0), *OTHERS.values())
    assert read_any_boards(np.zeros((300, 300, 3), np.uint8)) == []
    assert tried[0] == GRID
    for index, one in enumerate(tried):
        assert not any(have_one_middle(one, other) for other in tried[:index])


def test_a_picture_of_a_game_is_not_looked_at_so_long(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_any_boards(found_beside(monkeypatch), is_one_of_many=True) == []


@pytest.mark.slow
def test_a_board_without_numbers_is_not_made_up_of_every_second_line() -> None:
    """Squared paper would be an untouched board, too, of cells that are twice as high."""
    assert read_any_boards(picture_without_board("squared_paper", 1).image) == []
