"""A white window in front of all others, for telling an empty black desktop from one that cannot be seen."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

from bot.geometry import Rect

DRAWN_S = 0.2
"""Time that a desktop takes to draw a new window, in seconds."""


@contextmanager
def white_window(monitor: Rect) -> Iterator[None]:
    """Show a white window on a monitor while the body runs, through X11 or, on Windows and macOS, tkinter."""
    with _tk_window(monitor) if sys.platform in ("win32", "cygwin", "darwin") else _x_window():
        yield


@contextmanager
def _x_window() -> Iterator[None]:
    from Xlib.display import Display

    with closing(Display()) as display:
        screen = display.screen()
        window = screen.root.create_window(
            0, 0, 64, 64, 0, screen.root_depth, background_pixel=screen.white_pixel, override_redirect=True
        )
        window.map()
        display.sync()
        yield


@contextmanager
def _tk_window(monitor: Rect) -> Iterator[None]:
    """None is shown if there is no tkinter, which has a check of its own."""
    try:
        import tkinter
    except ImportError:
        yield
        return
    root = tkinter.Tk()
    try:
        root.overrideredirect(True)
        root.configure(background="white")
        root.geometry(f"64x64+{monitor.x + monitor.width // 2}+{monitor.y + monitor.height // 2}")
        root.attributes("-topmost", True)
        root.update()
        time.sleep(DRAWN_S)
        root.update()
        yield
    finally:
        root.destroy()
