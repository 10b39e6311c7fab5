"""Looks again at the cells of a board that could not be read, on the same grid a pixel to each side.

A grid is known to a pixel, and what a network says of a strange drawing may hang on that pixel.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bot.board import Cell, Codes
from bot.vision.general.cell_reader import CellReader, CellScores
from bot.vision.general.labelling import LONE, label_cells
from bot.vision.general.odds.position_odds import position_cost
from bot.vision.grid import Grid, Image

STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1))
"""By how many pixels the grid is moved to the right and down."""

ALIKE = 3
"""In how many of these places a cell must be read, and alike in all in which it is.

Of 828 drawn boards, seeds 7, 9 and 59, 7 more are exact by this and none more is false. Where the whole board
was read again, with two places 13 and 1, with one 22 and 8; without what is `NOT_BELIEVED` 13 and 3.
"""

NOT_BELIEVED = (Cell.COVERED, Cell.MINE, Cell.EXPLODED)
"""What such a cell is never taken for: the networks take a strange flag or opened cell for these in every
place alike."""


def read_again(reader: CellReader, image: Image, grid: Grid, told: CellScores, codes: Codes) -> Codes:
    """What was read of the cells of a grid in a picture (height, width, 3), and what a look beside adds.

    `codes`, (rows, columns), is what was read, by what was `told` of the cells. What more is read is believed
    together, or not at all where a game would hardly come to it; a mark that no other cell has is not
    (`LONE`).
    """
    unread = codes == Cell.UNREAD
    possible, times = unread.copy(), np.zeros(codes.shape, int)
    more: Codes = codes.copy()
    for left, (right, down) in zip(reversed(range(len(STEPS))), STEPS, strict=True):
        if not possible.any():
            return codes
        moved = replace(grid, x=grid.x + right, y=grid.y + down)
        seen = label_cells(reader.read_anew(image, moved, told, unread)).codes
        is_read = seen != Cell.UNREAD
        possible &= ~is_read | (times == 0) | (seen == more)
        times += is_read
        more[unread & is_read] = seen[unread & is_read]
        possible &= ~np.isin(seen, NOT_BELIEVED) & (times + left >= ALIKE)
    more[unread & ~possible] = int(Cell.UNREAD)
    lone = [one for one in LONE if (more == one).sum() == 1]
    more[unread & np.isin(more, lone)] = int(Cell.UNREAD)
    return more if position_cost(more) <= position_cost(codes) else codes
