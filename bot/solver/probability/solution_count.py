"""The solutions of a system counted by the dynamic programme, and read back in Python's words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bot.errors import ContradictionError
from bot.solver.constraints.packing import MOST_STATES, pack
from bot.solver.constraints.system import System
from bot.solver.constraints.workspace import (
    BOX_CAN,
    BOX_ORDER,
    BOX_SIZE,
    CELL_BOX,
    CELL_DEGREE,
    COMPONENT_BOX,
    EDGE_FROM,
    EDGE_LAYER,
    EDGE_MINES,
    EDGE_TO,
    LAYER,
    Workspace,
)
from bot.solver.jit import compiler
from bot.solver.jit.records import new
from bot.solver.probability.combination import Combination, analyse
from bot.solver.probability.dynamic_programme import CAN_MINE, CAN_SAFE, KEY_BITS
from bot.solver.probability.sampling import new_sampler, sample_system


def analyse_system(
    system: Sequence[tuple[Sequence[int], int]], cells: int, mines: int, states: int = MOST_STATES
) -> tuple[Workspace, Combination]:
    """Analyse constraints (cells, mines) over the cells 0 to `cells` - 1; `mines` is -1 where unknown.

    Returns the workspace that holds the answer, and what `analyse` said besides. Raises
    ContradictionError where there is no solution.
    """
    ws = pack(system, cells, states)
    combined = new(Combination)
    if analyse(ws, len(system), cells, mines, states // 4, combined):
        raise ContradictionError("no layout of mines fits the board: was it misread, or the mine total?")
    return ws, combined


FEWEST_STATES, FEW_STATES = 1 << 12, 1 << 15
"""Partial solutions that are kept at first, and then: most systems need no more, and to lay out a workspace
takes longer than to count in it."""

HIGHEST_UNCERTAIN = 1.0 - 2.0**-53
"""The largest chance of a mine that is not certain."""


@dataclass(frozen=True, eq=False)
class Counted:
    """What counting the solutions of a system gave."""

    chance: list[float]
    """The chance of a mine in each cell: 0.0 and 1.0 exactly for what is certain by logic, and only there."""
    limited: bool
    """Whether a component had too many states, so that its chances, and those outside, are estimates."""
    log_solutions: float
    """Natural logarithm of the number of solutions; weighted where the total is unknown; no meaning where
    it is limited."""
    _ws: Workspace
    _combined: Combination
    _rest: System

    @property
    def range(self) -> tuple[int, int, int]:
        """The fewest and the most mines that all components together can hold, and how many cells lie
        outside.

        For each component by itself; no more than the total. With a component that was estimated it means
        nothing.
        """
        fewest = most = 0
        for component in range(self._combined.components):
            by_mines = _held(self._ws, component, self._rest.mines)
            fewest += min(by_mines, default=0)
            most += max(by_mines, default=0)
        return fewest, most, self._combined.outside

    def whole_number(self, edges: int) -> int | None:
        """The number of solutions, exactly; None where that is more work than `edges` steps of the walk.

        The steps are taken once more with whole numbers, which have no largest one.
        """
        ws, rest = self._ws, self._rest
        components = self._combined.components
        if self.limited or (
            components
            and ws.layers[EDGE_LAYER, ws.cell[COMPONENT_BOX, components] + 2 * (components - 1)] > edges
        ):
            return None
        by_mines = [1]
        for component in range(components):
            by_mines = _multiply(by_mines, _ways(ws, component, rest.mines))
        outside = self._combined.outside
        if rest.mines is None:
            return sum(by_mines) << outside
        return _completed(by_mines, outside, rest.mines)

    def draw(self, layouts: int, seed: int) -> npt.NDArray[np.bool_] | None:
        """So many solutions at random, each as likely as the other: shape (layouts, cells), true for a mine.

        None where the total is unknown, or where a component was too large to be counted.
        """
        mines, cells = self._rest.mines, self._rest.cells
        if mines is None or self.limited:
            return None
        drawn = np.zeros((layouts, cells), np.int8)
        sampler = new_sampler(cells)
        if not sample_system(sampler, self._ws, self._combined, mines, seed, drawn):
            return None
        return drawn.astype(np.bool_)


def count_solutions(rest: System, states: int) -> Counted | None:
    """Count the solutions of a settled system, keeping up to `states` partial ones; None: there are none."""
    compiler.announce()
    for room in (*(few for few in (FEWEST_STATES, FEW_STATES) if few < states), states):
        counted = _count(rest, room)
        if counted is None or not counted.limited:
            return counted
    return counted


def _count(rest: System, states: int) -> Counted | None:
    groups = [(group.cells, group.mines) for group in rest.groups]
    mines = -1 if rest.mines is None else rest.mines
    try:
        ws, combined = analyse_system(groups, rest.cells, mines, states)
    except ContradictionError:
        return None
    limited = bool(combined.limited)
    return Counted(_chances(ws, combined, rest.cells), limited, combined.log_solutions, ws, combined, rest)


def _chances(ws: Workspace, combined: Combination, cells: int) -> list[float]:
    """That of each cell, by its box or, in no group, as one outside of all components."""
    box = ws.cell[CELL_BOX, :cells]
    inside = ws.cell[CELL_DEGREE, :cells] > 0
    size = np.where(inside, ws.cell[BOX_SIZE, box], 1)
    can = np.where(inside, ws.cell[BOX_CAN, box], combined.outside_can)
    chance = np.where(inside, ws.box_mines[box] / size, combined.outside_chance)
    # What is not certain by logic must not look so by rounding.
    chance = np.clip(chance, 1e-300, HIGHEST_UNCERTAIN)
    chance[can == CAN_MINE] = 1.0
    chance[can == CAN_SAFE] = 0.0
    told: list[float] = chance.tolist()
    return told


def _ways(ws: Workspace, component: int, total: int | None) -> list[int]:
    """The solutions of one component by the mines that they use."""
    begin, end = int(ws.cell[COMPONENT_BOX, component]), int(ws.cell[COMPONENT_BOX, component + 1])
    base = begin + 2 * component
    ways = {int(ws.layers[LAYER, base]): 1}
    for at in range(begin, end):
        size = int(ws.cell[BOX_SIZE, ws.cell[BOX_ORDER, at]])
        choices = [math.comb(size, mines) for mines in range(size + 1)]
        after: dict[int, int] = {}
        steps = slice(
            int(ws.layers[EDGE_LAYER, base + at - begin]), int(ws.layers[EDGE_LAYER, base + at - begin + 1])
        )
        edges = (ws.edges[row, steps].tolist() for row in (EDGE_FROM, EDGE_TO, EDGE_MINES))
        for source, target, mines in zip(*edges, strict=True):
            after[target] = after.get(target, 0) + ways[source] * choices[mines]
        ways = after
    held = _held(ws, component, total)
    first = int(ws.layers[LAYER, base + end - begin])
    by_mines = [0] * (max(held, default=0) + 1)
    for state, number in ways.items():
        by_mines[held[state - first]] += number
    return by_mines


def _held(ws: Workspace, component: int, total: int | None) -> list[int]:
    """The mines that each last state of a component holds."""
    begin, end = int(ws.cell[COMPONENT_BOX, component]), int(ws.cell[COMPONENT_BOX, component + 1])
    most = int(ws.cell[BOX_SIZE, ws.cell[BOX_ORDER, begin:end]].sum())
    if total is not None:
        most = min(most, total)
    last = end + 2 * component
    states = slice(int(ws.layers[LAYER, last]), int(ws.layers[LAYER, last + 1]))
    held: list[int] = (ws.keys[states] >> (KEY_BITS - most.bit_length())).tolist()
    return held


def _completed(by_mines: list[int], outside: int, total: int) -> int:
    """The solutions with so many mines in all, given those of all components by the mines that they use."""
    most = min(len(by_mines) - 1, total)
    choices = math.comb(outside, total - most)
    solutions = 0
    # Each binomial from the one before: to work out every one anew takes half a minute on 200x200 cells.
    for held in range(most, -1, -1):
        left = total - held
        solutions += by_mines[held] * choices
        choices = choices * (outside - left) // (left + 1)
    return solutions


def _multiply(a: list[int], b: list[int]) -> list[int]:
    product = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        if x:
            for j, y in enumerate(b):
                product[i + j] += x * y
    return product
