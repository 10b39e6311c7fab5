"""Grids whose columns and rows have widths of their own."""

from __future__ import annotations

import numpy as np
import pytest

from bot.geometry import Point, Rect
from bot.vision.grid import Grid, Image
from bot.vision.grids.uneven import uneven

EVEN = Grid(20, 30, 30, 24, 9, 8)
TABLE = Grid(5, 7, 20, 10, 3, 2, column_offsets=(0.0, 10.0, 40.0, 60.0), row_offsets=(0.0, 8.0, 20.0))


def drawn(widths: list[int], heights: list[int], left: int = 20, top: int = 30) -> Image:
    """Raised cells with a digit-like mark on some, on grey, in a larger picture."""
    image: Image = np.full((300, 420, 3), 200, np.uint8)
    random = np.random.default_rng(5)
    y = top
    for high in heights:
        x = left
        for wide in widths:
            cell = image[y : y + high, x : x + wide]
            cell[:], cell[:2], cell[:, :2] = 190, 240, 240
            cell[-2:], cell[:, -2:] = 110, 110
            if random.random() < 0.4:
                cell[6:16, wide // 2 - 3 : wide // 2 + 3] = random.integers(0, 120, 3)
            x += wide
        y += high
    return image


BEFORE = drawn([30] * 9, [24] * 8)


def test_lines_that_stay_are_where_they_were() -> None:
    found = uneven(BEFORE, EVEN, BEFORE)
    assert found is not None
    assert found.column_edges.tolist() == EVEN.column_edges.tolist()
    assert found.row_edges.tolist() == EVEN.row_edges.tolist()


@pytest.mark.parametrize("left", [20, 8, 33])
def test_columns_that_became_wider_or_narrower_are_measured(left: int) -> None:
    widths, heights = [30, 36, 36, 30, 27, 30, 36, 41, 30], [24, 22, 24, 29, 24, 24, 24, 24]
    found = uneven(BEFORE, EVEN, drawn(widths, heights, left))
    assert found is not None
    assert (found.x, found.y) == (left, 30)
    assert np.diff(found.column_edges).tolist() == widths
    assert np.diff(found.row_edges).tolist() == heights


def test_edges_inside_pixels_lie_so_again() -> None:
    grid = Grid(19.75, 30, 30, 24, 9, 8)
    found = uneven(BEFORE, grid, drawn([30, 36] + [30] * 7, [24] * 8))
    assert found is not None
    assert found.exact_columns.tolist() == [19.75, 49.75, *(85.75 + 30 * np.arange(8)).tolist()]


def test_a_picture_without_lines_has_no_grid() -> None:
    blank: Image = np.full_like(BEFORE, 200)
    assert uneven(BEFORE, EVEN, blank) is None
    assert uneven(blank, EVEN, BEFORE) is None


def test_a_picture_that_is_too_small_has_no_grid() -> None:
    assert uneven(BEFORE, EVEN, BEFORE[:, :200]) is None


def test_cells_of_a_table_lie_between_its_lines() -> None:
    assert TABLE.cell_rect(1, 1) == Rect(15, 15, 30, 12)
    assert TABLE.center((0, 2)) == Point(55, 11)
    assert TABLE.rect == Rect(5, 7, 60, 20)
    assert not TABLE.uniform


def test_a_part_of_a_table_keeps_its_lines_and_beyond_it_they_are_a_pitch_apart() -> None:
    part = TABLE.part(Rect(1, -1, 3, 2))
    assert part.column_edges.tolist() == [15, 45, 65, 85]
    assert part.row_edges.tolist() == [-3, 7, 15]


def test_a_table_that_is_moved_keeps_its_widths() -> None:
    assert TABLE.moved(2, 3).column_edges.tolist() == [7, 17, 47, 67]
