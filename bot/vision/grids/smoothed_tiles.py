"""Finds boards of tiles in windows that are shown larger by a fraction, or smaller, and smoothed.

There no edge lies on a whole pixel, but the middle of a tile is known to a part of one. From the middles of
all columns and rows follow the scale, which is the same for both, and how many of the first ones are a
pixel of the toolkit wider: what fits them best.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bot.vision.grid import Grid

SMALLEST = 4
"""Boards of fewer columns or rows are not looked for."""

SCALES = np.arange(0.75, 3.005, 0.01)
"""How many pixels a toolkit's one may be shown as."""

ROUNDED = 2.0
"""Two edges of a tile that lie inside pixels may look so many pixels further apart than they are, and the
tiles of one board differ by so much more than one of the toolkit's pixels."""

SMEARED = 0.74
"""So many of the toolkit's pixels a gap looks smaller: what is smeared into it is no background."""

GAP_WEIGHT, WHOLE_WEIGHT = 4.0, 2.0
"""How much the gap says of the scale, in square pixels for a difference of 1; how much it says that cells
take whole pixels of the toolkit's, for each of them that they are off."""

OFF = 0.75
"""So many pixels the middle of a column may lie beside its place."""

PRESENT = 0.7
"""The part of the cells that must be seen as tiles."""

Floats = npt.NDArray[np.float64]
Boxes = npt.NDArray[np.int32]


@dataclass(frozen=True)
class _Axis:
    """The columns, or the rows, of a board: how well they fit each scale."""

    middles: Floats
    errors: Floats
    """The sum of the squares by which the middles miss, in square pixels: shape (scales, wide ones)."""

    def misfit(self) -> Floats:
        """How badly each of `SCALES` fits, in square pixels: shape (scales,)."""
        wide = self.errors.argmin(axis=1)
        extra = SCALES[:, None] * _before(len(self.middles))[wide]
        pitches = (self.middles - extra) @ np.linalg.pinv(_straight(len(self.middles)))[1]
        units = pitches / SCALES
        misfit: Floats = self.errors.min(axis=1) + WHOLE_WEIGHT * np.square(units - np.round(units))
        return misfit

    def fit(self, scale: int) -> tuple[float, float, int] | None:
        """Where the first one begins, the pitch and the number of wide ones at one of `SCALES`; None where
        they are no lattice."""
        wide = int(self.errors[scale].argmin())
        extra = SCALES[scale] * _before(len(self.middles))[wide]
        ways = _straight(len(self.middles))
        (start, pitch), *_ = np.linalg.lstsq(ways, self.middles - extra, rcond=None)
        off = np.abs(self.middles - extra - ways @ np.array([start, pitch])).max()
        return (float(start), float(pitch), wide) if off <= OFF else None


def smoothed_grid(boxes: Boxes, gap: int) -> Grid | None:
    """The grid of tiles that are `gap` of their toolkit's pixels apart; None where there is none.

    `boxes` are the rectangles around what may be tiles, x, y, width, height, all of about one size.
    """
    sizes = boxes[:, 2:].mean(axis=0)
    middles = boxes[:, :2] + boxes[:, 2:] / 2
    columns, rows = (_lines(middles[:, side], float(sizes[side])) for side in (0, 1))
    if columns is None or rows is None:
        return None
    if len(boxes) < PRESENT * len(columns.middles) * len(rows.middles):
        return None
    pitches = [np.diff(axis.middles).mean() for axis in (columns, rows)]
    told = (np.mean(pitches) - sizes.mean()) / (gap - SMEARED)
    scale = int((columns.misfit() + rows.misfit() + GAP_WEIGHT * (SCALES - told) ** 2).argmin())
    across, down = columns.fit(scale), rows.fit(scale)
    if across is None or down is None or scale in (0, len(SCALES) - 1):
        return None
    return Grid(
        across[0],
        down[0],
        across[1],
        down[1],
        len(columns.middles),
        len(rows.middles),
        across[2],
        down[2],
        round(float(SCALES[scale]), 2),
    )


def _lines(middles: Floats, size: float) -> _Axis | None:
    """The columns from the middles of their tiles; None where they are not one beside the other."""
    ordered = np.sort(middles)
    groups = np.split(ordered, np.flatnonzero(np.diff(ordered) > size / 4) + 1)
    places = np.array([group.mean() for group in groups if len(group) >= SMALLEST])
    if len(places) < SMALLEST:
        return None
    steps = np.diff(places)
    if np.ptp(steps) > SCALES[-1] + ROUNDED or steps.min() < size:
        return None
    before, straight = _before(len(places)), _straight(len(places))
    # What is left when the best straight line is taken away.
    across = np.eye(len(places)) - straight @ np.linalg.pinv(straight)
    left, extra = across @ places, before @ across
    errors = (
        left @ left
        - 2 * SCALES[:, None] * (extra @ left)
        + SCALES[:, None] ** 2 * np.square(extra).sum(axis=1)
    )
    return _Axis(places, errors)


def _straight(count: int) -> Floats:
    """What the middles of equal columns are made of: shape (columns, 2)."""
    return np.stack([np.ones(count), np.arange(count) + 0.5], axis=1)


def _before(count: int) -> Floats:
    """How many wide columns lie before the middle of each, by their number from 0: (wide ones, columns)."""
    wide, index = np.arange(count)[:, None], np.arange(count)
    both: npt.NDArray[Any] = np.minimum(index, wide) + np.minimum(index + 1, wide)
    return both / 2
