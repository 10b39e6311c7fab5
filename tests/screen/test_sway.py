"""Sway's windows, from a Sway in a thread."""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import sys
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

if sys.platform != "linux":
    pytest.skip("Sway is Linux'", allow_module_level=True)

from bot.errors import ScreenError
from bot.geometry import Rect
from bot.screen.wayland import sway
from bot.screen.wayland.session import wayland_windows
from bot.screen.wayland.sway import SwayWindows
from bot.screen.windows import Window


def view(number: int, title: str | None, visible: bool = True, **more: Any) -> dict[str, Any]:
    return {
        "id": number,
        "name": title,
        "rect": {"x": 100, "y": 50, "width": 300, "height": 200},
        "window_rect": {"x": 2, "y": 24, "width": 296, "height": 174},
        "visible": visible,
        "nodes": [],
        "floating_nodes": [],
    } | more


TREE = {
    "name": "root",
    "nodes": [
        {
            "name": "1",
            "floating_nodes": [view(7, "Congratulations!", app_id="gnome-mines")],
            "nodes": [
                view(5, "Mines", app_id="gnome-mines"),
                view(6, None, app_id=None, window_properties={"class": "XDemineur"}),
                view(8, "elsewhere", visible=False, app_id="firefox"),
            ],
        }
    ],
}


class FakeSway:
    def __init__(self, path: Path, answers: int) -> None:
        self.asked: list[tuple[int, str]] = []
        self.answering = threading.Event()
        """Whether it answers now; it always does if no test clears it."""
        self.answering.set()
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(path))
        self._listening.listen()
        self._thread = threading.Thread(target=self._serve, args=(answers,), daemon=True)
        self._thread.start()

    def _serve(self, answers: int) -> None:
        client = self._listening.accept()[0]
        # What was asked for in advance may come when nobody is there any more.
        with client, self._listening, client.makefile("rb") as file, contextlib.suppress(ConnectionError):
            for _ in range(answers):
                head = file.read(14)
                if not head:  # the client has left
                    return
                size, kind = struct.unpack("=II", head[6:])
                self.asked.append((kind, file.read(size).decode()))
                self.answering.wait(20)
                text = json.dumps(
                    TREE if kind == 4 else [{"success": "con_id=5" in self.asked[-1][1]}]
                ).encode()
                # In two pieces: a tree may be longer than what one read gives.
                for piece in (b"i3-ipc" + struct.pack("=II", len(text), kind) + text[:9], text[9:]):
                    client.sendall(piece)


def test_windows_that_are_seen_from_the_bottom_to_the_top(tmp_path: Path) -> None:
    FakeSway(tmp_path / "sway", 4)
    inside = Rect(102, 74, 296, 174)
    with closing(SwayWindows(str(tmp_path / "sway"))) as windows:
        assert windows.windows() == [
            Window(5, "Mines", inside, "gnome-mines"),
            Window(6, "", inside, "XDemineur"),
            Window(7, "Congratulations!", inside, "gnome-mines"),
        ]
        assert windows.place(Window(5, "", Rect(0, 0, 1, 1))) == inside
        assert windows.place(Window(8, "", Rect(0, 0, 1, 1))) is None


def test_the_place_of_a_window_is_asked_for_in_advance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr("bot.screen.wayland.sway.time.monotonic", lambda: now[0])
    server = FakeSway(tmp_path / "sway", 9)
    inside, window = Rect(102, 74, 296, 174), Window(5, "", Rect(0, 0, 1, 1))
    with closing(SwayWindows(str(tmp_path / "sway"))) as windows:
        assert windows.place(window) == inside
        server.answering.clear()
        now[0] += sway.RECENT_S / 2
        assert windows.place(window) == inside  # Sway is busy, and nobody waits for it
        server.answering.set()
        monkeypatch.setitem(TREE, "nodes", [])
        now[0] += sway.RECENT_S
        # What was asked for meanwhile is too old, whatever it says: it is asked again.
        assert windows.place(window) is None


def test_a_place_is_asked_for_again_after_a_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = FakeSway(tmp_path / "sway", 9)
    window = Window(5, "", Rect(0, 0, 1, 1))
    with closing(SwayWindows(str(tmp_path / "sway"))) as windows:
        windows.place(window)
        assert windows.focus(window)
        monkeypatch.setitem(TREE, "nodes", [])
        assert windows.place(window) is None
        assert windows.windows() == []
    assert [kind for kind, _ in server.asked][:4] == [4, 4, 0, 4]


def test_focus_says_whether_it_was_given(tmp_path: Path) -> None:
    server = FakeSway(tmp_path / "sway", 2)
    with closing(SwayWindows(str(tmp_path / "sway"))) as windows:
        assert windows.focus(Window(5, "", Rect(0, 0, 1, 1)))
        assert not windows.focus(Window(6, "", Rect(0, 0, 1, 1)))
    assert server.asked[0] == (0, "[con_id=5] focus")


def test_a_sway_that_goes_is_told(tmp_path: Path) -> None:
    FakeSway(tmp_path / "sway", 0)
    with closing(SwayWindows(str(tmp_path / "sway"))) as windows, pytest.raises(ScreenError, match="doctor"):
        windows.windows()


def test_an_old_socket_is_no_list_of_windows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SWAYSOCK", str(tmp_path / "gone"))
    assert not wayland_windows().known
