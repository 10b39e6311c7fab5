"""The windows of Sway, by its IPC (man 7 sway-ipc)."""

from __future__ import annotations

import json
import os
import select
import socket
import struct
import sys
import time
from collections.abc import Iterator
from typing import Any

from bot.errors import ScreenError
from bot.geometry import Rect
from bot.process.interrupts import uninterrupted
from bot.screen.windows import Window

RUN_COMMAND, GET_TREE = 0, 4
"""The types of the two messages that are used."""

MAGIC = b"i3-ipc"

ANSWER_S = 5.0
"""Time limit for an answer of Sway, in seconds."""

RECENT_S = 0.1
"""Age up to which the place of a window is taken from an answer that was asked for before, in seconds. Sway
answers between two frames, which takes as long as a click does; and its events do not tell of a floating
window that is moved or resized (Sway 1.7), so that nothing but asking again does."""

LOST = "Sway no longer lists its windows: has the session ended? Run `minebot doctor`"


def sway_socket() -> str | None:
    """The path of Sway's socket; None on another desktop."""
    return os.environ.get("SWAYSOCK") or None


class SwayWindows:
    """The windows that Sway shows. Raises OSError if its socket, named by `SWAYSOCK`, cannot be reached."""

    known = True

    def __init__(self, path: str) -> None:
        if sys.platform == "win32":
            raise OSError("no Sway runs on this system: unset SWAYSOCK")
        self._socket: socket.socket = socket.socket(socket.AF_UNIX)
        try:
            self._socket.settimeout(ANSWER_S)
            self._socket.connect(path)
        except OSError:
            self._socket.close()
            raise
        self._shown: list[Window] = []
        """The windows of the last answer that was read."""
        self._shown_at: float = time.monotonic() - 2 * RECENT_S
        """When that was asked for, on `time.monotonic`."""
        self._awaited_since: float | None = None
        """When the answer was asked for that is not read yet; None if every one is."""

    @uninterrupted()
    def windows(self) -> list[Window]:
        """The windows on the workspaces that are seen, from the bottom to the top."""
        self._read_awaited()
        self._ask_for_tree()
        self._read_awaited()
        return list(self._shown)

    @uninterrupted()
    def place(self, window: Window) -> Rect | None:
        """Where the inside of a window lay at most `RECENT_S` ago; None if it is closed or not seen.

        Each call asks for the answer that the next one reads without waiting.
        """
        if self._awaited_since is not None and select.select([self._socket], [], [], 0)[0]:
            self._read_awaited()
        if time.monotonic() - self._shown_at > RECENT_S:
            self.windows()
        if self._awaited_since is None:
            self._ask_for_tree()
        return next((one.rect for one in self._shown if one.id == window.id), None)

    @uninterrupted()
    def focus(self, window: Window) -> bool:
        """Give a window the focus; False if Sway refuses it, or it is closed."""
        self._read_awaited()
        self._shown_at = time.monotonic() - 2 * RECENT_S  # it may have changed what is shown
        self._send(RUN_COMMAND, f"[con_id={window.id}] focus")
        (answer,) = self._read()
        return bool(answer["success"])

    def to_front(self, window: Window) -> None:
        """The same as `focus`, which does that here."""
        self.focus(window)

    def has_menu(self, window: Window) -> bool:
        """False: it is unknown."""
        return False

    @uninterrupted()
    def close(self) -> None:
        """Close the connection to Sway."""
        self._socket.close()

    def _ask_for_tree(self) -> None:
        """Ask for the windows, without waiting for them."""
        self._awaited_since = time.monotonic()
        self._send(GET_TREE)

    def _read_awaited(self) -> None:
        """Read the windows that were asked for, if any were."""
        if self._awaited_since is not None:
            self._shown = [_window(node) for node in _views(self._read()) if node["visible"]]
            self._shown_at, self._awaited_since = self._awaited_since, None

    def _send(self, kind: int, text: str = "") -> None:
        """Ask for something. Raises ScreenError if Sway has gone."""
        payload = text.encode()
        try:
            self._socket.sendall(MAGIC + struct.pack("=II", len(payload), kind) + payload)
        except OSError:
            raise ScreenError(LOST) from None

    def _read(self) -> Any:
        """The next answer. Raises ScreenError if Sway has gone."""
        try:
            size, _ = struct.unpack("=II", self._receive(len(MAGIC) + 8)[len(MAGIC) :])
            return json.loads(self._receive(size))
        except (OSError, ValueError):
            raise ScreenError(LOST) from None

    def _receive(self, size: int) -> bytes:
        """So many bytes. Raises OSError if fewer come."""
        content = b""
        while len(content) < size:
            more = self._socket.recv(size - len(content))
            if not more:
                raise ConnectionError
            content += more
        return content


def _views(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The windows below a node of Sway's tree; floating ones lie above the others."""
    if "visible" in node:
        yield node
    for below in (*node.get("nodes", ()), *node.get("floating_nodes", ())):
        yield from _views(below)


def _window(node: dict[str, Any]) -> Window:
    """A window of Sway's tree. `window_rect` is its inside, from the corner of `rect`."""
    rect, inside = node["rect"], node["window_rect"]
    place = Rect(rect["x"] + inside["x"], rect["y"] + inside["y"], inside["width"], inside["height"])
    program = node.get("app_id") or node.get("window_properties", {}).get("class") or ""
    return Window(node["id"], node["name"] or "", place, program, process=node.get("pid") or 0)
