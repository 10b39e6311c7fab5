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
    codes, (height, width) = board.codes, picture.shape[:2]
    x, y = grid.column_edges.tolist(), grid.row_edges.tolist()
    left, right, top, bottom = 2 * x[0] - x[1], 2 * x[-1] - x[-2], 2 * y[0] - y[1], 2 * y[-1] - y[-2]
    rows, columns = slice(max(y[0], 0), y[-1]), slice(max(x[0], 0), x[-1])
    # Each outer line, whether the picture shows as much beside it, and where both lie.
    sides = (
        (codes[0], top >= 0, slice(top, y[1]), columns),
        (codes[-1], bottom <= height, slice(y[-2], bottom), columns),
        (codes[:, 0], left >= 0, rows, slice(left, x[1])),
        (codes[:, -1], right <= width, rows, slice(x[-2], right)),
    )
    return not any(
        (line == Cell.EMPTY).all() and is_shown and _is_of_one_ground(picture[down, across])
        for line, is_shown, down, across in sides
    )


def _is_of_one_ground(part: Picture) -> bool:
    return bool((np.ptp(part.astype(np.int16), axis=(0, 1)) <= MOST_ALIKE).all())


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
