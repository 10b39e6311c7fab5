"""Follows a board that lies elsewhere in its window: on a page a text that has come, or grown, moves it."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from bot.geometry import Rect
from bot.targets.window.locate.stretched import Shown
from bot.targets.window.observe.observer import WindowObserver
from bot.targets.window.sighting import View
from bot.vision.grid import part

ALIKE, CLEARER = 0.9, 0.04
"""The least correlation (0 to 1) of a board with what it showed before, a click ago; and by how much that at
any other place must be less: of an untouched board most cells are seen a cell beside it, too."""

BESIDE = 0.5
"""Places within this part of a cell are one place."""


def shifted(observer: WindowObserver, last: Shown) -> View | None:
    """The view of the game without a theme that was `last` seen so, where its cells lie elsewhere in its
    window, which has neither moved nor another size; None where they are not seen elsewhere, or lie where
    they lay.

    Method: normalised correlation of the picture of the board with the whole window.
    """
    view, there = observer.view, last.grid.rect
    if not observer.is_unknown or observer.window is None or observer.has_moved() or last.grid != view.grid:
        return None
    picture = observer.grab()
    if picture.shape != last.picture.shape or not Rect(0, 0, *picture.shape[1::-1]).encloses(there):
        return None
    grey, before = (cv2.cvtColor(one, cv2.COLOR_BGR2GRAY) for one in (picture, part(last.picture, there)))
    likeness = np.asarray(cv2.matchTemplate(grey, before, cv2.TM_CCOEFF_NORMED))
    y, x = (int(one) for one in np.unravel_index(likeness.argmax(), likeness.shape))
    best, beside = float(likeness[y, x]), [max(1, round(BESIDE * pitch)) for pitch in view.grid.pitch]
    likeness[max(0, y - beside[1]) : y + beside[1] + 1, max(0, x - beside[0]) : x + beside[0] + 1] = -1.0
    if (x, y) == (there.x, there.y) or best < ALIKE or best - float(likeness.max()) < CLEARER:
        return None
    moved = replace(view.grid, x=view.grid.x + x - there.x, y=view.grid.y + y - there.y)
    return View(view.rect, moved, view.scale)
