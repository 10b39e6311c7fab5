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
    LAYER,
    Floats,
    Workspace,
)
from bot.solver.jit.compiler import jit, part
from bot.solver.jit.records import Record
from bot.solver.probability.components import gather_boxes, order_components
from bot.solver.probability.dynamic_programme import (
    CAN_MINE,
    CAN_SAFE,
    KEY_BITS,
    bit_width,
    count_backward,
    count_forward,
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
    """What a mine was taken to weigh against a safe cell."""


SOLVABLE, UNSOLVABLE = 0, 1

UNKNOWN_TOTAL_ODDS = 0.25
"""What a mine weighs against a safe cell where the mine total is unknown: 20 % of the cells."""

SWEEPS = 40
"""How often `estimate_component` goes over the constraints of a component that is too large to be counted."""


def log_factorials(most: int) -> Floats:
    """The logarithms of the factorials of 0 to `most`."""
    return np.array([math.lgamma(k + 1) for k in range(most + 1)])


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


@jit
def analyse(ws: Workspace, cons: int, cells: int, mines: int, limit: int, combined: Combination) -> int:
    """Count the solutions of the first `cons` constraints of the workspace.

    There are `cells` cells, in constraints or outside; `mines` is their total, or -1 where it is unknown.
    Leaves `box_mines` and BOX_CAN in the workspace and the rest in `combined`. `limit` is the most states
    of a layer. Returns SOLVABLE, or UNSOLVABLE where there is no solution. Call `release_cells` afterwards.
    """
    boxes = gather_boxes(ws, cons)
    components = order_components(ws, cons)
    combined.components = components
    combined.boxes = boxes
    combined.limited = 0
    outside = cells
    for box in range(boxes):
        outside -= ws.cell[BOX_SIZE, box]
    combined.outside = outside
    if mines > cells:
        return UNSOLVABLE
    odds = UNKNOWN_TOTAL_ODDS
    if mines >= 0:
        odds = max(mines, 1) / max(cells - mines, 1)
    combined.odds = odds
    for con in range(cons):
        if ws.con[CON_START, con] == ws.con[CON_START, con + 1] and ws.con[CON_NEED, con] != 0:
            return UNSOLVABLE
    state = 0
    edge = 0
    length = 1
    most_of = np.empty(components + 1, np.int64)
    guessed_of = np.zeros(components + 1, np.int64)
    for component in range(components):
        most = 0
        for at in range(ws.cell[COMPONENT_BOX, component], ws.cell[COMPONENT_BOX, component + 1]):
            most += ws.cell[BOX_SIZE, ws.cell[BOX_ORDER, at]]
        if mines >= 0:
            most = min(most, mines)
        most_of[component] = most
        length += most
        end, edge_end = count_forward(ws, component, state, edge, most, odds, limit)
        ws.cell[COMPONENT_GOOD, component] = end >= 0
        if end < 0:
            combined.limited += 1
            guessed_of[component] = min(int(estimate_component(ws, component, odds) + 0.5), most)
            continue
        state, edge = end, edge_end
    given = mines
    if combined.limited > 0:
        # An estimate must prove nothing, neither a cell nor a contradiction: the total gives the odds alone.
        mines = -1
    if mines >= 0:
        length = min(length, mines + 1)

    # Along the components: `ahead[f, j]` weighs the ways in which the components before f hold j mines,
    # `behind[f, j]` those to complete a layout whose components before f hold j.
    ahead = np.zeros((components + 1, length))
    behind = np.zeros((components + 1, length))
    ahead_can = np.zeros((components + 1, length), np.int8)
    behind_can = np.zeros((components + 1, length), np.int8)
    ahead[0, 0] = 1.0
    ahead_can[0, 0] = 1
    top = 0
    log_scale = 0.0
    for component in range(components):
        largest = 0.0
        if ws.cell[COMPONENT_GOOD, component]:
            last = ws.layers[LAYER, ws.cell[COMPONENT_BOX, component + 1] + 2 * component]
            stop = ws.layers[LAYER, ws.cell[COMPONENT_BOX, component + 1] + 2 * component + 1]
            shift = KEY_BITS - bit_width(most_of[component])
            for s in range(last, stop):
                m = ws.keys[s] >> shift
                for j in range(min(top, length - 1 - m) + 1):
                    if ahead_can[component, j]:
                        ahead_can[component + 1, j + m] = 1
                        ahead[component + 1, j + m] += ahead[component, j] * ws.forward[s]
            log_scale += ws.log_scale[component]
            top = min(top + most_of[component], length - 1)
        else:
            # It is taken to hold its expected mines.
            m = guessed_of[component]
            top = min(top + m, length - 1)
            for j in range(m, top + 1):
                ahead[component + 1, j] = ahead[component, j - m]
                ahead_can[component + 1, j] = ahead_can[component, j - m]
        for j in range(top + 1):
            largest = max(largest, ahead[component + 1, j])
        if largest > 0:
            for j in range(top + 1):
                ahead[component + 1, j] /= largest
            log_scale += math.log(largest)
    if mines < 0:
        for j in range(length):
            behind[components, j] = 1.0
            behind_can[components, j] = 1
        log_scale += outside * math.log(1 + odds)
    else:
        # C(outside, mines - j), with the weight of the j mines taken out again.
        log_ways = 0.0
        highest = -1e300
        begun = False
        for j in range(length):
            left = mines - j
            if left > outside:
                continue
            if not begun:
                begun = True
                log_ways = (
                    math.lgamma(outside + 1) - math.lgamma(left + 1) - math.lgamma(outside - left + 1)
                ) - j * math.log(odds)
            else:
                log_ways += math.log((left + 1) / (outside - left) / odds)
            behind[components, j] = log_ways
            behind_can[components, j] = 1
            if ahead_can[components, j]:
                highest = max(highest, log_ways)
        for j in range(length):
            # Where the components cannot hold so many mines, the weight is never used, and could be too
            # large.
            if behind_can[components, j] and ahead_can[components, j]:
                behind[components, j] = math.exp(behind[components, j] - highest)
            else:
                behind[components, j] = 0.0
        log_scale += highest
    for component in range(components - 1, -1, -1):
        if not ws.cell[COMPONENT_GOOD, component]:
            m = guessed_of[component]
            for j in range(length - m):
                behind[component, j] = behind[component + 1, j + m]
                behind_can[component, j] = behind_can[component + 1, j + m]
            continue
        last = ws.layers[LAYER, ws.cell[COMPONENT_BOX, component + 1] + 2 * component]
        stop = ws.layers[LAYER, ws.cell[COMPONENT_BOX, component + 1] + 2 * component + 1]
        shift = KEY_BITS - bit_width(most_of[component])
        largest = 0.0
        for s in range(last, stop):
            m = ws.keys[s] >> shift
            weight = 0.0
            can = 0
            for j in range(min(top, length - 1 - m) + 1):
                if behind_can[component + 1, j + m] == 0:
                    continue
                behind_can[component, j] = 1
                behind[component, j] += ws.forward[s] * behind[component + 1, j + m]
                if ahead_can[component, j]:
                    can = 1
                    weight += ahead[component, j] * behind[component + 1, j + m]
            ws.backward[s] = weight
            ws.reached[s] = can
        if not count_backward(ws, component, odds):
            return UNSOLVABLE
        for j in range(length):
            if ahead_can[component, j]:
                largest = max(largest, behind[component, j])
        if largest > 0:
            for j in range(length):
                behind[component, j] = behind[component, j] / largest if ahead_can[component, j] else 0.0

    total = 0.0
    expected = 0.0
    can = 0
    feasible = False
    for j in range(length):
        if ahead_can[components, j] and behind_can[components, j]:
            feasible = True
            weight = ahead[components, j] * behind[components, j]
            total += weight
            if mines >= 0:
                expected += weight * (mines - j)
                if mines > j:
                    can |= CAN_MINE
                if outside > mines - j:
                    can |= CAN_SAFE
    if not feasible:
        return UNSOLVABLE
    if mines < 0:
        can = CAN_MINE | CAN_SAFE
        combined.outside_chance = odds / (1 + odds)
        if given >= 0 and outside > 0:
            expected = float(given)
            for box in range(boxes):
                expected -= ws.box_mines[box]
            combined.outside_chance = min(max(expected / outside, 1e-9), 1 - 1e-9)
    elif outside > 0:
        combined.outside_chance = expected / total / outside
        if can == CAN_SAFE:
            combined.outside_chance = 0.0
        elif can == CAN_MINE:
            combined.outside_chance = 1.0
    combined.outside_can = can
    combined.log_solutions = math.log(total) + log_scale
    return SOLVABLE
