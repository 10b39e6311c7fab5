"""What the components weigh together, by how many mines they hold.

Each component was counted by itself, for each number of mines that it can hold. Here these counts are
combined, first forward and then, with the cells outside, backward, so that every component is weighed by
all the others under the mine total.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from bot.solver.constraints.workspace import (
    COMPONENT_BOX,
    COMPONENT_GOOD,
    LAYER,
    Bytes,
    Floats,
    Longs,
    Workspace,
)
from bot.solver.jit.compiler import part
from bot.solver.probability.dynamic_programme import KEY_BITS, bit_width, count_backward

FURTHEST = 10.0
"""How far the logarithm of the odds is moved at most at a time: what weighs nothing yet tells nothing."""


class MineWeights(NamedTuple):
    """The weights by components and mines: row f, column j is where the components before f hold j mines.

    Every row has a scale of its own. Apart from the weights stands what is possible at all, because a weight
    that is not 0 may be too small for a float.
    """

    most: Longs
    """The most mines that each component can hold."""
    expected: Longs
    """The mines that a component is taken to hold which was too large to be counted."""
    before: Floats
    """What the layouts of the components before f weigh that hold j mines, ..."""
    before_can: Bytes
    """and 1 where there is one."""
    after: Floats
    """What the ways weigh to complete these, by the components from f on and the cells outside, ..."""
    after_can: Bytes
    """and 1 where there is one."""


@part
def new_weights(most: Longs, expected: Longs, mines: int) -> MineWeights:
    """Weights that are 0, for no more than a total of `mines`; -1 where no total is binding."""
    columns = 1
    for component in range(most.shape[0] - 1):
        columns += most[component]
    if mines >= 0:
        columns = min(columns, mines + 1)
    shape = (most.shape[0], columns)
    return MineWeights(
        most, expected, np.zeros(shape), np.zeros(shape, np.int8), np.zeros(shape), np.zeros(shape, np.int8)
    )


@part
def carry_forward(ws: Workspace, weights: MineWeights) -> tuple[float, float]:
    """Fill `before`, component by component.

    Returns the logarithm by which its last row is too small, and what is left of the weight of layouts where
    the total takes no more mines: 1 where it takes all.
    """
    before, before_can = weights.before, weights.before_can
    highest = before.shape[1] - 1
    before[0, 0] = 1.0
    before_can[0, 0] = 1
    top = 0  # the most mines that the components so far can hold
    log_scale = 0.0
    left = 1.0
    for component in range(before.shape[0] - 1):
        heaviest = 1.0
        if ws.cell[COMPONENT_GOOD, component]:
            heaviest = 0.0
            end = ws.cell[COMPONENT_BOX, component + 1] + 2 * component
            shift = KEY_BITS - bit_width(weights.most[component])
            for state in range(ws.layers[LAYER, end], ws.layers[LAYER, end + 1]):
                held = ws.keys[state] >> shift
                heaviest = max(heaviest, ws.forward[state])
                for j in range(min(top, highest - held) + 1):
                    if before_can[component, j]:
                        before_can[component + 1, j + held] = 1
                        before[component + 1, j + held] += before[component, j] * ws.forward[state]
            log_scale += ws.log_scale[component]
            top = min(top + weights.most[component], highest)
        else:
            held = weights.expected[component]
            top = min(top + held, highest)
            for j in range(held, top + 1):
                before[component + 1, j] = before[component, j - held]
                before_can[component + 1, j] = before_can[component, j - held]
        largest = scale_to_one(before[component + 1, : top + 1])
        if largest > 0:
            log_scale += math.log(largest)
        if largest < heaviest:
            left *= largest / heaviest
    return log_scale, left


@part
def weigh_outside(weights: MineWeights, outside: int, mines: int, odds: float) -> float:
    """Fill the last row of `after`: what the `outside` cells weigh when they hold the rest of `mines`, or any
    number where `mines` is -1. Returns the logarithm by which that is too small."""
    last = weights.after.shape[0] - 1
    columns = weights.after.shape[1]
    after, after_can = weights.after, weights.after_can
    if mines < 0:
        for j in range(columns):
            after[last, j] = 1.0
            after_can[last, j] = 1
        return outside * math.log(1 + odds)
    # C(outside, mines - j), with the weight of the j mines taken out again; as a logarithm at first.
    log_ways = 0.0
    highest = -1e300
    begun = False
    for j in range(columns):
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
        after[last, j] = log_ways
        after_can[last, j] = 1
        if weights.before_can[last, j]:
            highest = max(highest, log_ways)
    for j in range(columns):
        # Where the components cannot hold so many mines, the weight is never used, and could be too large.
        if after_can[last, j] and weights.before_can[last, j]:
            after[last, j] = math.exp(after[last, j] - highest)
        else:
            after[last, j] = 0.0
    return highest


@part
def carry_backward(ws: Workspace, weights: MineWeights, odds: float) -> bool:
    """Fill the other rows of `after`, the last component first, and count each component backward.

    Leaves `box_mines` and BOX_CAN of the components that were counted. Returns whether each has a solution
    that fits the others.
    """
    after, after_can = weights.after, weights.after_can
    columns = after.shape[1]
    for component in range(after.shape[0] - 2, -1, -1):
        if not ws.cell[COMPONENT_GOOD, component]:
            held = weights.expected[component]
            for j in range(columns - held):
                after[component, j] = after[component + 1, j + held]
                after_can[component, j] = after_can[component + 1, j + held]
            continue
        weigh_last_states(ws, weights, component)
        if not count_backward(ws, component, odds):
            return False
        scale_to_one(after[component])
    return True


@part
def weigh_last_states(ws: Workspace, weights: MineWeights, component: int) -> None:
    """Fill the row of `after` of a component that was counted; and, for `count_backward`, `backward` and
    `reached` of its last states: what all that lies around the component weighs."""
    before, before_can = weights.before, weights.before_can
    after, after_can = weights.after, weights.after_can
    end = ws.cell[COMPONENT_BOX, component + 1] + 2 * component
    shift = KEY_BITS - bit_width(weights.most[component])
    for state in range(ws.layers[LAYER, end], ws.layers[LAYER, end + 1]):
        held = ws.keys[state] >> shift
        weight = 0.0
        can = 0
        for j in range(after.shape[1] - held):
            # Where the components before cannot hold j mines, a weight is never used, and could be too large.
            if before_can[component, j] and after_can[component + 1, j + held]:
                can = 1
                after_can[component, j] = 1
                after[component, j] += ws.forward[state] * after[component + 1, j + held]
                weight += before[component, j] * after[component + 1, j + held]
        ws.backward[state] = weight
        ws.reached[state] = can


@part
def fitting_odds(ws: Workspace, weights: MineWeights, outside: int, mines: int, odds: float) -> float:
    """What a mine should weigh against a safe cell for `mines` to be the expected number, to within one half,
    after the components were counted with `odds`."""
    lowest, highest = -FURTHEST, FURTHEST
    shift = 0.0  # of the logarithm of the odds
    while highest - lowest > 1e-6:
        shift = (lowest + highest) / 2
        chance = 1 / (1 + math.exp(-math.log(odds) - shift))
        more = outside * chance - mines
        for component in range(weights.most.shape[0] - 1):
            more += expected_mines(ws, component, weights.most[component], shift)
        if abs(more) < 0.5:
            break
        if more > 0:
            highest = shift
        else:
            lowest = shift
    return odds * math.exp(shift)


@part
def expected_mines(ws: Workspace, component: int, most: int, shift: float) -> float:
    """The expected mines of a component that was counted, with the logarithm of the odds so much higher."""
    end = ws.cell[COMPONENT_BOX, component + 1] + 2 * component
    key_shift = KEY_BITS - bit_width(most)
    first, stop = ws.layers[LAYER, end], ws.layers[LAYER, end + 1]
    highest = -1e300
    for state in range(first, stop):
        if ws.forward[state] > 0:
            held = ws.keys[state] >> key_shift
            highest = max(highest, math.log(ws.forward[state]) + held * shift)
    total = 0.0
    expected = 0.0
    for state in range(first, stop):
        if ws.forward[state] > 0:
            held = ws.keys[state] >> key_shift
            weight = math.exp(math.log(ws.forward[state]) + held * shift - highest)
            total += weight
            expected += held * weight
    return expected / total if total > 0 else 0.0


@part
def scale_to_one(row: Floats) -> float:
    """Divide a row by its largest weight, if that is above 0. Returns that weight."""
    largest = 0.0
    for j in range(row.shape[0]):
        largest = max(largest, row[j])
    if largest > 0:
        for j in range(row.shape[0]):
            row[j] /= largest
    return largest
