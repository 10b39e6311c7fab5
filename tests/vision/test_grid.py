"""Grids of whole and of fractional pitch: which pixels each cell takes."""

from __future__ import annotations

import numpy as np
import pytest

from bot.geometry import Point, Rect
from bot.vision.grid import Grid, same_pixels


def test_a_whole_pitch() -> None:
    grid = Grid(5, 7, 16, 16, 9, 4)
    assert grid.uniform
    assert grid.rect == Rect(5, 7, 144, 64)
    assert grid.cell_rect(3, 8) == Rect(133, 55, 16, 16)
    assert grid.center((3, 8)) == Point(141, 63)


def test_half_pixels_alternate() -> None:
    grid = Grid(0, 0, 31.5, 31.5, 6, 6)
    assert not grid.uniform
    assert np.diff(grid.column_edges).tolist() == [32, 31, 32, 31, 32, 31]


def test_gtk_gives_the_first_cells_what_is_left_over() -> None:
    grid = Grid(100, 50, 31, 31, 30, 16, wide_columns=10, wide_rows=4)
    widths, heights = np.diff(grid.column_edges).tolist(), np.diff(grid.row_edges).tolist()
    assert widths == [32] * 10 + [31] * 20
    assert heights == [32] * 4 + [31] * 12
    assert grid.rect == Rect(100, 50, 940, 500)
    assert grid.cell_rect(4, 10) == Rect(420, 178, 31, 31)
    assert grid.center((3, 9)) == Point(404, 162)
    assert grid.cell_rect(-1, -1) == Rect(69, 19, 31, 31)
    assert np.allclose(grid.pitch, (940 / 30, 500 / 16))
    assert grid.moved(-100, -50).column_edges[-1] == 940
    assert not grid.same_cells(Grid(100, 50, 31, 31, 30, 16))


@pytest.mark.parametrize("pitch", [12.0, 17.3, 31.5, 44.4])
@pytest.mark.parametrize("start", [0.0, -20.25, 6.5])
def test_cells_tile_the_grid(pitch: float, start: float) -> None:
    """Each cell begins where the one before it ends, its middle lies inside, and all fill the whole."""
    grid = Grid(start, 3.5, pitch, pitch, 30, 16)
    right = [grid.cell_rect(2, column).right for column in range(30)]
    left = [grid.cell_rect(2, column).x for column in range(30)]
    assert left[1:] == right[:-1]
    assert [grid.rect.x, grid.rect.right] == [left[0], right[-1]]
    assert grid.column_edges.tolist() == [*left, right[-1]]
    assert all(grid.cell_rect(r, c).contains(grid.center((r, c))) for r in range(16) for c in range(30))


@pytest.mark.parametrize("wide", [0, 3, 5])
def test_a_part_of_a_grid_has_its_edges(wide: int) -> None:
    grid = Grid(5, 7, 20, 18, 9, 8, wide_columns=wide, magnification=2)
    part = grid.part(Rect(2, 1, 4, 3))
    assert part.shape == (3, 4)
    assert part.exact_columns.tolist() == grid.exact_columns[2:7].tolist()
    assert part.exact_rows.tolist() == grid.exact_rows[1:5].tolist()
    larger = grid.part(Rect(-2, -1, 12, 10))
    assert larger.exact_columns[2:-1].tolist() == grid.exact_columns.tolist()
    assert larger.exact_rows[1:-1].tolist() == grid.exact_rows.tolist()


def test_what_is_in_sight() -> None:
    picture = np.zeros((50, 70, 3), np.uint8)
    assert Grid(-9, -11, 20, 20, 9, 8).in_sight(picture) == (slice(1, 3), slice(0, 4))
    assert Grid(-9, -11, 20, 20, 9, 8).in_sight(picture, 0.75) == (slice(1, 3), slice(1, 4))
    assert Grid(90, 0, 20, 20, 4, 4).in_sight(picture) == (slice(0, 3), slice(0, 0))


def test_two_measurements_of_one_pitch() -> None:
    grid = Grid(0, 0, 31.5, 31.5, 30, 16)
    assert grid.same_cells(Grid(80, 9, 31.51, 31.49, 30, 16))
    assert not grid.same_cells(Grid(0, 0, 31.6, 31.5, 30, 16))


def test_pictures_are_the_same_only_pixel_for_pixel() -> None:
    whole = np.random.default_rng(2).integers(0, 256, (40, 60, 3), np.uint8)
    part = whole[5:25, 7:37]
    other = part.copy()
    assert same_pixels(part, other)
    other[19, 29, 2] ^= 1
    assert not same_pixels(part, other)
    assert not same_pixels(part, part[:-1])
    assert same_pixels(part[:0], part[:0])
