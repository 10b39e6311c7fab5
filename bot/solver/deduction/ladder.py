"""What follows from a board by rules that a person could follow, each named by its rung of the ladder."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntFlag

import numpy as np
import numpy.typing as npt

from bot.board import Board, Coordinate, Rules
from bot.errors import ContradictionError
from bot.solver.deduction import compiled_ladder
from bot.solver.deduction.compiled_board import MINE, SAFE, UNKNOWN, new_board
from bot.solver.jit import compiler


class Rung(IntFlag):
    """The rules, from the easiest to the hardest; a sum of them is a ladder to climb."""

    SINGLE = compiled_ladder.RUNG_SINGLE
    """A number with no mines missing, or with as many missing as it has unknown cells."""
    PAIR = compiled_ladder.RUNG_PAIR
    """Two numbers that share cells, one of which needs all the cells that the other does not touch."""
    TOTAL = compiled_ladder.RUNG_TOTAL
    """As many covered cells left as mines: all are mines. No mines left: all are safe."""
    CONTRADICTION = compiled_ladder.RUNG_CONTRADICTION
    """A cell supposed a mine, then supposed safe: in one of the worlds a number cannot be."""

    @property
    def title(self) -> str:
        """How a decision names it."""
        return _TITLES[self]


_TITLES = {
    Rung.SINGLE: "single number",
    Rung.PAIR: "pair",
    Rung.TOTAL: "mine total",
    Rung.CONTRADICTION: "contradiction",
}


@dataclass(frozen=True, eq=False)
class Deduction:
    """What is certain on a board."""

    safe: tuple[Coordinate, ...]
    """Covered and flagged cells without a mine, row by row."""
    mines: tuple[Coordinate, ...]
    """Covered and flagged cells with a mine, row by row."""
    found: dict[Rung, int]
    """How many of `safe` needed which rung, easiest first."""
    unsettled: npt.NDArray[np.bool_]
    """The covered cells of which nothing is certain, shape (rows, columns)."""
    missing: npt.NDArray[np.int8]
    """For each number, the mines still to be found among its unsettled cells; -1 for cells that are no
    number; shape (rows, columns)."""
    unknown: npt.NDArray[np.int8]
    """For each number, how many unsettled cells are around it; shape (rows, columns)."""

    @property
    def rung(self) -> Rung | None:
        """The hardest rung that a safe cell needed; None where there is no safe cell."""
        return max(self.found, default=None)


def warm_up() -> None:
    """Compile the solver, or load it from its cache, so that no later call takes longer for it."""
    deduce(Board.covered(1, 1), Rules(1, 1), Rung.SINGLE)


def deduce(board: Board, rules: Rules, rungs: Rung) -> Deduction:
    """All that the rungs can say about a board; `Rung.SINGLE` is always among them.

    Flags and question marks are not trusted: they are covered cells like others, since a person's flag may
    be wrong, and so are cells that could not be read. Mines that the board shows are known mines. The
    total is used by `Rung.TOTAL` only, and only where `rules.mines` is known. Raises ContradictionError,
    with a number that cannot be, where the rungs find one.
    """
    compiler.announce()
    codes = np.array(board.codes, order="C")
    field = new_board(board.rows, board.columns, rules.mines)
    try:
        wrong, needed = compiled_ladder.climb_ladder(field, codes, int(rungs))
    except SystemError as error:
        if compiler.interrupted(error):
            raise KeyboardInterrupt from None
        raise
    if wrong != compiled_ladder.NO_CONTRADICTION:
        raise ContradictionError(_what_is_wrong(board, rules, wrong))
    bordered = (board.rows + 2, board.columns + 2)
    state, rung, shown, near, unknown = (
        array.reshape(bordered)[1:-1, 1:-1]
        for array in (field.state, needed, field.shown, field.near, field.unknown)
    )
    settled, number = rung > 0, shown >= 0
    safe = settled & (state == SAFE)
    found = np.bincount(rung[safe], minlength=compiled_ladder.RUNG_CONTRADICTION + 1)
    return Deduction(
        safe=_coordinates(safe),
        mines=_coordinates(settled & (state == MINE)),
        found={each: int(found[each]) for each in _TITLES if found[each]},
        unsettled=state == UNKNOWN,
        missing=np.where(number, shown - near, np.int8(-1)),
        unknown=np.where(number, unknown, np.int8(0)),
    )


def _coordinates(cells: npt.NDArray[np.bool_]) -> tuple[Coordinate, ...]:
    rows, columns = np.nonzero(cells)
    return tuple(zip(rows.tolist(), columns.tolist(), strict=True))


def _what_is_wrong(board: Board, rules: Rules, wrong: int) -> str:
    if wrong == compiled_ladder.TOTAL_WRONG:
        return f"the numbers of the board do not go with {rules.mines} mines: it was misread, or the total is"
    row, column = wrong // (board.columns + 2) - 1, wrong % (board.columns + 2) - 1
    return (
        f"row {row}, column {column} cannot be a {board[row, column]} beside the other numbers:"
        " the board was misread"
    )
