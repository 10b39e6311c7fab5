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

MAX_UNCHANGED = 0.05
"""Maximum part of the closed cells that a sheet over an untouched board leaves as they were."""

MIN_NUMBERS = 0.25
"""Minimum part of the numbers that it explains."""

MIN_AGREED = 3
"""Minimum number of cells that agree on a sheet."""

INK = 0.6
"""Minimum part, 0 to 1, by which a pixel of a number stands out from its cell, of what stands out most."""

AGREE = 0.02
"""How much the parts of the contrast that are left in cells under one sheet differ at most."""

MOST_TRIED = 5
"""Maximum number of sheets that are tried."""

Pixels = npt.NDArray[np.uint8]
"""Cells, shape (rows, columns, bytes)."""

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

    What is left of the contrast is told by each closed cell beside the opened ones, and by each number beside
    its ground; where hardly a cell is opened, by the edges of the closed ones. Cells that the last click
    opened, and what lies over the sheet, tell it wrongly; the others agree. At the end of a game all that is
    closed may be flagged.
    """
    rows, columns, _ = before.shape
    was, now = (cells.reshape(rows, columns, -1, 3).astype(np.float32) for cells in (before, after))
    closed, opened = np.isin(codes, UNOPENED), codes <= 8
    numbers = opened & (codes > 0)
    # Where hardly a cell is opened, the edges of the closed ones tell what ink tells in numbers.
    begun = opened.sum() >= MIN_AGREED
    most, drawn = (opened, numbers) if begun else (closed, closed)
    if not begun and (was == now).all(axis=(2, 3))[most].mean() > MAX_UNCHANGED:
        return None  # an opening changes some cells, a sheet all
    if most.sum() < MIN_AGREED or _explained(Sheet(1.0, (0.0, 0.0, 0.0)), was, now)[most].mean() >= MIN_CELLS:
        return None
    most_was, most_now = (np.median(cells[most].mean(axis=1), axis=0) for cells in (was, now))
    parts = np.concatenate(
        [
            _left(most_was - was[closed].mean(axis=1), most_now - now[closed].mean(axis=1)),
            _left_of_drawn(was[drawn], now[drawn]),
        ]
    )
    # Where all cells are alike, as on a new board, a sheet that leaves hardly any contrast explains them too.
    telling = closed | numbers
    alike = np.abs(now - np.median(now[most], axis=0)).mean(axis=(2, 3)) <= MAX_ERROR
    found: tuple[int, Sheet] | None = None
    for kept in _agreed(parts):
        sheet = Sheet(kept, _added(was[most], now[most], kept))
        explained = _explained(sheet, was, now)
        if explained[most].mean() < MIN_CELLS:
            continue
        if begun and (explained & ~alike)[telling].sum() < MIN_AGREED:
            continue
        if begun and numbers.any() and explained[numbers].mean() < MIN_NUMBERS:
            continue  # any sheet explains empty cells, as where the page was zoomed
        if found is None or explained.sum() > found[0]:
            found = int(explained.sum()), sheet
    return None if found is None else found[1]


def _left(contrast: Colours, left: Colours) -> Colours:
    """What is left, 0 to 1, of the contrasts of some cells, shape (cells, 3), each in the channel where it is
    greatest; without those that have hardly any."""
    most = np.abs(contrast).argmax(axis=1)[:, None]
    greatest = np.take_along_axis(contrast, most, axis=1)[:, 0]
    telling = np.abs(greatest) >= MIN_CONTRAST
    parts: Colours = np.take_along_axis(left, most, axis=1)[telling, 0] / greatest[telling]
    return parts


def _left_of_drawn(was: Colours, now: Colours) -> Colours:
    """The same of the contrasts inside cells, shape (cells, pixels, 3): that of the pixels which stand out
    most from their cell with the rest of it."""
    drawn = (was != was[:, :1]).any(axis=(1, 2))
    was, now = was[drawn], now[drawn]
    if not len(was):
        return np.empty(0, np.float32)
    ground = np.median(was, axis=1, keepdims=True)
    stands_out = np.abs(was - ground).max(axis=2)
    ink = stands_out >= np.maximum(INK * stands_out.max(axis=1, keepdims=True), 1.0)
    shares = (
        ink / np.maximum(ink.sum(axis=1, keepdims=True), 1),
        ~ink / np.maximum((~ink).sum(axis=1, keepdims=True), 1),
    )
    (ink_was, rest_was), (ink_now, rest_now) = (
        [np.einsum("cpb,cp->cb", cells, share).astype(np.float32) for share in shares] for cells in (was, now)
    )
    return _left(rest_was - ink_was, rest_now - ink_now)


def _agreed(parts: npt.NDArray[np.float32]) -> list[float]:
    """What at least `MIN_AGREED` cells say is left of the contrast, what most say first, if a sheet leaves so
    much."""
    found: list[float] = []
    left = np.sort(parts[(parts >= MIN_KEPT) & (parts <= MAX_KEPT)])
    while len(left) and len(found) < MOST_TRIED:
        near = np.abs(left[:, None] - left[None, :]) <= AGREE
        most = int(near.sum(axis=1).argmax())
        if near[most].sum() < MIN_AGREED:
            break
        found.append(float(np.median(left[near[most]])))
        left = left[~near[most]]
    return found


def _added(was: Colours, now: Colours, kept: float) -> tuple[float, float, float]:
    """The colour that a sheet adds, by what most cells, shape (cells, pixels, 3), agree on: something else
    may lie over many of the others."""
    added = now.mean(axis=1) - kept * was.mean(axis=1)
    near = np.abs(added[:, None] - added[None, :]).max(axis=2) <= MAX_ERROR
    blue, green, red = np.median(added[near[near.sum(axis=1).argmax()]], axis=0).tolist()
    return blue, green, red


def _explained(sheet: Sheet, was: Colours, now: Colours) -> npt.NDArray[np.bool_]:
    """Which cells (rows, columns) are what a sheet makes of them."""
    added = np.array(sheet.added, np.float32)
    return np.asarray(np.abs(sheet.kept * was + added - now).mean(axis=(2, 3)) <= MAX_ERROR)
