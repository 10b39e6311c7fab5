"""A compositor in a thread, with wlroots' protocols and a painted screen, that remembers what is asked."""

from __future__ import annotations

import contextlib
import mmap
import os
import socket
import struct
import threading
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from bot.geometry import Rect
from bot.screen.wayland import protocols
from bot.screen.wayland.wire import CALLBACK, DISPLAY, REGISTRY, Interface, decode

GLOBALS = (
    protocols.SHM,
    protocols.SEAT,
    protocols.XDG_OUTPUT_MANAGER,
    protocols.SCREENCOPY_MANAGER,
    protocols.VIRTUAL_POINTER_MANAGER,
    protocols.VIRTUAL_KEYBOARD_MANAGER,
)
BOUND = {interface.name: interface for interface in (*GLOBALS, protocols.OUTPUT)}
MADE = {
    "get_registry": REGISTRY,
    "sync": CALLBACK,
    "create_pool": protocols.SHM_POOL,
    "create_buffer": protocols.BUFFER,
    "get_xdg_output": protocols.XDG_OUTPUT,
    "capture_output_region": protocols.SCREENCOPY_FRAME,
    "create_virtual_pointer": protocols.VIRTUAL_POINTER,
    "create_virtual_keyboard": protocols.VIRTUAL_KEYBOARD,
}
"""The interface of the object that each request makes."""


@dataclass
class Screen:
    """A painted monitor: its place on the desktop in points, its pixels, and how it gives them."""

    rect: Rect
    pixels: np.ndarray[Any, np.dtype[np.uint8]]
    """Shape (height, width, 4), as the compositor lays them down."""
    transform: int = 0
    pixel_format: int = 1
    inverted: bool = False


