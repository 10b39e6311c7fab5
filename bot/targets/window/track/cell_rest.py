"""Since when each cell of a grid has looked the same."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bot.vision.grid import Grid, Image, same_pixels


class CellRest:
    """Compares picture after picture of one window, cell by cell. Times in seconds, of any one clock."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        """Where the cells lie in every picture."""
        self._cells: Image | None = None
        """The pixels of the cells in the last picture."""
        self._drawn = 0
        """How many pictures differed from the one before."""
        self._since = np.zeros(grid.shape)
        """When each cell was seen to look as it does."""
        self._drawn_since = np.zeros(grid.shape, np.int64)
        """The number of the picture that drew it so."""
        self._moved = np.ones(grid.shape, bool)
        """The cells that the last picture shows otherwise than the one before."""

    def update(self, picture: Image, now: float) -> None:
        """Take in a picture (height, width, 3)."""
        inner = self.grid.rect
        cells, before = picture[inner.y : inner.bottom, inner.x : inner.right], self._cells
        self._cells = cells
        if before is not None and same_pixels(cells, before):
            self._moved = np.zeros(self.grid.shape, bool)
            return
        self._drawn += 1
        if before is None or before.shape != cells.shape:
            self._moved = np.ones(self.grid.shape, bool)
        else:
            other = (cells != before).reshape(cells.shape[0], -1)
            rows, columns = self.grid.row_edges - inner.y, (self.grid.column_edges - inner.x) * 3
            by_row = np.logical_or.reduceat(other, rows[:-1], axis=0)
            self._moved = np.logical_or.reduceat(by_row, columns[:-1], axis=1)
        self._since[self._moved] = now
        self._drawn_since[self._moved] = self._drawn

    def at_rest(self, now: float, least_s: float, least_drawn: int) -> npt.NDArray[np.bool_]:
        """Which cells the last two pictures show alike, and have shown so for so many seconds and while the
        window drew so many pictures: shape (rows, columns)."""
        long = (now - self._since >= least_s) & (self._drawn - self._drawn_since >= least_drawn)
        rest: npt.NDArray[np.bool_] = long & ~self._moved
        return rest
