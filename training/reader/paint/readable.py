"""Whether the cells of a drawn board can still be told apart."""

from __future__ import annotations

import cv2
import numpy as np

from bot.board import Board
from bot.vision.grid import Grid
from training.reader.paint.boards import Picture

SIDE = 16
"""Cells are compared at this size in pixels."""
LEAST_DIFFERENCE = 22
"""Least difference of cells of two meanings: in the strongest channel, of 255, at the 97th percentile."""


def is_readable(picture: Picture, grid: Grid, board: Board) -> bool:
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
