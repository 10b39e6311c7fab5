"""The end of a game that no theme knows, told by a window that its program opens over a part of the board."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from misbehaving import Wrapped, window_of
from playing import Told, guess_a_mine, session, unknown_target

from bot.board import Phase
from bot.geometry import Point, Rect
from bot.practice.session import PracticeSession
from bot.screen.virtual import VirtualScreen, VirtualWindow
from bot.screen.windows import Window
from bot.targets.window.observe.own_windows import end_told_by
from bot.vision.grid import Image


@pytest.mark.parametrize(
    ("title", "phase"),
    [
        ("Parabéns", Phase.WON),
        ("You win!", Phase.WON),
        ("Gratulation", Phase.WON),
        ("Поздравляем!", Phase.WON),
        ("Вы проиграли", Phase.LOST),
        ("BOOM", Phase.LOST),
        ("Perdu", Phase.LOST),
        ("Game Over", None),
        ("Window", None),
        ("You lost, she won", None),
        ("", None),
    ],
)
def test_titles_tell_how_a_game_ended(title: str, phase: Phase | None) -> None:
    assert end_told_by([Window(1, title, Rect(0, 0, 9, 9))]) is phase


class Message:
    """A message over three cells in the middle of the board."""

    def image(self) -> Image:
        return np.full((40, 50, 3), 235, np.uint8)

    def press(self, x: int, y: int, button: int) -> None:
        """It takes the clicks that fall on it."""

    release = press

    def move(self, x: int, y: int) -> None:
        """The pointer does nothing to it."""

    def key(self, name: str) -> None:
        """It stays."""


@dataclass
class Tells(Wrapped):
    """Opens a message at the end of a game, and shows it in no other way."""

    content: PracticeSession
    screen: VirtualScreen
    title: str
    is_told: bool = False

    def release(self, x: int, y: int, button: int) -> None:
        was = self.content.image().copy()
        super().release(x, y, button)
        if self.content.game.phase.over and not self.is_told:
            self.is_told, self.last = True, was
            self.screen.open(VirtualWindow(Message(), self.title, Point(120, 170), program="practice"))

    def image(self) -> Image:
        return self.last if self.is_told else self.content.image()


@pytest.mark.parametrize(("title", "phase"), [("Congratulations", Phase.WON), ("Mines", Phase.LOST)])
def test_a_message_over_a_few_cells_tells_the_end(title: str, phase: Phase) -> None:
    """A game in Java was played on under its message, and told as lost, though it said Congratulations."""
    screen, told = VirtualScreen(), Told()
    window = Tells(session(seed=3), screen, title)
    screen.open(window_of(window))
    target = unknown_target(screen, told)
    guess_a_mine(target, window.content)
    assert window.is_told
    assert target.observe().phase is phase
