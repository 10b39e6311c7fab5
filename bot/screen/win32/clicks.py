"""Clicks that reach Windows whole or not at all, through SendInput.

A button stays down when the program that pressed it dies. So presses and releases are handed over in one
call, and no kill falls between them.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

from bot.screen.mouse import Button

INPUT_MOUSE = 0
"""The kind of an input that is one of the mouse."""

PRESS: dict[Button, int] = {"left": 0x2, "right": 0x8, "middle": 0x20}
"""MOUSEEVENTF_LEFTDOWN and its like."""

RELEASE: dict[Button, int] = {"left": 0x4, "right": 0x10, "middle": 0x40}
"""MOUSEEVENTF_LEFTUP and its like."""


class MouseInput(ctypes.Structure):
    """Windows' MOUSEINPUT."""

    _fields_ = (
        ("dx", ctypes.c_int32),
        ("dy", ctypes.c_int32),
        ("mouseData", ctypes.c_uint32),
        ("dwFlags", ctypes.c_uint32),
        ("time", ctypes.c_uint32),
        ("dwExtraInfo", ctypes.c_size_t),
    )


class Input(ctypes.Structure):
    """Windows' INPUT. Its union is as large as the mouse's part, the largest."""

    _fields_ = (("type", ctypes.c_uint32), ("mi", MouseInput))


def press_and_release(buttons: Sequence[Button]) -> None:
    """Press these buttons one after the other, where the pointer is, and release them.

    Raises OSError if Windows does not take them, as on a locked screen.
    """
    flags = [PRESS[button] for button in buttons] + [RELEASE[button] for button in buttons]
    inputs = (Input * len(flags))(*(Input(INPUT_MOUSE, MouseInput(dwFlags=flag)) for flag in flags))
    library: Any = ctypes.WinDLL  # type: ignore[attr-defined,unused-ignore]
    taken = library("user32").SendInput(len(flags), inputs, ctypes.sizeof(Input))
    if taken != len(flags):
        raise OSError(f"Windows took {taken} of {len(flags)} inputs of the mouse")
