"""The corners of the screen that stop the bot, where the screen has another size than when it began."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from x_server import x_server

PROGRAM = """
from Xlib import display
from Xlib.ext import randr

from bot.geometry import Point
from bot.screen import pyautogui_mouse
from bot.screen.x11 import clicks

pyautogui_mouse.SIZED_S = 0.0
mouse = pyautogui_mouse.PyautoguiMouse()
other = display.Display()
root = other.screen().root
found = randr.get_screen_resources(root)
opcode = other.display.get_extension_major(randr.extname)
# Xvfb takes another size only while its monitor is off.
randr.SetCrtcConfig(
    display=other.display, opcode=opcode, crtc=found.crtcs[0], timestamp=0,
    config_timestamp=found.config_timestamp, x=0, y=0, mode=0, rotation=1, outputs=[],
)
root.xrandr_set_screen_size(800, 600, 300, 200)
other.sync()
size = root.get_geometry()
assert (size.width, size.height) == (800, 600)
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
