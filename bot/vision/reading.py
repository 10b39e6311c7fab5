"""What looking at one picture of a known grid gave."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bot.board import Board


@dataclass(frozen=True)
class Reading:
    """The value that every reader produces."""

    board: Board
    """What the cells show; a cell that no glyph is near enough to is UNREAD."""
    distances: npt.NDArray[np.float32]
    """How far each cell is from its glyph, a mean colour difference of 0 to 255, (rows, columns)."""
    face: str | None = None
    """What the face shows: `happy`, `won`, `lost`; None where there is none or it was not made out."""
    counter: int | None = None
    """The mines left as the window's counter shows them; None where there is none or it was not made out."""
