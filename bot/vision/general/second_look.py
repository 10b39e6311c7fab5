"""Looks again at the cells of a board that could not be read, on the same grid a pixel to each side.

A grid is known to a pixel, and what a network says of a strange drawing may hang on that pixel.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bot.board import Cell, Codes
from bot.vision.general.cell_reader import CellReader
from bot.vision.general.labelling import label_cells
from bot.vision.general.position_odds import position_cost
from bot.vision.grid import Grid, Image

STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1))
"""By how many pixels the grid is moved to the right and down."""

ALIKE = 3
"""In how many of these places a cell must be read, and alike in all in which it is.

Of 828 drawn boards, seeds 7, 9 and 59, 7 more are exact by this and none more is false; with two places 13
and 1, with one 22 and 8. Without what is `NOT_BELIEVED` 13 and 3.
"""

NOT_BELIEVED = (Cell.COVERED, Cell.MINE, Cell.EXPLODED)
"""What such a cell is never taken for: the networks take a strange flag or opened cell for these in every
place alike."""


def read_again(reader: CellReader, image: Image, grid: Grid, codes: Codes) -> Codes:
    """What was read of the cells of a grid in a picture (height, width, 3), `codes` of (rows, columns), and
    what more the second look tells: all of it, or nothing where a game would hardly come to that."""
    unread = codes == Cell.UNREAD
    if not unread.any():
        return codes
    moved = [replace(grid, x=grid.x + right, y=grid.y + down) for right, down in STEPS]
    again = np.stack([label_cells(reader.read(image, one)).codes for one in moved])
    low = again.min(axis=0)  # unread is more than any other code
    alike = ((again == low) | (again == Cell.UNREAD)).all(axis=0) & ((again == low).sum(axis=0) >= ALIKE)
    alike &= unread & ~np.isin(low, (*NOT_BELIEVED, Cell.UNREAD))
    told: Codes = np.where(alike, low, codes)
    return told if position_cost(told) <= position_cost(codes) else codes
