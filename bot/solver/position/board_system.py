"""Taking up a board as a system: its covered cells numbered, and every number a constraint over them."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np

from bot.board import Board, Cell, Constraint, Coordinate
from bot.solver.constraints.system import Group, System


@dataclass(frozen=True)
class Position:
    """A board as a system."""

    cells: tuple[Coordinate, ...]
    """The unknown cells, row by row, as `system` numbers them."""
    numbers: tuple[Coordinate, ...]
    """The cells that show a number, row by row."""
    facts: tuple[Constraint, ...]
    """What they say, in that order, and then the further constraints: the groups of `system`."""
    system: System


def take_up(board: Board, mines: int | None, constraints: Sequence[Constraint] = ()) -> Position:
    """A board with so many mines in all (None: unknown), and further constraints.

    Flags and question marks are not trusted: they are unknown like covered cells, and so are cells that could
    not be read. Mines that the board shows are known mines.
    """
    cells = tuple(board.where(Cell.COVERED, Cell.FLAG, Cell.QUESTION, Cell.UNREAD))
    shown = frozenset(board.where(Cell.MINE, Cell.EXPLODED))
    numbers = tuple((int(r), int(c)) for r, c in np.argwhere(board.codes <= 8))
    facts = (
        *(Constraint(frozenset(board.neighbours(*cell)), board[cell]) for cell in numbers),
        *constraints,
    )
    left = None if mines is None else mines - len(shown)
    return Position(cells, numbers, facts, system_of(cells, facts, left, shown))


def system_of(
    cells: Sequence[Coordinate],
    facts: Sequence[Constraint],
    mines: int | None,
    shown: AbstractSet[Coordinate] = frozenset(),
) -> System:
    """Constraints over `cells` and over `shown` mines, without the mines; `mines` are in the cells."""
    number = {cell: index for index, cell in enumerate(cells)}
    groups = (
        Group(
            tuple(sorted(number[cell] for cell in fact.cells & number.keys())),
            fact.mines - len(fact.cells & shown),
        )
        for fact in facts
    )
    return System(len(cells), tuple(groups), mines)
