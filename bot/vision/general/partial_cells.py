"""Reads cells of an unknown skin that are cropped by the edge of the picture, or blurred by something.

Such a cell gets the label of those cells of the same board that look like it, pixel by pixel, as far as it is
seen.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from bot.board import Cell, Codes
from bot.vision.general.consistency import violation_count
from bot.vision.general.patches import PATCH_SIDE, Floats, Patches
from bot.vision.grid import Grid

MIN_EXEMPLARS, MAX_EXEMPLARS = 2, 40
"""Cells are not compared with labels that fewer fully seen cells have; of more than the second number some
are used, spread evenly over the board."""

SPREAD_FACTOR, SPREAD_MARGIN = 1.5, 2.0
"""A cell looks like a label if its difference from the mean exemplar (0 to 255, the mean of all pixels) is at
most this multiple of that of the exemplar that differs most, plus the second."""

MAX_DIFFERENCE_RATIO = 0.5
"""The difference to the best label must be at most this part of that to the second best."""

MIN_SEEN = 0.6
"""The least part of a cell's width, and of its height, that must be seen."""

Mask = npt.NDArray[np.bool_]


def read_partial_cells(codes: Codes, patches: Patches, grid: Grid, size: tuple[int, int]) -> Codes:
    """The board (rows, columns) with the unread cells read that clearly look like others; `size`: height and
    width of the picture."""
    unread = np.argwhere(codes == Cell.UNREAD)
    if not len(unread):
        return codes
    seen_columns = _seen_pixels(grid.x, grid.cell_width, grid.columns, size[1])
    seen_rows = _seen_pixels(grid.y, grid.cell_height, grid.rows, size[0])
    exemplars = _exemplars(codes, patches, np.outer(seen_rows.all(axis=1), seen_columns.all(axis=1)))
    read: Codes = codes.copy()
    for row, column in unread.tolist():
        if min(seen_rows[row].mean(), seen_columns[column].mean()) < MIN_SEEN:
            continue
        seen = np.outer(seen_rows[row], seen_columns[column])
        label = _best_label(patches.pixels[row * grid.columns + column][seen], exemplars, seen)
        if label is not None:
            before = violation_count(read)
            read[row, column] = label
            if violation_count(read) > before:
                read[row, column] = Cell.UNREAD
    return read


def _exemplars(codes: Codes, patches: Patches, whole: Mask) -> dict[int, Floats]:
    """For each label patches of cells that have it and are seen whole, (n, PATCH_SIDE, PATCH_SIDE, 3)."""
    cells_of = {
        int(label): np.flatnonzero((whole & (codes == label)).ravel())
        for label in np.unique(codes)
        if label != Cell.UNREAD
    }
    return {
        label: patches.pixels[cells[:: math.ceil(len(cells) / MAX_EXEMPLARS)]]
        for label, cells in cells_of.items()
        if len(cells) >= MIN_EXEMPLARS
    }


def _seen_pixels(start: float, pitch: float, count: int, length: int) -> Mask:
    """Which pixels of the patches of each column (or row) lie inside the picture: (count, PATCH_SIDE)."""
    places = start + (np.arange(count)[:, None] + (np.arange(PATCH_SIDE) + 0.5) / PATCH_SIDE) * pitch
    seen: Mask = (places > 0.5) & (places < length - 0.5)
    return seen


def _best_label(pixels: Floats, exemplars: dict[int, Floats], seen: Mask) -> int | None:
    """The label whose exemplars the `seen` pixels (n, 3) of a cell clearly look like; None for none."""
    differences: dict[int, float] = {}
    spreads: dict[int, float] = {}
    for label, patches in exemplars.items():
        parts = patches[:, seen]
        mean = parts.mean(axis=0)
        differences[label] = float(np.abs(pixels - mean).mean())
        spreads[label] = float(np.abs(parts - mean).mean(axis=(1, 2)).max())
    if len(differences) < 2:
        return None
    best, second = sorted(differences, key=lambda label: differences[label])[:2]
    is_like = differences[best] <= SPREAD_FACTOR * spreads[best] + SPREAD_MARGIN
    return best if is_like and differences[best] <= MAX_DIFFERENCE_RATIO * differences[second] else None
