"""`local`: the player of endoh1's "semi-automatic Minesweeper" (IOCCC 2020), which never guesses."""

from __future__ import annotations

from dataclasses import dataclass

from bot.board import Board, Coordinate, Observation, Rules
from bot.solver.deduction.ladder import Rung, deduce
from bot.strategy.base import Decision
from bot.strategy.certain import nothing, open_safe
from bot.strategy.first_click import corner_click, untouched

LOCAL_RUNGS = Rung.SINGLE | Rung.PAIR | Rung.TOTAL
"""Its four rules as the one rule for two numbers that they are, of which the rule for a single number is
the case of no second one; and the rule of the total."""


def settle(board: Board) -> tuple[tuple[Coordinate, ...], tuple[Coordinate, ...]]:
    """The safe cells and the mines that the rule for two numbers settles, each row by row, without the total.

    Raises ContradictionError where the board cannot be.
    """
    deduction = deduce(board, Rules(board.columns, board.rows), Rung.SINGLE | Rung.PAIR)
    return deduction.safe, deduction.mines


@dataclass(frozen=True)
class Local:
    """Opens all that its rules call safe, and else has no move.

    Only an untouched board gets a click that is not certain, in the top left corner: it is a guess where
    the game does not protect it. The further constraints of an observation are not used.
    """

    name: str = "local"
    version: int = 1

    def decide(self, observation: Observation, turn: int) -> Decision:
        """Open what is safe, or nothing. Raises ContradictionError where the board cannot be."""
        deduction = deduce(observation.board, observation.rules, LOCAL_RUNGS)
        if deduction.safe:
            return open_safe(deduction)
        if untouched(observation.board):
            return corner_click(observation, deduction) or nothing(deduction)
        return nothing(deduction)
