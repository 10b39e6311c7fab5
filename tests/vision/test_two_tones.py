"""Untouched boards in two tones, of which a card hides a part."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from meadow import meadow

from bot.board import Board, Cell
from bot.vision.general.general_grid_reader import read_cells
from bot.vision.general.general_reader import read_any_boards
from bot.vision.grid import Grid, Image, part
from bot.vision.grids.two_tones import untouched_in_two_tones
from training.reader.no_boards import NOTHING, picture_without_board

SIZES = [(10, 8, 45.0), (18, 14, 30.0), (24, 20, 25.0), (10, 8, 49.5), (24, 20, 27.5)]
"""Columns, rows and pitches, also those of a page that is zoomed."""


def with_card(board: Board, cell: float, side: float = 148) -> tuple[Image, Grid, Board]:
    """A picture with a half-transparent card over the middle of the board, and what can be told of it."""
    picture, grid = meadow(board, cell)
    middle = grid.rect.center
    left, top = round(middle.x - side / 2), round(middle.y - side / 2)
    card = picture[top : top + round(side), left : left + round(side)]
    card[:] = (card * 0.3 + np.array((20, 40, 20)) * 0.7).astype(np.uint8)
    cv2.putText(picture, "?!", (left + 30, top + 80), cv2.FONT_HERSHEY_SIMPLEX, 2, (255, 255, 255), 6)
    codes = board.codes.copy()
    for row, column in np.ndindex(codes.shape):
        box = grid.cell_rect(row, column)
        if box.right > left and box.x < left + side and box.bottom > top and box.y < top + side:
            codes[row, column] = Cell.UNREAD
    return picture, grid, Board(codes)


@pytest.mark.parametrize(("columns", "rows", "cell"), SIZES)
def test_a_board_under_a_card_is_found_and_its_other_cells_are_covered(
    columns: int, rows: int, cell: float
) -> None:
    picture, grid, told = with_card(Board.covered(columns, rows), cell)
    (found,) = read_any_boards(picture)
    assert found.found.grid.shape == (rows, columns)
    assert found.board == told
    codes = read_cells(picture, grid)
    assert np.isin(codes, (Cell.COVERED, Cell.UNREAD)).all()
    assert (codes == Cell.COVERED)[told.codes == Cell.COVERED].all()


def test_a_pointer_hides_its_cell_alone() -> None:
    picture, grid = meadow(Board.covered(18, 14), 30.0, under=(0, 5))
    codes = untouched_in_two_tones(picture, grid)
    assert codes is not None
    assert Board(codes).where(Cell.UNREAD) == [(0, 5)]


def test_a_card_at_the_edge_or_two_cards_are_none() -> None:
    picture, grid, _ = with_card(Board.covered(18, 14), 30.0)
    edge, two = picture.copy(), picture.copy()
    for column in range(5, 11):
        part(edge, grid.cell_rect(0, column))[:] = 90
        part(two, grid.cell_rect(1, column))[:] = 90
    assert untouched_in_two_tones(picture, grid) is not None
    assert untouched_in_two_tones(edge, grid) is None
    assert untouched_in_two_tones(two, grid) is None


def test_a_part_of_a_board_is_none() -> None:
    picture, grid = meadow(Board.covered(18, 14), 30.0)
    for rows, columns in ((slice(0, 13), slice(0, 18)), (slice(0, 14), slice(2, 18))):
        assert untouched_in_two_tones(picture, grid.lines(rows, columns)) is None
    assert untouched_in_two_tones(picture, grid.moved(9, 0)) is None


def test_other_checkerboards_are_none() -> None:
    for light, dark in (
        ((240, 217, 181), (181, 136, 99)),  # chess
        ((255, 255, 255), (238, 238, 238)),  # what is transparent
        ((120, 180, 90), (120, 180, 91)),  # noise
    ):
        picture = np.full((400, 400, 3), 255, np.uint8)
        for row, column in np.ndindex(8, 8):
            tone = dark if (row + column) % 2 else light
            picture[40 + row * 40 :, 40 + column * 40 :][:40, :40] = tone[::-1]
        assert untouched_in_two_tones(picture, Grid(40, 40, 40, 40, 8, 8)) is None


@pytest.mark.slow
@pytest.mark.parametrize("kind", NOTHING)
def test_no_picture_without_a_board_is_one(kind: str) -> None:
    from bot.vision.grids.grid_search import grid_batches

    image = picture_without_board(kind, 2).image
    found = [one.grid for batch in grid_batches(image) for one in batch]
    assert [grid for grid in found if untouched_in_two_tones(image, grid) is not None] == []
