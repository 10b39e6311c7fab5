"""Clicks that reach the X server whole or not at all.

A button stays down when the program that pressed it dies: the server has no owner for it. So presses and
releases are sent in one write, and no kill falls between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.screen.mouse import Button

NUMBERS: dict[Button, int] = {"left": 1, "middle": 2, "right": 3}
"""How X11 numbers the buttons."""


def press_and_release(connection: Any, buttons: Sequence[Button]) -> None:
    """Press these buttons one after the other, where the pointer is, and release them.

    `connection` is a `Display` of python-xlib; it must have nothing left to send. Returns when the server has
    done it.
    """
    from Xlib import X
    from Xlib.ext.xtest import fake_input

    for event in (X.ButtonPress, X.ButtonRelease):
        for button in buttons:
            fake_input(connection, event, NUMBERS[button])
    # Until here all waits in the connection's buffer.
    connection.sync()
