"""Since when each cell of a grid has looked the same."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import Cell
from bot.vision.grid import Grid, Image, part

DRAWN = 3
"""How many pictures a window in which pieces fly must have drawn since a cell came to rest: on a busy machine
a piece may stop over it, but then nothing else moves either."""

EARLY = 0.5
"""The part of the time for which such a window must rest that one cell must, while others move."""

WORD = 8
"""Bytes that are compared at once."""

CLEAR_DRAWN = 1
"""How many more pictures such a window must have drawn since a cell was first read as the same number, or as
covered. A piece can hide a number, but none looks like one; and what is taken for covered by mistake makes
nothing certain that is not."""


class CellRest:
    """Compares picture after picture of one window, cell by cell. Times in seconds, of any one clock."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        """Where the cells lie in every picture."""
        self._picture: Image | None = None
        """The last picture."""
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
        self._codes = np.full(grid.shape, Cell.UNREAD, np.int8)
        """What each cell was read as last."""
        self._read_since = np.zeros(grid.shape, np.int64)
        """The number of the picture in which it was read so first."""

    def update(self, picture: Image, codes: npt.NDArray[np.int8], now: float) -> None:
        """Take in a picture (height, width, 3) and the codes that were read in it, shape (rows, columns)."""
        self._look(picture, now)
        self._read_since[codes != self._codes] = self._drawn
        self._codes = codes

    def _look(self, picture: Image, now: float) -> None:
        if picture is self._picture:
            self._moved = np.zeros(self.grid.shape, bool)
            return
        self._picture = picture
        cells, before = part(picture, self.grid.rect), self._cells
        self._cells = cells
        if before is None or before.shape != cells.shape:
            self._moved = np.ones(self.grid.shape, bool)
        else:
            self._moved = self._differing(cells, before)
            if not self._moved.any():
                return
        self._drawn += 1
        self._since[self._moved] = now
        self._drawn_since[self._moved] = self._drawn

    def _differing(self, cells: Image, before: Image) -> npt.NDArray[np.bool_]:
        """Which cells differ in any pixel between two pictures of them: shape (rows, columns)."""
        height, width, _ = cells.shape
        # Rows are joined eight bytes at a time: all bytes of a cell one by one take five times as long.
        words = np.zeros((height, (3 * width + WORD - 1) // WORD), np.uint64)
        words.view(np.uint8)[:, : 3 * width] = cv2.absdiff(cells, before).reshape(height, -1)
        # The outer lines of a board may lie a pixel beyond the picture.
        rows = np.clip(self.grid.row_edges - max(0, self.grid.rect.y), 0, height)
        columns = np.clip(self.grid.column_edges - max(0, self.grid.rect.x), 0, width) * 3
        by_row = np.bitwise_or.reduceat(words, rows[:-1], axis=0).view(np.uint8)[:, : 3 * width]
        return np.asarray(np.logical_or.reduceat(by_row, columns[:-1], axis=1), np.bool_)

    @property
    def still(self) -> npt.NDArray[np.bool_]:
        """Which cells the last two pictures show alike: shape (rows, columns)."""
        return ~self._moved

    def settled(self, now: float, rest_s: float) -> npt.NDArray[np.bool_]:
        """Which cells of a window in which pieces fly can be believed, shape (rows, columns): those at rest,
        and those that show a number or are covered, whatever moves in them. `rest_s`: how long all of it must
        rest."""
        clear = ((self._codes >= 1) & (self._codes <= 8)) | (self._codes == Cell.COVERED)
        clear &= self._drawn - self._read_since >= CLEAR_DRAWN
        settled: npt.NDArray[np.bool_] = clear | self.at_rest(now, EARLY * rest_s, DRAWN)
        return settled

    def at_rest(self, now: float, least_s: float, least_drawn: int) -> npt.NDArray[np.bool_]:
        """Which cells the last two pictures show alike, and have shown so for so many seconds and while the
        window drew so many pictures: shape (rows, columns)."""
        long = (now - self._since >= least_s) & (self._drawn - self._drawn_since >= least_drawn)
        rest: npt.NDArray[np.bool_] = long & self.still
        return rest
