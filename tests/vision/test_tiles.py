"""Boards of tiles with gaps between them: found whatever the tiles show and whatever is left over."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from bot.geometry import Rect
from bot.vision.grid import Grid, Image
from bot.vision.grids.tiles import tile_grids

BACKGROUND = (244, 245, 246)
GAP = 4


def painted(grid: Grid, size: tuple[int, int]) -> Image:
    """Tiles of many colours, some with something on them, on a background (width, height)."""
    image = np.full((size[1], size[0], 3), BACKGROUND, np.uint8)
    for row in range(grid.rows):
        for column in range(grid.columns):
            rect = grid.cell_rect(row, column)
            gap = round(GAP * grid.magnification)
            inner = Rect(rect.x + gap // 2, rect.y + gap // 2, rect.width - gap, rect.height - gap)
            colour = (182, 189, 186) if (row * 7 + column * 3) % 5 else (100, 220, 30 * (column % 7))
            image[inner.y : inner.bottom, inner.x : inner.right] = colour
            if (row + column) % 4 == 0:
                image[inner.y + 6 : inner.y + 12, inner.x + 6 : inner.x + 12] = BACKGROUND
    return image


@pytest.mark.parametrize(
    "grid",
    [
        Grid(23, 121, 31, 31, 30, 16, wide_columns=10, wide_rows=4),
        Grid(40, 40, 46, 46, 8, 8),
        Grid(7, 9, 24, 23, 16, 16, wide_columns=0, wide_rows=15),
        Grid(11, 30, 25, 25, 24, 20, wide_columns=1, wide_rows=0),
        Grid(67, 81, 48, 46, 16, 10, wide_columns=6, wide_rows=9, magnification=2),
        Grid(66, 80, 66, 66, 12, 8, wide_columns=3, wide_rows=0, magnification=3),
    ],
)
def test_every_cell_is_found_to_the_pixel(grid: Grid) -> None:
    image = painted(grid, (1200, 700))
    image[600:660, 1000:1150] = (200, 200, 200)  # a button
    image[20:60, 1000:1040] = (90, 90, 90)  # an icon as large as a tile
    assert tile_grids(image, BACKGROUND, GAP) == [grid]


@pytest.mark.parametrize("scale", [0.9, 1.1, 1.25, 1.37, 1.5, 1.75, 2.4])
@pytest.mark.parametrize(
    "grid",
    [
        Grid(23, 121, 31, 31, 30, 16, wide_columns=10, wide_rows=4),
        Grid(7, 9, 24, 23, 16, 16, wide_columns=0, wide_rows=15),
        Grid(40, 40, 46, 46, 8, 8),
    ],
)
def test_a_board_that_is_scaled_by_a_fraction_is_found(grid: Grid, scale: float) -> None:
    image = painted(grid, (1000, 640))
    large = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_LINEAR), np.uint8)
    (found,) = tile_grids(large, BACKGROUND, GAP)
    assert (found.columns, found.rows) == (grid.columns, grid.rows)
    for edges, real in ((found.exact_columns, grid.exact_columns), (found.exact_rows, grid.exact_rows)):
        assert np.abs(edges - real * scale).max() < 1


@pytest.mark.slow
def test_a_part_of_a_scaled_board_is_no_board() -> None:
    """Its tiles may lie on whole pixels by chance for a while, as the first 13 columns of this one did."""
    grid = Grid(30, 30, 24, 23, 16, 16, wide_columns=5, wide_rows=14)
    for scale in np.arange(1.1, 1.9, 0.05):
        for before in range(4):
            image = painted(grid, (520, 500))[before:, before:]
            large = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_LINEAR)
            found = tile_grids(np.asarray(large, np.uint8), BACKGROUND, GAP)
            assert {(one.columns, one.rows) for one in found} <= {(16, 16)}, (scale, before)


def test_a_covered_part_leaves_the_rest_of_the_lattice() -> None:
    grid = Grid(20, 20, 31, 31, 20, 12, wide_columns=5, wide_rows=3)
    image = painted(grid, (900, 500))
    image[60:140, 100:300] = (255, 255, 255)
    assert tile_grids(image, BACKGROUND, GAP) == [grid]


def test_no_tiles_are_no_board() -> None:
    image = np.full((400, 400, 3), 244, np.uint8)
    assert tile_grids(image, BACKGROUND, GAP) == []
    rng = np.random.default_rng(1)
    assert tile_grids(rng.integers(0, 255, (300, 300, 3)).astype(np.uint8), BACKGROUND, GAP) == []
    image[20:40, 20:380] = 0
    image[60:80, 20:380] = 0
    assert tile_grids(image, BACKGROUND, GAP) == []
