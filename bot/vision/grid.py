"""Where the cells of a board lie in a picture."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import floor

import numpy as np
import numpy.typing as npt

from bot.board import Coordinate
from bot.geometry import Point, Rect

Image = npt.NDArray[np.uint8]
"""A picture: shape (height, width, 3), blue, green, red."""


Edges = npt.NDArray[np.intp]
"""The pixels at which cells begin, and the first one after the last cell."""


def nearest(value: float) -> int:
    """The whole number nearest to a length, halves upward: `round` would make 31.5 px cells 32, 31, 31."""
    return floor(value + 0.5)


@dataclass(frozen=True)
class Grid:
    """Rows and columns of equal cells in a picture; all lengths in pixels, fractions allowed.

    A cell takes whole pixels: its edges are rounded, so cells of a pitch of 31.5 are 31 and 32 pixels wide.
    """

    x: float
    """The left edge of the first column."""
    y: float
    """The top edge of the first row."""
    cell_width: float
    cell_height: float
    columns: int
    rows: int

    @cached_property
    def column_edges(self) -> Edges:
        """Where each column begins, and where the last one ends: shape (columns + 1,)."""
        return _edges(self.x, self.cell_width, self.columns)

    @cached_property
    def row_edges(self) -> Edges:
        """Where each row begins, and where the last one ends: shape (rows + 1,)."""
        return _edges(self.y, self.cell_height, self.rows)

    @property
    def even(self) -> bool:
        """Whether all cells take the same number of pixels."""
        return bool(np.ptp(np.diff(self.column_edges)) == 0 and np.ptp(np.diff(self.row_edges)) == 0)

    @property
    def whole(self) -> bool:
        """Whether every edge of a cell lies between two pixels, not inside one."""
        lengths = self.x, self.y, self.cell_width, self.cell_height
        return all(float(length).is_integer() for length in lengths)

    @property
    def rect(self) -> Rect:
        """The pixels that the cells take."""
        x, y = int(self.column_edges[0]), int(self.row_edges[0])
        return Rect(x, y, int(self.column_edges[-1]) - x, int(self.row_edges[-1]) - y)

    def cell_rect(self, row: int, column: int) -> Rect:
        """The pixels of one cell; also of one outside the grid, on the same lattice."""
        left, top = nearest(self.x + column * self.cell_width), nearest(self.y + row * self.cell_height)
        right = nearest(self.x + (column + 1) * self.cell_width)
        bottom = nearest(self.y + (row + 1) * self.cell_height)
        return Rect(left, top, right - left, bottom - top)

    def center(self, cell: Coordinate) -> Point:
        """The pixel in the middle of one cell."""
        row, column = cell
        return Point(
            floor(self.x + (column + 0.5) * self.cell_width), floor(self.y + (row + 0.5) * self.cell_height)
        )

    def moved(self, dx: float, dy: float) -> Grid:
        """The same grid, shifted by pixels."""
        return Grid(self.x + dx, self.y + dy, self.cell_width, self.cell_height, self.columns, self.rows)

    def same_cells(self, other: Grid) -> bool:
        """Whether the cells of both are of one size, as far as two measurements of it can agree.

        Over a whole board the edges then lie within half a pixel of each other.
        """
        longest = max(self.columns, self.rows)
        return (
            abs(self.cell_width - other.cell_width) * longest <= 0.5
            and abs(self.cell_height - other.cell_height) * longest <= 0.5
        )


def _edges(start: float, pitch: float, count: int) -> Edges:
    edges: Edges = np.floor(start + pitch * np.arange(count + 1) + 0.5).astype(np.intp)
    return edges
