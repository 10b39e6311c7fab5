"""Decides how far a board reaches on its lattice.

Every cell of a generous part of the lattice gets a weight: positive if it looks like a cell of a board,
negative if it does not. The board is the rectangle of cells with the largest sum.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from bot.geometry import Rect
from bot.vision.grid import Grid

Weights = npt.NDArray[np.float64]

CellChances = Callable[[Grid], npt.NDArray[np.floating[Any]]]
"""How probable it is that each cell of a grid is a cell of a board: shape (rows, columns), 0 to 1."""

MIN_GAIN = 1e-9
"""Sums that differ by less are equal: the first rectangle is kept."""

NO_CELL = 0.5
"""The chance at which a cell counts neither for nor against a board."""


def best_extent(reach: Grid, is_cell: CellChances, min_side: int = 1) -> Grid | None:
    """The part of a generous grid that a board covers, as `is_cell` says; None if no part is likely a board.

    `min_side`: minimum number of columns and of rows.
    """
    place = heaviest_part(np.asarray(is_cell(reach), np.float64) - NO_CELL, min_side)
    return None if place is None else reach.part(place)


def heaviest_part(weights: Weights, min_side: int = 1) -> Rect | None:
    """The columns and rows whose weights (rows, columns) have the largest sum; None if none is above 0.

    Method: Kadane's maximum subarray over the columns, for every range of rows at once.
    """
    rows, columns = weights.shape
    if min(rows, columns) < min_side:
        return None
    best, place = 0.0, None
    sums = np.zeros((rows + 1, columns + 1))
    sums[1:, 1:] = weights.cumsum(axis=0).cumsum(axis=1)
    for top in range(rows - min_side + 1):
        # The sums of all columns before a line, for every range of rows: shape (ranges, columns + 1).
        before = sums[top + min_side :] - sums[top]
        lowest = np.minimum.accumulate(before[:, : columns + 1 - min_side], axis=1)
        gains = before[:, min_side:] - lowest
        at = int(np.argmax(gains))
        if gains.flat[at] > best + MIN_GAIN:
            best = float(gains.flat[at])
            number, last = divmod(at, gains.shape[1])
            left = int(np.argmin(before[number, : last + 1]))
            place = Rect(left, top, last + min_side - left, min_side + number)
    return place
