"""Whether a board has one more line of opened cells, or one less: they show nothing, and may look as what
lies around.

Where the ground of the empty cells ends with the board on three sides, and exactly one cell further on the
fourth, that line is one of the board. Of 4,935 left-out boards (seeds 173, 179, 181, 191 and 193) that were
read to their right size none has such a line beside it, and of 12 that were not three have. An outer line of
nothing on another ground is none of it: of 7,891 such boards 874 have lines of nothing, and none of these has
another ground by more than 6 levels.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bot.board import Cell, Codes, Coordinate
from bot.geometry import Rect
from bot.vision.grid import Grid, Image, part
from bot.vision.plausibility import MIN_CLOSED

Colour = npt.NDArray[np.int16]

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

DEEP = 2
"""How many cells beyond the board are looked at."""

OFF, MIN_OFF = 0.08, 2
"""How far off the end of the ground may lie, as a part of a cell, and in pixels at least."""


def line_of_ground(image: Image, grid: Grid, codes: Codes) -> Rect | None:
    """The columns and rows of a board with the one line more that a picture (height, width, 3) shows beside
    its cells, (rows, columns); None where there is no such line, or none for sure. None lies beside closed
    cells: what is opened without a number has opened those around it."""
    ground = _ground(image, grid, codes)
    if ground is None:
        return None
    left, right, top, bottom = map(int, (*grid.column_edges[[0, -1]], *grid.row_edges[[0, -1]]))
    width, height = grid.pitch
    deep, high = int(DEEP * width), int(DEEP * height)
    columns, rows = grid.columns, grid.rows

    def other(x: int, y: int, wide: int, tall: int) -> npt.NDArray[np.bool_]:
        pixels = part(image, Rect(x, y, wide, tall)).astype(np.int16)
        return np.asarray((np.abs(pixels - ground) > OTHER).any(axis=2))

    sides = (
        (Rect(-1, 0, columns + 1, rows), other(left - deep, top, deep, bottom - top).T[::-1], width),
        (Rect(0, 0, columns + 1, rows), other(right, top, deep, bottom - top).T, width),
        (Rect(0, -1, columns, rows + 1), other(left, top - high, right - left, high)[::-1], height),
        (Rect(0, 0, columns, rows + 1), other(left, bottom, right - left, high), height),
    )
    reaches = [_reach(beside, cell) for _, beside, cell in sides]
    if sorted(reaches) != [0, 0, 0, 1]:
        return None
    side = reaches.index(1)
    line = (codes[:, 0], codes[:, -1], codes[0], codes[-1])[side]
    return sides[side][0] if (line > 8).sum() < MIN_CLOSED else None


def without_other_ground(image: Image, grid: Grid, codes: Codes) -> Rect | None:
    """The columns and rows of a board in a picture (height, width, 3) and of its cells, (rows, columns),
    without outer lines of nothing on another ground, that of what lies beyond, than its empty cells and the
    cells beside these lines: the ground of a board may shade from side to side, or a line be lit. None if
    there are none of these, or that is not known."""
    cells = np.arange(codes.size).reshape(codes.shape)
    sides, beside = ((cells[off], cells[-1 - off], cells[:, off], cells[:, -1 - off]) for off in (0, 1))
    within, nothing = codes.copy(), [bool((codes.flat[side] == Cell.EMPTY).all()) for side in sides]
    if not any(nothing):
        return None
    for side, is_nothing in zip(sides, nothing, strict=True):
        if is_nothing:
            within.flat[side] = Cell.UNREAD
    ground = _ground(image, grid, within)
    if ground is None:
        return None

    def is_other(side: npt.NDArray[np.int64], inner: npt.NDArray[np.int64], beyond: Rect) -> bool:
        colours, others = (
            np.array([_median(image, grid, divmod(int(cell), grid.columns))[0] for cell in line])
            for line in (side, inner)
        )
        away = [np.abs(colours - other).max(axis=1) for other in (ground, others)]
        if not (np.minimum(*away) > OTHER).all():
            return False
        pixels = part(image, beyond).reshape(-1, 3).astype(np.float64)
        goes_on = np.abs(pixels - np.median(colours, axis=0)).max(axis=1) <= OTHER
        return bool(len(goes_on) and goes_on.mean() >= EDGE)

    rect, deep = grid.rect, max(MIN_OFF, int(OFF * min(grid.pitch)))
    strips = (
        Rect(rect.x, rect.y - deep, rect.width, deep),
        Rect(rect.x, rect.bottom, rect.width, deep),
        Rect(rect.x - deep, rect.y, deep, rect.height),
        Rect(rect.right, rect.y, deep, rect.height),
    )
    top, bottom, left, right = (
        is_nothing and is_other(*places)
        for is_nothing, *places in zip(nothing, sides, beside, strips, strict=True)
    )
    kept = Rect(left, top, grid.columns - left - right, grid.rows - top - bottom)
    return kept if kept != Rect(0, 0, grid.columns, grid.rows) else None


def _ground(image: Image, grid: Grid, codes: Codes) -> Colour | None:
    """The colour of the empty cells of a board; None where they have none in common."""
    empty = [(row, column) for row, column in np.argwhere(codes == Cell.EMPTY).tolist()]
    seen = [one for one in (_median(image, grid, place) for place in empty) if np.isfinite(one[0]).all()]
    colours, spreads = [colour for colour, _ in seen], [spread for _, spread in seen]
    if len(colours) < FEW_EMPTY or np.median(spreads) > MAX_SPREAD:
        return None
    ground: Colour = np.rint(np.median(colours, axis=0)).astype(np.int16)
    alike = np.abs(np.array(colours) - ground).max(axis=1) <= SAME_GROUND
    return ground if alike.mean() >= ALIKE else None


def _median(image: Image, grid: Grid, place: Coordinate) -> tuple[npt.NDArray[np.float64], float]:
    """The median colour of the middle of a cell, and the most by which a channel of it spreads, in levels; no
    number where it lies outside."""
    cell = grid.cell_rect(*place)
    x, y = int(MIDDLE * cell.width), int(MIDDLE * cell.height)
    inner = part(image, Rect(cell.x + x, cell.y + y, cell.width - 2 * x, cell.height - 2 * y)).reshape(-1, 3)
    if not len(inner):
        return np.full(3, np.nan), 0.0
    return np.median(inner, axis=0), float(inner.std(axis=0).max())


def _reach(beside: npt.NDArray[np.bool_], cell: float) -> int:
    """How many cells the ground reaches beyond a side of a board, 0 or 1; -1 where that is not clear. Which
    pixels beside it are none of the ground, (pixels away, pixels along the side), and the length of a cell
    away from it, in pixels."""
    off = max(MIN_OFF, OFF * cell)
    share = beside.mean(axis=1) if beside.size else np.zeros(0)
    ends = np.flatnonzero(share >= EDGE)
    if not len(ends):
        return -1
    if ends[0] <= off:
        return 0
    is_flat = (share[int(np.ceil(off)) : int(cell - off)] <= FLAT).all()
    return 1 if abs(ends[0] - cell) <= off and is_flat else -1
