"""The exact mine probabilities of a system of constraints under a total number of mines."""

from __future__ import annotations

import math

import numpy as np

from bot.solver.constraints.workspace import (
    BOX_CAN,
    BOX_ORDER,
    BOX_SIZE,
    COMPONENT_BOX,
    COMPONENT_CON,
    COMPONENT_GOOD,
    CON_BOX_START,
    CON_BOXES,
    CON_NEED,
    CON_START,
    CONSTRAINT_QUEUE,
    Floats,
    Longs,
    Workspace,
)
from bot.solver.jit.compiler import jit, part
from bot.solver.jit.records import Record
from bot.solver.probability.components import gather_boxes, order_components
from bot.solver.probability.dynamic_programme import CAN_MINE, CAN_SAFE, count_forward
from bot.solver.probability.mine_weights import (
    MineWeights,
    carry_backward,
    carry_forward,
    fitting_odds,
    new_weights,
    weigh_outside,
)


class Combination(Record):
    """What `analyse` says besides the boxes."""

    components: int
    boxes: int
    limited: int
    """Components that were too large to be counted."""
    outside: int
    """Cells outside the constraints, ..."""
    outside_chance: float
    """the chance of a mine in one of them, ..."""
    outside_can: int
    """and what is possible for it: CAN_MINE, CAN_SAFE."""
    log_solutions: float
    """The logarithm of the number of solutions."""
    odds: float
    """What a mine was taken to weigh against a safe cell: it changes no chance, only what floats can hold."""


SOLVABLE, UNSOLVABLE = 0, 1

UNKNOWN_TOTAL_ODDS = 0.25
"""What a mine weighs against a safe cell where the mine total is unknown: 20 % of the cells."""

LEAST_WEIGHT = 1e-100
"""What all solutions must weigh together, beside the heaviest that there could be, for the floats of their
parts to be precise. Nothing in games comes near it: it takes boards of thousands of cells, or systems."""

MOST_TRIES = 8
"""How often the solutions are counted at most, each time with odds that fit the total better."""

SWEEPS = 40
"""How often `estimate_component` goes over the constraints of a component that is too large to be counted."""


def log_factorials(most: int) -> Floats:
    """The logarithms of the factorials of 0 to `most`."""
    return np.array([math.lgamma(k + 1) for k in range(most + 1)])


@jit
def analyse(ws: Workspace, cons: int, cells: int, mines: int, limit: int, combined: Combination) -> int:
    """Count the solutions of the first `cons` constraints of the workspace.

    There are `cells` cells, in constraints or outside; `mines` is their total, or -1 where it is unknown.
    Leaves `box_mines` and BOX_CAN in the workspace and the rest in `combined`. `limit` is the most states
    of a layer. Returns SOLVABLE, or UNSOLVABLE where there is no solution. Call `release_cells` afterwards.
    """
    boxes = gather_boxes(ws, cons)
    components = order_components(ws, cons)
    outside = cells
    for box in range(boxes):
        outside -= ws.cell[BOX_SIZE, box]
    combined.components = components
    combined.boxes = boxes
    combined.limited = 0
    combined.outside = outside
    if mines > cells:
        return UNSOLVABLE
    odds = UNKNOWN_TOTAL_ODDS
    if mines >= 0:
        odds = max(mines, 1) / max(cells - mines, 1)
    for con in range(cons):
        if ws.con[CON_START, con] == ws.con[CON_START, con + 1] and ws.con[CON_NEED, con] != 0:
            return UNSOLVABLE

    most = np.zeros(components + 1, np.int64)
    expected = np.zeros(components + 1, np.int64)
    tries = 0
    while True:
        tries += 1
        limited = count_components(ws, components, mines, odds, limit, most, expected)
        # An estimate must prove nothing, neither a cell nor a contradiction: the total gives the odds alone.
        binding = mines if limited == 0 else -1
        weights = new_weights(most, expected, binding)
        log_scale, left = carry_forward(ws, weights)
        log_scale += weigh_outside(weights, outside, binding, odds)
        weight = weigh_solutions(weights, binding, combined)
        if weight < 0:
            return UNSOLVABLE
        if binding < 0 or weight * left >= LEAST_WEIGHT or tries == MOST_TRIES:
            break
        odds = fitting_odds(ws, weights, outside, binding, odds)
    combined.limited = limited
    combined.odds = odds
    if not carry_backward(ws, weights, odds):
        return UNSOLVABLE
    if binding < 0:
        combined.outside_chance = estimate_outside(ws, mines, combined)
    combined.log_solutions = math.log(max(weight, 1e-300)) + log_scale
    return SOLVABLE


