"""The last guess of a game that no theme knows hits a mine that is never read, or read as a flag."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest
from misbehaving import Wrapped, glyph
from playing import Told, guess_a_mine, screen_with, session, unknown_target

from bot.board import Action, Board, Cell, Move, Phase, Result
from bot.game_loop import play
from bot.practice.session import PracticeSession
from bot.strategy.partial import Partial
from bot.strategy.registry import strategy
from bot.targets.window.track.unknown_end import UnknownGameEnd
from bot.vision.grid import Image

pytestmark = pytest.mark.slow


@dataclass
class Pulsing(Wrapped):
    """Shows of a lost game only the mine that was hit, which never looks the same twice."""

    content: PracticeSession
    before: Image | None = None
    noise: np.random.Generator = field(default_factory=lambda: np.random.default_rng(1))

    def image(self) -> Image:
        if self.before is None or not self.content.game.phase.over:
            self.before = self.content.image()
            return self.before
        picture: Image = self.before.copy()
        ((row, column),) = self.content.game.board.where(Cell.EXPLODED)
        hit = self.content.layout.cell(row, column)
        inside = picture[hit.y : hit.bottom, hit.x : hit.right]
        inside[:] = self.noise.integers(0, 255, inside.shape, np.uint8)
        return picture


def test_a_game_is_not_won_while_the_cell_that_was_guessed_cannot_be_read() -> None:
    """One safe cell is left: as many cells look covered as there are mines, as at the end of a won game."""
    window = Pulsing(session(seed=3))
    target = unknown_target(screen_with(window), Told())
    target.observe()
    target.act([Move(Action.OPEN, 4, 4)])
    truth = window.content.game.truth_for_simulators
    assert truth is not None
    covered = target.observe().board.where(Cell.COVERED)
    safe = [cell for cell in covered if not truth.mines[cell]]
    for cell in safe[1:]:
        if target.observe().board[cell] == Cell.COVERED:
            target.act([Move(Action.OPEN, *cell)])
    board = target.observe().board
    assert board.count(Cell.COVERED) == 11
    target._observer.take_wins("opened")
    mine = next(cell for cell in covered if truth.mines[cell])
    target.act([Move(Action.OPEN, *mine)], certain=False)
    assert target.observe().phase is not Phase.WON
    report = play(target, Partial(strategy("best")))
    assert report.outcome.result is Result.LOST


@dataclass
class ShowsFlags(Wrapped):
    """Shows all of a lost game, with mines that look like flags."""

    content: PracticeSession

    def image(self) -> Image:
        picture: Image = self.content.image().copy()
        game = self.content.game
        truth = game.truth_for_simulators
        if game.phase is not Phase.LOST or truth is None:
            return picture
        for row, column in np.ndindex(truth.mines.shape):
            mines = sum(bool(truth.mines[near]) for near in game.board.neighbours(row, column))
            place = self.content.layout.cell(row, column)
            drawn = glyph(Cell.FLAG if truth.mines[row, column] else mines, place.width)
            picture[place.y : place.bottom, place.x : place.right] = drawn
        return picture


def test_a_lost_game_whose_mines_look_like_flags_is_not_won() -> None:
    """xbomb shows all of its board then, so that nothing was left to open and the game was told as won."""
    window = ShowsFlags(session(seed=3))
    target = unknown_target(screen_with(window), Told())
    guess_a_mine(target, window.content)
    assert play(target, strategy("best")).outcome.result is Result.LOST
    assert window.content.game.phase is Phase.LOST


def test_what_was_guessed_and_is_unread_leaves_the_game_open() -> None:
    for text, certain, is_open in (
        ("!#\n11", False, True),
        ("!#\n11", True, False),
        ("F#\n11", False, True),
        ("1#\n11", False, False),
    ):
        end = UnknownGameEnd()
        end.acted([(0, 0)], certain=certain)
        assert end.is_open(Board.parse(text)) is is_open
