"""Playing on where an opened cell shows a number that is not known yet."""

from __future__ import annotations

from dataclasses import dataclass

from bot.board import Cell, Observation
from bot.strategy.base import Decision, StandsFor
from bot.strategy.exact import Exact


@dataclass(frozen=True)
class Partial(StandsFor):
    """Plays as another strategy; on a board with unread cells as `exact`, which opens none of them.

    The observation says of such cells, by its constraints, that they hold no mine.
    """

    def decide(self, observation: Observation, turn: int) -> Decision:
        """Say what to open. Raises ContradictionError where the board cannot be."""
        player = Exact() if observation.board.count(Cell.UNREAD) else self.inner
        return player.decide(observation, turn)
