"""A desktop's portal on a message bus of its own, in a thread: it answers as it is told, and notes what it is
asked for."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from jeepney import (
    DBusAddress,
    HeaderFields,
    Message,
    MessageType,
    message_bus,
    new_error,
    new_method_return,
    new_signal,
)
from jeepney.io.blocking import Proxy, open_dbus_connection

from bot.screen.wayland.cast.portal_offer import KEYBOARD, MONITOR, PATH, POINTER, SERVICE
from bot.vision.grid import Image

ANSWERS = {"CreateSession", "SelectDevices", "SelectSources", "Start"}
"""The methods whose result comes by a signal."""


@dataclass
class FakePortal:
    """What the portal offers and what its user answers; changed by tests at any time."""

    version: int = 2
    devices: int = KEYBOARD | POINTER
    sources: int = MONITOR
    response: int | None = 0
    """That of Start: 0 granted, 1 refused, 2 failed; None for no answer."""
    granted: int = KEYBOARD | POINTER
    """The devices that the user lets a program use."""
    streams: list[tuple[int, tuple[int, int], tuple[int, int]]] = field(
        default_factory=lambda: [(41, (0, 0), (200, 100))]
    )
    """Node, position and size of each monitor that the user shows."""
    token: str | None = "one"
    """The token for the next start."""
    over: bool = False
    """Whether the session has ended, so that every call about it is refused."""
    asked: list[tuple[str, tuple[Any, ...]]] = field(default_factory=list)
    """The methods that were called, with what they were given."""

    def options(self, member: str) -> dict[str, Any]:
        """The options of the last call of a method, without their types."""
        given = [arguments for name, arguments in self.asked if name == member][-1]
        return {name: value for name, (_, value) in given[-1].items()}

    def notified(self) -> list[tuple[Any, ...]]:
        """What pointer and keyboard did: the last word of each call, and its arguments."""
        return [
            (name.removeprefix("Notify"), *arguments[2:])
            for name, arguments in self.asked
            if name.startswith("Notify")
        ]

    def serve(self, connection: Any) -> None:
        """Answer every call until the bus ends."""
        while True:
            try:
                message = connection.receive()
            except OSError:
                return
            if message.header.message_type is MessageType.method_call:
                self._answer(connection, message)

    def _answer(self, connection: Any, message: Message) -> None:
        fields = message.header.fields
        member, sender = fields[HeaderFields.member], fields[HeaderFields.sender]
        if member == "Get":
            values = {
                "version": self.version,
                "AvailableDeviceTypes": self.devices,
                "AvailableSourceTypes": self.sources,
            }
            connection.send(new_method_return(message, "v", (("u", values[message.body[1]]),)))
            return
        self.asked.append((member, message.body))
        if self.over:
            connection.send(new_error(message, "org.freedesktop.DBus.Error.Failed", "s", ("no session",)))
        elif member in ANSWERS:
            token = message.body[-1]["handle_token"][1]
            request = f"{PATH}/request/{sender[1:].replace('.', '_')}/{token}"
            connection.send(new_method_return(message, "o", (request,)))
            response = self.response if member == "Start" else 0
            if response is not None:
                at = DBusAddress(request, interface="org.freedesktop.portal.Request")
                body = (response, self._result(member) if response == 0 else {})
                connection.send(new_signal(at, "Response", "ua{sv}", body))
        elif member == "OpenPipeWireRemote":
            reading, writing = os.pipe()
            connection.send(new_method_return(message, "h", (reading,)))
            os.close(reading)
            os.close(writing)
        else:
            connection.send(new_method_return(message))

    def _result(self, member: str) -> dict[str, Any]:
        if member == "CreateSession":
            return {"session_handle": ("s", f"{PATH}/session/1_1/own")}
        if member != "Start":
            return {}
        streams = [
            (node, {"position": ("(ii)", at), "size": ("(ii)", size)}) for node, at, size in self.streams
        ]
        result: dict[str, Any] = {"devices": ("u", self.granted), "streams": ("a(ua{sv})", streams)}
        if self.token is not None and self.version >= 2:
            result["restore_token"] = ("s", self.token)
        return result


class FakeFrames:
    """A monitor whose pixels are all different: blue is the column, green the row."""

    def __init__(self, size: tuple[int, int], scale: float = 1) -> None:
        width, height = (round(length * scale) for length in size)
        self.pixels: Image = np.full((height, width, 4), 200, np.uint8)
        self.pixels[..., 0] = np.arange(width)
        self.pixels[..., 1] = np.arange(height)[:, None]
        self.width = width
        self.closed = False

    def latest(self) -> Image:
        return self.pixels

    def close(self) -> None:
        self.closed = True


@contextmanager
def own_bus() -> Iterator[str]:
    """A message bus of our own while the body runs; gives its address. Skips the test where there is none."""
    if shutil.which("dbus-daemon") is None:
        pytest.skip("there is no dbus-daemon: apt-get install dbus-daemon")
    bus = subprocess.Popen(
        ["dbus-daemon", "--session", "--nofork", "--print-address=1"], stdout=subprocess.PIPE, text=True
    )
    assert bus.stdout is not None
    try:
        yield bus.stdout.readline().strip()
    finally:
        bus.terminate()
        bus.wait()
        bus.stdout.close()


@contextmanager
def serving(portal: FakePortal) -> Iterator[FakePortal]:
    """Serve a portal on the session's bus, which `DBUS_SESSION_BUS_ADDRESS` names, while the body runs."""
    connection = open_dbus_connection("SESSION", enable_fds=True)
    Proxy(message_bus, connection).RequestName(SERVICE)
    thread = threading.Thread(target=portal.serve, args=(connection,))
    thread.start()
    try:
        yield portal
    finally:
        connection.sock.shutdown(socket.SHUT_RDWR)
        thread.join()
        connection.close()


@contextmanager
def named_on_bus(name: str) -> Iterator[None]:
    """Have a name on the session's bus while the body runs."""
    connection = open_dbus_connection("SESSION")
    try:
        Proxy(message_bus, connection).RequestName(name)
        yield
    finally:
        connection.close()
