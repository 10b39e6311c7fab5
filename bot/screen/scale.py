"""Pixels and points: on some screens a picture has more pixels than the mouse counts points."""

from __future__ import annotations

import contextlib
import sys

from bot.geometry import Rect
from bot.screen.capture import Capture


def claim_dpi_awareness() -> None:
    """On Windows, make this process see real pixels on every monitor; does nothing elsewhere.

    Must be called before mss and pyautogui are loaded, because they set another mode.
    """
    if sys.platform != "win32":
        return
    import ctypes

    per_monitor_v2 = -4
    with contextlib.suppress(AttributeError, OSError):
        ctypes.windll.user32.SetProcessDpiAwarenessContext(per_monitor_v2)


def pixels_per_point(capture: Capture, monitor: Rect) -> float:
    """Pixels of a picture for one point of the mouse on a monitor: 2.0 on a Mac's Retina screen."""
    side = min(16, monitor.width, monitor.height)
    picture = capture.grab(Rect(monitor.x, monitor.y, side, side))
    return float(picture.shape[1]) / side
