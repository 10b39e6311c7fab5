"""Finds a button that a game shows over its board: a wide bar of one known colour with a text on it."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from bot.geometry import Rect
from bot.vision.grid import Image
from bot.vision.palette import Colour

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


def find_button(image: Image, board: Rect, colours: Sequence[Colour]) -> Rect | None:
    """The one button over a board; None where there is none, and where there are several."""
    part = image[board.y : board.bottom, board.x : board.right]
    found: list[Rect] = []
    for red, green, blue in colours:
        low = tuple(max(0, value - TOLERANCE) for value in (blue, green, red))
        high = tuple(min(255, value + TOLERANCE) for value in (blue, green, red))
        mask = np.asarray(cv2.inRange(part, low, high), np.uint8)
        _, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
        for left, top, width, height, area in stats[1:]:
            middle = (left + width / 2) / board.width
            if (
                WIDTHS[0] <= width / board.width <= WIDTHS[1]
                and SHAPES[0] <= width / height <= SHAPES[1]
                and area >= FILLED * width * height
                and abs(middle - 0.5) <= CENTRED
            ):
                found.append(Rect(board.x + int(left), board.y + int(top), int(width), int(height)))
    return found[0] if len(found) == 1 else None