@dataclass
class FakeCompositor:
    """Serves the one client of `serve`, or every client that connects to `listen`."""

    screens: list[Screen]
    without: Collection[str] = ()
    """The interfaces that it does not offer."""
    broken_by: str = ""
    """The request after which it closes the connection."""
    refuses: str = ""
    """The request that it answers with a protocol error."""
    fails: bool = False
    """Whether it gives no pictures."""
    refresh_mhz: int = 0
    """The frames of its monitors in 1,000 seconds; 0 if they do not say."""
    asked: list[tuple[str, str, list[Any]]] = field(default_factory=list)
    """Interface, request and arguments of all that was asked, in order."""
    keymaps: list[str] = field(default_factory=list)
    clients: list[_Client] = field(default_factory=list)

    def serve(self) -> socket.socket:
        """The client's end of a connection."""
        ours, theirs = socket.socketpair()
        threading.Thread(target=_Client(self, ours).run, daemon=True).start()
        return theirs

    def listen(self, path: Path) -> socket.socket:
        """Take clients at `path` until the socket given back is shut down."""
        listening = socket.socket(socket.AF_UNIX)
        listening.bind(str(path))
        listening.listen()

        def accept() -> None:
            with contextlib.suppress(OSError):
                while True:
                    threading.Thread(target=_Client(self, listening.accept()[0]).run, daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        return listening

    def plug_in(self, screen: Screen) -> None:
        """Switch on one more monitor, and tell the clients of it."""
        self.screens.append(screen)
        for client in self.clients:
            client.event(client.registry, "global", 99 + len(self.screens), "wl_output", 4)

    def requests(self, *names: str) -> list[tuple[str, list[Any]]]:
        """The requests of these names, with their arguments."""
        return [(name, arguments) for _, name, arguments in self.asked if name in names]


class _Client:
    def __init__(self, compositor: FakeCompositor, sock: socket.socket) -> None:
        self.compositor, self.socket = compositor, sock
        compositor.clients.append(self)
        self.registry = 0
        self.objects: dict[int, Interface] = {1: DISPLAY}
        self.state: dict[int, Any] = {}
        self.fds: list[int] = []

    def run(self) -> None:
        received = b""
        with self.socket:
            while True:
                try:
                    data, fds, _, _ = socket.recv_fds(self.socket, 1 << 16, 28)
                except OSError:
                    return
                if not data:
                    return
                received, self.fds = received + data, self.fds + fds
                while len(received) >= 8:
                    number, head = struct.unpack_from("=II", received)
                    if len(received) < head >> 16:
                        break
                    body, received = received[8 : head >> 16], received[head >> 16 :]
                    interface = self.objects[number]
                    name, signature = interface.requests[head & 0xFFFF]
                    arguments = decode(signature, body, self.fds)
                    self.compositor.asked.append((interface.name, name, arguments))
                    if name == self.compositor.broken_by:
                        return
                    with contextlib.suppress(OSError):
                        self.answer(number, interface, name, arguments)

    def answer(self, number: int, interface: Interface, name: str, told: list[Any]) -> None:
        if name == self.compositor.refuses:
            self.event(1, "error", number, 3, "no")
        if name in MADE:
            new = told[self.signature(interface, name).index("n")]
            self.objects[new] = MADE[name]
        if name == "get_registry":
            self.offer(told[0])
        elif name == "bind":
            self.objects[told[3]] = BOUND[told[1]]
            if told[1] == "wl_output":
                self.state[told[3]] = screen = self.compositor.screens[told[0] - 100]
                self.event(told[3], "geometry", 0, 0, 0, 0, 0, "maker", "model", screen.transform)
                if self.compositor.refresh_mhz:
                    self.event(told[3], "mode", 1, 0, 0, self.compositor.refresh_mhz)
        elif name == "sync":
            self.event(told[0], "done", 0)
            self.event(1, "delete_id", told[0])
        elif name == "get_xdg_output":
            rect = self.state[told[1]].rect
            self.event(told[0], "logical_position", rect.x, rect.y)
            self.event(told[0], "logical_size", rect.width, rect.height)
        elif name == "create_pool":
            self.state[told[0]] = mmap.mmap(told[1], told[2])
            os.close(told[1])
        elif name == "create_buffer":
            self.state[told[0]] = self.state[number]
        elif name == "capture_output_region":
            self.frame(told)
        elif name == "copy":
            screen, pixels = self.state[number]
            self.state[told[0]][:] = (pixels[::-1] if screen.inverted else pixels).tobytes()
            self.event(number, "flags", int(screen.inverted))
            self.event(number, "ready", 0, 0, 0)
        elif name == "keymap":
            self.compositor.keymaps.append(os.pread(told[1], told[2], 0).decode())
            os.close(told[1])
        elif name == "destroy":
            self.event(1, "delete_id", number)

    def offer(self, registry: int) -> None:
        self.registry = registry
        for number, interface in enumerate(GLOBALS):
            if interface.name not in self.compositor.without:
                self.event(registry, "global", number, interface.name, interface.version)
        for number in range(len(self.compositor.screens)):
            self.event(registry, "global", 100 + number, "wl_output", 4)

    def frame(self, told: list[Any]) -> None:
        new, _, output, x, y, width, height = told
        screen = self.state[output]
        scale = screen.pixels.shape[1] / screen.rect.width
        rows, columns = (
            slice(round(first * scale), round((first + size) * scale))
            for first, size in ((y, height), (x, width))
        )
        pixels = screen.pixels[rows, columns]
        self.state[new] = screen, pixels
        if self.compositor.fails:
            self.event(new, "failed")
        else:
            self.event(
                new, "buffer", screen.pixel_format, pixels.shape[1], pixels.shape[0], pixels.shape[1] * 4
            )

    @staticmethod
    def signature(interface: Interface, name: str) -> str:
        return dict(interface.requests)[name]

    def event(self, number: int, name: str, *arguments: Any) -> None:
        events = self.objects[number].events
        opcode = [known for known, _ in events].index(name)
        body = b""
        for letter, value in zip(events[opcode][1], arguments, strict=True):
            if letter == "s":
                text = value.encode() + b"\0"
                body += struct.pack("=I", len(text)) + text + bytes(-len(text) % 4)
            else:
                body += struct.pack("=i" if letter == "i" else "=I", value)
        self.socket.sendall(struct.pack("=II", number, len(body) + 8 << 16 | opcode) + body)
