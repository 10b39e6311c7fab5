"""The key that stops the bot, on a display that goes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading

import pytest

if sys.platform in ("win32", "darwin"):
    pytest.skip("there is no X11 here", allow_module_level=True)

from bot.screen.display import environment, readable_authority
from bot.screen.x11 import stop_key


def test_a_display_that_goes_is_no_error_of_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    if shutil.which("Xvfb") is None:
        pytest.skip("there is no Xvfb: apt-get install xvfb")
    raised: list[object] = []
    monkeypatch.setattr(threading, "excepthook", raised.append)
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-ac"], pass_fds=[writing], stderr=subprocess.DEVNULL
    )
    os.close(writing)
    with os.fdopen(reading) as answer:
        number = answer.readline().strip()
    with (
        environment(DISPLAY=f":{number}"),
        readable_authority(),
        stop_key.listening("F12", lambda: None) as ours,
    ):
        assert ours
        thread = next(one for one in threading.enumerate() if one.name == "stop key")
        server.terminate()
        server.wait()
        thread.join(60)
        assert not thread.is_alive()
    assert not raised
