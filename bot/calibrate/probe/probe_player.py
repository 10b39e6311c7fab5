"""Plays throw-away games with what is known so far: certain cells first, else the least risk."""

from __future__ import annotations

from bot.board import Board, Cell, Constraint, Coordinate, Rules
from bot.calibrate.infer.cell_clusters import Mask, cells_in
from bot.calibrate.infer.knowledge import Knowledge
from bot.errors import ContradictionError
from bot.solver.position.solve import Solved, solve_board
from bot.vision.grid import Image

MAX_STATES = 4000
"""Partial solutions that the solver keeps: throw-away games need no exact chances."""


def warm_up() -> None:
    """Have the solver compiled before a window waits for it."""
    solved(Board.parse("1###\n####\n###1\n####"), Rules(4, 4, 3))


def solved(board: Board, rules: Rules) -> Solved | None:
    """What follows from a board whose unread cells are opened, so no mines; None if it is impossible."""
    safe = [Constraint(frozenset([cell]), 0) for cell in board.where(Cell.UNREAD)]
    try:
        return solve_board(board, rules, safe, MAX_STATES, dead=False)
    except ContradictionError:
        return None


class ProbePlayer:
    """Chooses cells for a throw-away game. One for each game."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._safe: list[Coordinate] = []
        self.last: Coordinate | None = None
        """The cell that was chosen last."""
        self.last_certain = False
        """Whether logic called that cell safe."""
        self.done = False
        """Whether no cell is left that could be opened: those that are covered are mines."""

    def choose(self, frame: Image, covered: Mask) -> Coordinate | None:
        """The next cell, of those that are covered; None where only mines are left."""
        self._safe = [cell for cell in self._safe if covered[cell]]
        guess: Coordinate | None = None
        if not self._safe and (places := cells_in(covered)):
            found = solved(self._knowledge.board(frame), self._knowledge.rules)
            if found is None:
                guess = places[len(places) // 2]
            else:
                self._safe = [cell for cell in found.safe if covered[cell]]
                risks = {cell: found.chance.get(cell, 1.0) for cell in places}
                best = min(places, key=lambda cell: risks[cell])
                guess = best if risks[best] < 1.0 else None
        if not self._safe and guess is None:
            self.done = True
            return None
        self.last_certain = bool(self._safe)
        self.last = self._safe.pop(0) if self._safe else guess
        return self.last
