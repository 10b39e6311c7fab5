"""The key that stops the bot: where it cannot be had, no other key is taken either."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest

if sys.platform in ("win32", "darwin"):
    pytest.skip("there is no X11 here", allow_module_level=True)

from x_server import another_program, made, x_server

from bot.geometry import Rect
from bot.screen.x11.stop_key import listening


@pytest.fixture
def program() -> Iterator[Any]:
    with x_server(), another_program() as connection:
        yield connection


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The connections that are made from now on."""
    from Xlib import display

    connections: list[Any] = []
    real = display.Display

    def connect() -> Any:
        connections.append(real())
        return connections[-1]

    monkeypatch.setattr(display, "Display", connect)
    return connections


def code_of(program: Any, key: str) -> int:
    from Xlib import XK

    return int(program.keysym_to_keycode(XK.string_to_keysym(key)))


def letters(program: Any) -> int:
    """How many of three letters that are typed reach the window with the keyboard."""
    from Xlib import X
    from Xlib.ext.xtest import fake_input

    window = made(program, program.screen().root, Rect(0, 0, 100, 100))
    window.change_attributes(event_mask=X.KeyPressMask)
    window.set_input_focus(X.RevertToParent, X.CurrentTime)
    for _ in range(3):
        for kind in (X.KeyPress, X.KeyRelease):
            fake_input(program, kind, code_of(program, "a"))
    program.sync()
    events = [program.next_event() for _ in range(program.pending_events())]
    return sum(event.type == X.KeyPress for event in events)


def test_the_key_is_taken_alone(program: Any) -> None:
    with listening("F12", lambda: None) as ours:
        assert (ours, letters(program)) == (True, 3)


def test_of_a_keyboard_without_the_key_no_other_is_taken(program: Any, opened: list[Any]) -> None:
    """It has the code 0 then, which grabs all keys: nothing could be typed on the whole display."""
    code = code_of(program, "F12")
    program.change_keyboard_mapping(code, [[0] * len(program.get_keyboard_mapping(code, 1)[0])])
    program.sync()
    with listening("F12", lambda: None) as ours:
        assert (ours, letters(program)) == (False, 3)
        assert opened[0].display.socket.fileno() == -1


def test_a_key_that_another_program_has_stays_its_own(program: Any, opened: list[Any]) -> None:
    from Xlib import X

    root, code = program.screen().root, code_of(program, "F12")
    root.grab_key(code, X.AnyModifier, False, X.GrabModeAsync, X.GrabModeAsync)
    program.sync()
    with listening("F12", lambda: None) as ours:
        assert (ours, letters(program)) == (False, 3)
        assert opened[0].display.socket.fileno() == -1
