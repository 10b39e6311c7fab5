"""All that can be said about a position: certain cells, chances, dead cells, how many solutions.

It is for one position at a time, in Python's words; games use the compiled parts directly.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bot.board import Board, Cell, Constraint, Coordinate, Rules
from bot.errors import ContradictionError, UsageError
from bot.solver.constraints.packing import MOST_STATES
from bot.solver.constraints.system import System, settle_groups
from bot.solver.position.board_system import Position, system_of, take_up
from bot.solver.position.contradiction import Core, smallest_contradiction
from bot.solver.position.dead_cells import dead_cells
from bot.solver.probability.solution_count import count_solutions

MOST_EDGES = 200_000
"""Steps of the walk up to which the solutions are counted as a whole number, in some tenths of a second."""


class Contradiction(ContradictionError):
    """The board or the constraints cannot be; its text names what contradicts."""

    def __init__(self, text: str, numbers: tuple[Coordinate, ...], total: bool) -> None:
        super().__init__(text)
        self.numbers = numbers
        """The numbers of the board that cannot all be right, row by row: none of them can be left out, unless
        they are so many that it would take too long to tell."""
        self.total = total
        """Whether the mine total is among what contradicts."""

    def __reduce__(self) -> tuple[type[Contradiction], tuple[str, tuple[Coordinate, ...], bool]]:
        """Pickled by its text alone, as others are, it could not be made again: a pool of processes waits for
        ever for a result that it cannot read."""
        return type(self), (str(self), self.numbers, self.total)


@dataclass(frozen=True, eq=False)
class Solved:
    """What follows from a position. Cells come row by row."""

    safe: tuple[Coordinate, ...]
    """Cells that are a mine in no solution."""
    mines: tuple[Coordinate, ...]
    """Cells that are a mine in every solution."""
    chance: Mapping[Coordinate, float]
    """The chance of a mine in each unknown cell: 0.0 and 1.0 exactly for the certain ones, and only for
    them. Every solution is equally likely; with no mine total, each mine makes one four times less so."""
    dead: tuple[Coordinate, ...]
    """Cells that teach nothing: one that is safe shows the same number in every solution in which it is.
    Known for boards only."""
    solutions: int | None
    """How many layouts of mines there are; None where the exact number would take too long."""
    log10_solutions: float | None
    """Its logarithm; None where a component was too large, or where neither it nor the mine total is
    known."""
    approximate: bool
    """Whether a component had more states than the limit. Then its chances, and those of the cells beside no
    number, are estimates; what is called certain is certain all the same."""

    def grid(self, rows: int, columns: int) -> npt.NDArray[np.float64]:
        """The chances as an array of shape (rows, columns), NaN where there is none."""
        chances = np.full((rows, columns), np.nan)
        for cell, chance in self.chance.items():
            chances[cell] = chance
        return chances


def solve_board(
    board: Board,
    rules: Rules,
    constraints: Sequence[Constraint] = (),
    states: int = MOST_STATES,
    *,
    dead: bool = True,
) -> Solved:
    """Solve a board under its mine total, where `rules` know it, and further constraints.

    Flags and question marks are not trusted: they are covered cells like others, and so are cells that
    could not be read. Mines that the board shows are known mines. Up to `states` partial solutions are
    kept; a component that needs more is estimated. Without `dead`, which takes the most time, dead cells are
    not looked for. Raises Contradiction where no layout of mines fits.
    """
    position = take_up(board, rules.mines, constraints)
    solved = _solve(position.cells, position.system, states, board if dead else None)
    if isinstance(solved, Core):
        raise _contradiction(board, rules, solved, position)
    return solved


def solve_constraints(
    cells: Iterable[Coordinate],
    constraints: Sequence[Constraint],
    mines: int | None = None,
    states: int = MOST_STATES,
) -> Solved:
    """Solve any constraints over `cells`, with no board: `mines` is the total of them all, if known.

    Raises UsageError for a constraint on other cells, and Contradiction where nothing fits.
    """
    places = sorted(set(cells))
    known = set(places)
    for constraint in constraints:
        if not constraint.cells <= known:
            raise UsageError(f"{_named(constraint)} names cells that are not among those to solve")
    solved = _solve(places, system_of(places, constraints, mines), states)
    if isinstance(solved, Core):
        names = [_named(constraints[index]) for index in solved.groups]
        if solved.total:
            names.append(f"a total of {mines}")
        raise Contradiction(_cannot(names), (), solved.total)
    return solved


def _solve(
    cells: Sequence[Coordinate], system: System, states: int, board: Board | None = None
) -> Solved | Core:
    settled = settle_groups(system)
    counted = None if settled is None else count_solutions(settled.rest, states)
    if settled is None or counted is None:
        # What few states do not tell, as many tell as it was counted with.
        core = smallest_contradiction(system) or smallest_contradiction(system, states)
        return core or Core(tuple(range(len(system.groups))), system.mines is not None)
    chance = {index: float(mine) for index, mine in settled.value.items()}
    chance.update(zip(settled.cells, counted.chance, strict=True))
    solutions = counted.whole_number(MOST_EDGES)
    log10: float | None = None
    if solutions is not None:
        log10 = math.log10(solutions)
    elif not counted.limited and system.mines is not None:
        log10 = counted.log_solutions / math.log(10)
    return Solved(
        safe=tuple(cell for index, cell in enumerate(cells) if chance[index] == 0.0),
        mines=tuple(cell for index, cell in enumerate(cells) if chance[index] == 1.0),
        chance={cell: chance[index] for index, cell in enumerate(cells)},
        dead=() if board is None or counted.limited else dead_cells(board, cells, settled, counted),
        solutions=solutions,
        log10_solutions=log10,
        approximate=counted.limited,
    )


def _contradiction(board: Board, rules: Rules, core: Core, position: Position) -> Contradiction:
    numbers, facts = position.numbers, position.facts
    wrong = tuple(numbers[index] for index in core.groups if index < len(numbers))
    names = [f"the {board[cell]} at row {cell[0]}, column {cell[1]}" for cell in wrong]
    names += [_named(facts[index]) for index in core.groups if index >= len(numbers)]
    if not core.smallest:
        names = [f"the {len(names)} numbers"] if len(names) == len(wrong) else [f"{len(names)} constraints"]
    if core.total:
        if not names:
            covered = board.count(Cell.COVERED, Cell.FLAG, Cell.QUESTION, Cell.UNREAD)
            shown = board.count(Cell.MINE, Cell.EXPLODED)
            text = f"{rules.mines} mines cannot be where {shown} are shown and {covered} cells are covered"
            return Contradiction(f"{text}: give another mine total", (), True)
        names.append(f"a total of {rules.mines} mines")
    suspect = "the board or its total" if core.total else "the board"
    cannot = _cannot(names) if core.smallest or core.total else f"{names[0]} cannot all be right"
    return Contradiction(f"{cannot}: {suspect} was misread or mistyped", wrong, core.total)


def _cannot(names: Sequence[str]) -> str:
    if len(names) == 1:
        return f"{names[0]} cannot be"
    listed = [*names[:7], f"{len(names) - 7} more"] if len(names) > 8 else list(names)
    return f"{', '.join(listed[:-1])} and {listed[-1]} cannot all be right"


def _named(constraint: Constraint) -> str:
    cells = " ".join(f"{row},{column}" for row, column in sorted(constraint.cells)[:9])
    more = " …" if len(constraint.cells) > 9 else ""
    return f"the constraint of {constraint.mines} mines in {cells}{more}"
