"""Pixels and points: on some screens a picture has more pixels than the mouse counts points."""

from __future__ import annotations

from bot.geometry import Rect
from bot.screen.capture import Capture

HEIGHT = 16
"""How much of a monitor is looked at, in points from its top: one line might have no pixel."""


def pixels_per_point(capture: Capture, place: Rect) -> float:
    """Pixels of a picture of a place on the desktop for one point of the mouse: 2.0 on a Mac's Retina screen.

    It is that of the monitor of which most lies there, over the whole width of that monitor: a few points
    have a whole number of pixels, and would say 1.19 of a screen at 120 %.
    """
    monitor = max(capture.monitors(), key=lambda one: place.clipped(one).area)
    picture = capture.grab(Rect(monitor.x, monitor.y, monitor.width, min(HEIGHT, monitor.height)))
    return float(picture.shape[1]) / monitor.width
