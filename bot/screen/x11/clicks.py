"""Clicks that reach the X server whole or not at all.

A button stays down when the program that pressed it dies: the server has no owner for it. So presses and
releases are sent in one write, and no kill falls between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.geometry import Point
from bot.screen.mouse import Button

NUMBERS: dict[Button, int] = {"left": 1, "middle": 2, "right": 3}
"""How X11 numbers the buttons."""


def position(connection: Any) -> Point:
    """Where the pointer is. `connection` is a `Display` of python-xlib."""
    at = connection.screen().root.query_pointer()
    return Point(int(at.root_x), int(at.root_y))


def move(connection: Any, point: Point) -> Point:
    """Move the pointer to a point of the root window, and give its place once the server has done so: another
    one while a grab holds it.

    `connection` is a `Display` of python-xlib. It is one question to the server, as each answer takes a tenth
    of a millisecond.
    """
    from Xlib import X
    from Xlib.ext.xtest import fake_input

    fake_input(connection, X.MotionNotify, x=point.x, y=point.y)
    return position(connection)


def press_and_release(connection: Any, point: Point, buttons: Sequence[Button]) -> Point:
    """Move the pointer to a point, press these buttons one after the other, and release them; gives the place
    of the pointer once the server has done so.

    `connection` is a `Display` of python-xlib; it must have nothing left to send.
    """
    from Xlib import X
    from Xlib.ext.xtest import fake_input

    fake_input(connection, X.MotionNotify, x=point.x, y=point.y)
    for event in (X.ButtonPress, X.ButtonRelease):
        for button in buttons:
            fake_input(connection, event, NUMBERS[button])
    # Until here all waits in the connection's buffer; the question sends it.
    return position(connection)
