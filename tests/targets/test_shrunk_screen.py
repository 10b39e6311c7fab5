"""A screen that becomes smaller while a game is played, and a window that is moved onto it after a while."""

from __future__ import annotations

import time

import pytest
from misbehaving import window_of
from playing import Told, impatient, no_record, session, target_on, unknown_target

from bot.board import Result
from bot.geometry import Point, Rect
from bot.screen.mouse import Button
from bot.screen.virtual import VirtualScreen
from bot.session import Play, run_games
from bot.strategy.registry import strategy
from bot.vision.grid import Image

AFTER_S = 0.3
"""Time until the window manager moves a window onto a screen that became smaller, in seconds."""


class Shrinking(VirtualScreen):
    """Becomes smaller at the second click, so that a part of the window lies off it, or all of it."""

    def __init__(self, to: int) -> None:
        super().__init__()
        self._to = to
        self._presses = 0
        self._shrunk_at: float | None = None

    def _press(self, point: Point, button: Button) -> None:
        super()._press(point, button)
        self._presses += 1
        if self._presses == 2:
            self._area = Rect(0, 0, self._to, self._area.height)
            self._shrunk_at = time.perf_counter()

    def grab(self, rect: Rect) -> Image:
        if self._shrunk_at is not None and time.perf_counter() - self._shrunk_at > AFTER_S:
            self.stack[0].at = Point(10, 20)
        return super().grab(rect)


@pytest.mark.parametrize("to", [760, 600])
@pytest.mark.parametrize("known", [True, False])
def test_the_game_goes_on_once_its_window_is_on_the_screen_again(known: bool, to: int) -> None:
    """The picture of a window that lay off the screen for a moment ended the run."""
    screen, told = Shrinking(to), Told()
    screen.open(window_of(session("beginner", seed=3))).at = Point(650, 300)
    target = target_on(screen, impatient(), told, look_limit_s=3.0) if known else unknown_target(screen, told)
    run_games(target, strategy("best"), Play(), no_record, told)
    assert screen.stack[0].at == Point(10, 20)
    (line,) = told.lines
    assert line.outcome in (Result.WON, Result.LOST), line.reason
