"""A system of constraints, packed into the arrays of the compiled solver."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from bot.errors import ContradictionError
from bot.solver.constraints.workspace import CON_CELLS, CON_NEED, CON_START, Workspace, new_workspace

MOST_STATES = 1 << 20
"""Partial solutions kept, all components together, unless a caller says otherwise."""


def pack(system: Sequence[tuple[Sequence[int], int]], cells: int, states: int) -> Workspace:
    """Write constraints (cells, mines) over the cells 0 to `cells` - 1 into a new workspace.

    It has room for `states` partial solutions. Raises ContradictionError for a constraint of less than no
    mine.
    """
    if any(need < 0 for _, need in system):
        # The analysis takes a need of -1 for a counter (`COUNTER_NEED`), which nothing contradicts.
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
    return ws
