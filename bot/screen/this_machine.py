"""The screen, the mouse and the windows of this machine: the one place that chooses them by platform.

A new platform is a room with its own `Windows`, chosen in `system_windows`; mss and pyautogui serve every
platform but Wayland, whose room has its own of all three. All of them are imported late: nothing touches a
display at import.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from bot.screen.capture import Capture
from bot.screen.mouse import Mouse
from bot.screen.wayland import ways
from bot.screen.windows import NoWindows, Windows


def system_capture() -> Capture:
    """The screen of this machine. Raises ScreenError if it cannot be captured."""
    import cv2

    # On pictures as small as a window OpenCV's threads take more of the processor than they save, which the
    # game needs to draw its cells.
    cv2.setNumThreads(1)
    if ways.on_wayland():
        from bot.screen.wayland.session import wayland_capture

        return wayland_capture()
    from bot.screen.mss_capture import MssCapture

    return MssCapture()


def system_mouse() -> Mouse:
    """The mouse of this machine. Raises ScreenError if it cannot be used."""
    if ways.on_wayland():
        from bot.screen.wayland.session import wayland_mouse

        return wayland_mouse()
    from bot.screen.pyautogui_mouse import PyautoguiMouse

    return PyautoguiMouse()


def system_windows() -> Windows:
    """The windows of this machine; `NoWindows` if they cannot be listed."""
    try:
        if sys.platform == "win32":
            from bot.screen.win32.windows import Win32Windows

            return Win32Windows()
        if sys.platform == "darwin":
            from bot.screen.macos.windows import QuartzWindows

            return QuartzWindows()
        if ways.on_wayland():
            from bot.screen.wayland.session import wayland_windows

            return wayland_windows()
        from bot.screen.x11.windows import XWindows

        return XWindows()
    except Exception:  # Xlib and Quartz raise many kinds of errors; boards are found without windows as well
        return NoWindows()


STOP_KEY = "F12"
"""The key that stops the bot, where the platform lets it be heard while another window has the keyboard."""


@contextmanager
def stop_key() -> Iterator[bool]:
    """Let `STOP_KEY` stop the bot as Ctrl-C does while the body runs; yields whether it can be heard."""
    if sys.platform in ("win32", "darwin"):
        yield False
        return
    from bot.screen.x11.stop_key import listening

    with listening(STOP_KEY, lambda: os.kill(os.getpid(), signal.SIGINT)) as heard:
        yield heard
