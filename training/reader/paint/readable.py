"""Whether the cells of a drawn board can still be told apart, and where it ends is seen."""

from __future__ import annotations

import cv2
import numpy as np

from bot.board import Board, Cell
from bot.vision.grid import Grid
from training.reader.paint.boards import Picture

SIDE = 16
"""Cells are compared at this size in pixels."""
LEAST_DIFFERENCE = 22
"""Least difference of cells of two meanings: in the strongest channel, of 255, at the 97th percentile."""

MOST_ALIKE = 4
"""Pixels that differ by at most this, of 255, are of one ground."""


def is_readable(picture: Picture, grid: Grid, board: Board) -> bool:
    """Whether cells of every two meanings on a board differ enough to be told apart by a person, and its
    edges are seen."""
    return are_told_apart(picture, grid, board) and are_edges_seen(picture, grid, board)


def are_edges_seen(picture: Picture, grid: Grid, board: Board) -> bool:
    """Whether a person could see how far a board reaches: no outer line of opened cells is of one ground with
    what lies beside it, for the width of a cell."""
    for turn in range(4):
        codes, turned = np.rot90(board.codes, turn), np.rot90(picture, turn)
        edges = _first_lines(grid, picture, turn)
        if (codes[0] == Cell.EMPTY).all() and edges is not None:
            (top, below), (left, right) = edges
            around = turned[2 * top - below : below, left:right].reshape(-1, 3).astype(np.int16)
            if (np.ptp(around, axis=0) <= MOST_ALIKE).all():
                return False
    return True


def _first_lines(grid: Grid, picture: Picture, turn: int) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Where the first row of a grid lies in a picture, both turned by so many quarters to the left: its top
    and bottom, left and right, in pixels; None where the picture does not show as much above it."""
    height, width = picture.shape[:2]
    x, y = grid.column_edges.astype(int), grid.row_edges.astype(int)
    from_right, from_below = width - x[::-1], height - y[::-1]
    rows, columns = ((y, x), (from_right, y), (from_below, from_right), (x, from_below))[turn]
    if 2 * rows[0] - rows[1] < 0:
        return None
    return (int(rows[0]), int(rows[1])), (int(columns[0]), int(columns[-1]))


def are_told_apart(picture: Picture, grid: Grid, board: Board) -> bool:
    """Whether cells of every two meanings on a board differ enough to be told apart by a person."""
    left, top, right, bottom = grid.x, grid.y, grid.x + grid.cell_width * grid.columns, 0.0
    bottom = grid.y + grid.cell_height * grid.rows
    area = picture[max(round(top), 0) : round(bottom), max(round(left), 0) : round(right)]
    small = cv2.resize(area, (SIDE * grid.columns, SIDE * grid.rows), interpolation=cv2.INTER_AREA)
    cells = small.reshape(grid.rows, SIDE, grid.columns, SIDE, 3).transpose(0, 2, 1, 3, 4).astype(np.float32)
    means = [cells[board.codes == code].mean(0) for code in np.unique(board.codes)]
    for place, first in enumerate(means):
        for second in means[:place]:
            apart = np.abs(first - second).max(2)
            if np.percentile(apart, 97) < LEAST_DIFFERENCE:
                return False
    return True
