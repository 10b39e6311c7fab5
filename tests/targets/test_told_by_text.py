"""The end of a game that no theme knows, told by a text in its window alone."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest
from misbehaving import Wrapped
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont
from playing import Told, guess_a_mine, screen_with, session, unknown_target

from bot.board import Action, Move, Phase
from bot.practice.session import PracticeSession
from bot.vision.grid import Image

BELOW = 60
"""Height of the place for the text, in pixels."""


@dataclass
class Says(Wrapped):
    """Shows the board as it was before the end, and below it a text: `always` one, and another one once the
    game is lost."""

    content: PracticeSession
    lost: str = ""
    always: str = ""
    last: Image | None = field(default=None, init=False)
    _before: Image | None = field(default=None, init=False)
    """Before the last button was pressed: what is pressed looks opened."""

    def press(self, x: int, y: int, button: int) -> None:
        self._before = self.content.image().copy()
        super().press(x, y, button)

    def release(self, x: int, y: int, button: int) -> None:
        super().release(x, y, button)
        if self.content.game.phase.over and self.last is None:
            self.last = self._before

    def image(self) -> Image:
        shown = self.content.image() if self.last is None else self.last
        text = self.always if self.last is None else self.lost
        strip = Pillow.new("RGB", (shown.shape[1], BELOW), (236, 236, 236))
        ImageDraw.Draw(strip).text((20, 18), text, (10, 10, 10), ImageFont.load_default(18))
        return np.concatenate([shown, np.asarray(strip)[..., ::-1]])


def lost_with(text: str, always: str = "") -> tuple[Phase | None, str]:
    """How a game is told to have ended by what its window says, and by which sign."""
    window, told = Says(session(seed=2), lost=text, always=always), Told()
    target = unknown_target(screen_with(window), told)
    guess_a_mine(target, window.content)
    assert window.content.game.phase is Phase.LOST
    phase = target.observe().phase
    assert target._unknown_end is not None
    return phase, target._unknown_end.sign


@pytest.mark.parametrize("text", ["Game over", "You lost!"])
def test_a_text_tells_that_a_guess_has_lost(text: str) -> None:
    assert lost_with(text) == (Phase.LOST, "a text in the window")


@pytest.mark.slow
def test_a_text_that_was_there_before_tells_nothing() -> None:
    assert lost_with("Game over", always="Game over") == (Phase.LOST, "clicks that do nothing any more")


def test_a_text_of_a_game_before_tells_nothing_of_the_next_one() -> None:
    window, told = Says(session(seed=2), lost="Game over"), Told()
    target = unknown_target(screen_with(window), told)
    guess_a_mine(target, window.content)
    target.observe()
    target.begin_game()
    assert target._told_by_text() is False, "nothing has been clicked in it"
    assert target._clicked is None


def test_what_was_certain_has_not_lost_whatever_a_text_says() -> None:
    window, told = Says(session(seed=2)), Told()
    target = unknown_target(screen_with(window), told)
    target.observe()
    target.act([Move(Action.OPEN, 4, 4)])
    assert target.observe().phase is Phase.PLAYING
    window.always = "Game over"
    assert target._told_by_text() is False
