"""Cells that stayed unread because only a part of them is seen, or something has blurred them: they are what
the cells of the same board are that look the same, pixel by pixel, as far as they are seen."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bot.board import Cell, Codes
from bot.vision.general.consistency import violation_count
from bot.vision.general.patches import SIDE, Floats, Patches
from bot.vision.grid import Grid

ENOUGH = 2
"""So many cells of a meaning are needed to know its look."""

MOST = 40
"""Of more of them so many are looked at."""

USUAL, SPARE = 1.5, 2.0
"""A cell differs from its look by no more than so many times what the others do, and so much (0 to 255)."""

NEARER = 0.5
"""So much nearer than to any other look it must be."""

LEAST_SEEN = 0.6
"""The part of a cell's width and height that must be seen."""


def read_partial_cells(codes: Codes, patches: Patches, grid: Grid, shape: tuple[int, int]) -> Codes:
    """The board with unread cells read where that is sure; `shape` is the picture's height and width."""
    unread = np.argwhere(codes == Cell.UNREAD)
    if not len(unread):
        return codes
    across = _seen(grid.x, grid.cell_width, grid.columns, shape[1])
    down = _seen(grid.y, grid.cell_height, grid.rows, shape[0])
    whole = np.outer(down.all(axis=1), across.all(axis=1))
    known = {
        int(code): np.flatnonzero((whole & (codes == code)).ravel())
        for code in np.unique(codes)
        if code != Cell.UNREAD
    }
    looks = {
        code: patches.pixels[cells[:: -(-len(cells) // MOST)]]
        for code, cells in known.items()
        if len(cells) >= ENOUGH
    }
    out: Codes = codes.copy()
    for row, column in unread.tolist():
        part = np.ix_(down[row], across[column])
        if min(down[row].mean(), across[column].mean()) < LEAST_SEEN:
            continue
        code = _nearest(patches.pixels[row * grid.columns + column][part[0], part[1]], looks, part)
        if code is not None:
            before = violation_count(out)
            out[row, column] = code
            if violation_count(out) > before:
                out[row, column] = Cell.UNREAD
    return out


def _seen(start: float, pitch: float, count: int, size: int) -> npt.NDArray[np.bool_]:
    """Which pixels of the patches of each column, or row, lie in a picture so wide: (count, SIDE)."""
    places = start + (np.arange(count)[:, None] + (np.arange(SIDE) + 0.5) / SIDE) * pitch
    seen: npt.NDArray[np.bool_] = (places > 0.5) & (places < size - 0.5)
    return seen


def _nearest(cell: Floats, looks: dict[int, Floats], part: tuple[npt.NDArray[Any], ...]) -> int | None:
    """The one look that a cell clearly has; None where it has none."""
    apart: dict[int, float] = {}
    usual: dict[int, float] = {}
    for code, cells in looks.items():
        seen = cells[:, part[0], part[1]]
        mean = seen.mean(axis=0)
        apart[code] = float(np.abs(cell - mean).mean())
        usual[code] = float(np.abs(seen - mean).mean(axis=(1, 2, 3)).max())
    if len(apart) < 2:
        return None
    best, other = sorted(apart, key=lambda code: apart[code])[:2]
    like = apart[best] <= USUAL * usual[best] + SPARE
    return best if like and apart[best] <= NEARER * apart[other] else None
