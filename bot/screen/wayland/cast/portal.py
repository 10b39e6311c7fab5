"""`Control` by the desktop's portal: `org.freedesktop.portal.RemoteDesktop` with a ScreenCast in it.

The desktop asks its user first, with a dialog of its own, which nothing can answer for them. From version 2
of RemoteDesktop on, a token lets the next start do without.
https://flatpak.github.io/xdg-desktop-portal/docs/doc-org.freedesktop.portal.RemoteDesktop.html
"""

from __future__ import annotations

import secrets
from contextlib import closing
from typing import Any

from bot.errors import ScreenError
from bot.geometry import Rect
from bot.screen.wayland.cast.bus import Bus, BusError, Place
from bot.screen.wayland.cast.cast_desktop import Cast
from bot.screen.wayland.cast.consent import remember, remembered
from bot.screen.wayland.cast.frames import ENDED, pipewire_frames
from bot.screen.wayland.cast.portal_offer import (
    CASTING,
    HOW,
    KEYBOARD,
    MONITOR,
    PATH,
    POINTER,
    REMOTE,
    SERVICE,
    Portal,
    find_portal,
)

MUTTER = "org.gnome.Mutter.RemoteDesktop"
"""What GNOME's desktop serves."""

POINTER_HIDDEN = 1
"""The cursor mode whose pictures have no pointer."""

UNTIL_REVOKED = 2
"""The mode in which a consent holds until the user takes it back."""

GRANTED, REFUSED = 0, 1
"""The first two responses of a portal; any other is a failure."""

CONSENT_S = 180.0
"""Time in which the user may answer the dialog, in seconds."""

NOT_GRANTED = {
    True: f"the desktop was told not to let minebot in: run it again and, when it asks, {HOW}",
    False: "the desktop ended its question for consent: run minebot again, or run `minebot doctor`",
}
"""What is said where consent is not given, by whether the user refused it."""

NO_ANSWER = f"nobody answered the desktop's question for consent: run minebot again and, when it asks, {HOW}"

NO_CLICKS = (
    "the desktop lets minebot see the screen but not use the mouse: run it again and, when it asks, switch on"
    " that it may be controlled (GNOME: Allow Remote Interaction)"
)

NO_KEYS = "the desktop lets minebot type nothing: answer the dialog yourself"


class PortalControl:
    """A session that the user has agreed to. Raises ScreenError, with what to do, if they have not."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self.pixels = bus.serves(MUTTER)
        """Places are told in points, as the portal's documentation says; GNOME's hands them on to Mutter,
        which takes them for pixels."""
        self.casts: list[Cast] = []
        try:
            portal = find_portal(bus)
            if portal is None:
                raise ScreenError("this desktop no longer has a portal: run `minebot doctor`")
            self._begin(portal)
        except BaseException:
            bus.close()
            raise

    def _begin(self, portal: Portal) -> None:
        """Ask for a session, and take the first picture of each monitor that is shown to us."""
        made = self._ask(REMOTE, "CreateSession", "", session_handle_token=("s", _token()))
        self._session: str = made["session_handle"][1]
        options: dict[str, Any] = {"types": ("u", portal.devices & (KEYBOARD | POINTER))}
        if portal.remembers:
            options["persist_mode"] = ("u", UNTIL_REVOKED)
            if (token := remembered()) is not None:
                options["restore_token"] = ("s", token)
        self._ask(REMOTE, "SelectDevices", "o", self._session, **options)
        self._ask(
            CASTING,
            "SelectSources",
            "o",
            self._session,
            types=("u", MONITOR),
            multiple=("b", True),
            cursor_mode=("u", POINTER_HIDDEN),
        )
        granted = self._ask(REMOTE, "Start", "os", self._session, "")
        if portal.remembers:
            # A token holds once: the next one comes with the session.
            remember(granted.get("restore_token", ("s", None))[1])
        self._devices: int = granted.get("devices", ("u", 0))[1]
        if not self._devices & POINTER:
            remember(None)  # else the desktop would not ask again
        for node, about in granted.get("streams", ("a", []))[1]:
            size = about["size"][1]
            at = about.get("position", ("(ii)", (0, 0)))[1]
            self.casts.append(Cast(node, Rect(*at, *size), pipewire_frames(self._connect, node, size)))
        if not self.casts:
            raise ScreenError(NOT_GRANTED[True])

    def _ask(self, place: Place, member: str, signature: str, *arguments: object, **options: Any) -> Any:
        """Make a request, whose result comes by a signal once the user has answered."""
        token = _token()
        sender = self._bus.name.removeprefix(":").replace(".", "_")
        request = Place(SERVICE, f"{PATH}/request/{sender}/{token}", "org.freedesktop.portal.Request")
        options["handle_token"] = ("s", token)
        with self._bus.signals(request, "Response") as came:
            self._bus.call(place, member, signature + "a{sv}", *arguments, options)
            response = self._bus.wait(came, CONSENT_S)
        if response is None:
            raise ScreenError(NO_ANSWER)
        result, told = response
        if result != GRANTED:
            raise ScreenError(NOT_GRANTED[result == REFUSED])
        return told

    def _connect(self) -> int:
        """The descriptor of a new connection to the PipeWire that has our monitors."""
        (remote,) = self._bus.call(CASTING, "OpenPipeWireRemote", "oa{sv}", self._session, {})
        fd: int = remote.to_raw_fd()
        return fd

    def move(self, cast: Cast, x: float, y: float) -> None:
        """Move the pointer to a place on a monitor.

        Portals refuse places beyond the monitor's width and height in points. Where they count pixels, the
        rest of the way is made from the last place that is allowed.
        """
        inside = min(x, cast.rect.width - 1.0), min(y, cast.rect.height - 1.0)
        self._notify("NotifyPointerMotionAbsolute", POINTER, "udd", cast.name, *inside)
        if inside != (x, y):
            scale = cast.frames.width / cast.rect.width
            rest = (x - inside[0]) / scale, (y - inside[1]) / scale
            self._notify("NotifyPointerMotion", POINTER, "dd", *rest)

    def button(self, code: int, down: bool) -> None:
        """Press or release a button."""
        self._notify("NotifyPointerButton", POINTER, "iu", code, int(down))

    def key(self, keysym: int, down: bool) -> None:
        """Press or release the key that types a keysym."""
        self._notify("NotifyKeyboardKeysym", KEYBOARD, "iu", keysym, int(down))

    def demand_clicks(self) -> None:
        """Raise ScreenError if the user lets us see the screen but not use the mouse."""
        if not self._devices & POINTER:
            raise ScreenError(NO_CLICKS)

    def _notify(self, member: str, device: int, signature: str, *arguments: object) -> None:
        """Send what a device does."""
        if not self._devices & device:
            raise ScreenError(NO_KEYS)
        try:
            self._bus.call(REMOTE, member, "oa{sv}" + signature, self._session, {}, *arguments)
        except BusError:
            raise ScreenError(ENDED) from None

    def close(self) -> None:
        """End the session."""
        with closing(self._bus):
            session = Place(SERVICE, self._session, "org.freedesktop.portal.Session")
            self._bus.call(session, "Close")


def _token() -> str:
    """A name for an object of the portal, which nobody has used."""
    return f"minebot{secrets.token_hex(6)}"
