"""Lattices of drawings are moved so that the grounds of cells end on their lines."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from bot.vision.grid import Image
from bot.vision.grids.lattices.grounds import on_grounds
from bot.vision.grids.lattices.periodicity import gradients_of
from bot.vision.grids.lattices.pitch import LatticeAxis
from bot.vision.grids.lattices.seen_grids import seen_grids
from bot.vision.grids.lattices.seen_lattices import SeenLattice

WIDE, HIGH, LEFT, TOP = 20, 24, 30, 40
"""Sides of the cells of a terminal and the place of its board, in pixels."""

ROWS, COLUMNS = 9, 12


def terminal(ground: int = 60) -> Image:
    """A board of a terminal: characters stand low in their cells, covered cells have another ground."""
    image = np.full((TOP + ROWS * HIGH + 50, LEFT + COLUMNS * WIDE + 50, 3), 20, np.uint8)
    for row in range(ROWS):
        for column in range(COLUMNS):
            x, y = LEFT + column * WIDE, TOP + row * HIGH
            is_covered = row > 5 or column < 4
            if is_covered:
                image[y : y + HIGH, x : x + WIDE] = ground
            mark = "#" if is_covered else "123"[(row + column) % 3]
            cv2.putText(image, mark, (x + 6, y + 21), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (230, 230, 230))
    return image


def lattice(x: float, y: float) -> SeenLattice:
    """One whose cells begin at a place and have drawings everywhere."""
    rows, columns = np.indices((ROWS, COLUMNS)).reshape(2, -1)
    return SeenLattice(LatticeAxis(WIDE, x), LatticeAxis(HIGH, y), columns, rows, 0.3)


@pytest.mark.parametrize(("right", "down"), [(0, 6), (3, 0), (-4, 7)])
def test_a_lattice_is_moved_to_where_grounds_end(right: int, down: int) -> None:
    moved = on_grounds(lattice(LEFT + right, TOP + down), gradients_of(terminal()))
    assert moved.x.start == pytest.approx(LEFT, abs=0.5)
    assert moved.y.start == pytest.approx(TOP, abs=0.5)


def test_where_all_cells_have_one_ground_nothing_is_moved() -> None:
    seen = lattice(LEFT, TOP + 6)
    assert on_grounds(seen, gradients_of(terminal(ground=20))) == seen


def test_bars_in_the_middle_of_cells_move_nothing() -> None:
    image = terminal(ground=20)
    for column in range(COLUMNS):
        x = LEFT + column * WIDE + WIDE // 2
        image[TOP : TOP + ROWS * HIGH, x : x + 2] = 200
    seen = lattice(LEFT, TOP)
    assert on_grounds(seen, gradients_of(image)).x == seen.x


def test_a_grid_of_a_terminal_begins_where_its_first_row_does() -> None:
    """The one whose characters stand in the middle of cells is found beside it."""
    grids = [seen.grid for seen in seen_grids(gradients_of(terminal()))]
    places = [(grid.rect.x, grid.rect.y) for grid in grids if grid.shape == (ROWS, COLUMNS)]
    assert any(place == pytest.approx((LEFT, TOP), abs=1) for place in places)
    assert any(place[1] > TOP + 4 for place in places)
