"""The cells that were clicked in a game that no theme knows: how they look now tells that they are opened.

Beside few numbers an opened cell without one may be read as covered: nothing but its colour tells the two
apart, and that it was clicked.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import numpy.typing as npt

from bot.board import Coordinate
from bot.targets.window.looks.memory import MAX_DIFFERENCE, Looks

MANY_OPENED = 3
"""Minimum number of cells besides the clicked one that an opening opens, where they were read as covered."""

ALONE_S = 0.5
"""How long a picture must rest in which a click has opened a cell alone, in seconds."""

Pixels = npt.NDArray[np.uint8]
"""Cells, shape (rows, columns, bytes)."""

Cells = npt.NDArray[np.bool_]
"""Which cells: shape (rows, columns)."""


class TriedCells:
    """The cells of one board that were clicked since all were covered."""

    def __init__(self, shape: tuple[int, int]) -> None:
        """`shape`: rows and columns."""
        self.cells: Cells = np.zeros(shape, bool)

    def begin_game(self) -> None:
        """No cell has been clicked in the game that is seen next."""
        self.cells[:] = False

    def add(self, clicked: Collection[Coordinate]) -> None:
        """These were clicked; cells of a board of another size are none of them."""
        rows, columns = self.cells.shape
        for row, column in clicked:
            if row < rows and column < columns:
                self.cells[row, column] = True

    def take_opened_alone(self, looks: Looks, closed: Cells, covered: Pixels, pixels: Pixels) -> bool:
        """Where a click has left its cell with another look than that of a covered one, flat and read as no
        number, and hardly another cell has changed, it has opened that cell alone: the look is known as that
        from now on. Whether there is such a cell.

        `closed`: the cells that were read as covered, or could not be read; `covered`: how each looked where
        it was covered.
        """
        changed = closed & changed_since(covered, pixels)
        if np.count_nonzero(changed & ~self.cells) >= MANY_OPENED:
            return False
        alone = [pixels[row, column] for row, column in np.argwhere(changed & self.cells).tolist()]
        flat = [cell for cell in alone if looks.is_flat(cell)]
        for cell in flat:
            looks.take_as_opened(cell)
        return bool(flat)


def changed_since(covered: Pixels, pixels: Pixels) -> Cells:
    """Which cells look otherwise than where they were covered; black ones never were."""
    differences = np.abs(pixels.astype(np.int16) - covered).mean(axis=2)
    return np.asarray(covered.any(axis=2) & (differences > MAX_DIFFERENCE))
