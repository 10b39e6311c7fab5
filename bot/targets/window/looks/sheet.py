"""A sheet of half-transparent colour over a board, as pages lay one under a message: what lies under it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bot.board import UNOPENED, Codes

MIN_KEPT, MAX_KEPT = 0.15, 0.92
"""How much of the contrast is left under a sheet, 0 to 1, at least and at most."""

MIN_CONTRAST = 12.0
"""Minimum difference (0 to 255) of closed cells from opened ones, by which a sheet is told."""

MAX_ERROR = 5.0
"""Maximum mean difference (0 to 255) of a cell under a sheet from what it must be."""

MIN_CELLS = 0.4
"""Minimum part of the cells that a sheet explains: a card may hide the others."""

Pixels = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Sheet:
    """What a sheet makes of a colour: `kept` times the colour, plus `added` (blue, green, red)."""

    kept: float
    added: tuple[float, float, float]

    def under(self, cells: Pixels) -> Pixels:
        """Cells, shape (rows, columns, bytes), as they are without the sheet."""
        shape = cells.shape
        colours = cells.reshape(*shape[:2], -1, 3).astype(np.float32)
        clear = (colours - np.array(self.added, np.float32)) / self.kept
        return np.clip(np.round(clear), 0, 255).astype(np.uint8).reshape(shape)


def sheet_over(before: Pixels, codes: Codes, after: Pixels) -> Sheet | None:
    """The sheet that lies over cells now, shape (rows, columns, bytes); None if there is none. `before` shows
    them without it, and `codes` (rows, columns) what they were read as."""
    rows, columns, _ = before.shape
    was, now = (cells.reshape(rows, columns, -1, 3).astype(np.float32) for cells in (before, after))
    # At the end of a game all that is covered may be flagged.
    groups = [np.isin(codes, UNOPENED), codes <= 8]
    if any(group.sum() < 3 for group in groups):
        return None
    (covered_was, opened_was), (covered_now, opened_now) = (
        [np.median(cells[group].mean(axis=1), axis=0) for group in groups] for cells in (was, now)
    )
    channel = int(np.abs(opened_was - covered_was).argmax())
    contrast = float(opened_was[channel] - covered_was[channel])
    if abs(contrast) < MIN_CONTRAST:
        return None
    kept = float(opened_now[channel] - covered_now[channel]) / contrast
    if not MIN_KEPT <= kept <= MAX_KEPT:
        return None
    added = opened_now - kept * opened_was
    errors = np.abs(kept * was + added - now).mean(axis=(2, 3))
    if float((errors <= MAX_ERROR).mean()) < MIN_CELLS:
        return None
    return Sheet(kept, (float(added[0]), float(added[1]), float(added[2])))
