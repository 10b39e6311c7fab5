"""The place of a window of X11, of which the server tells when it changes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest

if sys.platform in ("win32", "darwin"):
    pytest.skip("there is no X11 here", allow_module_level=True)

from x_server import another_program, made, x_server

from bot.geometry import Rect
from bot.screen.windows import Window
from bot.screen.x11.windows import XWindows


@pytest.fixture
def program() -> Iterator[Any]:
    """The connection of another program."""
    with x_server(), another_program() as connection:
        yield connection


def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows each time that the server is asked for a place."""
    from Xlib.protocol import request

    asked: list[int] = []

    class Counted(request.TranslateCoords):  # type: ignore[misc]
        def __init__(self, *words: Any, **named: Any) -> None:
            asked.append(1)
            super().__init__(*words, **named)

    monkeypatch.setattr(request, "TranslateCoords", Counted)
    return asked


def test_the_place_is_that_of_now_and_asked_for_once(program: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    root = program.screen().root
    frame = made(program, root, Rect(10, 20, 300, 200))
    inside = made(program, frame, Rect(2, 18, 290, 170))
    window = Window(inside.id, "", Rect(0, 0, 1, 1))
    asked = counted(monkeypatch)
    with closing(XWindows()) as windows:
        for _ in range(5):
            assert windows.place(window) == Rect(12, 38, 290, 170)
        assert len(asked) == 1

        def after(change: Callable[[], Any]) -> Rect | None:
            change()
            program.sync()
            return windows.place(window)

        assert after(lambda: frame.configure(x=110, y=120)) == Rect(112, 138, 290, 170)
        assert after(lambda: inside.configure(width=200, height=100)) == Rect(112, 138, 200, 100)
        assert after(frame.unmap) is None
        assert after(frame.map) == Rect(112, 138, 200, 100)
        other = made(program, root, Rect(400, 300, 250, 150))
        assert after(lambda: inside.reparent(other, 1, 1)) == Rect(401, 301, 200, 100)
        assert after(lambda: other.configure(x=500)) == Rect(501, 301, 200, 100)
        asked_so_far = len(asked)
        assert windows.place(window) == Rect(501, 301, 200, 100)
        assert len(asked) == asked_so_far
        assert after(inside.destroy) is None
        assert windows.place(window) is None


def test_one_window_after_the_other(program: Any) -> None:
    root = program.screen().root
    rects = [Rect(10, 20, 300, 200), Rect(60, 70, 100, 90)]
    windows_of = [Window(made(program, root, rect).id, "", rect) for rect in rects]
    with closing(XWindows()) as windows:
        for _ in range(3):
            assert [windows.place(window) for window in windows_of] == rects
