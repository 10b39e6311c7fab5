"""The message bus of the session (D-Bus): calls with their answers, properties, and signals."""

from __future__ import annotations

import importlib.util
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from bot.errors import ScreenError
from bot.process.extras import how_to_install

ANSWER_S = 10.0
"""Time limit for an answer, in seconds."""

NO_BUS = (
    "the message bus of this desktop cannot be reached: run minebot in a terminal of that desktop, where"
    " DBUS_SESSION_BUS_ADDRESS is set"
)

LOST = "the Wayland desktop has gone: log in again, and run `minebot doctor`"

PACKAGES = ("jeepney", "pipewire_capture")
"""The packages of the extra `wayland`, as they are imported."""

NO_PACKAGES = "packages are missing for this Wayland desktop: "


class BusError(ScreenError):
    """A service refused a call, or there is no such service."""


def demand_packages() -> None:
    """Raise ScreenError if a package of the extra `wayland` is not installed."""
    if not all(importlib.util.find_spec(name) for name in PACKAGES):
        raise ScreenError(NO_PACKAGES + how_to_install("wayland"))


@dataclass(frozen=True)
class Place:
    """An object of a service, by the interface that is used."""

    service: str
    path: str
    interface: str


ITSELF = Place("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")
"""The bus's own object."""


class Bus:
    """A connection to the session's message bus; every method may be called from any thread.

    Raises ScreenError, with what to do, if the bus cannot be reached or a package is not installed.
    """

    def __init__(self) -> None:
        demand_packages()
        from jeepney.io.blocking import open_dbus_connection

        try:
            self._connection: Any = open_dbus_connection("SESSION", enable_fds=True)
        except (OSError, KeyError, ValueError, RuntimeError):
            raise ScreenError(NO_BUS) from None
        self._lock = threading.RLock()
        self.name: str = self._connection.unique_name
        """Our own name on the bus."""

    def call(
        self, place: Place, member: str, signature: str = "", *arguments: object, limit_s: float = ANSWER_S
    ) -> tuple[Any, ...]:
        """Call a method and give what it answers. Raises BusError if it is refused, ScreenError if the bus
        has gone or no answer comes within `limit_s` seconds."""
        from jeepney import MessageType

        message = _message(place, member, signature, arguments)
        with self._lock:
            try:
                answer = self._connection.send_and_get_reply(message, timeout=limit_s)
            except TimeoutError:
                raise ScreenError(
                    f"the desktop does not answer ({member}): unlock its screen, or run `minebot doctor`"
                ) from None
            except (OSError, RuntimeError, ValueError):
                raise ScreenError(LOST) from None
        if answer.header.message_type is MessageType.error:
            told = " ".join(str(part) for part in answer.body) or "no reason is given"
            raise BusError(f"the desktop refused {member} ({told}): run `minebot doctor`")
        body: tuple[Any, ...] = answer.body
        return body

    def send(self, place: Place, member: str, signature: str, *arguments: object) -> None:
        """Call a method without waiting for what it answers, nor being told whether it was refused. Raises
        ScreenError if the bus has gone."""
        from jeepney import MessageFlag

        message = _message(place, member, signature, arguments)
        message.header.flags |= MessageFlag.no_reply_expected
        with self._lock:
            try:
                self._connection.send(message)
            except OSError:
                raise ScreenError(LOST) from None

    def property(self, place: Place, name: str) -> Any:
        """The value of a property. Raises as `call` does."""
        properties = Place(place.service, place.path, "org.freedesktop.DBus.Properties")
        ((_, value),) = self.call(properties, "Get", "ss", place.interface, name)
        return value

    def serves(self, service: str) -> bool:
        """Whether somebody serves under that name now. Raises as `call` does."""
        return bool(self.call(ITSELF, "NameHasOwner", "s", service)[0])

    @contextmanager
    def signals(self, place: Place, member: str) -> Iterator[deque[Any]]:
        """What comes of a signal, from now on, while the body runs. Its service is not looked at: the signals
        of a bus name its owner by number."""
        from jeepney import MatchRule

        rule = MatchRule(type="signal", interface=place.interface, member=member, path=place.path)
        came: deque[Any] = deque()
        with self._connection.filter(rule, queue=came):
            self.call(ITSELF, "AddMatch", "s", rule.serialise())
            try:
                yield came
            finally:
                with suppress(ScreenError):  # the bus may have gone
                    self.call(ITSELF, "RemoveMatch", "s", rule.serialise())

    def wait(self, came: deque[Any], limit_s: float) -> tuple[Any, ...] | None:
        """The body of the next message that came by `signals`; None if none does within `limit_s` seconds.
        Raises ScreenError if the bus has gone."""
        with self._lock:
            try:
                message = self._connection.recv_until_filtered(came, timeout=limit_s)
            except TimeoutError:
                return None
            except (OSError, RuntimeError, ValueError):
                raise ScreenError(LOST) from None
        body: tuple[Any, ...] = message.body
        return body

    def close(self) -> None:
        """Leave the bus, which ends the sessions that services keep for us."""
        with self._lock:
            self._connection.close()


def _message(place: Place, member: str, signature: str, arguments: tuple[object, ...]) -> Any:
    """The call of a method, as jeepney has it."""
    from jeepney import DBusAddress, new_method_call

    address = DBusAddress(place.path, place.service, place.interface)
    return new_method_call(address, member, signature or None, arguments)
