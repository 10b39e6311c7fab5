"""The cells that were clicked in a game that no theme knows: how they look now tells that they are opened.

Beside few numbers an opened cell without one may be read as covered: nothing but its colour tells the two
apart, and that it was clicked.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import numpy.typing as npt

from bot.board import Cell, Codes, Coordinate
from bot.targets.board_changes import hanging_together
from bot.targets.window.looks.memory import MAX_DIFFERENCE, Looks, within
from bot.targets.window.looks.possible import faults_of
from bot.targets.window.looks.sheet import Pixels

MANY_OPENED = 3
"""Minimum number of cells besides the clicked one that an opening opens, where they were read as covered."""

OPENED_S = 0.5
"""How long a picture must rest in which a click has opened cells that are read as covered, in seconds."""

RIM = 0.08
"""The part of a cell on each side that may show the cells beside it."""

MIN_COVERED = 0.05
"""The part of the cells that must look covered still: there are mines."""

Cells = npt.NDArray[np.bool_]
"""Which cells: shape (rows, columns)."""


class TriedCells:
    """The cells of one board that were clicked since all were covered."""

    def __init__(self, shape: tuple[int, int], size: tuple[int, int]) -> None:
        """`shape`: rows and columns; `size`: width and height of a cell, in pixels."""
        self.cells: Cells = np.zeros(shape, bool)
        self._size = size
        self._seen: tuple[Pixels, float] | None = None
        """The cells of the last picture, and since when they have looked so, in seconds."""

    def begin_game(self) -> None:
        """No cell has been clicked in the game that is seen next."""
        self.cells[:] = False

    def add(self, clicked: Collection[Coordinate]) -> None:
        """These were clicked; cells of a board of another size are none of them."""
        rows, columns = self.cells.shape
        for row, column in clicked:
            if row < rows and column < columns:
                self.cells[row, column] = True

    def rest(self, pixels: Pixels, now: float) -> bool:
        """Whether the cells look at `now` as they have for `OPENED_S`, also where what was read of them was
        forgotten meanwhile: what is repaired as often as that would never let them count."""
        if self._seen is None or not np.array_equal(self._seen[0], pixels):
            self._seen = pixels, now
        return now - self._seen[1] >= OPENED_S

    def changed(self, covered: Pixels, pixels: Pixels) -> Cells:
        """Which cells of the board look otherwise than where they were `covered`, all black where they never
        were. On their rims the cells beside them may be seen."""
        rows, columns = self.cells.shape
        width, height = self._size
        shape = rows, columns, height, width, 3
        inside = (slice(None), slice(None), *within(self._size, RIM))
        inner = [cells.reshape(shape)[inside].reshape(rows, columns, -1) for cells in (covered, pixels)]
        return changed_since(inner[0], inner[1])

    def take_opened(self, looks: Looks, codes: Codes, covered: Pixels, pixels: Pixels) -> bool:
        """Where clicks have left their cells, and others that hang together with them, with another look than
        that of covered ones, flat and read as no number, they have opened them: that look is known as an
        empty one from now on. Whether there is such a cell.

        Not so where cells here and there have changed, or nearly all, as at the end of a game, or where the
        numbers of the board, `codes` (rows, columns), say otherwise. `covered`: how each looked where it was
        covered.
        """
        closed = np.isin(codes, (Cell.COVERED, Cell.UNREAD))
        changed = closed & self.changed(covered, pixels)
        # Beside a number that was clicked nothing is opened.
        empty = (codes == Cell.EMPTY) & self.cells
        opened = changed & hanging_together(changed | empty, self.cells)
        for row, column in np.argwhere(opened).tolist():
            opened[row, column] = looks.is_flat(pixels[row, column])
        if not opened.any() or np.count_nonzero(changed & ~opened) >= MANY_OPENED:
            return False
        if np.count_nonzero(closed & ~changed) < MIN_COVERED * codes.size:
            return False
        if faults_of(np.where(opened, np.int8(Cell.EMPTY), codes), openings_stop=True):
            return False
        for row, column in np.argwhere(opened).tolist():
            looks.take_as_opened(pixels[row, column])
        return True


def changed_since(covered: Pixels, pixels: Pixels) -> Cells:
    """Which cells look otherwise than where they were covered; black ones never were."""
    differences = np.abs(pixels.astype(np.int16) - covered).mean(axis=2)
    return np.asarray(covered.any(axis=2) & (differences > MAX_DIFFERENCE))
