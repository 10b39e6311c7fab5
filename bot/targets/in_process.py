"""A target in this process: a game whose board is passed on directly, without pixels."""

from __future__ import annotations

from collections.abc import Sequence

from bot.board import Coordinate, Move, Observation
from bot.errors import ContradictionError
from bot.game.game import Game
from bot.targets.base import Target, Wanted


class InProcessTarget(Target):
    """Plays a `Game`. Only the board is passed on; the positions of the mines stay with the game."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def observe(self, wanted: Wanted | None = None) -> Observation:
        """The current board, at once; it has no faults."""
        return self.game.observation

    def act(self, moves: Sequence[Move], *, certain: bool = True) -> int:
        """Make all moves in order; moves after the end of the game change nothing."""
        for move in moves:
            self.game.act(move)
        return len(moves)

    def reject(self, reason: str) -> None:
        """Raises ContradictionError: a board in memory is never misread, so the fault is the caller's."""
        raise ContradictionError(f"a game in memory was called impossible: {reason}")

    def complete(self, mines: Sequence[Coordinate]) -> bool:
        """Nothing: a game in memory ends by itself."""
        return False

    def new_game(self) -> None:
        """Start a game with the same rules and a random layout."""
        self.game = self.game.again()
