"""Tells a board of hexagons: every other row of its cells is shifted by half a cell. It is neither read nor
played."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bot.vision.grid import Image
from bot.vision.grids.lattices.interiors import FLATNESS, flat_parts
from bot.vision.grids.lattices.periodicity import gradients_of

HEXAGONS = (
    "cells in rows that are shifted by half a cell were seen, as of hexagons:"
    " that is no Minesweeper of squares"
)
"""What is said of such a board."""

MIN_CELLS = 16
"""Minimum number of cells of one size by which such a board is told."""

MIN_SHIFTED = 0.7
"""Minimum part of those cells, 0 to 1, that have a shifted neighbour in the row above or below, and none
straight there."""

SIZE = 2.0
"""Maximum difference of the widths, and of the heights, of cells of one size, in pixels."""

OFF = 0.12
"""How far a neighbour may lie from its place, in pitches."""

ROWS = 0.6, 1.05
"""The distance of two rows, in pitches, at least and at most: 0.87 where the hexagons are regular."""

JUDGED = 200
"""Of so many cells, spread over all of them, the neighbours are looked at: a screen may show tens of
thousands of small figures."""

Points = npt.NDArray[np.float64]


def has_hexagons(image: Image) -> bool:
    """Whether a picture (height, width, 3) shows cells in rows, or in columns, of which every other one is
    shifted by half a cell."""
    gradients = gradients_of(image)
    for flatness in FLATNESS:
        parts = flat_parts(gradients, flatness)
        boxes = parts.boxes[parts.interiors]
        for width, height in _commonest(boxes[:, 2:]):
            alike = (np.abs(boxes[:, 2:] - (width, height)) <= SIZE).all(axis=1)
            middles = boxes[alike, :2] + boxes[alike, 2:] / 2
            if _is_shifted(middles) or _is_shifted(middles[:, ::-1]):
                return True
    return False


def _commonest(sizes: Points) -> list[tuple[float, float]]:
    """The commonest size, (width, height), if enough have it."""
    if len(sizes) < MIN_CELLS:
        return []
    found, counts = np.unique(np.rint(sizes), axis=0, return_counts=True)
    width, height = found[int(counts.argmax())].tolist()
    return [(width, height)]


def _is_shifted(middles: Points) -> bool:
    """Whether points, (x, y) each, lie in rows of which every other one is shifted by half their distance."""
    if len(middles) < MIN_CELLS:
        return False
    judged = middles[:: -(-len(middles) // JUDGED)]
    apart = middles[None] - judged[:, None]
    right, down = apart[..., 0], apart[..., 1]
    beside = np.where((np.abs(down) <= 1.5) & (right > 1.5), right, np.inf).min(axis=1)
    if not np.isfinite(beside).any():
        return False
    pitch = float(np.median(beside[np.isfinite(beside)]))
    off, near = OFF * pitch, (np.abs(down) >= ROWS[0] * pitch) & (np.abs(down) <= ROWS[1] * pitch)
    shifted = (near & (np.abs(np.abs(right) - pitch / 2) <= off)).any(axis=1)
    straight = (near & (np.abs(right) <= off)).any(axis=1)
    return bool((shifted & ~straight).mean() >= MIN_SHIFTED)
