"""The wire protocol of Wayland: requests to a compositor and its events, over its socket.

Messages are words of 32 bits in the byte order of the machine: the object, then size and opcode, then the
arguments (https://wayland.freedesktop.org/docs/html/ch04.html). Written out here because no library on the
package index knows the protocols of wlroots, and those that know the core need a C library.
"""

from __future__ import annotations

import os
import select
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.errors import ScreenError

ANSWER_S = 8.0
"""Time limit for an answer of the compositor, in seconds."""

MAX_FDS = 28
"""Maximum number of file descriptors in one message of the socket, as libwayland has it."""

ELSEWHERE = "no desktop of this system is Wayland's: unset WAYLAND_DISPLAY"

LOST = "the Wayland desktop has gone: log in again, and run `minebot doctor`"


@dataclass(frozen=True)
class Interface:
    """The requests and events of one kind of object.

    A signature has one letter an argument: `i` and `u` an integer, `f` a fixed-point number, `s` a text, `o`
    an object (None is allowed), `n` a new object, `a` bytes, `h` a file descriptor.
    """

    name: str
    requests: tuple[tuple[str, str], ...]
    """Name and signature of each request, by opcode."""
    events: tuple[tuple[str, str], ...] = ()
    """Name and signature of each event, by opcode."""
    version: int = 1
    """The latest version that these lists describe."""


DISPLAY = Interface(
    "wl_display",
    (("sync", "n"), ("get_registry", "n")),
    (("error", "ous"), ("delete_id", "u")),
)
CALLBACK = Interface("wl_callback", (), (("done", "u"),))
REGISTRY = Interface("wl_registry", (("bind", "usun"),), (("global", "usu"), ("global_remove", "u")))


@dataclass(eq=False)
class Proxy:
    """An object of the compositor, as this client sees it."""

    connection: Connection
    interface: Interface
    id: int
    on: dict[str, Callable[..., None]] = field(default_factory=dict)
    """What to call at an event, by its name; other events are ignored."""

    def send(self, request: str, *arguments: object) -> None:
        """Send a request; an object is given as its `Proxy`."""
        self.connection.send(self, request, arguments)

    def create(self, request: str, interface: Interface, *arguments: object) -> Proxy:
        """Send a request whose new object, left out of `arguments`, is of this interface; gives that
        object."""
        with self.connection.lock:
            new = self.connection.new(interface)
            _, signature = _numbered(self.interface.requests, request)
            at = signature.index("n")
            self.send(request, *arguments[:at], new, *arguments[at:])
        return new

    def destroy(self) -> None:
        """Send the request `destroy`, after which its events are ignored."""
        self.send("destroy")
        self.on.clear()


class Connection:
    """A client's connection to a compositor; every method may be called from any thread."""

    def __init__(self, path: Path | None = None, sock: socket.socket | None = None) -> None:
        """Connect to the socket at `path`, or use one that is connected already. Raises ScreenError."""
        self.lock = threading.RLock()
        if sock is None:
            path = path or socket_path()
            if sys.platform == "win32":
                raise ScreenError(ELSEWHERE)
            sock = socket.socket(socket.AF_UNIX)
            try:
                sock.connect(str(path))
            except OSError as error:
                sock.close()
                raise ScreenError(
                    f"the Wayland desktop at {path} cannot be reached ({error.strerror}): set WAYLAND_DISPLAY"
                    " and XDG_RUNTIME_DIR as they are in a terminal of that desktop"
                ) from None
        self._socket = sock
        self._objects: dict[int, Proxy] = {}
        self._free: list[int] = []
        self._next = 1
        self._received = bytearray()
        self._fds: list[int] = []
        self._held: bytearray | None = None
        """Requests that wait for those they are sent with (`together`); None if none is to wait."""
        self.display = self.new(DISPLAY)
        self.display.on = {"error": self._fail, "delete_id": self._delete}
        self.failure: str | None = None
        """Why nothing more can be asked; None while the connection lasts."""

    def new(self, interface: Interface) -> Proxy:
        """An object with a number that is free."""
        with self.lock:
            if self._free:
                number = self._free.pop()
            else:
                number, self._next = self._next, self._next + 1
            proxy = Proxy(self, interface, number)
            self._objects[number] = proxy
            return proxy

    def send(self, proxy: Proxy, request: str, arguments: Sequence[object]) -> None:
        """Send one request. Raises ScreenError if the compositor has gone."""
        if sys.platform == "win32":  # its sockets hand no files over
            raise ScreenError(ELSEWHERE)
        opcode, signature = _numbered(proxy.interface.requests, request)
        body, fds = encode(signature, arguments)
        message = struct.pack("=II", proxy.id, (len(body) + 8) << 16 | opcode) + body
        with self.lock:
            self._check()
            if self._held is not None and not fds:
                self._held += message
                return
            try:
                sent = socket.send_fds(self._socket, [message], fds)
                if sent < len(message):
                    self._socket.sendall(message[sent:])
            except OSError:
                self._lose()

    @contextmanager
    def together(self) -> Iterator[None]:
        """Send the requests of the body in one write, so that a kill leaves none of them out. Requests that
        hand a file over are not among them."""
        with self.lock:
            self._held = bytearray()
            try:
                yield
                self._check()
                try:
                    self._socket.sendall(self._held)
                except OSError:
                    self._lose()
            finally:
                self._held = None

    def roundtrip(self) -> None:
        """Wait until the compositor has dealt with every request sent so far."""
        answered: list[int] = []
        with self.lock:
            callback = self.display.create("sync", CALLBACK)
            callback.on["done"] = answered.append
            self.wait(lambda: bool(answered))

    def offered(self) -> list[tuple[int, str, int]]:
        """Number, interface and version of each global object of the compositor."""
        found: list[tuple[int, str, int]] = []
        registry = self.display.create("get_registry", REGISTRY)
        registry.on["global"] = lambda *one: found.append(one)
        self.roundtrip()
        return found

    def wait(self, done: Callable[[], bool], limit_s: float = ANSWER_S) -> None:
        """Handle events until `done`. Raises ScreenError after `limit_s` seconds."""
        until = time.monotonic() + limit_s
        with self.lock:
            while not done():
                left_s = until - time.monotonic()
                if left_s <= 0 or not self.handle(left_s):
                    self._check()
                    raise ScreenError(
                        f"the Wayland desktop gave no answer in {limit_s:g} seconds: unlock its screen, or"
                        " wait until it is less busy"
                    )

    def handle(self, limit_s: float) -> bool:
        """Handle the events that are there, or come within `limit_s` seconds; whether any came."""
        if sys.platform == "win32":
            raise ScreenError(ELSEWHERE)
        with self.lock:
            self._check()
            try:
                if not select.select([self._socket], [], [], limit_s)[0]:
                    return False
                data, fds, _, _ = socket.recv_fds(self._socket, 1 << 16, MAX_FDS)
            except (OSError, ValueError):
                self._lose()
            if not data:
                self._lose()
            self._received += data
            self._fds += fds
            while len(self._received) >= 8:
                number, head = struct.unpack_from("=II", self._received)
                size = head >> 16
                if len(self._received) < size:
                    break
                body = bytes(self._received[8:size])
                del self._received[:size]
                self._dispatch(number, head & 0xFFFF, body)
            self._check()
            return True

    def _dispatch(self, number: int, opcode: int, body: bytes) -> None:
        proxy = self._objects.get(number)
        if proxy is None or opcode >= len(proxy.interface.events):
            return  # an event of an object that was destroyed, or of a version that was not asked for
        name, signature = proxy.interface.events[opcode]
        arguments = decode(signature, body, self._fds)
        handler = proxy.on.get(name)
        if handler is not None:
            handler(*arguments)
        else:
            for letter, value in zip(signature, arguments, strict=True):
                if letter == "h":
                    os.close(value)

    def _fail(self, number: int, code: int, text: str) -> None:
        name = self._objects[number].interface.name if number in self._objects else "an object"
        self.failure = f"the Wayland desktop refused a request to {name} ({code}: {text}): please report this"

    def _delete(self, number: int) -> None:
        if self._objects.pop(number, None) is not None:
            self._free.append(number)

    def _check(self) -> None:
        if self.failure is not None:
            raise ScreenError(self.failure)

    def _lose(self) -> Any:
        """Remember that the compositor has gone. Raises ScreenError."""
        self.failure = self.failure or LOST
        self._socket.close()
        raise ScreenError(self.failure)

    def close(self) -> None:
        """Leave the compositor, which then forgets every object."""
        with self.lock:
            self.failure = self.failure or LOST
            self._socket.close()


