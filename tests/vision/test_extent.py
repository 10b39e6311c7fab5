"""How far a board reaches on its lattice."""

from __future__ import annotations

import numpy as np

from bot.geometry import Rect
from bot.vision.grid import Grid
from bot.vision.grids.lattices.extent import best_extent, heaviest_part

REACH = Grid(10, 20, 30, 24, 12, 9)


def test_the_heaviest_rectangle_is_found_among_all() -> None:
    rng = np.random.default_rng(5)
    for _ in range(30):
        weights = rng.integers(-3, 3, (5, 6)).astype(float)
        sums = {
            (left, top, right, bottom): weights[top:bottom, left:right].sum()
            for left in range(5)
            for right in range(left + 2, 7)
            for top in range(4)
            for bottom in range(top + 2, 6)
        }
        place = heaviest_part(weights, 2)
        if max(sums.values()) <= 0:
            assert place is None
        else:
            assert place is not None
            assert sums[place.x, place.y, place.right, place.bottom] == max(sums.values())


def test_the_extent_is_what_is_cell_says() -> None:
    def is_cell(grid: Grid) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
        chances = np.full(grid.shape, 0.1)
        chances[2:8, 3:10] = 0.9
        chances[4, 5] = 0.2  # a mouse pointer
        chances[0, 0] = 0.9  # something that only looks like a cell
        return chances

    assert best_extent(REACH, is_cell, 5) == REACH.part(Rect(3, 2, 7, 6))


def test_without_cells_there_is_no_extent() -> None:
    assert best_extent(REACH, lambda grid: np.full(grid.shape, 0.4)) is None
    assert heaviest_part(np.ones((4, 9)), 5) is None
