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


def move(connection: Any, point: Point) -> tuple[Point, Point]:
    """Move the pointer to a point of the root window: where it was right before, and its place once the
    server has done so, which is another one while a grab holds it.

    `connection` is a `Display` of python-xlib. All of it is sent at once, as each answer that is waited for
    takes a tenth of a millisecond, and on a busy machine half a one.
    """
    from Xlib import X
    from Xlib.ext.xtest import fake_input
    from Xlib.protocol import request

    display, root = connection.display, connection.screen().root
    before = request.QueryPointer(display=display, defer=1, window=root)
    fake_input(connection, X.MotionNotify, x=point.x, y=point.y)
    after = request.QueryPointer(display=display, defer=1, window=root)
    for asked in (before, after):
        asked.reply()
    return Point(int(before.root_x), int(before.root_y)), Point(int(after.root_x), int(after.root_y))


def press_and_release(connection: Any, point: Point, buttons: Sequence[Button]) -> None:
    """Move the pointer to a point, press these buttons one after the other, and release them.

    `connection` is a `Display` of python-xlib; it must have nothing left to send. No answer is waited for.
    """
    queue_click(connection, point, buttons)
    connection.flush()  # until here all waits in the connection's buffer, and leaves it in one write


def queue_click(connection: Any, point: Point, buttons: Sequence[Button]) -> None:
    """The same, left in the connection's buffer, which must be empty."""
    from Xlib import X
    from Xlib.ext.xtest import fake_input

    fake_input(connection, X.MotionNotify, x=point.x, y=point.y)
    for event in (X.ButtonPress, X.ButtonRelease):
        for button in buttons:
            fake_input(connection, event, NUMBERS[button])


def queue_press(connection: Any, point: Point, button: Button) -> None:
    """A button goes down at a point and stays so; left in the buffer too."""
    from Xlib import X
    from Xlib.ext.xtest import fake_input

    fake_input(connection, X.MotionNotify, x=point.x, y=point.y)
    fake_input(connection, X.ButtonPress, NUMBERS[button])
