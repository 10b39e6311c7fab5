"""Finds the button that a game shows over its board: a wide bar of one colour with a text on it.

The limits were chosen for the buttons of the Google game (tests/vision/test_colour_reader.py,
tests/targets/test_game_end.py).
"""

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
"""The largest difference (0 to 255) in any channel between a pixel of the button and its colour."""

WIDTHS, MAX_OFF_CENTRE = (0.2, 0.95), 0.12
"""From and to: a button's width; the largest distance of its middle from the board's: parts of its width."""

ASPECT_RATIOS = (2.0, 12.0)
"""From and to: the width of a button over its height."""

MIN_FILLED = 0.6
"""The least part of a button that has its colour; the rest is its text."""

MAX_COLOURS = 24
"""How many colours are tried where the button's is not known, the most frequent ones first."""

TEXT_PARTS = (0.02, 0.4)
"""From and to: the part of a button that its text covers."""

COLOUR_STEP = 6
"""Channels (0 to 255) are divided by this: pixels of one colour may differ a little."""


def find_button(image: Image, board: Rect, colours: Sequence[Colour]) -> Rect | None:
    """The button of these colours over a board of an image (height, width, 3); None for none or several."""
    part = image[board.y : board.bottom, board.x : board.right]
    found: list[Rect] = []
    for colour in colours:
        low = tuple(max(0, value - TOLERANCE) for value in colour.bgr)
        high = tuple(min(255, value + TOLERANCE) for value in colour.bgr)
        found += _bars(np.asarray(cv2.inRange(part, low, high), np.uint8), board)
    return found[0] if len(found) == 1 else None


def find_any_button(image: Image, board: Rect) -> Rect | None:
    """The lowest bar of any one colour with a text on it; None where there is none.

    Meant for a game that is over and whose button has none of the known colours.
    """
    part = image[board.y : board.bottom, board.x : board.right]
    # A button is one of the largest areas of one colour.
    steps = (part // COLOUR_STEP).astype(np.int32)
    keys = (steps[..., 0] << 16) | (steps[..., 1] << 8) | steps[..., 2]
    found: list[Rect] = []
    values, counts = np.unique(keys, return_counts=True)
    for key in values[np.argsort(-counts)[:MAX_COLOURS]]:
        for bar in _bars((keys == key).astype(np.uint8), board):
            inside = keys[bar.y - board.y : bar.bottom - board.y, bar.x - board.x : bar.right - board.x]
            if TEXT_PARTS[0] <= (inside != key).mean() <= TEXT_PARTS[1]:
                found.append(bar)
    return max(found, key=lambda bar: bar.y, default=None)


def _bars(mask: Mask, board: Rect) -> list[Rect]:
    """The connected areas of a mask over the board that have the shape and the place of a button."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
    bars: list[Rect] = []
    for left, top, width, height, area in stats[1:]:
        middle = (left + width / 2) / board.width
        if (
            WIDTHS[0] <= width / board.width <= WIDTHS[1]
            and ASPECT_RATIOS[0] <= width / height <= ASPECT_RATIOS[1]
            and area >= MIN_FILLED * width * height
            and abs(middle - 0.5) <= MAX_OFF_CENTRE
        ):
            bars.append(Rect(board.x + int(left), board.y + int(top), int(width), int(height)))
    return bars
