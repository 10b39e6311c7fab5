"""What a board shows behind something that moves over it for ever, as confetti does."""

from __future__ import annotations

import time

import numpy as np

from bot.geometry import Rect
from bot.vision.grid import Image, same_pixels

ENDLESS_S = 1.2
"""Cells that have moved for this long without a rest, in seconds, are read by their backdrop."""

STILL_S = 0.25
"""Once nothing has moved for this long, in seconds, what moved has come to its end: a page is looked at
several times while it shows one of its pictures, and a busy one skips some."""

PICTURES = 9
"""The backdrop is what each pixel shows in most of so many pictures."""

BETWEEN_S = 0.12
"""How far apart these are at least, in seconds: what moves has left most of its pixels by then."""


class Backdrop:
    """Follows the cells of one board through its pictures."""

    def __init__(self, area: Rect) -> None:
        """`area`: where the cells lie in the pictures, in pixels."""
        self._rows = slice(max(0, area.y), max(0, area.bottom))
        self._columns = slice(max(0, area.x), max(0, area.right))
        self._last: Image | None = None
        """The cells in the last picture."""
        self._moved_at = 0.0
        """When they were seen to change last, on `time.perf_counter`."""
        self._moving_since: float | None = None
        """Since when they have changed on and on; None where they rest."""
        self._pictures: list[Image] = []
        """The cells since then, in up to `PICTURES` pictures."""
        self._taken_at = 0.0
        """When the last of these was taken."""
        self._shown: Image | None = None
        """What lies behind what moves; None where that is not known yet."""

    @property
    def is_known(self) -> bool:
        """Whether something has moved for so long that what lies behind it is told."""
        return self._shown is not None

    def forget(self) -> None:
        """The board changes: what it has shown until now does not count."""
        self._moving_since = self._shown = None

    def behind(self, picture: Image) -> Image:
        """A picture, (height, width, 3), as it is without what moves over its cells; the very picture where
        nothing does, or has not for long."""
        now, cells = time.perf_counter(), picture[self._rows, self._columns]
        if self._last is None or cells.shape != self._last.shape:
            self.forget()
        elif not same_pixels(cells, self._last):
            self._moved_at = now
            if self._moving_since is None:
                self._moving_since, self._pictures = now, []
            if not self._pictures or now - self._taken_at >= BETWEEN_S:
                self._take(cells, now)
        elif now - self._moved_at >= STILL_S:
            self.forget()
        self._last = cells
        if self._shown is None:
            return picture
        behind: Image = picture.copy()
        behind[self._rows, self._columns] = self._shown
        return behind

    def _take(self, cells: Image, now: float) -> None:
        assert self._moving_since is not None
        self._pictures, self._taken_at = [*self._pictures, cells][-PICTURES:], now
        if len(self._pictures) == PICTURES and now - self._moving_since > ENDLESS_S:
            self._shown = _median(self._pictures)


def _median(pictures: list[Image]) -> Image:
    """The median of each byte of pictures of one size, by odd-even transposition: a sort of so few pictures
    takes NumPy ten times as long."""
    ordered = list(pictures)
    for step in range(len(ordered)):
        for one in range(step % 2, len(ordered) - 1, 2):
            low, high = ordered[one], ordered[one + 1]
            ordered[one], ordered[one + 1] = np.minimum(low, high), np.maximum(low, high)
    return ordered[len(ordered) // 2]
