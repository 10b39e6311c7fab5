"""The Wayland desktop that this process uses: one for pictures and clicks, opened when first needed."""

from __future__ import annotations

import atexit
import os

from bot.screen.wayland.capture import WaylandCapture
from bot.screen.wayland.cast.bus import Bus
from bot.screen.wayland.cast.cast_desktop import CastDesktop
from bot.screen.wayland.cast.mutter import MutterControl
from bot.screen.wayland.cast.portal import PortalControl
from bot.screen.wayland.desktop import Desktop
from bot.screen.wayland.mouse import WaylandMouse
from bot.screen.wayland.sway import SwayWindows, sway_socket
from bot.screen.wayland.ways import Kind, way_in
from bot.screen.wayland.wlroots import WlrootsDesktop
from bot.screen.windows import NoWindows, Windows

_opened: dict[tuple[str | None, str | None], Desktop] = {}
"""The desktops in use, by `XDG_RUNTIME_DIR` and `WAYLAND_DISPLAY`."""


def the_desktop() -> Desktop:
    """The desktop that the environment names. Raises ScreenError if there is no way into it, or its user
    refuses it."""
    key = os.environ.get("XDG_RUNTIME_DIR"), os.environ.get("WAYLAND_DISPLAY")
    if key not in _opened:
        if not _opened:
            atexit.register(leave)
        _opened[key] = _open(way_in().kind)
    return _opened[key]


def _open(kind: Kind) -> Desktop:
    """Take a way into the desktop."""
    if kind == "wlroots":
        return WlrootsDesktop()
    return CastDesktop(MutterControl(Bus()) if kind == "mutter" else PortalControl(Bus()))


def wayland_capture() -> WaylandCapture:
    """The screen of the desktop."""
    return WaylandCapture(the_desktop())


def wayland_mouse() -> WaylandMouse:
    """The mouse of the desktop. Raises ScreenError if its user lets us see, but not click."""
    return WaylandMouse(the_desktop())


def wayland_windows() -> Windows:
    """The windows of the desktop, where it is Sway; no other way to their places is known."""
    path = sway_socket()
    try:
        return SwayWindows(path) if path else NoWindows()
    except OSError:  # that of a Sway that has ended
        return NoWindows()


def leave() -> None:
    """Leave every desktop in use, which takes our pointer and keyboard away."""
    while _opened:
        _opened.popitem()[1].close()
