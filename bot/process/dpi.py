"""On Windows, a process sees real pixels only once it has said that it minds the scale of each monitor."""

from __future__ import annotations

import ctypes
import sys
from typing import Any

PER_MONITOR_V2 = -4
"""DPI_AWARENESS_CONTEXT_PER_MONITOR_AWARE_V2: a handle, so as wide as a pointer. Since Windows 10 1703."""

PER_MONITOR = 2
"""PROCESS_PER_MONITOR_DPI_AWARE, for Windows 8.1 and Windows 10 before 1703."""

SUCCESS = 0
"""S_OK, what the call of Windows 8.1 returns if it has set the mode."""


def claim_dpi_awareness() -> bool:
    """On Windows, make this process see the real pixels of every monitor; does nothing elsewhere.

    The newest call that this Windows takes is used. Must be called before mss, pyautogui or a window of Tk
    are there: the mode of a process can be set once. Returns whether it was set now.
    """
    if sys.platform != "win32":
        return False
    libraries: Any = ctypes.windll
    return _per_monitor_v2(libraries) or _per_monitor(libraries) or _of_the_system(libraries)


def _per_monitor_v2(libraries: Any) -> bool:
    try:
        return bool(libraries.user32.SetProcessDpiAwarenessContext(ctypes.c_void_p(PER_MONITOR_V2)))
    except (AttributeError, OSError):
        return False


def _per_monitor(libraries: Any) -> bool:
    try:
        return int(libraries.shcore.SetProcessDpiAwareness(PER_MONITOR)) == SUCCESS
    except (AttributeError, OSError):
        return False


def _of_the_system(libraries: Any) -> bool:
    """Since Windows Vista: real pixels, if all monitors have the same scale."""
    try:
        return bool(libraries.user32.SetProcessDPIAware())
    except (AttributeError, OSError):
        return False
