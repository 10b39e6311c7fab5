"""Which way into this Wayland desktop there is, and what that way lacks."""

from __future__ import annotations

import os
from contextlib import closing
from dataclasses import dataclass
from typing import Literal

from bot.errors import ScreenError
from bot.screen.wayland.cast.bus import Bus, demand_packages
from bot.screen.wayland.cast.portal_offer import find_portal
from bot.screen.wayland.protocols import VIRTUAL_KEYBOARD_MANAGER, lacking
from bot.screen.wayland.sway import sway_socket
from bot.screen.wayland.wire import Connection

HEADLESS = "play the built-in window on a screen of its own with `minebot run --practice --headless`"

Kind = Literal["wlroots", "portal", "mutter"]

CHOICE = "MINEBOT_WAYLAND"
"""The variable that chooses a way; without it the first that the desktop offers is taken, `mutter` never."""

NO_POINTER = "no place of the pointer: Ctrl-C stops minebot, no corner and no moved mouse does"

NO_LIST = "no list of windows (Sway gives one: SWAYSOCK): boards are found by their pixels"


@dataclass(frozen=True)
class Way:
    """A way into a desktop."""

    kind: Kind
    name: str
    """What it is called in messages."""
    lacks: tuple[str, ...] = ()
    """What cannot be done by it, each in a line with what that means."""
    notice: str = ""
    """What the user is told before it is used: that the desktop asks for consent; empty if it does not."""


class NoPortal(Exception):
    """What a desktop lacks that has no portal to go through."""


def on_wayland() -> bool:
    """Whether this is a Wayland session, whose X programs run in XWayland."""
    session = os.environ.get("XDG_SESSION_TYPE", "").lower()
    return session == "wayland" or bool(os.environ.get("WAYLAND_DISPLAY"))


def way_in() -> Way:
    """The way into the desktop of this session; nobody is asked for consent yet. Raises ScreenError, with
    what to do, if there is none."""
    chosen = os.environ.get(CHOICE, "")
    with closing(Connection()) as connection:
        names = [name for _, name, _ in connection.offered()]
    if chosen == "mutter":
        return Way("mutter", "Mutter's own interfaces", (NO_POINTER, NO_LIST))
    if chosen not in ("", "wlroots", "portal"):
        raise ScreenError(f"{CHOICE} is {chosen!r}: set it to wlroots, portal or mutter, or unset it")
    missing = lacking(names)
    if chosen != "portal" and not missing:
        return _wlroots(names)
    if chosen != "wlroots":
        try:
            return _portal()
        except NoPortal as error:
            missing = [*(missing if not chosen else []), str(error)]
    raise ScreenError(
        f"this Wayland desktop lets no program see and click its windows (it lacks {', '.join(missing)}):"
        f" log in to an X11 (Xorg) session, or {HEADLESS}"
    )


def _wlroots(names: list[str]) -> Way:
    """The way by wlroots' protocols, of a desktop that offers the interfaces `names`."""
    lacks = [NO_POINTER]
    if sway_socket() is None:
        lacks.append(NO_LIST)
    if VIRTUAL_KEYBOARD_MANAGER.name not in names:
        lacks.append(f"no keys ({VIRTUAL_KEYBOARD_MANAGER.name}): dialogs that want one stay open")
    return Way("wlroots", "wlroots' protocols", tuple(lacks))


def _portal() -> Way:
    """The way through the desktop's portal. Raises NoPortal if there is none, ScreenError if a package that
    we need is missing."""
    demand_packages()
    try:
        with closing(Bus()) as bus:
            portal = find_portal(bus)
    except ScreenError:
        raise NoPortal("a message bus, DBUS_SESSION_BUS_ADDRESS") from None
    if portal is None:
        raise NoPortal("a portal with org.freedesktop.portal.RemoteDesktop")
    lacks = [NO_POINTER, NO_LIST]
    if not portal.remembers:
        lacks.append("no memory of your consent: the desktop asks at each start")
    name = f"its portal (RemoteDesktop, version {portal.version})"
    return Way("portal", name, tuple(lacks), portal.notice())
