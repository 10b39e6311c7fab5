"""A game whose end wipes the numbers away at once with the last cells: a page's, on the virtual screen."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import numpy as np
import pytest
from meadow import meadow
from misbehaving import Plain, window_of
from playing import Moving, no_record, run, screen_with, target_on

from bot.board import Board, Cell, FirstClick, Phase, Result, Rules
from bot.game.game import Game
from bot.geometry import Point, Rect
from bot.screen.virtual import VirtualScreen, VirtualWindow
from bot.session import Play, run_games
from bot.strategy.registry import strategy
from bot.vision.grid import Image
from bot.vision.themes.theme import load_theme

pytestmark = pytest.mark.slow

PIXELS = 30
"""Of a cell."""


class Wiping:
    """Shows no number any more once the game is won."""

    def __init__(self, seed: int) -> None:
        self.game = Game(Rules(10, 8, 10, FirstClick.ZERO), seed)
        self._drawn: tuple[Board, Image] | None = None

    def image(self) -> Image:
        board = self.game.board
        if self.game.phase is Phase.WON:
            codes = np.where(board.codes <= 8, np.int8(Cell.EMPTY), np.int8(Cell.COVERED))
            board = Board(codes)
        if self._drawn is None or self._drawn[0] != board:
            self._drawn = board, meadow(board, PIXELS)[0]
        return self._drawn[1]

    def press(self, x: int, y: int, button: int) -> None:
        pass

    def release(self, x: int, y: int, button: int) -> None:
        rect = meadow(Board.covered(10, 8), PIXELS)[1].rect
        if rect.x <= x < rect.right and rect.y <= y < rect.bottom:
            self.game.open((y - rect.y) // PIXELS, (x - rect.x) // PIXELS)

    def move(self, x: int, y: int) -> None:
        pass

    def key(self, name: str) -> None:
        pass


class Hiding(Wiping):
    """Hides its board under water or in the dark, behind a button for another game, once it is over."""

    button = meadow(Board.covered(10, 8), PIXELS)[1].rect
    button = Rect(button.x + 70, button.y + 120, 160, 36)

    def image(self) -> Image:
        if not self.game.phase.over:
            return super().image()
        picture, grid = meadow(Board.covered(10, 8), PIXELS)
        rect = grid.rect
        colour = (249, 193, 77) if self.game.phase is Phase.WON else (20, 40, 30)
        picture[rect.y : rect.bottom, rect.x : rect.right] = colour
        box = self.button
        picture[box.y : box.bottom, box.x : box.right] = (44, 117, 74)
        return picture

    def release(self, x: int, y: int, button: int) -> None:
        if not self.game.phase.over:
            super().release(x, y, button)
        elif self.button.contains(Point(x, y)):
            self.game = self.game.again()


def test_a_window_that_moves_while_its_board_is_hidden_is_found_by_its_frame() -> None:
    theme, backdrop, screen = load_theme("google"), Plain(1280, 1024), VirtualScreen()
    assert theme.behaviour.ending is not None
    soon = msgspec.structs.replace(theme.behaviour.ending, within_s=6.0)
    theme = replace(theme, behaviour=replace(theme.behaviour, ending=soon))

    screen.open(VirtualWindow(backdrop, "the desktop", Point(0, 0)))
    told = Moving(window=screen.open(window_of(Hiding(2))), across=Point(600, 300))
    target = target_on(screen, theme, told, look_limit_s=4.0)
    run_games(target, strategy("best"), Play(games=2), no_record, told)
    assert [line.outcome in (Result.WON, Result.LOST) for line in told.lines] == [True] * 2, told.lines
    assert backdrop.clicks == 0


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_it_is_won_and_no_other_game(seed: int) -> None:
    content = Wiping(seed)
    told = run(screen_with(content), load_theme("google"))
    outcome = told.lines[0].outcome
    assert outcome is (Result.WON if content.game.phase is Phase.WON else Result.LOST), told.lines[0].reason
