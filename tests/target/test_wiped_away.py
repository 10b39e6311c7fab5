"""A game whose end wipes the numbers away at once with the last cells: a page's, on the virtual screen."""

from __future__ import annotations

import numpy as np
import pytest
from meadow import google, meadow
from playing import run, screen_with

from bot.board import Board, Cell, FirstClick, Phase, Result, Rules
from bot.game.game import Game
from bot.vision.grid import Image

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


@pytest.mark.timeout(60)  # what takes it for another game waits for that one's end
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_it_is_won_and_no_other_game(seed: int) -> None:
    content = Wiping(seed)
    told = run(screen_with(content), google())
    outcome = told.lines[0].outcome
    assert outcome is (Result.WON if content.game.phase is Phase.WON else Result.LOST), told.lines[0].reason
