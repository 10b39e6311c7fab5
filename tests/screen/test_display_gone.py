"""A display of X11 that goes while it is used: whoever needs it says so in a line, and nothing else does."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing

import pytest

if sys.platform in ("win32", "darwin"):
    pytest.skip("there is no X11 here", allow_module_level=True)

from bot.errors import ScreenError
from bot.screen.display import environment, readable_authority
from bot.screen.mss_capture import MssCapture
from bot.screen.x11 import stop_key


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
