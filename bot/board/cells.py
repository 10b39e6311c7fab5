"""What one cell shows, as a number and as a letter."""

from __future__ import annotations

from enum import IntEnum

import numpy as np
import numpy.typing as npt

from bot.errors import FormatError

Codes = npt.NDArray[np.int8]
Coordinate = tuple[int, int]


class Cell(IntEnum):
    """What one cell shows. 0 to 8 are opened cells with that number; the rest follow."""

    EMPTY = 0
    COVERED = 9
    FLAG = 10
    QUESTION = 11
    MINE = 12
    """A mine that the end of the game shows."""
    EXPLODED = 13
    WRONG_FLAG = 14
    """A flag crossed out at the end of the game: there was no mine."""
    UNREAD = 15

    @classmethod
    def from_symbol(cls, symbol: str) -> int:
        """The code of one letter of board text; raises FormatError for any other letter."""
        code = SYMBOLS.find(symbol) if len(symbol) == 1 else -1
        if code < 0:
            raise FormatError(f"{symbol!r} is no cell: use one of {' '.join(SYMBOLS)}")
        return code


UNOPENED = (Cell.COVERED, Cell.FLAG, Cell.QUESTION)
"""What a cell shows that the player has not opened yet."""

SYMBOLS = ".12345678#F?*Xx!"
"""The letter of each code of `Cell`, in order."""
