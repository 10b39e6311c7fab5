"""`Capture` on a Wayland desktop, whichever way its pictures come."""

from __future__ import annotations

import time

import cv2
import numpy as np

from bot.geometry import Point, Rect
from bot.process.interrupts import uninterrupted
from bot.screen.wayland.desktop import Desktop
from bot.vision.grid import Image

POINTER_SIZE = 64
"""Maximum width and height of the pointer's picture, in points: GNOME's largest but one."""


class WaylandCapture:
    """Captures the monitors of a Wayland desktop.

    Where pictures show the pointer and we put it over what is captured, it first goes to the last pixel of
    that, where one pixel of it is left to be seen and the window below it keeps it.

    Where a picture waits for the next frame, a part of the last picture is cut from it until then: what is
    looked at before a click costs no frame for each click.
    """

    def __init__(self, desktop: Desktop) -> None:
        self._desktop = desktop
        self._last: tuple[Rect, Image] | None = None
        """The last picture, and what it shows."""
        self._scale = 1.0
        """The pixels of the last picture for one point."""
        self._last_at = 0.0
        """When it came, on `time.perf_counter`."""

    def monitors(self) -> list[Rect]:
        """The monitors of the desktop."""
        return [monitor.rect for monitor in self._desktop.monitors()]

    @uninterrupted()
    def grab(self, rect: Rect) -> Image:
        """A picture of a rectangle; where monitors of different scales meet in it, with the pixels of the
        largest scale, and where it lies on none, with those of the last picture."""
        monitors = self._desktop.monitors()
        if (cut := self._cut_from_last(rect)) is not None:
            return cut
        self._uncover(rect)
        parts = []
        for monitor in monitors:
            part = rect.clipped(monitor.rect)
            if part.width and part.height:
                parts.append((part, monitor.picture(part)))
        if len(parts) == 1 and parts[0][0] == rect:
            self._last, self._last_at = parts[0], time.perf_counter()
            self._scale = parts[0][1].shape[1] / rect.width
            return parts[0][1]
        scale = max((picture.shape[1] / part.width for part, picture in parts), default=self._scale)
        self._scale = scale
        whole = np.zeros((round(rect.height * scale), round(rect.width * scale), 3), np.uint8)
        for part, picture in parts:
            left, top = round((part.x - rect.x) * scale), round((part.y - rect.y) * scale)
            right, bottom = round((part.right - rect.x) * scale), round((part.bottom - rect.y) * scale)
            whole[top:bottom, left:right] = cv2.resize(
                picture, (right - left, bottom - top), interpolation=cv2.INTER_NEAREST
            )
        return whole

    def _cut_from_last(self, rect: Rect) -> Image | None:
        """The picture of a part of what the last picture shows, if no frame can have come since; the same
        rectangle is always looked at again."""
        if self._last is None or time.perf_counter() - self._last_at >= self._desktop.frame_s:
            return None
        around, picture = self._last
        is_scaled = picture.shape[:2] != (around.height, around.width)
        if is_scaled or rect == around or not around.encloses(rect):
            return None
        left, top = rect.x - around.x, rect.y - around.y
        part: Image = picture[top : top + rect.height, left : left + rect.width].copy()
        return part

    def _uncover(self, rect: Rect) -> None:
        """Move the pointer out of the picture, if it was put there and pictures show it."""
        at = self._desktop.pointer_at
        if not self._desktop.shows_pointer or at is None:
            return
        aside = Point(rect.right - 1, rect.bottom - 1)
        reach = Rect(
            rect.x - POINTER_SIZE,
            rect.y - POINTER_SIZE,
            rect.width + POINTER_SIZE,
            rect.height + POINTER_SIZE,
        )
        if reach.contains(at) and at != aside:
            self._desktop.move(aside)

    def close(self) -> None:
        """Does nothing: the desktop is shared with the mouse, and left when this process ends."""