def socket_path() -> Path:
    """The socket of the compositor that the environment names. Raises ScreenError if it names none."""
    name = os.environ.get("WAYLAND_DISPLAY") or "wayland-0"
    if name.startswith("/"):
        return Path(name)
    folder = os.environ.get("XDG_RUNTIME_DIR")
    if not folder:
        raise ScreenError(
            "XDG_RUNTIME_DIR is not set, so the Wayland desktop cannot be found: run minebot in a terminal of"
            " that desktop"
        )
    return Path(folder) / name


def encode(signature: str, arguments: Sequence[object]) -> tuple[bytes, list[int]]:
    """The bytes of arguments, and the file descriptors to send beside them."""
    parts: list[bytes] = []
    fds: list[int] = []
    for letter, value in zip(signature, arguments, strict=True):
        if letter == "i":
            parts.append(struct.pack("=i", value))
        elif letter == "u":
            parts.append(struct.pack("=I", value))
        elif letter == "f":
            assert isinstance(value, (int, float))
            parts.append(struct.pack("=i", round(value * 256)))
        elif letter in "on":
            assert value is None or isinstance(value, Proxy)
            parts.append(struct.pack("=I", 0 if value is None else value.id))
        elif letter == "s":
            assert isinstance(value, str)
            parts.append(_sized(value.encode() + b"\0"))
        elif letter == "a":
            assert isinstance(value, bytes)
            parts.append(_sized(value))
        else:
            assert letter == "h"
            assert isinstance(value, int)
            fds.append(value)
    return b"".join(parts), fds


def decode(signature: str, body: bytes, fds: list[int]) -> list[Any]:
    """The arguments of an event: objects as their numbers; file descriptors are taken from `fds`."""
    values: list[Any] = []
    at = 0
    for letter in signature:
        if letter == "h":
            values.append(fds.pop(0))
        elif letter in "sa":
            (size,) = struct.unpack_from("=I", body, at)
            content = body[at + 4 : at + 4 + size]
            values.append(content if letter == "a" else content.rstrip(b"\0").decode(errors="replace"))
            at += 4 + (size + 3) // 4 * 4
        else:
            (value,) = struct.unpack_from("=I" if letter in "uon" else "=i", body, at)
            values.append(value / 256 if letter == "f" else value)
            at += 4
    return values


def _sized(content: bytes) -> bytes:
    return struct.pack("=I", len(content)) + content + bytes(-len(content) % 4)


def _numbered(messages: tuple[tuple[str, str], ...], name: str) -> tuple[int, str]:
    """Opcode and signature of a request."""
    for opcode, (known, signature) in enumerate(messages):
        if known == name:
            return opcode, signature
    raise KeyError(name)
