"""Where the cells of a board lie in a picture."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import floor

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import Coordinate
from bot.geometry import Point, Rect

Image = npt.NDArray[np.uint8]
"""A picture: shape (height, width, 3), blue, green, red."""


Edges = npt.NDArray[np.intp]
"""The pixels at which cells begin, and the first one after the last cell."""

Fractions = npt.NDArray[np.float64]
"""The same where edges lie inside pixels."""


def same(one: Image, other: Image) -> bool:
    """Whether two pictures of one size are the same, pixel for pixel; ten times as fast as numpy says it."""
    return one.shape == other.shape and (not one.size or cv2.norm(one, other, cv2.NORM_INF) == 0)


def nearest(value: float) -> int:
    """The whole number nearest to a length, halves upward: `round` would make 31.5 px cells 32, 31, 31."""
    return floor(value + 0.5)


@dataclass(frozen=True)
class Grid:
    """Rows and columns of equal cells in a picture; all lengths in pixels, fractions allowed.

    A cell takes whole pixels: its edges are rounded, so cells of a pitch of 31.5 are 31 and 32 pixels wide.
    Where a toolkit shares out the pixels that are left over itself (GTK gives one to each of the first
    cells), `wide_columns` and `wide_rows` say to how many; its pixels may be `magnified`.
    """

    x: float
    """The left edge of the first column."""
    y: float
    """The top edge of the first row."""
    cell_width: float
    cell_height: float
    columns: int
    rows: int
    wide_columns: int = 0
    """So many columns, the first ones, are a pixel wider than `cell_width`."""
    wide_rows: int = 0
    """So many rows, the first ones, are a pixel higher than `cell_height`."""
    magnified: float = 1
    """Pixels of the picture, in width and height, for each one that the toolkit counts: 2 where it is told to
    draw everything twice as large, a fraction where a desktop scales what it has drawn."""

    @cached_property
    def column_edges(self) -> Edges:
        """Where each column begins, and where the last one ends: shape (columns + 1,)."""
        return _rounded(self.exact_columns)

    @cached_property
    def row_edges(self) -> Edges:
        """Where each row begins, and where the last one ends: shape (rows + 1,)."""
        return _rounded(self.exact_rows)

    @cached_property
    def exact_columns(self) -> Fractions:
        """The column edges before they are rounded to whole pixels."""
        return _edges(self.x, self.cell_width, self.columns, self.wide_columns, self.magnified)

    @cached_property
    def exact_rows(self) -> Fractions:
        """The row edges before they are rounded to whole pixels."""
        return _edges(self.y, self.cell_height, self.rows, self.wide_rows, self.magnified)

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

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns, as numpy orders them."""
        return self.rows, self.columns

    @property
    def pitch(self) -> tuple[float, float]:
        """The mean width and height of its cells."""
        return (
            self.cell_width + self.wide_columns * self.magnified / self.columns,
            self.cell_height + self.wide_rows * self.magnified / self.rows,
        )

    def cell_rect(self, row: int, column: int) -> Rect:
        """The pixels of one cell; also of one outside the grid, on the same lattice."""
        left, top = nearest(self._left(column)), nearest(self._top(row))
        return Rect(left, top, nearest(self._left(column + 1)) - left, nearest(self._top(row + 1)) - top)

    def center(self, cell: Coordinate) -> Point:
        """The pixel in the middle of one cell."""
        row, column = cell
        return Point(
            floor((self._left(column) + self._left(column + 1)) / 2),
            floor((self._top(row) + self._top(row + 1)) / 2),
        )

    def _left(self, column: int) -> float:
        return self.x + column * self.cell_width + min(max(column, 0), self.wide_columns) * self.magnified

    def _top(self, row: int) -> float:
        return self.y + row * self.cell_height + min(max(row, 0), self.wide_rows) * self.magnified

    def moved(self, dx: float, dy: float) -> Grid:
        """The same grid, shifted by pixels."""
        return replace(self, x=self.x + dx, y=self.y + dy)

    def same_cells(self, other: Grid) -> bool:
        """Whether the cells of both are of one size, as far as two measurements of it can agree.

        Over a whole board the edges then lie within half a pixel of each other.
        """
        longest = max(self.columns, self.rows)
        return (
            abs(self.pitch[0] - other.pitch[0]) * longest <= 0.5
            and abs(self.pitch[1] - other.pitch[1]) * longest <= 0.5
        )


def _edges(start: float, pitch: float, count: int, wide: int, unit: float) -> Fractions:
    indices = np.arange(count + 1)
    edges: Fractions = start + pitch * indices + np.minimum(indices, wide) * unit
    return edges


def _rounded(edges: Fractions) -> Edges:
    return np.floor(edges + 0.5).astype(np.intp)
