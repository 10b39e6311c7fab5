"""Finds a button that a game shows over its board: a wide bar of one colour with a text on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np

from bot.geometry import Rect
from bot.vision.grid import Image
from bot.vision.themes.palette import Colour

Mask = np.ndarray[Any, np.dtype[np.uint8]]

TOLERANCE = 12
"""How far each part of a pixel's colour may be from the button's."""

WIDTHS = (0.2, 0.95)
"""From and to: the part of the board's width that a button takes."""

SHAPES = (2.0, 12.0)
"""From and to: how many times as wide as high it is."""

FILLED = 0.6
"""The part of it that has its colour; the rest is its text."""

CENTRED = 0.12
"""By so much of the board's width its middle may be off the board's."""


MOST_COLOURS = 24
"""So many colours, the most frequent ones, are looked at."""

TEXT = (0.02, 0.4)
"""From and to: the part of a button that its text takes."""

MERGED = 6
"""Colours that differ by less than so much, each part of them, are one."""


def find_button(image: Image, board: Rect, colours: Sequence[Colour]) -> Rect | None:
    """The one button of these colours over a board; None where there is none, and where there are several."""
    part = image[board.y : board.bottom, board.x : board.right]
    found: list[Rect] = []
    for colour in colours:
        low = tuple(max(0, value - TOLERANCE) for value in colour.bgr)
        high = tuple(min(255, value + TOLERANCE) for value in colour.bgr)
        found += _bars(np.asarray(cv2.inRange(part, low, high), np.uint8), board)
    return found[0] if len(found) == 1 else None


def find_any_button(image: Image, board: Rect) -> Rect | None:
    """The lowest bar of any one colour with a text on it; None where there is none.

    For a game that is over, whose button has none of the colours that are known.
    """
    part = image[board.y : board.bottom, board.x : board.right]
    # Few colours cover much: a button is one of the largest areas of one colour.
    merged = (part // MERGED).astype(np.int32)
    keys = (merged[..., 0] << 16) | (merged[..., 1] << 8) | merged[..., 2]
    found: list[Rect] = []
    values, counts = np.unique(keys, return_counts=True)
    for key in values[np.argsort(-counts)[:MOST_COLOURS]]:
        for bar in _bars((keys == key).astype(np.uint8), board):
            inside = keys[bar.y - board.y : bar.bottom - board.y, bar.x - board.x : bar.right - board.x]
            if TEXT[0] <= (inside != key).mean() <= TEXT[1]:
                found.append(bar)
    return max(found, key=lambda bar: bar.y, default=None)


def _bars(mask: Mask, board: Rect) -> list[Rect]:
    """The areas of a mask over the board that have the shape and the place of a button."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
    bars: list[Rect] = []
    for left, top, width, height, area in stats[1:]:
        middle = (left + width / 2) / board.width
        if (
            WIDTHS[0] <= width / board.width <= WIDTHS[1]
            and SHAPES[0] <= width / height <= SHAPES[1]
            and area >= FILLED * width * height
            and abs(middle - 0.5) <= CENTRED
        ):
            bars.append(Rect(board.x + int(left), board.y + int(top), int(width), int(height)))
    return bars
