"""Whether the cells of a drawn board can be told apart, and its edges and the end of its game are seen."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import Board, Cell
from bot.vision.grid import Grid, part
from training.reader.paint.boards import Picture

Pixels = np.ndarray[Any, np.dtype[np.float32]]

SIDE = 16
"""Cells are compared at this size in pixels."""
LEAST_DIFFERENCE, SEEN_PERCENTILE = 22, 97
"""Least difference of cells of two meanings: in the strongest channel, of 255, at this percentile."""

MOST_ALIKE = 4
"""Pixels that differ by at most this, of 255, are of one ground."""


def is_readable(picture: Picture, grid: Grid, board: Board) -> bool:
    """Whether cells of every two meanings on a board differ enough to be told apart by a person, its edges
    are seen, and which mine exploded."""
    return are_told_apart(picture, grid, board) and are_edges_and_end_seen(picture, grid, board)


def are_edges_and_end_seen(picture: Picture, grid: Grid, board: Board) -> bool:
    """Whether a person could see how far a board reaches and which of the mines exploded that it shows."""
    return are_edges_seen(picture, grid, board) and is_end_seen(picture, grid, board)


def is_end_seen(picture: Picture, grid: Grid, board: Board) -> bool:
    """Whether a person could see which of the mines that a board shows exploded, or that none did: that one
    is like no other mine, and no other one is, unless each is drawn in its own way."""
    mines, exploded = (
        _cells(picture, grid, np.argwhere(board.codes == code)) for code in (Cell.MINE, Cell.EXPLODED)
    )
    if not len(mines):
        return True
    if len(exploded):
        return not any(_are_alike(mines, one).any() for one in exploded)
    alone = [one for one in mines if np.count_nonzero(_are_alike(mines, one)) == 1]
    return len(alone) != 1


def _cells(picture: Picture, grid: Grid, places: npt.NDArray[np.intp]) -> Pixels:
    """Some cells, (cells, SIDE, SIDE, 3), by their rows and columns."""
    parts = [part(picture, grid.cell_rect(row, column)) for row, column in places.tolist()]
    small = [cv2.resize(one, (SIDE, SIDE), interpolation=cv2.INTER_AREA) for one in parts if one.size]
    return np.array(small, np.float32).reshape(-1, SIDE, SIDE, 3)


def _are_alike(cells: Pixels, other: Pixels) -> npt.NDArray[np.bool_]:
    """Which cells, (cells, SIDE, SIDE, 3), a person could not tell from another one."""
    apart = np.abs(cells - other).max(axis=3).reshape(len(cells), -1)
    return np.asarray(np.percentile(apart, SEEN_PERCENTILE, axis=1) < LEAST_DIFFERENCE, np.bool_)


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
    return not any(_are_alike(np.stack(means[:place]), means[place]).any() for place in range(1, len(means)))
