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
"""Minimum part of the opened cells that a sheet explains: a card may hide the others."""

MIN_CLOSED = 3
"""Minimum number of closed cells that agree on a sheet."""

AGREE = 0.02
"""How much the parts of the contrast that are left in cells under one sheet differ at most."""

MOST_TRIED = 5
"""Maximum number of sheets that are tried."""

Pixels = npt.NDArray[np.uint8]
Colours = npt.NDArray[np.float32]


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
    them without it, and `codes` (rows, columns) what they were read as.

    What is left of the contrast is told by each closed cell: those that the last click has opened tell it
    wrongly, and the others agree. At the end of a game all that is closed may be flagged.
    """
    rows, columns, _ = before.shape
    was, now = (cells.reshape(rows, columns, -1, 3).astype(np.float32) for cells in (before, after))
    closed, opened = np.isin(codes, UNOPENED), codes <= 8
    if closed.sum() < MIN_CLOSED or opened.sum() < MIN_CLOSED:
        return None
    closed_was, closed_now = (cells[closed].mean(axis=1) for cells in (was, now))
    opened_was, opened_now = (np.median(cells[opened].mean(axis=1), axis=0) for cells in (was, now))
    contrast = opened_was - closed_was
    channel = int(np.abs(np.median(contrast, axis=0)).argmax())
    telling = np.abs(contrast[:, channel]) >= MIN_CONTRAST
    parts = (opened_now - closed_now)[telling, channel] / contrast[telling, channel]
    if _explained(Sheet(1.0, (0.0, 0.0, 0.0)), was, now)[opened].mean() >= MIN_CELLS:
        return None
    found: tuple[int, Sheet] | None = None
    for kept in _agreed(parts):
        added = opened_now - kept * opened_was
        sheet = Sheet(kept, (float(added[0]), float(added[1]), float(added[2])))
        explained = _explained(sheet, was, now)
        if explained[opened].mean() < MIN_CELLS or explained[closed].sum() < MIN_CLOSED:
            continue
        if found is None or explained.sum() > found[0]:
            found = int(explained.sum()), sheet
    return None if found is None else found[1]


def _agreed(parts: npt.NDArray[np.float32]) -> list[float]:
    """What at least `MIN_CLOSED` cells say is left of the contrast, what most say first, if a sheet leaves so
    much."""
    found: list[float] = []
    left = np.sort(parts[(parts >= MIN_KEPT) & (parts <= MAX_KEPT)])
    while len(left) and len(found) < MOST_TRIED:
        near = np.abs(left[:, None] - left[None, :]) <= AGREE
        most = int(near.sum(axis=1).argmax())
        if near[most].sum() < MIN_CLOSED:
            break
        found.append(float(np.median(left[near[most]])))
        left = left[~near[most]]
    return found


def _explained(sheet: Sheet, was: Colours, now: Colours) -> npt.NDArray[np.bool_]:
    """Which cells (rows, columns) are what a sheet makes of them."""
    added = np.array(sheet.added, np.float32)
    return np.asarray(np.abs(sheet.kept * was + added - now).mean(axis=(2, 3)) <= MAX_ERROR)
