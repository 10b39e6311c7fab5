"""Which way into this Wayland desktop there is, and what that way lacks."""

from __future__ import annotations

import os
from contextlib import closing
from dataclasses import dataclass

from bot.errors import ScreenError
from bot.screen.wayland.protocols import VIRTUAL_KEYBOARD_MANAGER, lacking
from bot.screen.wayland.sway import sway_socket
from bot.screen.wayland.wire import Connection

HEADLESS = "play the built-in window on a screen of its own with `minebot run --practice --headless`"


@dataclass(frozen=True)
class Way:
    """A way into a desktop."""

    name: str
    """What it is called in messages."""
    lacks: tuple[str, ...] = ()
    """What cannot be done by it, each in a line with what that means."""


def on_wayland() -> bool:
    """Whether this is a Wayland session, whose X programs run in XWayland."""
    session = os.environ.get("XDG_SESSION_TYPE", "").lower()
    return session == "wayland" or bool(os.environ.get("WAYLAND_DISPLAY"))


def way_in() -> Way:
    """The way into the desktop of this session. Raises ScreenError, with what to do, if there is none."""
    with closing(Connection()) as connection:
        names = [name for _, name, _ in connection.offered()]
    missing = lacking(names)
    if missing:
        raise ScreenError(
            f"this Wayland desktop lets no program see and click its windows (it lacks {', '.join(missing)}):"
            f" log in to an X11 (Xorg) session, or {HEADLESS}"
        )
    lacks = ["no place of the pointer: Ctrl-C stops minebot, no corner and no moved mouse does"]
    if sway_socket() is None:
        lacks.append("no list of windows (Sway gives one: SWAYSOCK): boards are found by their pixels")
    if VIRTUAL_KEYBOARD_MANAGER.name not in names:
        lacks.append(f"no keys ({VIRTUAL_KEYBOARD_MANAGER.name}): dialogs that want one stay open")
    return Way("wlroots' protocols", tuple(lacks))
