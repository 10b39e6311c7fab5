"""Cells cut out of a picture at one size, each look once."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from bot.vision.general import general_grid_reader
from bot.vision.general.cell_reader import CellScores
from bot.vision.general.cell_windows import CELL_SIDE, MARGIN, WINDOW_SIDE, cell_looks
from bot.vision.general.labelling import Labelling, label_cells
from bot.vision.grid import Grid, Image

INNER = slice(MARGIN, WINDOW_SIDE - MARGIN)


def tiled(
    rng: np.random.Generator, side: int, shape: tuple[int, int], kinds: int
) -> tuple[Image, list[list[int]]]:
    """A picture of cells of some kinds with 10 pixels around them, and the kind of each."""
    tiles = rng.integers(0, 256, (kinds, side, side, 3), dtype=np.uint8)
    chosen = rng.integers(0, kinds, shape)
    picture = np.full((shape[0] * side + 20, shape[1] * side + 20, 3), 9, np.uint8)
    for (row, column), kind in np.ndenumerate(chosen):
        y, x = 10 + row * side, 10 + column * side
        picture[y : y + side, x : x + side] = tiles[kind]
    return picture, chosen.tolist()


@pytest.mark.parametrize("side", [16, 24, 31])
def test_cells_of_equal_pixels_have_one_look_whatever_is_beside_them(side: int) -> None:
    picture, kinds = tiled(np.random.default_rng(1), side, (6, 9), 5)
    cells = cell_looks(picture, Grid(10, 10, side, side, 9, 6))
    assert len(cells.keys) == 5
    pairs = {*zip(np.ravel(kinds).tolist(), cells.looks.ravel().tolist(), strict=True)}
    assert len(pairs) == 5


def test_a_cell_that_differs_in_one_pixel_has_a_look_of_its_own() -> None:
    picture = np.full((100, 100, 3), 80, np.uint8)
    picture[45, 45, 0] += 1
    cells = cell_looks(picture, Grid(0, 0, 20, 20, 5, 5))
    assert (cells.looks == cells.looks[2, 2]).sum() == 1


def test_a_cell_of_the_size_of_a_window_is_cut_out_unchanged() -> None:
    picture, _ = tiled(np.random.default_rng(2), CELL_SIDE, (4, 4), 16)
    cells = cell_looks(picture, Grid(10, 10, CELL_SIDE, CELL_SIDE, 4, 4))
    for window, (x, y, width, height) in zip(
        cells.windows([*range(len(cells.keys))]), cells.places, strict=True
    ):
        assert np.array_equal(
            window, picture[y - MARGIN : y + height + MARGIN, x - MARGIN : x + width + MARGIN]
        )


@pytest.mark.parametrize("side", [12, 17, 40, 72])
def test_a_cell_of_another_size_is_averaged_as_opencv_averages_areas(side: int) -> None:
    rng = np.random.default_rng(3)
    picture = cv2.GaussianBlur(rng.integers(0, 256, (side * 5, side * 5, 3), dtype=np.uint8), (0, 0), 2)
    cells = cell_looks(np.asarray(picture, np.uint8), Grid(side, side, side, side, 3, 3))
    window = cells.windows([int(cells.looks[1, 1])])[0]
    part = picture[2 * side : 3 * side, 2 * side : 3 * side]
    expected = cv2.resize(part, (CELL_SIDE, CELL_SIDE), interpolation=cv2.INTER_AREA)
    assert np.abs(window[INNER, INNER].astype(int) - expected).mean() < 4


def test_beyond_the_picture_its_edges_are_repeated() -> None:
    picture = np.full((60, 60, 3), 50, np.uint8)
    picture[:, -1] = 200
    cells = cell_looks(picture, Grid(-24, -24, 24, 24, 6, 6))
    last = cells.windows([int(cells.looks[2, 5])])[0]
    first = cells.windows([int(cells.looks[2, 0])])[0]
    assert (last[INNER, INNER] == 200).all()
    assert (first[INNER, INNER] == 50).all()


def test_cells_of_unequal_widths_are_cut_where_they_lie() -> None:
    picture = np.zeros((90, 100, 3), np.uint8)
    grid = Grid(0, 0, 20.5, 20.5, 4, 4)
    for column in range(4):
        picture[:, grid.column_edges[column] : grid.column_edges[column + 1]] = 40 * column
    cells = cell_looks(picture, grid)
    for column in range(4):
        window = cells.windows([int(cells.looks[1, column])])[0]
        assert (window[INNER, INNER] == 40 * column).all()


def test_what_lay_around_a_cell_before_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pressed cell looks opened among covered ones; once it is opened, so are those around it."""
    seen: list[npt.NDArray[np.float32]] = []

    def label(told: CellScores, *, is_one_of_many: bool) -> Labelling:
        seen.append(told.opinions)
        return label_cells(told, is_one_of_many=is_one_of_many)

    monkeypatch.setattr(general_grid_reader, "label_cells", label)
    grid = Grid(0, 0, 20, 20, 5, 5)
    pressed = np.full((100, 100, 3), 120, np.uint8)
    pressed[40:60, 40:60] = 220
    opened = np.full((100, 100, 3), 220, np.uint8)
    reader = general_grid_reader.GeneralGridReader(grid)
    reader.read(pressed)
    reader.read(opened)
    general_grid_reader.GeneralGridReader(grid).read(opened)
    assert np.array_equal(seen[1], seen[2])
