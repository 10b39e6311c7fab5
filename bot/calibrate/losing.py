"""Loses a game on purpose, to see how the window shows it."""

from __future__ import annotations

from dataclasses import dataclass

from bot.board import Action, Cell, Move, Observation
from bot.strategy.base import Decision, Kind, StandsFor


@dataclass(frozen=True)
class LosesOnPurpose(StandsFor):
    """Plays as another strategy until a mine is certain, and opens that."""

    wrong_flag: bool = False
    """Whether to flag a cell that is safe before, to see how that is drawn."""

    def decide(self, observation: Observation, turn: int) -> Decision:
        """Say what to open. Raises ContradictionError where the board cannot be."""
        found = self.inner.decide(observation, turn)
        mines = [cell for cell in found.mines if observation.board[cell] == Cell.COVERED]
        safe = [cell for cell in found.safe if observation.board[cell] == Cell.COVERED]
        if not mines or observation.early:
            return found
        if self.wrong_flag and not observation.board.count(Cell.FLAG):
            if found.kind is not Kind.CERTAIN or not safe:
                return found
            return Decision(Kind.HINT, "a wrong flag", ask=Move(Action.FLAG, *safe[0]))
        return Decision(Kind.GUESS, "lost on purpose", safe=(mines[0],), survival=0.0)
