"""Programs and their windows, on a screen that is made up: whose window is whose, and when one is gone."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from bot.errors import WindowError
from bot.geometry import Rect
from bot.screen.programs import started_program
from bot.screen.programs.started_program import Started
from bot.screen.windows import NoWindows, Window

WAITING = [sys.executable, "-c", "import time; time.sleep(60)"]


def window(number: int, width: int = 300) -> Window:
    return Window(number, "Mines", Rect(0, 0, width, 200))


class Screen:
    """Shows what it is told to, one list of windows at each look; the last one stays."""

    known = True

    def __init__(self, *looks: list[Window]) -> None:
        self.looks = list(looks)

    def windows(self) -> list[Window]:
        return self.looks.pop(0) if len(self.looks) > 1 else self.looks[0]

    def place(self, window: Window) -> Rect | None:
        raise AssertionError("nobody asked for a place")

    def focus(self, window: Window) -> bool:
        raise AssertionError("nobody asked for the keyboard")

    def to_front(self, window: Window) -> None:
        raise AssertionError("nobody asked for the front")

    def has_menu(self, window: Window) -> bool:
        raise AssertionError("nobody asked for a menu")

    def close(self) -> None:
        """Nothing is held."""


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Iterator[Screen]:
    screen = Screen([])
    monkeypatch.setattr(started_program, "system_windows", lambda: screen)
    yield screen
    screen.looks = [[]]


def test_a_number_that_is_given_again_is_a_new_window(shown: Screen) -> None:
    # The window of a program that was killed just before is still listed when the next one starts.
    old, new = window(7), window(7, width=400)
    shown.looks = [[old], [old], [], [new]]
    program = Started(WAITING)
    assert program.window(lambda _: True, limit_s=20) == new
    shown.looks = [[]]
    program.end()


def test_windows_that_were_there_before_are_not_its_own(shown: Screen) -> None:
    other = window(5)
    shown.looks = [[other], [other], [window(9), other]]
    program = Started(WAITING)
    assert program.window(lambda _: True, limit_s=20).id == 9
    shown.looks = [[]]
    program.end()


def test_a_window_is_taken_once_it_rests(shown: Screen) -> None:
    shown.looks = [[], [window(7, width=10)], [window(7, width=120)], [window(7)], [window(7)]]
    program = Started(WAITING)
    assert program.window(lambda one: one.rect.width > 100, limit_s=20) == window(7)
    shown.looks = [[]]
    program.end()


def test_the_end_waits_until_the_window_is_gone(shown: Screen) -> None:
    shown.looks = [[], [window(7)], [window(7)]]
    program = Started(WAITING)
    program.window(lambda _: True, limit_s=20)
    shown.looks = [[window(7)], [window(7)], [window(3)], [window(3), window(7)]]
    program.end()
    assert shown.looks == [[window(3), window(7)]]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("raise SystemExit('no display here')", "the game ended before it showed a window: no display here"),
        ("pass", "the game ended before it showed a window: try it by hand"),
    ],
)
def test_a_program_that_ends_at_once_says_why(shown: Screen, words: str, told: str) -> None:
    program = Started([sys.executable, "-c", words], name="the game")
    with pytest.raises(WindowError, match=told):
        program.window(lambda _: True, limit_s=20)
    program.end()


def test_a_program_that_shows_nothing_is_told(shown: Screen) -> None:
    program = Started(WAITING)
    with pytest.raises(WindowError, match="showed no window within 0 s"):
        program.window(lambda _: True, limit_s=0.3)
    program.end()


def test_a_screen_that_lists_no_windows_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(started_program, "system_windows", NoWindows)
    program = Started(WAITING)
    with pytest.raises(WindowError, match="doctor"):
        program.window(lambda _: True, limit_s=20)
    program.end()
