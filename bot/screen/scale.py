"""Pixels and points: on some screens a picture has more pixels than the mouse counts points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.geometry import Rect
from bot.screen.capture import Capture

if TYPE_CHECKING:
    from bot.vision.grid import Image  # imports OpenCV, as in `capture`

STRIP = 16
"""How much of a monitor is looked at, in points from its edge: one line might have no pixel."""


@dataclass(frozen=True)
class Scale:
    """Where the points of a monitor, or of a desktop without scaling, lie in its pixels.

    Both are whole numbers: at 150 % a monitor of 2560x1440 pixels has 1707x960 points, and for each of them
    1.4997 pixels across and 1.5 down.
    """

    monitor: Rect
    """In points."""
    across: float
    """Pixels for one point, from left to right."""
    down: float
    """The same from top to bottom."""

    @classmethod
    def of_picture(cls, monitor: Rect, picture: Image) -> Scale:
        """The scale of a monitor whose whole picture this is."""
        return cls(monitor, picture.shape[1] / monitor.width, picture.shape[0] / monitor.height)

    def offset(self, rect: Rect, other: Rect) -> tuple[int, int]:
        """How far the picture of `rect` begins to the right of that of the `other` one and below it, in
        pixels: both begin at whole ones."""
        x, y = self._corner(rect)
        other_x, other_y = self._corner(other)
        return x - other_x, y - other_y

    def _corner(self, rect: Rect) -> tuple[int, int]:
        return round((rect.x - self.monitor.x) * self.across), round((rect.y - self.monitor.y) * self.down)


def scale_at(capture: Capture, place: Rect) -> Scale:
    """The scale of the monitor of which most lies at a place on the desktop.

    It is told over the whole width and height of that monitor: a few points have a whole number of pixels,
    and would say 1.19 of a screen at 120 %.
    """
    monitor = max(capture.monitors(), key=lambda one: place.clipped(one).area)
    across = capture.grab(Rect(monitor.x, monitor.y, monitor.width, min(STRIP, monitor.height))).shape[1]
    if across % monitor.width == 0:
        return Scale(monitor, across / monitor.width, across / monitor.width)
    down = capture.grab(Rect(monitor.x, monitor.y, min(STRIP, monitor.width), monitor.height)).shape[0]
    return Scale(monitor, across / monitor.width, down / monitor.height)


def pixels_per_point(capture: Capture, place: Rect) -> float:
    """Pixels of a picture of a place on the desktop for one point of the mouse: 2.0 on a Mac's Retina screen.
    Those across, where they differ from those down by a hair."""
    return scale_at(capture, place).across
