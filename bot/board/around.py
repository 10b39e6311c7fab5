"""The eight cells around a cell, and how many of them are of a kind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bot.board.cells import SYMBOLS, UNOPENED, Cell, Codes, Coordinate


def neighbours(row: int, column: int, rows: int, columns: int) -> Iterator[Coordinate]:
    """The coordinates of the up to eight cells around one, row by row."""
    for r in range(max(0, row - 1), min(rows, row + 2)):
        for c in range(max(0, column - 1), min(columns, column + 2)):
            if (r, c) != (row, column):
                yield r, c


def neighbour_sums(cells: npt.NDArray[np.bool_ | np.int8]) -> Codes:
    """How many of the eight neighbours of each cell are set; shape (..., rows, columns) in and out."""
    *boards, rows, columns = cells.shape
    padded = np.zeros((*boards, rows + 2, columns + 2), np.int8)
    padded[..., 1:-1, 1:-1] = cells
    across = padded[..., :-2] + padded[..., 1:-1] + padded[..., 2:]
    total: Codes = across[..., :-2, :] + across[..., 1:-1, :] + across[..., 2:, :]
    total -= padded[..., 1:-1, 1:-1]
    return total


class NeighbourCounts(NamedTuple):
    """How many of the eight neighbours of each cell are of a kind, each of shape (rows, columns).

    An opened number lies between `known_mines` and `possible_mines`; an opened zero leaves nothing
    `not_opened` around it, where openings spread to all eight neighbours.
    """

    known_mines: Codes
    """Flags and shown mines."""
    possible_mines: Codes
    """Unopened and unread cells, and shown mines."""
    not_opened: Codes
    """Unopened cells, and shown mines."""


_SHOWN_MINES = (Cell.MINE, Cell.EXPLODED)
_COUNTED = np.stack(
    [
        np.isin(np.arange(len(SYMBOLS)), kind)
        for kind in (
            (Cell.FLAG, *_SHOWN_MINES),
            (*UNOPENED, Cell.UNREAD, *_SHOWN_MINES),
            (*UNOPENED, *_SHOWN_MINES),
        )
    ]
)
"""Which codes each field of `NeighbourCounts` counts: shape (3, 16)."""


def neighbour_counts(codes: Codes) -> NeighbourCounts:
    """What lies around each cell of a board, whether it is finished or not."""
    return NeighbourCounts(*neighbour_sums(_COUNTED[:, codes]))
