"""Whether the opened cells look as in the picture that a click was decided on."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from bot.board import Board, Cell, FirstClick, Rules
from bot.practice.session import PracticeSession
from bot.targets.window.act.click_guard import opened_cells_changed
from bot.vision.grid import Grid, Image
from bot.vision.grids import find_grids


def half_played() -> tuple[Grid, Board, Image]:
    game = PracticeSession(Rules(9, 9, 10, FirstClick.ZERO), 1.0, 3)
    game.game.open(4, 4)
    picture = game.image()
    grid = find_grids(picture)[0].grid
    return grid, game.game.board, picture


def test_nothing_has_changed_in_the_same_picture() -> None:
    grid, board, picture = half_played()
    assert opened_cells_changed(grid, board, picture, picture) == 0
    shimmering = np.asarray(cv2.add(picture, np.full_like(picture, 6)), np.uint8)
    assert opened_cells_changed(grid, board, picture, shimmering) == 0


def test_a_click_that_opens_cells_leaves_those_that_were_opened() -> None:
    grid, board, picture = half_played()
    covered = picture.copy()
    for row, column in board.where(Cell.COVERED):
        place = grid.cell_rect(row, column)
        covered[place.y : place.bottom, place.x : place.right] = 30
    assert opened_cells_changed(grid, board, picture, covered) == 0


@pytest.mark.parametrize("by", [0.9, 1.1])
def test_a_page_that_is_zoomed_shows_other_cells(by: float) -> None:
    grid, board, picture = half_played()
    zoomed = cv2.warpAffine(picture, np.array([[by, 0, 0], [0, by, 0]]), (picture.shape[1], picture.shape[0]))
    assert opened_cells_changed(grid, board, picture, np.asarray(zoomed, np.uint8)) > 0.5
    assert opened_cells_changed(grid, board, picture, picture[1:]) == 1
