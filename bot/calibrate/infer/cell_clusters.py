"""Groups what cells look like, with no idea of what the looks mean.

Two cells look alike where their pictures differ little on average. Where cells are drawn with lines at their
rims that depend on their neighbours, only the inside is compared (`inset`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bot.board import Coordinate
from bot.vision.cells.sampling import Sampling, inside
from bot.vision.grid import Grid, Image

ALIKE = 4.0
"""Mean difference of colour (0 to 255) up to which two cells look alike. Too small a limit makes two looks of
one, which both get the same meaning; too large a one would make one look of two meanings."""

INSET = 0.14
"""The part of a cell's side that is left out where rims differ: more than any line, less than to a digit."""

ClusterMap = npt.NDArray[np.int32]
"""The number of each cell's look, shape (rows, columns)."""


class CellClusters:
    """The different looks met so far, numbered from 0 in the order in which they were met."""

    def __init__(self, grid: Grid, inset: float = 0.0) -> None:
        """Group the cells of this grid; `inset` is the part of their sides that is not compared."""
        self.grid = grid
        self.inset = inset
        width, height = int(np.diff(grid.column_edges).max()), int(np.diff(grid.row_edges).max())
        self.size = width, height
        """Width and height of the pictures in pixels."""
        self._sampling = Sampling(grid, self.size)
        self.pictures: list[Image] = []
        """The first cell met of each look, shape (height, width, 3)."""
        self._means: npt.NDArray[np.float32] = np.empty((0, 0), np.float32)
        self._known: dict[bytes, int] = {}

    def __len__(self) -> int:
        return len(self.pictures)

    def of(self, frame: Image) -> ClusterMap:
        """The look of every cell in a picture; new looks get new numbers."""
        cells = self.cells(frame)
        numbers: ClusterMap = np.empty((self.grid.rows, self.grid.columns), np.int32)
        for row, column in np.ndindex(numbers.shape):
            look = cells[row, column]
            key = look.tobytes()
            number = self._known.get(key)
            if number is None:
                number = self._number(look, frame, (row, column))
                self._known[key] = number
            numbers[row, column] = number
        return numbers

    def cells(self, frame: Image) -> npt.NDArray[np.uint8]:
        """What is compared of every cell, shape (rows, columns, bytes)."""
        return inside(self._sampling.cells(frame), self._sampling.size, self.inset)

    def _number(self, look: npt.NDArray[np.uint8], frame: Image, cell: Coordinate) -> int:
        picture = look.astype(np.float32)
        if len(self.pictures):
            apart = np.abs(self._means - picture).mean(axis=1)
            nearest = int(apart.argmin())
            if apart[nearest] <= ALIKE:
                return nearest
        self._means = np.vstack([self._means.reshape(-1, len(picture)), picture[None]])
        self.pictures.append(cell_picture(frame, self.grid, cell))
        return len(self.pictures) - 1


def cell_picture(frame: Image, grid: Grid, cell: Coordinate) -> Image:
    """The pixels of one cell, all cells of a grid at one size (height, width, 3)."""
    import cv2

    rect = grid.cell_rect(*cell)
    picture: Any = frame[rect.y : rect.bottom, rect.x : rect.right]
    size = int(np.diff(grid.column_edges).max()), int(np.diff(grid.row_edges).max())
    if picture.shape[:2] != (size[1], size[0]):
        picture = cv2.resize(picture, size, interpolation=cv2.INTER_LINEAR)
    return np.ascontiguousarray(picture, dtype=np.uint8)
