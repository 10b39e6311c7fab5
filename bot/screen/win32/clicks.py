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


IS_DOWN = 0x8000
"""The bit of GetAsyncKeyState that says that a key is down now."""

KEYS: dict[Button, int] = {"left": 0x1, "right": 0x2, "middle": 0x4}
"""VK_LBUTTON and its like: the buttons by their places, whichever is the main one."""


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
    _send(flags)


def release_what_is_down() -> None:
    """Release the buttons that are down. Others are left alone: a window takes a release for the end of a
    click, and opens a cell by it, or a menu."""
    user32 = _user32()
    down = [button for button, key in KEYS.items() if user32.GetAsyncKeyState(key) & IS_DOWN]
    if down:
        _send([RELEASE[button] for button in down])


def _send(flags: Sequence[int]) -> None:
    """Hand inputs of the mouse over, all at once. Raises OSError if Windows does not take them."""
    inputs = (Input * len(flags))(*(Input(INPUT_MOUSE, MouseInput(dwFlags=flag)) for flag in flags))
    taken = _user32().SendInput(len(flags), inputs, ctypes.sizeof(Input))
    if taken != len(flags):
        raise OSError(f"Windows took {taken} of {len(flags)} inputs of the mouse")


def _user32() -> Any:
    library: Any = ctypes.WinDLL  # type: ignore[attr-defined,unused-ignore]
    return library("user32")
