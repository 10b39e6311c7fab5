"""A target in this process: a game whose board is handed over with no pixels between."""

from __future__ import annotations

from collections.abc import Sequence

from bot.board import Move, Observation
from bot.errors import ContradictionError
from bot.game.game import Game
from bot.targets.base import Target


class InProcessTarget(Target):
    """Plays a `Game`. What it shows is the board alone: where the mines are stays with the game."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def observe(self) -> Observation:
        """The board as it is; nothing can go wrong with it."""
        return self.game.observation

    def act(self, moves: Sequence[Move]) -> int:
        """Make the moves, all of them, in order; those after the end of the game change nothing."""
        for move in moves:
            self.game.act(move)
        return len(moves)

    def reject(self, reason: str) -> None:
        """Raises ContradictionError: this board was never misread, so whoever says so is wrong."""
        raise ContradictionError(f"a game in memory was called impossible: {reason}")

    def new_game(self) -> None:
        """Start a game of the same rules with a chance layout."""
        self.game = self.game.again()
