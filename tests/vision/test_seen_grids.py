"""Grids of looks without lines everywhere, found by the interiors of cells and by digits."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import pytest
from test_grid_search import HALF

from bot.board import Board, Cell
from bot.vision.grid import Grid, Image
from bot.vision.grids.grid_search import FoundGrid, find_grids
from bot.vision.grids.lattices.pitch import LatticeAxis
from bot.vision.grids.lattices.seen_lattices import SeenLattice, centred, lattices_of

PAGE, COVERED, OPENED, INK = (225, 235, 240), (120, 140, 90), (200, 205, 190), (150, 40, 20)


@dataclass(frozen=True)
class Look:
    """How cells are drawn."""

    cell: tuple[int, int] = (26, 26)
    gap: int = 1
    """Pixels between covered cells; opened ones have none between them."""
    circles: bool = False
    darker: int = 0
    """How much darker every second cell is, as on a checkerboard."""
    opened: tuple[int, int, int] = OPENED


def draw(picture: Image, board: Board, at: tuple[int, int], look: Look) -> Grid:
    """Draw a board into a picture and say where."""
    (x, y), (width, height) = at, look.cell
    grid = Grid(x, y, width, height, board.columns, board.rows)
    for row, column in np.ndindex(board.rows, board.columns):
        rect, code = grid.cell_rect(row, column), board[row, column]
        cell = picture[rect.y : rect.bottom, rect.x : rect.right]
        shade = look.darker * ((row + column) % 2)
        cell[:] = np.array(look.opened) - shade
        if code in (Cell.COVERED, Cell.FLAG):
            colour = tuple(channel - shade for channel in COVERED)
            if look.circles:
                centre, radius = (width // 2, height // 2), min(look.cell) // 2 - 1
                cv2.circle(cell, centre, radius, colour, -1, cv2.LINE_AA)
            else:
                cell[look.gap :, look.gap :] = colour
        text = {int(Cell.FLAG): "P"}.get(int(code), str(code) if 1 <= code <= 8 else "")
        size = min(look.cell) / 40
        at_text = round(0.32 * width), round(0.5 * height + 11 * size)
        cv2.putText(cell, text, at_text, cv2.FONT_HERSHEY_SIMPLEX, size, INK, 2, cv2.LINE_AA)
    return grid


def is_at(found: FoundGrid, wanted: Grid) -> bool:
    """Whether a found grid is the wanted one, to a tenth of a cell."""
    if found.grid.shape != wanted.shape:
        return False
    edges = zip(
        (*found.grid.exact_columns[[0, -1]], *found.grid.exact_rows[[0, -1]]),
        (*wanted.exact_columns[[0, -1]], *wanted.exact_rows[[0, -1]]),
        strict=True,
    )
    return all(abs(one - other) <= 0.1 * min(wanted.pitch) for one, other in edges)


LOOKS = {
    "opened cells without lines": Look(),
    "wide cells": Look(cell=(44, 26)),
    "high cells": Look(cell=(22, 36)),
    "gaps": Look(gap=4),
    "circles": Look(circles=True, cell=(30, 30)),
    "checkered": Look(gap=0, darker=14),
    "opened cells like the page": Look(gap=2, opened=PAGE),
}


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_the_first_grid_is_exact(look: Look) -> None:
    picture = np.full((500, 640, 3), PAGE, np.uint8)
    for line, text in enumerate(("The quick brown fox jumps", "over the lazy dog", "Mines 10, time 042")):
        cv2.putText(picture, text, (30, 40 + 22 * line), cv2.FONT_HERSHEY_SIMPLEX, 0.5, INK, 1, cv2.LINE_AA)
    wanted = draw(picture, HALF, (117, 123), look)
    assert is_at(find_grids(picture)[0], wanted)


@pytest.mark.parametrize(("pitch", "gap"), [(26, 6), (30, 8), (36, 8)])
@pytest.mark.parametrize("is_shaded", [False, True], ids=["flat", "shaded below and right"])
@pytest.mark.parametrize("is_framed", [False, True], ids=["on the page", "in a frame"])
def test_lines_lie_in_the_middle_of_wide_gaps(pitch: int, gap: int, is_shaded: bool, is_framed: bool) -> None:
    """Not on the edges of the cells on one side of the gaps, which are all that is to be seen of lines."""
    picture = np.full((pitch * 9 + 80, pitch * 10 + 90, 3), PAGE, np.uint8)
    if is_framed:
        picture[38 : 42 + pitch * 9, 43 : 47 + pitch * 10] = 120, 90, 60
    grid = Grid(45, 40, pitch, pitch, 10, 9)
    for row, column in np.ndindex(9, 10):
        rect = grid.cell_rect(row, column)
        cell = picture[rect.y : rect.bottom, rect.x : rect.right]
        face = cell[gap // 2 : -gap // 2, gap // 2 : -gap // 2]
        face[:] = COVERED
        if is_shaded:
            face[-3:] = face[:, -3:] = 30, 35, 20
        if (row * 7 + column * 3) % 5 == 0:
            face[:] = OPENED
            text, size = str(1 + (row + column) % 3), pitch / 40
            cv2.putText(face, text, (pitch // 4, pitch - gap - 4), 0, size, INK, 2, cv2.LINE_AA)
    found = find_grids(picture)[0].grid
    assert found.shape == grid.shape
    assert abs(found.x - grid.x) < 0.07 * pitch
    assert abs(found.y - grid.y) < 0.07 * pitch


def test_digits_in_every_second_row_are_no_grid_of_higher_cells() -> None:
    """Not where a grid is seen whose rows are among those of the digits."""
    picture = np.full((400, 400, 3), PAGE, np.uint8)
    grid = Grid(50, 40, 24, 24, 10, 12)
    for row, column in np.ndindex(12, 10):
        rect = grid.cell_rect(row, column)
        picture[rect.y + 1 : rect.bottom, rect.x + 1 : rect.right] = OPENED if row % 2 else COVERED
        if row % 2:
            cv2.putText(picture, "3", (rect.x + 7, rect.y + 17), 0, 0.5, INK, 2, cv2.LINE_AA)
    heights = [one.grid.cell_height for one in find_grids(picture)]
    assert heights[0] == pytest.approx(24, abs=0.1)
    assert max(heights) < 40, heights


def test_circles_that_touch_are_not_taken_for_what_shows_between_them() -> None:
    picture = np.full((300, 300, 3), PAGE, np.uint8)
    wanted = Grid(20, 30, 24, 24, 10, 10)
    for row, column in np.ndindex(10, 10):
        centre = wanted.center((row, column))
        cv2.circle(picture, (centre.x, centre.y), 12, COVERED, -1)
    assert any(is_at(one, wanted) for one in find_grids(picture))


def test_digits_that_are_not_in_the_middle_of_their_cells_do_not_move_the_grid() -> None:
    middles = np.array([(x, y) for x in range(8) for y in range(7)], float) * 30 + (110, 65)
    boxes = np.column_stack([middles - (11, 11), np.full((56, 2), 22.0)])
    digits = SeenLattice(LatticeAxis(30, 100), LatticeAxis(30, 50), *np.indices((8, 7)).reshape(2, -1))
    moved = centred(digits, boxes)
    assert moved.x.start == pytest.approx(95)
    assert moved.y.start == pytest.approx(50)
    assert centred(digits, boxes[:4]) == digits


def test_a_board_may_touch_the_edges_of_its_picture() -> None:
    look = Look()
    picture = np.zeros((26 * 9, 26 * 9, 3), np.uint8)
    wanted = draw(picture, HALF, (0, 0), look)
    assert is_at(find_grids(picture)[0], wanted)


def test_two_boards_in_a_picture_are_both_found() -> None:
    picture = np.full((460, 700, 3), PAGE, np.uint8)
    wanted = [draw(picture, HALF, (31, 40), Look()), draw(picture, HALF, (333, 77), Look(cell=(33, 38)))]
    found = find_grids(picture)
    assert all(any(is_at(one, grid) for one in found) for grid in wanted)


def test_the_reach_is_the_same_lattice_and_has_room_for_the_board() -> None:
    picture = np.full((500, 640, 3), PAGE, np.uint8)
    draw(picture, HALF, (117, 123), Look())
    found = find_grids(picture)[0]
    grid, reach = found.grid, found.reach
    for edges, outer in ((grid.exact_columns, reach.exact_columns), (grid.exact_rows, reach.exact_rows)):
        assert np.abs(edges[:, None] - outer).min(axis=1).max() < 1e-6


def characters(cell: tuple[int, int]) -> tuple[Image, Grid]:
    """A board as a terminal writes it, a small character in the middle of each cell, and where it is."""
    width, height = cell
    grid = Grid(50, 44, width, height, 12, 10)
    picture = np.full((90 + 10 * height, 100 + 12 * width, 3), 20, np.uint8)
    for row, column in np.ndindex(grid.rows, grid.columns):
        left, top = round(50 + (column + 0.5) * width) - 4, round(44 + (row + 0.5) * height) - 5
        # A ring, or every fourth time a bar, of the height of a character of 8x10 pixels.
        is_bar = (row * 5 + column * 3) % 4 == 0
        cv2.rectangle(picture, (left, top), (left + (3 if is_bar else 7), top + 9), (200, 190, 180), 2)
    return picture, grid


@pytest.mark.parametrize("cell", [(40, 30), (45, 40), (44, 20)])
def test_characters_that_are_small_in_their_cells_are_cells(cell: tuple[int, int]) -> None:
    picture, grid = characters(cell)
    near = [one.grid for one in find_grids(picture) if one.grid.pitch == pytest.approx(cell, abs=0.1)]
    off = np.array([[one.x - grid.x, one.y - grid.y] for one in near]).reshape(-1, 2) / cell
    assert (np.abs(off - np.round(off)) < 0.2).all(axis=1).any(), off


def test_a_pitch_of_which_only_every_third_line_has_cells_is_multiplied() -> None:
    places = [(x, y) for x in range(0, 600, 60) for y in range(0, 200, 20)]
    boxes = np.array([(100 + x, 100 + y, 10, 10) for x, y in places], np.float64)
    (lattice,) = lattices_of(boxes, (400, 800), (10, 32), (10, 32), are_drawings=True)
    assert (lattice.x.pitch, lattice.y.pitch) == pytest.approx((60, 20))


def test_few_cells_do_not_make_a_pitch_larger() -> None:
    """Ten digits on a plain ground may well stand in every second column."""
    boxes = np.array([(100 + 40 * x, 100 + 20 * y, 10, 10) for x in range(5) for y in (0, 1)], np.float64)
    (lattice,) = lattices_of(boxes, (400, 800), (10, 32), (10, 32), are_drawings=True)
    assert lattice.x.pitch == pytest.approx(20)


@pytest.mark.parametrize("seed", [3607, 4827, 5246])
def test_specks_that_lie_at_one_height_are_no_cells(seed: int) -> None:
    """Of what is linked as two rows most may lie on one, and the fitted rows were hardly apart: cells of less
    than a pixel ended reading with an error."""
    rng = np.random.default_rng(seed)
    places = rng.integers(0, 120, (int(rng.integers(10, 60)), 2))
    boxes = np.concatenate([places, np.full_like(places, 6)], axis=1).astype(np.float64)
    found = lattices_of(boxes, (140, 140), (8, 16), (8, 16), are_drawings=True)
    assert all(min(one.x.pitch, one.y.pitch) > 5.5 for one in found), found
