"""The desktops of a soak: each part has one for itself, which ends with it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.errors import BotError
from bot.process import children
from bot.screen.display import environment, readable_authority
from bot.screen.programs.started_program import end

# The desktops of the tests are theirs, and find each other by name.
_WINDOWS = Path(__file__).parents[1] / "windows"
sys.path += [str(_WINDOWS), str(_WINDOWS / "wayland")]

SIZE = "1280x1024x24"


class Missing(BotError):
    """This machine cannot provide a desktop or a window; the text says what to install."""


@dataclass(frozen=True)
class Desktop:
    """A desktop that a window is played on."""

    name: str
    end: Callable[[], None]
    """Ends it, as when its user logs out."""
    tell: Callable[..., None] = lambda *words: None
    """Tells Sway to do something."""


@contextmanager
def desktop(name: str) -> Iterator[Desktop]:
    """The desktop of that name, which the environment names while the body runs. Raises Missing."""
    if name in ("x11", "openbox"):
        with _x11(manager=name == "openbox") as one:
            yield one
        return
    import pytest

    try:
        with _wayland(name) as one:
            yield one
    except pytest.skip.Exception as error:
        raise Missing(str(error)) from None


@contextmanager
def _x11(manager: bool) -> Iterator[Desktop]:
    for program in ("Xvfb", "xdotool", *(["openbox"] if manager else [])):
        if shutil.which(program) is None:
            raise Missing(f"there is no {program}: apt-get install {program.lower()}")
    reading, writing = os.pipe()
    words = ["Xvfb", "-displayfd", str(writing), "-screen", "0", SIZE, "-nolisten", "tcp", "-ac", "-noreset"]
    server = children.start(words, pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(writing)
    with os.fdopen(reading) as answer:
        number = answer.readline().strip()
    started: list[subprocess.Popen[bytes]] = []

    def end_it() -> None:
        server.terminate()
        server.wait(20)

    try:
        names = {"WAYLAND_DISPLAY": None, "XDG_SESSION_TYPE": None, "SWAYSOCK": None}
        with environment(DISPLAY=f":{number}", **names), readable_authority():
            if manager:
                started.append(
                    children.start(["openbox"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                )
                time.sleep(1.5)
            yield Desktop("openbox" if manager else "x11", end_it)
    finally:
        for one in started:
            end(one)
        if server.poll() is None:
            server.send_signal(signal.SIGTERM)
            server.wait(20)


@contextmanager
def _wayland(name: str) -> Iterator[Desktop]:
    from mutter_desk import headless_mutter
    from sway_desk import headless_sway
    from wayland_desk import in_environment

    if name == "sway":
        with headless_sway() as sway, in_environment(sway):
            yield Desktop(name, lambda: sway.message("exit"), sway.message)
        return
    with headless_mutter() as mutter, in_environment(mutter):
        yield Desktop(name, mutter.end)
