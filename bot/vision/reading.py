"""The result of reading one picture of a known grid."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bot.board import Board


@dataclass(frozen=True)
class Reading:
    """The value that every reader produces."""

    board: Board
    """What the cells show; a cell that is not clear is UNREAD."""
    distances: npt.NDArray[np.float32]
    """The mean colour difference of each cell from what was read, 0 to 255: shape (rows, columns)."""
    face: str | None = None
    """The mood of the face, `happy`, `won` or `lost`; None where it was not recognised or not asked for."""
    counter: int | None = None
    """The mines left, as the window's counter shows them; None where it was not read or not asked for."""
