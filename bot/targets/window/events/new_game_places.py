"""Where a click may start a new game: places of a window that the end of a game has changed."""

from __future__ import annotations

import re

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Rect
from bot.screen.windows import Window
from bot.vision.grid import Grid, Image, part
from bot.vision.themes.behaviour import NewGameWay

CHANGED = 12
"""Colour difference (0 to 255) beyond which a pixel has changed."""

CHANGED_PART = 0.1
"""Which part of a cell, 0 to 1, has changed of one that looks otherwise: its edges may belong to the next."""

BUTTON_WAIT_S = 12.0
"""How long a button over the board may take to show after the end of a game."""


BROWSERS = r"chrom|firefox|navigator|brave|edge|opera|vivaldi|safari|epiphany|\.html?\b|__|localhost|^www\."
"""In the names of programs that show pages; Chromium names the window of a page after its address. There
Ctrl+N opens another window, and F5 loads the page again."""


def is_browser(window: Window | None) -> bool:
    """Whether a window is that of a program that shows pages."""
    return window is not None and re.search(BROWSERS, window.program.lower()) is not None


def described(way: NewGameWay) -> str:
    """A way to start a game, in words."""
    if way.kind == "key":
        return f"the key {way.key.upper()}"
    what = "the button" if way.kind == "place" else "a button"
    return f"{what} at {way.x},{way.y} of the window"


def changed_places(one: Image, other: Image) -> list[Rect]:
    """The places, joined where they lie close together, in which two pictures differ; the largest first."""
    joined = cv2.dilate(changed_pixels(one, other).astype(np.uint8), np.ones((5, 5), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(np.asarray(joined, np.uint8), connectivity=8)
    places = [
        Rect(int(x) + 2, int(y) + 2, max(1, int(w) - 4), max(1, int(h) - 4)) for x, y, w, h, _ in stats[1:]
    ]
    return sorted(places, key=lambda place: -place.width * place.height)


def changed_pixels(one: Image, other: Image) -> npt.NDArray[np.bool_]:
    """Which pixels differ, shape (height, width)."""
    return np.asarray((np.maximum(one, other) - np.minimum(one, other)).max(axis=2) > CHANGED)


def changed_cells(grid: Grid, one: Image, other: Image, least: float = CHANGED_PART) -> npt.NDArray[np.bool_]:
    """Which cells of a grid look otherwise in one picture of a window than in another, in more than the
    `least` part of each: (rows, columns)."""
    changed = changed_pixels(one, other)
    parts = [part(changed, grid.cell_rect(*cell)).mean() for cell in np.ndindex(grid.shape)]
    return np.asarray(np.reshape(parts, grid.shape) > least)


def buttons(at_end: Image, in_play: Image) -> list[Rect]:
    """Boxes of one colour with something written in them, where the end of a game has changed the window.

    They are edges that enclose at least 24x16 pixels, 0.7 to 10 times as wide as high, of which 30 % have
    changed: the buttons on a card over the board. The largest comes first.
    """
    changed = changed_pixels(at_end, in_play)
    edges = cv2.Canny(at_end, 40, 120)
    closed = cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    contours, _ = cv2.findContours(closed, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    found: list[Rect] = []
    height, width = at_end.shape[:2]
    for contour in contours:
        x, y, w, h = cv2.boundingRect(contour)
        if not (16 <= h <= height // 3 and 24 <= w <= 0.9 * width and 0.7 * h <= w <= 10 * h):
            continue
        if changed[y : y + h, x : x + w].mean() < 0.3:
            continue
        box, middle = Rect(x, y, w, h), Rect(x, y, w, h).center
        if all(abs(middle.x - one.center.x) + abs(middle.y - one.center.y) >= 8 for one in found):
            found.append(box)
    return sorted(found, key=lambda box: (-box.width * box.height, -box.y))
