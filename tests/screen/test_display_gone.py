"""A display of X11 that goes while it is used: whoever needs it says so in a line, and nothing else does."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

if sys.platform in ("win32", "darwin"):
    pytest.skip("there is no X11 here", allow_module_level=True)

from bot.errors import ScreenError
from bot.screen.display import environment, readable_authority
from bot.screen.mss_capture import MssCapture
from bot.screen.x11 import stop_key
from bot.screen.x11.windows import XWindows


@pytest.fixture
def server() -> Iterator[subprocess.Popen[bytes]]:
    """The server of a display, which the environment names."""
    if shutil.which("Xvfb") is None:
        pytest.skip("there is no Xvfb: apt-get install xvfb")
    reading, writing = os.pipe()
    process = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-ac"], pass_fds=[writing], stderr=subprocess.DEVNULL
    )
    os.close(writing)
    with os.fdopen(reading) as answer:
        number = answer.readline().strip()
    with environment(DISPLAY=f":{number}"), readable_authority():
        yield process
    process.terminate()
    process.wait()


def test_the_stop_key(server: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    raised: list[object] = []
    monkeypatch.setattr(threading, "excepthook", raised.append)
    with stop_key.listening("F12", lambda: None) as ours:
        assert ours
        thread = next(one for one in threading.enumerate() if one.name == "stop key")
        server.terminate()
        server.wait()
        thread.join(60)
        assert not thread.is_alive()
    assert not raised


def test_the_capture(server: subprocess.Popen[bytes]) -> None:
    with closing(MssCapture()) as capture:
        monitor = capture.monitors()[0]
        assert capture.grab(monitor).shape[1] == monitor.width
        server.terminate()
        server.wait()
        with pytest.raises(ScreenError, match="minebot doctor"):
            capture.grab(monitor)


@pytest.mark.parametrize("broken", [BrokenPipeError(32, "Broken pipe"), None])
def test_the_windows(
    server: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch, broken: OSError | None
) -> None:
    """Found by the soak: a server that goes between an answer and the next question lets the write of that
    fail, which python-xlib does not expect."""
    with closing(XWindows()) as windows, closing(windows._display.display.socket):
        assert windows.windows() == []
        connection = windows._display.display
        if broken is None:
            server.terminate()
            server.wait()
        else:
            monkeypatch.setattr(connection, "socket", Unwritable(connection.socket, broken))
        for _ in range(2):
            with pytest.raises(ScreenError, match="minebot doctor"):
                windows.windows()


class Unwritable:
    """A socket that can be read, and not written to."""

    def __init__(self, socket: Any, error: OSError) -> None:
        self._socket, self._error = socket, error

    def __getattr__(self, name: str) -> Any:
        return getattr(self._socket, name)

    def send(self, data: bytes) -> int:
        raise self._error
