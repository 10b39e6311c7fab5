"""The solutions of a system counted by the compiled walk, and read back in Python's words."""

from __future__ import annotations

import math
from dataclasses import dataclass

from bot.errors import ContradictionError
from bot.solver import compiled
from bot.solver.analysis import OUT_CAN, OUT_FRONTS, OUT_LIMITED, OUT_LOG, OUT_MINE, OUT_OUTSIDE
from bot.solver.position import solve_system
from bot.solver.system import System
from bot.solver.walk import CAN_MINE, CAN_SAFE, KEY_BITS
from bot.solver.workspace import (
    BOX_CAN,
    BOX_SIZE,
    CELL_BOX,
    CELL_DEGREE,
    EDGE_FROM,
    EDGE_LAYER,
    EDGE_MINES,
    EDGE_TO,
    FRONT_BOX,
    LAYER,
    ORDER,
    Floats,
    Workspace,
)

FEW_STATES = 1 << 15
"""Partial solutions that are kept at first: most systems need no more, and a small workspace is quick."""

UNCERTAIN = 1.0 - 2.0**-53
"""The largest chance of a mine that is not certain."""


@dataclass(frozen=True, eq=False)
class Counted:
    """What counting the solutions of a system gave."""

    chance: list[float]
    """The chance of a mine in each cell: 0.0 and 1.0 exactly for what is certain by logic, and only there."""
    limited: bool
    """Whether a front had too many states, so that its chances, and those outside, are estimates."""
    log_solutions: float
    """Natural logarithm of the number of solutions; weighted where the total is unknown; no meaning where
    it is limited."""
    _ws: Workspace
    _out: Floats
    _rest: System

    @property
    def range(self) -> tuple[int, int, int]:
        """The fewest and the most mines that all fronts together can hold, and how many cells lie outside.

        For each front by itself; no more than the total. With a front that was estimated it means nothing.
        """
        fewest = most = 0
        for front in range(int(self._out[OUT_FRONTS])):
            by_mines = _held(self._ws, front, self._rest.mines)
            fewest += min(by_mines, default=0)
            most += max(by_mines, default=0)
        return fewest, most, int(self._out[OUT_OUTSIDE])

    def whole_number(self, edges: int) -> int | None:
        """The number of solutions, exactly; None where that is more work than `edges` steps of the walk.

        The steps are taken once more with whole numbers, which have no largest one.
        """
        ws, rest = self._ws, self._rest
        fronts = int(self._out[OUT_FRONTS])
        if self.limited or (
            fronts and ws.layers[EDGE_LAYER, ws.cell[FRONT_BOX, fronts] + 2 * (fronts - 1)] > edges
        ):
            return None
        by_mines = [1]
        for front in range(fronts):
            by_mines = _multiply(by_mines, _ways(ws, front, rest.mines))
        outside = int(self._out[OUT_OUTSIDE])
        if rest.mines is None:
            return sum(by_mines) << outside
        return sum(
            ways * math.comb(outside, rest.mines - mines)
            for mines, ways in enumerate(by_mines)
            if mines <= rest.mines
        )


def count(rest: System, states: int) -> Counted | None:
    """Count the solutions of a settled system, keeping up to `states` partial ones; None: there are none."""
    compiled.announce()
    for room in [states] if states <= FEW_STATES else [FEW_STATES, states]:
        counted = _count(rest, room)
        if counted is None or not counted.limited:
            return counted
    return counted


def _count(rest: System, states: int) -> Counted | None:
    groups = [(group.cells, group.mines) for group in rest.groups]
    mines = -1 if rest.mines is None else rest.mines
    try:
        ws, out = solve_system(groups, rest.cells, mines, states)
    except ContradictionError:
        return None
    limited = bool(out[OUT_LIMITED])
    chance = [_chance(ws, out, cell) for cell in range(rest.cells)]
    return Counted(chance, limited, float(out[OUT_LOG]), ws, out, rest)


def _chance(ws: Workspace, out: Floats, cell: int) -> float:
    can, chance = int(out[OUT_CAN]), float(out[OUT_MINE])
    if ws.cell[CELL_DEGREE, cell]:
        box = ws.cell[CELL_BOX, cell]
        can, chance = int(ws.cell[BOX_CAN, box]), float(ws.box_mines[box] / ws.cell[BOX_SIZE, box])
    if can == CAN_MINE:
        return 1.0
    if can == CAN_SAFE:
        return 0.0
    # What is not certain by logic must not look so by rounding.
    return min(max(chance, 1e-300), UNCERTAIN)


def _ways(ws: Workspace, front: int, total: int | None) -> list[int]:
    """The solutions of one front by the mines that they use."""
    begin, end = int(ws.cell[FRONT_BOX, front]), int(ws.cell[FRONT_BOX, front + 1])
    base = begin + 2 * front
    ways = {int(ws.layers[LAYER, base]): 1}
    for at in range(begin, end):
        size = int(ws.cell[BOX_SIZE, ws.cell[ORDER, at]])
        choices = [math.comb(size, mines) for mines in range(size + 1)]
        after: dict[int, int] = {}
        steps = slice(
            int(ws.layers[EDGE_LAYER, base + at - begin]), int(ws.layers[EDGE_LAYER, base + at - begin + 1])
        )
        edges = (ws.edges[row, steps].tolist() for row in (EDGE_FROM, EDGE_TO, EDGE_MINES))
        for source, target, mines in zip(*edges, strict=True):
            after[target] = after.get(target, 0) + ways[source] * choices[mines]
        ways = after
    held = _held(ws, front, total)
    first = int(ws.layers[LAYER, base + end - begin])
    by_mines = [0] * (max(held, default=0) + 1)
    for state, number in ways.items():
        by_mines[held[state - first]] += number
    return by_mines


def _held(ws: Workspace, front: int, total: int | None) -> list[int]:
    """The mines that each last state of a front holds."""
    begin, end = int(ws.cell[FRONT_BOX, front]), int(ws.cell[FRONT_BOX, front + 1])
    most = int(ws.cell[BOX_SIZE, ws.cell[ORDER, begin:end]].sum())
    if total is not None:
        most = min(most, total)
    last = end + 2 * front
    states = slice(int(ws.layers[LAYER, last]), int(ws.layers[LAYER, last + 1]))
    held: list[int] = (ws.keys[states] >> (KEY_BITS - most.bit_length())).tolist()
    return held


def _multiply(a: list[int], b: list[int]) -> list[int]:
    product = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        if x:
            for j, y in enumerate(b):
                product[i + j] += x * y
    return product
