"""Reads a seven-segment mine counter: three red digits above the left half of a board.

The counter may lie anywhere there and have any size: it is searched as a dark panel with bright red on it. A
segment is lit or dark by how much of its middle is bright; if one is neither, nothing is read.
tests/vision/test_counter.py checks the limits at four scales.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import Board
from bot.vision.grid import Grid, Image
from bot.vision.header.digits import number_of

Mask = npt.NDArray[np.bool_]

SEGMENTS: dict[str, str] = {
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
"""The lit segments of each digit: a at the top, then clockwise, g in the middle."""

SEGMENT_MIDDLES: dict[str, tuple[float, float, float, float]] = {
    "a": (0.35, 0.02, 0.65, 0.16),
    "b": (0.72, 0.2, 0.95, 0.4),
    "c": (0.72, 0.6, 0.95, 0.8),
    "d": (0.35, 0.84, 0.65, 0.98),
    "e": (0.05, 0.6, 0.28, 0.8),
    "f": (0.05, 0.2, 0.28, 0.4),
    "g": (0.35, 0.43, 0.65, 0.57),
}
"""The middle of each segment: left, top, right, bottom as parts of the width and the height of a digit."""

LIT, DARK = 0.45, 0.22
"""A segment is lit if more than the first part of its middle is bright red, dark if at most the second is."""

DIGITS = 3
"""The number of digits of the counter."""

HEADER_ROWS = 6
"""The height of the area above the board in which the counter is searched, in cells."""

REDDER, MAX_DARK = 40, 80
"""The least lead (0 to 255) of the red channel over the two others in a pixel of a segment, lit or not; and
the largest value of the channels of a dark panel."""

MIN_HEIGHT, ASPECT_RATIOS, MIN_FILLED = 10, (1.2, 2.7), 0.7
"""A panel: least height in pixels, width over height (from, to), least filled part of its bounding box."""

MIN_BRIGHT, MIN_RED_PART, BRIGHT = 120, 0.1, 0.75
"""The least red value (0 to 255) of the brightest pixel of a panel, and the least part that is red. A pixel
is bright if its red value is more than the third part of the brightest pixel's."""


class SevenSegmentReader:
    """Reads the seven-segment display beside one grid."""

    def __init__(self, grid: Grid) -> None:
        self._grid = grid

    def read(self, image: Image, board: Board) -> int | None:
        """The number on the display; None if none is recognised."""
        return read_seven_segment(image, self._grid)


def read_seven_segment(image: Image, grid: Grid) -> int | None:
    """The number on the red display above the left half of a grid in an image (height, width, 3); None if
    there is no such display, or more than one, or a digit is not recognised."""
    rect = grid.rect
    side = round(max(grid.pitch))
    top, left = max(0, rect.y - HEADER_ROWS * side), max(0, rect.x - side)
    part = image[top : max(top, rect.y), left : rect.right + side]
    if part.shape[0] < MIN_HEIGHT or part.shape[1] < DIGITS * MIN_HEIGHT:
        return None
    blue, green, red = (part[..., channel].astype(np.int16) for channel in range(3))
    reddish = (red > green + REDDER) & (red > blue + REDDER)
    panels = (np.maximum(green, blue) < MAX_DARK) & ((red < MAX_DARK) | reddish)
    count, _, stats, _ = cv2.connectedComponentsWithStats(panels.astype(np.uint8), connectivity=8)
    numbers: list[int | None] = []
    for x, y, width, height, area in (stats[label] for label in range(1, count)):
        inside = slice(y, y + height), slice(x, x + width)
        in_shape = height >= MIN_HEIGHT and ASPECT_RATIOS[0] < width / height < ASPECT_RATIOS[1]
        if not in_shape or area < MIN_FILLED * width * height:
            continue
        brightest = float(red[inside].max())
        if brightest < MIN_BRIGHT or reddish[inside].mean() < MIN_RED_PART:
            continue
        if left + x + width < rect.x + rect.width / 2:  # the display in the right half is the clock
            numbers.append(_number(reddish[inside] & (red[inside] > BRIGHT * brightest)))
    return numbers[0] if len(numbers) == 1 else None


def _number(bright: Mask) -> int | None:
    """The number that the bright pixels of a panel show; None where one of more digits can be read too: a
    panel of four that is cut into three may give digits, and another number."""
    numbers = _numbers(bright, DIGITS)
    return numbers.pop() if len(numbers) == 1 and not _numbers(bright, DIGITS + 1) else None


def _numbers(bright: Mask, count: int) -> set[int]:
    """The numbers that can be read from the bright pixels of a panel of so many digits."""
    rows, columns = np.flatnonzero(bright.any(axis=1)), np.flatnonzero(bright.any(axis=0))
    if len(rows) < 8:
        return set()
    # The left margin is taken for the right one: a 1 leaves the left of its place dark. The margins may lie
    # around all digits together, or around each of them.
    margin = min(int(rows[0]), bright.shape[0] - 1 - int(rows[-1]), int(columns[0]))
    lit_rows = bright[int(rows[0]) : int(rows[-1]) + 1]
    together, each = (bright.shape[1] - 2 * margin) / count, bright.shape[1] / count
    return {
        number
        for start, width, inset in ((margin, together, 0), (0, each, margin))
        if each > 2 * margin + 3
        and (number := number_of(_digits(lit_rows, count, start, width, inset))) is not None
    }


def _digits(bright: Mask, count: int, start: int, width: float, inset: int) -> Iterator[str | None]:
    """So many digits, each of a width and without `inset` pixels at both sides; the first is at `start`."""
    for index in range(count):
        left, right = round(start + index * width) + inset, round(start + (index + 1) * width) - inset
        yield _digit(bright[:, left:right])


def _digit(bright: Mask) -> str | None:
    """The digit of some pixels (height, width); None if a segment is unclear or no digit has those."""
    lit = ""
    height, width = bright.shape
    for segment, (left, top, right, bottom) in SEGMENT_MIDDLES.items():
        middle: Any = bright[
            int(top * height) : max(int(top * height) + 1, round(bottom * height)),
            int(left * width) : max(int(left * width) + 1, round(right * width)),
        ]
        # A segment may be one pixel thick: the brightest line along it counts.
        lines = middle.mean(axis=1) if segment in "adg" else middle.mean(axis=0)
        part = float(lines.max()) if lines.size else 0.0
        if part > LIT:
            lit += segment
        elif part > DARK:
            return None
    return next((digit for digit, segments in SEGMENTS.items() if set(segments) == set(lit)), None)