@part
def count_components(
    ws: Workspace, components: int, mines: int, odds: float, limit: int, most: Longs, expected: Longs
) -> int:
    """Count each component by itself, and estimate those that are too large. Returns how many were.

    Leaves the counts in the workspace, with COMPONENT_GOOD; in `most` the most mines that each component can
    hold, and in `expected` those that an estimated one is taken to hold.
    """
    limited = 0
    state = 0
    edge = 0
    for component in range(components):
        room = 0
        for at in range(ws.cell[COMPONENT_BOX, component], ws.cell[COMPONENT_BOX, component + 1]):
            room += ws.cell[BOX_SIZE, ws.cell[BOX_ORDER, at]]
        if mines >= 0:
            room = min(room, mines)
        most[component] = room
        state_end, edge_end = count_forward(ws, component, state, edge, room, odds, limit)
        ws.cell[COMPONENT_GOOD, component] = state_end >= 0
        if state_end >= 0:
            state, edge = state_end, edge_end
        else:
            limited += 1
            expected[component] = min(int(estimate_component(ws, component, odds) + 0.5), room)
    return limited


@part
def estimate_component(ws: Workspace, component: int, odds: float) -> float:
    """Estimate the chances in a component that is too large to be counted. Returns its expected mines.

    The odds of the boxes are scaled until the numbers come out right (iterative proportional fitting).
    Nothing is called certain.
    """
    for at in range(ws.cell[COMPONENT_BOX, component], ws.cell[COMPONENT_BOX, component + 1]):
        box = ws.cell[BOX_ORDER, at]
        ws.box_mines[box] = ws.cell[BOX_SIZE, box] * odds / (1 + odds)
        ws.cell[BOX_CAN, box] = CAN_MINE | CAN_SAFE
    for _ in range(SWEEPS):
        for at in range(ws.cell[COMPONENT_CON, component], ws.cell[COMPONENT_CON, component + 1]):
            con = ws.con[CONSTRAINT_QUEUE, at]
            size = ws.con[CON_START, con + 1] - ws.con[CON_START, con]
            need = min(max(float(ws.con[CON_NEED, con]), 1e-6), size - 1e-6)
            held = 0.0
            for b in range(ws.con[CON_BOX_START, con], ws.con[CON_BOX_START, con + 1]):
                held += ws.box_mines[ws.link[CON_BOXES, b]]
            held = min(max(held, 1e-9), size - 1e-9)
            factor = need / (size - need) * (size - held) / held
            for b in range(ws.con[CON_BOX_START, con], ws.con[CON_BOX_START, con + 1]):
                box = ws.link[CON_BOXES, b]
                p = ws.box_mines[box] / ws.cell[BOX_SIZE, box]
                p = p * factor / (1 - p + p * factor)
                ws.box_mines[box] = ws.cell[BOX_SIZE, box] * min(max(p, 1e-9), 1 - 1e-9)
    total = 0.0
    for at in range(ws.cell[COMPONENT_BOX, component], ws.cell[COMPONENT_BOX, component + 1]):
        total += ws.box_mines[ws.cell[BOX_ORDER, at]]
    return total


@part
def weigh_solutions(weights: MineWeights, mines: int, combined: Combination) -> float:
    """Weigh all solutions together. Returns -1 where there is none.

    Leaves in `combined` what is possible for a cell outside and, where `mines` is not -1, its chance of a
    mine.
    """
    last = combined.components
    before, before_can = weights.before, weights.before_can
    after, after_can = weights.after, weights.after_can
    outside = combined.outside
    found = False
    total = 0.0
    expected = 0.0
    can = 0
    for j in range(before.shape[1]):
        if before_can[last, j] and after_can[last, j]:
            found = True
            weight = before[last, j] * after[last, j]
            total += weight
            if mines >= 0:
                expected += weight * (mines - j)
                if mines > j:
                    can |= CAN_MINE
                if outside > mines - j:
                    can |= CAN_SAFE
    if not found:
        return -1.0
    if mines < 0:
        can = CAN_MINE | CAN_SAFE
    elif outside > 0 and total > 0:
        combined.outside_chance = expected / total / outside
        if can == CAN_SAFE:
            combined.outside_chance = 0.0
        elif can == CAN_MINE:
            combined.outside_chance = 1.0
    combined.outside_can = can
    return total


@part
def estimate_outside(ws: Workspace, mines: int, combined: Combination) -> float:
    """The chance of a mine in a cell outside where no total is binding: from `mines` in all and those
    expected in the boxes, or from the odds alone where `mines` is -1."""
    if mines < 0 or combined.outside == 0:
        return combined.odds / (1 + combined.odds)
    left = float(mines)
    for box in range(combined.boxes):
        left -= ws.box_mines[box]
    return min(max(left / combined.outside, 1e-9), 1 - 1e-9)
