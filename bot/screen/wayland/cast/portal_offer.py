"""What the portal of a desktop offers, found without asking its user anything.

Imports no OpenCV, which may be what `minebot doctor` finds missing.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.screen.wayland.cast.bus import Bus, BusError, Place
from bot.screen.wayland.cast.consent import remembered

SERVICE, PATH = "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop"

REMOTE = Place(SERVICE, PATH, "org.freedesktop.portal.RemoteDesktop")
CASTING = Place(SERVICE, PATH, "org.freedesktop.portal.ScreenCast")

KEYBOARD, POINTER = 1, 2
"""Kinds of devices, as bits."""

MONITOR = 1
"""The kind of source that is a whole monitor."""

REMEMBERS = 2
"""The version of RemoteDesktop from which on a consent can be remembered."""

HOW = "choose the monitor with the game, switch on that it may be controlled, and share it"


@dataclass(frozen=True)
class Portal:
    """What the portal of this desktop offers."""

    version: int
    """That of RemoteDesktop."""
    devices: int
    """The kinds of devices, as bits."""

    @property
    def remembers(self) -> bool:
        """Whether a consent can be remembered."""
        return self.version >= REMEMBERS

    def notice(self) -> str:
        """What the user is told before the desktop asks, in a line."""
        if self.remembers and remembered() is not None:
            return f"this desktop knows that minebot may see and click; if it asks once more, {HOW}"
        again = "" if self.remembers else "; it cannot remember the answer, and asks at each start"
        return f"this desktop now asks whether minebot may see the screen and use the mouse: {HOW}{again}"


def find_portal(bus: Bus) -> Portal | None:
    """The portal of this desktop, if it has one with monitors to see and a pointer."""
    try:
        version = bus.property(REMOTE, "version")
        devices = bus.property(REMOTE, "AvailableDeviceTypes")
        sources = bus.property(CASTING, "AvailableSourceTypes")
    except BusError:
        return None
    return Portal(version, devices) if devices & POINTER and sources & MONITOR else None
