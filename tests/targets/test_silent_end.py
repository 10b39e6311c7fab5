"""Clicks that do nothing: the game may be over and show nothing of it, or its window stands still."""

from __future__ import annotations

import time
from dataclasses import dataclass

import pytest
from misbehaving import Late, Wrapped
from playing import Told, guess_a_mine, no_record, screen_with, session, unknown_target

from bot.board import Coordinate, Phase
from bot.errors import WindowError
from bot.practice.session import PracticeSession
from bot.session import Play, run_games
from bot.strategy.registry import strategy
from bot.targets.window import window_target
from bot.vision.grid import Image

pytestmark = pytest.mark.slow


@dataclass
class StandsStill(Late):
    """Does nothing for a while from one of its presses on, and then all that it was sent."""

    content: PracticeSession
    press_number: int = 2
    for_s: float = 3.0
    presses: int = 0
    _until: float = 0.0

    def _late(self) -> None:
        self.delay_s = max(0.0, self._until - time.perf_counter())

    def press(self, x: int, y: int, button: int) -> None:
        self.presses += 1
        if self.presses == self.press_number:
            self._until = time.perf_counter() + self.for_s
        self._late()
        super().press(x, y, button)

    def release(self, x: int, y: int, button: int) -> None:
        self._late()
        super().release(x, y, button)

    def move(self, x: int, y: int) -> None:
        self._late()
        super().move(x, y)


def test_a_window_that_stands_still_after_a_guess_has_not_lost_it() -> None:
    """A game was told as lost while its window stood still, and was won when that went on."""
    window, told = StandsStill(session(seed=2)), Told()
    (line,) = run_games(unknown_target(screen_with(window), told), strategy("best"), Play(), no_record, told)
    assert line.outcome.name == window.content.game.phase.name
    assert line.guesses > 1, "what was clicked while it stood still was no guess"


@dataclass
class Silent(Wrapped):
    """Shows nothing of a lost game: its board stays as it was before the last click."""

    content: PracticeSession
    before: Image | None = None
    is_pressed: bool = False

    def press(self, x: int, y: int, button: int) -> None:
        self.is_pressed = True
        super().press(x, y, button)

    def release(self, x: int, y: int, button: int) -> None:
        super().release(x, y, button)
        self.is_pressed = False

    def image(self) -> Image:
        if self.before is None or not (self.is_pressed or self.content.game.phase.over):
            self.before = self.content.image()
        return self.before


def test_a_guess_that_does_nothing_for_long_has_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(window_target, "SILENT_S", 3.0)
    window, told = Silent(session(seed=3)), Told()
    target = unknown_target(screen_with(window), told)
    guess_a_mine(target, window.content)
    clicked = time.perf_counter()
    assert target.observe().phase is Phase.LOST
    assert time.perf_counter() - clicked > 2.5


@dataclass
class OpenAtFirst(Silent):
    """Has an open cell at the beginning, and draws the one that a guess has opened like that; no other cell
    changes."""

    opened: Coordinate | None = None

    def image(self) -> Image:
        picture = super().image().copy()
        for cell in ((8, 8), self.opened):
            if cell is not None:
                place = self.content.layout.cell(*cell)
                picture[place.y : place.bottom, place.x : place.right] = (225, 215, 205)
        shown: Image = picture
        return shown


def test_a_guess_that_shows_what_was_there_at_first_has_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page deals a board with one empty cell open, which was taken for a covered one; clicks on the next
    such cell did nothing, and the game was told as lost."""
    window = OpenAtFirst(session(seed=3))
    target = unknown_target(screen_with(Silent(session(seed=3))), Told())
    target.observe()
    monkeypatch.setattr(target, "_began", window.image())
    monkeypatch.setattr(target.observer, "grab", lambda: window.image())
    assert not target._shows_what_was_there((0, 7)), "it has not changed"
    window.opened = (0, 7)
    assert target._shows_what_was_there((0, 7))
    monkeypatch.setattr(target, "_began", Silent(session(seed=3)).image())
    assert not target._shows_what_was_there((0, 7)), "nothing looked so"


def test_such_a_guess_ends_the_run_with_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(window_target, "SILENT_S", 3.0)
    monkeypatch.setattr(window_target.WindowTarget, "_shows_what_was_there", lambda *_: True)
    window, told = Silent(session(seed=3)), Told()
    target = unknown_target(screen_with(window), told)
    guess_a_mine(target, window.content)
    with pytest.raises(WindowError):
        target.observe()
