"""Where the cells of a board lie in a picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bot.board import Coordinate
from bot.geometry import Point, Rect

Image = npt.NDArray[np.uint8]
"""A picture: shape (height, width, 3), blue, green, red."""


@dataclass(frozen=True)
class Grid:
    """Rows and columns of equal cells in a picture; all lengths in pixels, fractions allowed."""

    x: float
    """The left edge of the first column."""
    y: float
    """The top edge of the first row."""
    cell_width: float
    cell_height: float
    columns: int
    rows: int

    @property
    def rect(self) -> Rect:
        """The pixels that the cells take, rounded outward to whole ones."""
        right = self.x + self.columns * self.cell_width
        bottom = self.y + self.rows * self.cell_height
        x, y = round(self.x), round(self.y)
        return Rect(x, y, round(right) - x, round(bottom) - y)

    def cell_rect(self, row: int, column: int) -> Rect:
        """The pixels of one cell."""
        left = round(self.x + column * self.cell_width)
        top = round(self.y + row * self.cell_height)
        right = round(self.x + (column + 1) * self.cell_width)
        bottom = round(self.y + (row + 1) * self.cell_height)
        return Rect(left, top, right - left, bottom - top)

    def center(self, cell: Coordinate) -> Point:
        """The pixel in the middle of one cell."""
        row, column = cell
        return Point(
            int(self.x + (column + 0.5) * self.cell_width), int(self.y + (row + 0.5) * self.cell_height)
        )

    def moved(self, dx: float, dy: float) -> Grid:
        """The same grid, shifted by pixels."""
        return Grid(self.x + dx, self.y + dy, self.cell_width, self.cell_height, self.columns, self.rows)
