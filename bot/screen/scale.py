"""Pixels and points: on some screens a picture has more pixels than the mouse counts points."""

from __future__ import annotations

from bot.geometry import Rect
from bot.screen.capture import Capture


def pixels_per_point(capture: Capture, monitor: Rect) -> float:
    """Pixels of a picture for one point of the mouse on a monitor: 2.0 on a Mac's Retina screen."""
    side = min(16, monitor.width, monitor.height)
    picture = capture.grab(Rect(monitor.x, monitor.y, side, side))
    return float(picture.shape[1]) / side
