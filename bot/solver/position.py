"""A system of constraints, written for the compiled analysis."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bot.errors import ContradictionError
from bot.solver.analysis import OUT_SIZE, analyse
from bot.solver.workspace import CON_CELLS, CON_NEED, CON_START, Workspace, new_workspace

STATES = 1 << 20
"""Partial solutions kept, all fronts together, unless a caller says otherwise."""


def solve_system(
    system: Sequence[tuple[Sequence[int], int]], cells: int, mines: int, states: int = STATES
) -> tuple[Workspace, npt.NDArray[np.float64]]:
    """Analyse constraints (cells, mines) over the cells 0 to `cells` - 1; `mines` is -1 where unknown.

    Returns the workspace that holds the answer, and what `analyse` said besides. Raises
    ContradictionError where there is no solution.
    """
    if any(need < 0 for _, need in system):
        # The analysis takes a need of -1 for a counter (`fronts.FREE`), which nothing contradicts.
        raise ContradictionError("cells would have to hold less than no mine: was the board misread?")
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
