"""An X server of a test's own, and the windows of another program on it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest

from bot.geometry import Rect
from bot.screen.display import environment, readable_authority


@contextmanager
def x_server() -> Iterator[None]:
    """A display, which the environment names meanwhile. Skips where there is no Xvfb."""
    if shutil.which("Xvfb") is None:
        pytest.skip("there is no Xvfb: apt-get install xvfb")
    reading, writing = os.pipe()
    process = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-ac", "-noreset"],
        pass_fds=[writing],
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    with os.fdopen(reading) as answer:
        number = answer.readline().strip()
    try:
        with environment(DISPLAY=f":{number}"), readable_authority():
            yield
    finally:
        process.terminate()
        process.wait()


@contextmanager
def another_program() -> Iterator[Any]:
    """The connection of another program to the display that the environment names."""
    from Xlib import display

    with readable_authority(), closing(display.Display(os.environ["DISPLAY"])) as connection:
        yield connection


def resize(program: Any, width: int, height: int) -> None:
    """Give the screen of another program's connection another size, smaller than it had at first."""
    from Xlib.ext import randr

    root = program.screen().root
    found = randr.get_screen_resources(root)
    # Xvfb takes another size only while its monitor is off.
    randr.SetCrtcConfig(
        display=program.display,
        opcode=program.display.get_extension_major(randr.extname),
        crtc=found.crtcs[0],
        timestamp=0,
        config_timestamp=found.config_timestamp,
        x=0,
        y=0,
        mode=0,
        rotation=randr.Rotate_0,
        outputs=[],
    )
    root.xrandr_set_screen_size(width, height, 300, 200)
    program.sync()
    size = root.get_geometry()
    assert (size.width, size.height) == (width, height)


def made(program: Any, parent: Any, rect: Rect) -> Any:
    """A window of the program that is shown."""
    window = parent.create_window(rect.x, rect.y, rect.width, rect.height, 0, program.screen().root_depth)
    window.map()
    program.sync()
    return window
