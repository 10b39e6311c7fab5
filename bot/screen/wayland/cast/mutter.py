"""`Control` by Mutter's own interfaces (`org.gnome.Mutter.ScreenCast`, `.RemoteDesktop`), which ask nobody.

They are what GNOME's portal is built on, and change with its versions (tried: 43). For tests, and for
desktops without anybody to ask; `MINEBOT_WAYLAND=mutter` chooses them.
"""

from __future__ import annotations

import os
import socket
import sys
import time
from contextlib import ExitStack, closing
from pathlib import Path

from bot.errors import ScreenError
from bot.geometry import Rect
from bot.screen.wayland.cast.bus import ANSWER_S, Bus, BusError, Place
from bot.screen.wayland.cast.cast_desktop import Cast
from bot.screen.wayland.cast.frames import ENDED, NO_FRAME, NoFirstFrame, pipewire_frames

SERVICE = "org.gnome.Mutter."

POINTER_HIDDEN = 0
"""The cursor mode whose pictures have no pointer."""

SESSIONS = 3
"""How often a session is begun: a busy machine may lose the first picture of one."""

UNANSWERED_S = 0.03
"""Time after an answer in which no click waits for its own, in seconds: Mutter answers between two frames (25
to 50 ms where it draws without a graphics card), and takes all that came meanwhile."""

NO_PIPEWIRE = "PipeWire, which brings the pictures of this desktop, is not running: start `pipewire`"


def place(name: str, interface: str = "", path: str = "") -> Place:
    """The object of one of Mutter's services, by the last part of its name."""
    return Place(SERVICE + name, path or f"/org/gnome/Mutter/{name}", SERVICE + (interface or name))


class MutterControl:
    """A session of Mutter's, which shows every monitor. Raises ScreenError if there is none."""

    pixels = True

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._answered_at = time.monotonic() - UNANSWERED_S
        """When Mutter had taken all clicks, on `time.monotonic`."""
        self.casts: list[Cast] = []
        try:
            for attempt in range(SESSIONS):
                (path,) = bus.call(place("RemoteDesktop"), "CreateSession")
                self._session = place("RemoteDesktop", "RemoteDesktop.Session", path)
                try:
                    self._begin()
                    break
                except NoFirstFrame:
                    while self.casts:
                        self.casts.pop().frames.close()
                    bus.call(self._session, "Stop")
                    if attempt == SESSIONS - 1:
                        raise
        except BaseException:
            bus.close()
            raise

    def _begin(self) -> None:
        """Start the session, and take the first picture of each monitor."""
        session_id = self._bus.property(self._session, "SessionId")
        (path,) = self._bus.call(
            place("ScreenCast"), "CreateSession", "a{sv}", {"remote-desktop-session-id": ("s", session_id)}
        )
        casting = place("ScreenCast", "ScreenCast.Session", path)
        _, monitors, *_ = self._bus.call(place("DisplayConfig"), "GetCurrentState")
        with ExitStack() as stack:
            announced = []
            for (connector, *_), *_ in monitors:
                options = {"cursor-mode": ("u", POINTER_HIDDEN)}
                (path,) = self._bus.call(casting, "RecordMonitor", "sa{sv}", connector, options)
                stream = place("ScreenCast", "ScreenCast.Stream", path)
                announced.append(
                    (stream, stack.enter_context(self._bus.signals(stream, "PipeWireStreamAdded")))
                )
            self._bus.call(self._session, "Start")
            for stream, came in announced:
                node = self._bus.wait(came, ANSWER_S)
                if node is None:
                    raise NoFirstFrame(NO_FRAME)
                told = self._bus.property(stream, "Parameters")
                (_, at), (_, size) = told["position"], told["size"]
                frames = pipewire_frames(_connect, node[0], size)
                self.casts.append(Cast(stream.path, Rect(*at, *size), frames))

    def demand_clicks(self) -> None:
        """Does nothing: they are always allowed."""

    def move(self, cast: Cast, x: float, y: float) -> None:
        """Move the pointer to a place on a monitor."""
        self._bus.send(self._session, "NotifyPointerMotionAbsolute", "sdd", cast.name, x, y)

    def button(self, code: int, down: bool) -> None:
        """Press or release a button. Mutter takes one call after the other: the answer to a release says that
        it has taken all clicks up to that one."""
        if down or time.monotonic() - self._answered_at < UNANSWERED_S:
            self._bus.send(self._session, "NotifyPointerButton", "ib", code, down)
        else:
            self._ask("NotifyPointerButton", "ib", code, down)
            self._answered_at = time.monotonic()

    def key(self, keysym: int, down: bool) -> None:
        """Press or release the key that types a keysym."""
        self._ask("NotifyKeyboardKeysym", "ub", keysym, down)

    def _ask(self, member: str, signature: str, *arguments: object) -> None:
        """Call a method of the session, which GNOME ends when it locks its screen."""
        try:
            self._bus.call(self._session, member, signature, *arguments)
        except BusError:
            raise ScreenError(ENDED) from None

    def close(self) -> None:
        """End the session."""
        with closing(self._bus):
            self._bus.call(self._session, "Stop")


def _connect() -> int:
    """The descriptor of a new connection to the PipeWire of this session. Raises ScreenError."""
    if sys.platform == "win32":  # it has no sockets with names
        raise ScreenError(NO_PIPEWIRE)
    folder = os.environ.get("PIPEWIRE_RUNTIME_DIR") or os.environ.get("XDG_RUNTIME_DIR") or "/"
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(str(Path(folder) / os.environ.get("PIPEWIRE_REMOTE", "pipewire-0")))
        except OSError:
            raise ScreenError(NO_PIPEWIRE) from None
        return connection.detach()
