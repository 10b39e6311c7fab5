"""Reads the mine counter of a board without a theme: the red digits of seven bars above its left edge.

Wherever the counter lies and however large it is: a dark panel with bright red on it, three digits wide.
A bar is lit or not by how much of its middle is bright; where one is neither, nothing is read.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from bot.vision.grid import Grid, Image

Marks = npt.NDArray[np.bool_]

BARS: dict[str, str] = {
    "0": "abcdef",
    "1": "bc",
    "2": "abdeg",
    "3": "abcdg",
    "4": "bcfg",
    "5": "acdfg",
    "6": "acdefg",
    "7": "abc",
    "8": "abcdefg",
    "9": "abcdfg",
    "-": "g",
}
"""The bars that are lit: a on top, then clockwise, g in the middle."""

PLACES: dict[str, tuple[float, float, float, float]] = {
    "a": (0.35, 0.02, 0.65, 0.16),
    "b": (0.72, 0.2, 0.95, 0.4),
    "c": (0.72, 0.6, 0.95, 0.8),
    "d": (0.35, 0.84, 0.65, 0.98),
    "e": (0.05, 0.6, 0.28, 0.8),
    "f": (0.05, 0.2, 0.28, 0.4),
    "g": (0.35, 0.43, 0.65, 0.57),
}
"""Where in a digit the middle of each bar lies: left, top, right, bottom as parts of it."""

LIT, DARK = 0.45, 0.22
"""A bar is lit where so much of its middle is bright red, dark where less than the other."""


def read_seven_segment(image: Image, grid: Grid) -> int | None:
    """The number on the red display above the left of a board; None where none is made out."""
    rect = grid.rect
    side = round(max(grid.pitch))
    top, left = max(0, rect.y - 6 * side), max(0, rect.x - side)
    part = image[top : max(top, rect.y), left : rect.right + side]
    if part.shape[0] < 10 or part.shape[1] < 30:
        return None
    blue, green, red = (part[..., channel].astype(np.int16) for channel in range(3))
    reddish = (red > green + 40) & (red > blue + 40)
    panels = (np.maximum(green, blue) < 80) & ((red < 80) | reddish)
    count, _, stats, _ = cv2.connectedComponentsWithStats(panels.astype(np.uint8), connectivity=8)
    found: list[tuple[int, int | None]] = []
    for x, y, width, height, area in (stats[label] for label in range(1, count)):
        inside = slice(y, y + height), slice(x, x + width)
        if height < 10 or not 1.2 < width / height < 2.7 or area < 0.7 * width * height:
            continue
        bright = float(red[inside].max())
        if bright < 120 or reddish[inside].mean() < 0.1:
            continue
        if left + x + width < rect.x + rect.width / 2:  # the right one is the clock
            found.append((int(x), _number(reddish[inside] & (red[inside] > 0.75 * bright))))
    return found[0][1] if len(found) == 1 else None


def _number(bright: Marks) -> int | None:
    """The number of three digits that bright places show."""
    rows, columns = np.flatnonzero(bright.any(axis=1)), np.flatnonzero(bright.any(axis=0))
    if len(rows) < 8:
        return None
    # The margins are taken as even: a 1 leaves the left of its place dark. They lie around the three digits,
    # or around each of them.
    margin = min(int(rows[0]), bright.shape[0] - 1 - int(rows[-1]), int(columns[0]))
    high, wide = slice(int(rows[0]), int(rows[-1]) + 1), bright.shape[1]
    around, each = (wide - 2 * margin) / 3, wide / 3
    read = {
        number
        for start, width, inset in ((margin, around, 0), (0, each, margin))
        if each > 2 * margin + 3 and (number := _digits(bright[high], start, width, inset)) is not None
    }
    return read.pop() if len(read) == 1 else None


def _digits(bright: Marks, start: int, width: float, inset: int) -> int | None:
    """The number of three digits so wide, the first at `start`, without `inset` at each side of each."""
    text = ""
    for index in range(3):
        left, right = round(start + index * width) + inset, round(start + (index + 1) * width) - inset
        shown = _digit(bright[:, left:right])
        if shown is None:
            return None
        text += shown
    try:
        return int(text)
    except ValueError:
        return None


def _digit(bright: Marks) -> str | None:
    lit = ""
    height, width = bright.shape
    for bar, (left, top, right, bottom) in PLACES.items():
        place: Any = bright[
            int(top * height) : max(int(top * height) + 1, round(bottom * height)),
            int(left * width) : max(int(left * width) + 1, round(right * width)),
        ]
        # Bars are thin: the brightest line across the place counts.
        lines = place.mean(axis=1) if bar in "adg" else place.mean(axis=0)
        share = float(lines.max()) if lines.size else 0.0
        if share > LIT:
            lit += bar
        elif share > DARK:
            return None
    return next((digit for digit, bars in BARS.items() if set(bars) == set(lit)), None)
