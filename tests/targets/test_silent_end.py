"""Clicks that do nothing: the game may be over and show nothing of it, or its window stands still."""

from __future__ import annotations

import time
from dataclasses import dataclass

import pytest
from misbehaving import Late, Wrapped
from playing import INTERVAL_S, Told, no_record, screen_with, session

from bot.board import Action, Cell, Move, Phase
from bot.practice.session import PracticeSession
from bot.screen.virtual import Content
from bot.session import Play, run_games
from bot.strategy.registry import strategy
from bot.targets.window import WindowTarget, window_target
from bot.targets.window.act.pointer import Pointer
from bot.targets.window.locate.unknown_boards import look_for_unknown
from bot.vision.grid import Image


def target_of(window: Content, told: Told) -> WindowTarget:
    screen = screen_with(window)
    (sighting,) = look_for_unknown(screen, screen)
    return WindowTarget(sighting, screen, screen, Pointer(screen, INTERVAL_S), tell=told.texts.append)


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
    (line,) = run_games(target_of(window, told), strategy("best"), Play(), no_record, told)
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
    target = target_of(window, told)
    target.observe()
    target.act([Move(Action.OPEN, 4, 4)])
    target.observe()
    truth = window.content.game.truth_for_simulators
    assert truth is not None
    mine = next(cell for cell in target.observe().board.where(Cell.COVERED) if truth.mines[cell])
    target.act([Move(Action.OPEN, *mine)], certain=False)
    clicked = time.perf_counter()
    assert target.observe().phase is Phase.LOST
    assert time.perf_counter() - clicked > 2.5
