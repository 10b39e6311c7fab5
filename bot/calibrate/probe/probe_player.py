"""Plays throw-away games with what is known so far: certain cells first, else the least risk."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from bot.board import Board, Cell, Constraint, Coordinate, Rules
from bot.calibrate.infer.cell_clusters import CellClusters
from bot.calibrate.probe.throwaway_games import Mask
from bot.errors import ContradictionError
from bot.solver.solve import Solved, solve_board
from bot.vision.grid import Image

STATES = 4000
"""Partial solutions that the solver keeps: throw-away games need no exact chances."""


@dataclass
class KnownLabels:
    """What looks mean, as far as that is known: codes of `Cell`."""

    codes: dict[int, int] = field(default_factory=dict)
    seen: dict[int, int] = field(default_factory=dict)
    """How many cells of each look bear witness."""

    def board(self, looks: CellClusters, frame: Image) -> Board:
        """What a picture shows; cells of unknown looks are UNREAD."""
        maps = looks.of(frame)
        known = np.full(max(len(looks), 1), int(Cell.UNREAD), np.int8)
        for look, code in self.codes.items():
            known[look] = code
        return Board(known[maps])


def unknown_are_safe(board: Board) -> list[Constraint]:
    """Cells that could not be read are opened ones with a number that is not known yet: no mines."""
    return [Constraint(frozenset([cell]), 0) for cell in board.where(Cell.UNREAD)]


def warm_up() -> None:
    """Have the solver compiled before a window waits for it."""
    solved(Board.parse("1###\n####\n###1\n####"), Rules(4, 4, 3))


def solved(board: Board, rules: Rules) -> Solved | None:
    """What follows from a board, its unread cells taken for opened ones; None where it cannot be."""
    try:
        return solve_board(board, rules, unknown_are_safe(board), STATES, dead=False)
    except ContradictionError:
        return None


class ProbePlayer:
    """Chooses cells for a throw-away game. One for each game."""

    def __init__(self, looks: CellClusters, meanings: KnownLabels, rules: Rules) -> None:
        self._looks = looks
        self._meanings = meanings
        self._rules = rules
        self._queue: list[Coordinate] = []
        self.certain: list[Coordinate] = []
        """Cells that were clicked because logic called them safe."""
        self.guesses = 0
        self.last: Coordinate | None = None
        self.last_certain = False
        self.impossible = 0
        """Boards that could not be, as far as the labels go."""
        self.done = False
        """Whether no cell is left that could be opened: those that are covered are mines."""

    def choose(self, frame: Image, hidden: Mask) -> Coordinate | None:
        """The next cell; None where only mines are left."""
        self._queue = [cell for cell in self._queue if hidden[cell]]
        if self._queue:
            return self._take(certain=True)
        places = [(int(r), int(c)) for r, c in np.argwhere(hidden)]
        if not places:
            self.done = True
            return None
        found = solved(self._meanings.board(self._looks, frame), self._rules)
        if found is None:
            self.impossible += 1
            self._queue = [places[len(places) // 2]]
            return self._take(certain=False)
        self._queue = [cell for cell in found.safe if hidden[cell]]
        if self._queue:
            return self._take(certain=True)
        risks = {cell: found.chance.get(cell, 1.0) for cell in places}
        best = min(risks, key=lambda cell: risks[cell])
        if risks[best] >= 1.0:
            self.done = True
            return None
        self._queue = [best]
        return self._take(certain=False)

    def _take(self, *, certain: bool) -> Coordinate:
        self.last, self.last_certain = self._queue.pop(0), certain
        if certain:
            self.certain.append(self.last)
        else:
            self.guesses += 1
        return self.last
