"""Boards that nothing shows but dots and a few numbers, as those of terminals."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from bot.board import Board, Cell
from bot.vision.general import general_reader
from bot.vision.general.general_reader import read_any_boards
from bot.vision.grid import Image
from bot.vision.grids.grid_search import grids_of_drawings

DOTTED = Board.parse("##########\n" * 7 + "#######111\n#######1..\n#######1..")
UNTOUCHED = Board.covered(10, 10)
LEFT, TOP = 83, 64
GROUND, COVERED, OPENED = (20, 20, 20), (207, 202, 190), (255, 255, 255)


def dotted(board: Board, width: int, height: int) -> Image:
    """A board without lines, with a dot low in each covered cell."""
    rows, columns = board.codes.shape
    drawn: Image = np.full((2 * TOP + rows * height, 2 * LEFT + columns * width, 3), GROUND, np.uint8)
    drawn[TOP:-TOP, LEFT:-LEFT] = COVERED
    for row, column in np.ndindex(board.codes.shape):
        x, y, code = LEFT + column * width, TOP + row * height, board[row, column]
        if code == Cell.COVERED:
            drawn[y + 17 : y + 20, x + 18 : x + 21] = OPENED
            continue
        drawn[y : y + height, x : x + width] = OPENED
        if code:
            font, ink = cv2.FONT_HERSHEY_SIMPLEX, (110, 40, 90)
            cv2.putText(drawn, str(code), (x + 14, y + 20), font, 0.6, ink, 1, cv2.LINE_AA)
    return drawn


@pytest.mark.parametrize("cell", [(39, 27), (44, 40)])
def test_a_board_of_dots_and_few_numbers_is_read(
    cell: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = dotted(DOTTED, *cell)
    (read,) = read_any_boards(picture)
    assert read.board == DOTTED
    monkeypatch.setattr(general_reader, "grids_of_drawings", lambda _: [])
    assert not read_any_boards(picture), "it is found otherwise, and tests nothing"


def test_dots_alone_are_no_board() -> None:
    """The canvas of a drawing program has the same."""
    picture = dotted(UNTOUCHED, 39, 27)
    assert any(one.grid.pitch == pytest.approx((39, 27), abs=0.3) for one in grids_of_drawings(picture))
    assert not read_any_boards(picture)


def test_a_picture_that_is_too_small_for_any_board_has_no_grids() -> None:
    assert grids_of_drawings(dotted(UNTOUCHED, 39, 27)[:20, :20]) == []
