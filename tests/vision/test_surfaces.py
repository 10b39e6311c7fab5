"""What looks like a board of which nothing is opened and is none."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from bot.vision.grid import Grid, Image
from bot.vision.surfaces import (
    is_assorted,
    is_boxed,
    is_drawn_in_two_inks,
    is_ornamented,
    is_paper,
    is_patchwork,
    is_surface,
)


def test_tiles_of_different_colours_are_no_board_and_shaded_cells_may_be_one() -> None:
    rng, grid = np.random.default_rng(1), Grid(5, 7, 20, 20, 12, 9)
    image = np.full((200, 260, 3), 90, np.uint8)
    shaded, patched = image.copy(), image.copy()
    for row, column in np.ndindex(grid.shape):
        cell = grid.cell_rect(row, column)
        where = np.s_[cell.y + 1 : cell.bottom, cell.x + 1 : cell.right]
        shaded[where] = 120 + 5 * row + 3 * column + 8 * ((row + column) % 2) + rng.integers(-1, 2)
        patched[where] = 180 + rng.integers(-10, 11)
    assert (is_patchwork(shaded, grid), is_patchwork(patched, grid)) == (False, True)
    beyond = Grid(-30, -40, 20, 20, 16, 14)
    assert not is_patchwork(image, beyond)


@pytest.mark.parametrize("is_turned", [False, True])
def test_glossy_cells_whose_hue_changes_from_side_to_side_have_no_ornaments(is_turned: bool) -> None:
    """As the cells of a game in Gambas, which are white above and blue below."""
    white, blue = np.array([250, 244, 236]), np.array([240, 110, 20])
    image, grid = np.full((200, 260, 3), (235, 210, 75), np.uint8), Grid(5, 7, 20, 20, 12, 9)
    gloss = np.stack([white + (blue - white) * step / 17 for step in range(18)]).astype(np.uint8)
    for row, column in np.ndindex(grid.shape):
        cell = grid.cell_rect(row, column)
        shown = gloss[None] if is_turned else gloss[:, None]
        image[cell.y + 1 : cell.y + 19, cell.x + 1 : cell.x + 19] = shown
    assert not is_ornamented(image, grid)
    assert not is_drawn_in_two_inks(image, grid)


@pytest.mark.parametrize(
    ("colour", "is_tile"), [((40, 60, 200), True), ((50, 90, 30), False), ((190, 230, 170), False)]
)
def test_cells_with_ornaments_of_another_hue_are_tiles(colour: tuple[int, ...], is_tile: bool) -> None:
    """Darker and lighter ones are how cells are shaded, or hatched."""
    image, grid = np.full((200, 260, 3), (150, 190, 130), np.uint8), Grid(5, 7, 20, 20, 12, 9)
    for row, column in np.ndindex(grid.shape):
        cell = grid.cell_rect(row, column)
        image[cell.y + 6 : cell.y + 13, cell.x + 6 : cell.x + 13] = colour
    assert is_ornamented(image, grid) == is_tile


@pytest.mark.parametrize(
    ("is_face", "is_checkered", "is_assorted_so"),
    [(True, False, True), (False, False, False), (False, True, False)],
)
def test_cells_with_drawings_that_differ_are_no_board(
    is_face: bool, is_checkered: bool, is_assorted_so: bool
) -> None:
    """As faces in rows, of which no two have the same mouth; one drawing on all cells, or on every other one,
    may be how covered cells look."""
    rng, grid = np.random.default_rng(2), Grid(5.0, 7.0, 20.4, 20.4, 12, 9)
    image = np.full((200, 260, 3), 240, np.uint8)
    for row, column in np.ndindex(grid.shape):
        cell = grid.cell_rect(row, column)
        middle, bend = cell.center, int(rng.integers(-3, 4)) if is_face else 2
        cv2.circle(image, (middle.x, middle.y), 9, (40, 200, 250), -1, cv2.LINE_AA)
        if not is_checkered or (row + column) % 2:
            mouth = [(-5, 3 - bend), (0, 3 + bend), (5, 3 - bend)]
            points = np.array([(middle.x + x, middle.y + y) for x, y in mouth])
            cv2.polylines(image, [points], False, (20, 20, 20), 2, cv2.LINE_AA)
    image = np.clip(image + rng.normal(0, 4, image.shape), 0, 255).astype(np.uint8)
    assert is_assorted(image, grid) == is_assorted_so


@pytest.mark.parametrize(
    ("colour", "lit", "is_empty"), [(250, 250, True), (250, 255, True), (225, 255, False), (200, 200, False)]
)
def test_light_flat_cells_are_squared_paper(colour: int, lit: int, is_empty: bool) -> None:
    image = np.full((200, 260, 3), 120, np.uint8)
    grid = Grid(5, 7, 20, 20, 12, 9)
    for row, column in np.ndindex(grid.shape):
        cell = grid.cell_rect(row, column)
        image[cell.y + 1 : cell.bottom, cell.x + 1 : cell.right] = colour
        image[cell.y + 1 : cell.y + 4, cell.x + 1 : cell.right] = lit
    assert is_paper(image, grid) == is_empty


@pytest.mark.parametrize("shade", [0, 40])
def test_light_cells_with_raised_edges_are_no_paper(shade: int) -> None:
    image = np.full((200, 260, 3), 245, np.uint8)
    grid = Grid(5, 7, 20, 20, 12, 9)
    for row, column in np.ndindex(grid.shape):
        cell = grid.cell_rect(row, column)
        image[cell.bottom - 3 : cell.bottom, cell.x : cell.right] = 245 - shade
        image[cell.y : cell.bottom, cell.right - 3 : cell.right] = 245 - shade
    assert is_paper(image, grid) == (not shade)
    assert is_paper(np.ascontiguousarray(image[::-1, ::-1]), Grid(15, 13, 20, 20, 12, 9))


def lined(heavy: tuple[int, ...], pitch: int = 24) -> tuple[Image, Grid]:
    """Cells of one colour with lines of a pixel between them, and of two between some."""
    grid = Grid(11, 9, pitch, pitch, 9, 9)
    image = np.full((240, 250, 3), 90, np.uint8)
    for index in range(10):
        thick = 2 if index in heavy else 1
        image[grid.y : grid.rect.bottom, 11 + pitch * index : 11 + pitch * index + thick] = 150
        image[9 + pitch * index : 9 + pitch * index + thick, grid.x : grid.rect.right] = 150
    return image, grid


@pytest.mark.parametrize(
    ("heavy", "boxed"), [((), False), ((0, 9), False), ((0, 3, 6, 9), True), ((2, 5), False), ((3,), False)]
)
def test_cells_in_boxes_are_a_sudoku(heavy: tuple[int, ...], boxed: bool) -> None:
    image, grid = lined(heavy)
    assert is_boxed(image, grid) == boxed
    assert is_surface(image, grid) == boxed


def test_lines_that_are_heavier_in_one_direction_make_no_boxes() -> None:
    image, grid = lined((3, 6))
    for y in (3, 6):
        image[9 + 24 * y + 1, 12:-24] = 90
    assert not is_boxed(image, grid)


def test_lines_of_one_weight_that_lie_between_pixels_make_no_boxes() -> None:
    """Each lies otherwise on the pixels than the two before it."""
    image, _ = lined((), pitch=25)
    scaled = cv2.resize(image, None, fx=4 / 3, fy=4 / 3, interpolation=cv2.INTER_LINEAR)
    assert not is_boxed(np.asarray(scaled, np.uint8), Grid(11 * 4 / 3, 12, 100 / 3, 100 / 3, 9, 9))


@pytest.mark.parametrize(
    ("ring", "lines", "is_tile"),
    [
        ((60, 150, 60), (150, 60, 140), True),
        ((60, 150, 60), (60, 150, 60), False),
        (
            (155, 185, 175),
            (90, 160, 130),
            False,
        ),  # the one is the other, half as strong, as smoothed edges are
    ],
)
def test_cells_on_which_two_inks_are_drawn_are_tiles(
    ring: tuple[int, ...], lines: tuple[int, ...], is_tile: bool
) -> None:
    image, grid = np.full((400, 500, 3), (220, 210, 220), np.uint8), Grid(5, 7, 40, 40, 12, 9)
    for row, column in np.ndindex(grid.shape):
        cell = grid.cell_rect(row, column)
        middle = cell.center.x, cell.center.y
        cv2.line(image, (cell.x + 6, cell.y + 6), (cell.right - 6, cell.bottom - 6), lines, 2)
        cv2.circle(image, middle, 9, ring, 2)
    assert is_drawn_in_two_inks(image, grid) == is_tile
    assert is_surface(image, grid) >= is_tile
