"""The exact analysis of one board, in Python's words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bot.board import Board, Cell, Constraint, Coordinate
from bot.errors import ContradictionError
from bot.solver.analysis import OUT_CAN, OUT_LIMITED, OUT_LOG, OUT_MINE, OUT_SIZE, analyse
from bot.solver.fronts import CAN_MINE, CAN_SAFE
from bot.solver.workspace import (
    BOX_CAN,
    BOX_SIZE,
    CELL_BOX,
    CELL_DEGREE,
    CON_CELLS,
    CON_NEED,
    CON_START,
    Workspace,
    new_workspace,
)

STATES = 1 << 20
"""Partial solutions kept, all fronts together, unless a caller says otherwise."""


@dataclass(frozen=True, eq=False)
class Analysis:
    """What follows from a board, its mine total and further constraints."""

    safe: tuple[Coordinate, ...]
    """Covered cells that are no mine in any solution, row by row."""
    mines: tuple[Coordinate, ...]
    """Covered cells that are a mine in every solution, row by row."""
    chance: npt.NDArray[np.float64]
    """The chance of a mine in each covered cell, NaN for the others; shape (rows, columns)."""
    log_solutions: float
    """The natural logarithm of the number of solutions; weighted where the mine total is unknown."""
    approximate: bool
    """Whether a front had more states than the limit, so that its chances are estimates."""


def analyse_board(
    board: Board, mines: int | None, constraints: Sequence[Constraint] = (), states: int = STATES
) -> Analysis:
    """Analyse a board of `mines` mines in all, None where that is unknown. Flags prove nothing.

    Raises ContradictionError where there is no solution.
    """
    covered = board.codes >= Cell.COVERED
    shown = (board.codes == Cell.MINE) | (board.codes == Cell.EXPLODED)
    covered &= ~shown & (board.codes != Cell.WRONG_FLAG)
    index = np.full(board.codes.shape, -1, np.int32)
    index[covered] = np.arange(np.count_nonzero(covered))
    total = int(np.count_nonzero(covered))
    system: list[tuple[list[int], int]] = []
    for row, column in np.argwhere(board.codes <= 8):
        around = list(board.neighbours(int(row), int(column)))
        cells = [int(index[cell]) for cell in around if index[cell] >= 0]
        need = int(board.codes[row, column]) - sum(bool(shown[cell]) for cell in around)
        if not cells and need == 0:
            continue
        if not 0 <= need <= len(cells):
            raise ContradictionError(
                f"row {row}, column {column} shows a {board.codes[row, column]},"
                f" which its neighbours cannot make true: was the board misread?"
            )
        system.append((cells, need))
    for constraint in constraints:
        cells = sorted(int(index[cell]) for cell in constraint.cells if index[cell] >= 0)
        need = constraint.mines - sum(bool(shown[cell]) for cell in constraint.cells)
        system.append((cells, need))
    left = -1 if mines is None else mines - int(np.count_nonzero(shown))
    if mines is not None and not 0 <= left <= total:
        raise ContradictionError(f"{left} mines are left for {total} covered cells: check the mine total")
    ws, out = solve_system(system, total, left, states)
    probability = np.full(total, out[OUT_MINE])
    can = np.full(total, int(out[OUT_CAN]))
    for cell in range(total):
        if ws.cell[CELL_DEGREE, cell]:
            box = ws.cell[CELL_BOX, cell]
            can[cell] = ws.cell[BOX_CAN, box]
            probability[cell] = ws.box_mines[box] / ws.cell[BOX_SIZE, box]
    probability[can == CAN_SAFE] = 0.0
    probability[can == CAN_MINE] = 1.0
    chance = np.full(board.codes.shape, np.nan)
    chance[covered] = probability
    where = np.argwhere(covered)
    return Analysis(
        safe=tuple((int(r), int(c)) for r, c in where[can == CAN_SAFE]),
        mines=tuple((int(r), int(c)) for r, c in where[can == CAN_MINE]),
        chance=chance,
        log_solutions=float(out[OUT_LOG]),
        approximate=bool(out[OUT_LIMITED]),
    )


def solve_system(
    system: Sequence[tuple[Sequence[int], int]], cells: int, mines: int, states: int = STATES
) -> tuple[Workspace, npt.NDArray[np.float64]]:
    """Analyse constraints (cells, mines) over the cells 0 to `cells` - 1; `mines` is -1 where unknown.

    Returns the workspace that holds the answer, and what `analyse` said besides. Raises
    ContradictionError where there is no solution.
    """
    degrees = Counter(cell for members, _ in system for cell in members)
    degree = max(degrees.values(), default=1)
    links = sum(len(members) for members, _ in system)
    ws = new_workspace(max(cells, len(system)) + 2, states, degree, links + 2)
    at = 0
    for con, (members, need) in enumerate(system):
        ws.con[CON_START, con] = at
        ws.link[CON_CELLS, at : at + len(members)] = members
        ws.con[CON_NEED, con] = need
        at += len(members)
    ws.con[CON_START, len(system)] = at
    out = np.zeros(OUT_SIZE)
    if analyse(ws, len(system), cells, mines, states // 4, out):
        raise ContradictionError("no layout of mines fits the board: was it misread, or the mine total?")
    return ws, out
