"""The corners of the screen that stop the bot, where the screen has another size than when it began."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from x_server import x_server

PROGRAM = """
import sys

from Xlib import display

from bot.geometry import Point
from bot.screen import pyautogui_mouse
from bot.screen.x11 import clicks

sys.path.append("tests/screen")
from x_server import resize

pyautogui_mouse.SIZED_S = 0.0
mouse = pyautogui_mouse.PyautoguiMouse()
other = display.Display()
resize(other, 800, 600)
for corner in (Point(799, 599), Point(799, 0), Point(0, 599)):
    clicks.move(other, corner)
    other.sync()
    mouse._told_at = -1.0
    assert mouse.position() == corner
    assert mouse.in_corner(), corner
"""


def test_the_corners_are_those_of_the_screen_as_it_is_now() -> None:
    """Three of four were dead once the screen of a virtual machine had become smaller."""
    with x_server():
        subprocess.run([sys.executable, "-c", PROGRAM], cwd=Path(__file__).parents[2], check=True)
