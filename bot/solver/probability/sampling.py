"""Drawing layouts at random from those that fit a position, each as likely as the other.

The components have been counted by a walk over their boxes: a draw chooses how many mines each component
holds, and then walks its states back from the end, each way as likely as it is counted.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from bot.solver.constraints.workspace import (
    BOX_ORDER,
    BOX_SIZE,
    CELL_BOX,
    CELL_DEGREE,
    COMPONENT_BOX,
    COMPONENT_GOOD,
    EDGE_FROM,
    EDGE_LAYER,
    EDGE_MINES,
    EDGE_TO,
    LAYER,
    Bytes,
    Floats,
    Ints,
    Workspace,
)
from bot.solver.deduction.compiled_board import MINE, UNKNOWN, CompiledBoard, mines_left
from bot.solver.jit.compiler import jit, part
from bot.solver.probability.combination import Combination, log_factorials
from bot.solver.probability.dynamic_programme import KEY_BITS, bit_width


class Sampler(NamedTuple):
    """What layouts are drawn from."""

    log_factorial: Floats
    room: Ints
    """Of each box, the cells that are not drawn yet; the last is of those outside; ..."""
    left: Ints
    """and its mines that are not."""
    minefield: Bytes
    """The numbers of a layout of a bordered board, 9 for a mine."""


def new_sampler(cells: int, size: int = 0) -> Sampler:
    """Arrays for systems of so many cells at most; `size` is that of the bordered board, if they are of
    one."""
    return Sampler(
        log_factorial=log_factorials(cells),
        room=np.zeros(cells + 1, np.int32),
        left=np.zeros(cells + 1, np.int32),
        minefield=np.zeros(size, np.int8),
    )


@part
def component_shift(ws: Workspace, component: int, mines: int) -> int:
    """Where the mines of a component stand in the keys of its states."""
    cells = 0
    for at in range(ws.cell[COMPONENT_BOX, component], ws.cell[COMPONENT_BOX, component + 1]):
        cells += ws.cell[BOX_SIZE, ws.cell[BOX_ORDER, at]]
    return KEY_BITS - bit_width(min(cells, mines))


@part
def weigh_rest(sampler: Sampler, ws: Workspace, combined: Combination, mines: int) -> Floats:
    """What layouts of `mines` mines are drawn by, after `analyse`, shape (components + 1, mines + 1).

    Row f, column k: what the components from f on weigh, with the cells outside, where those before hold k
    mines; each row in a scale of its own, and 0 where those before cannot hold so many. Without rows where a
    component is too large to be counted, or where rounding left nothing.
    """
    nothing = np.zeros((0, 0))
    if combined.limited > 0:
        return nothing
    components = combined.components
    outside = combined.outside
    log_odds = math.log(combined.odds)
    after, table = np.zeros((components + 1, mines + 1)), sampler.log_factorial
    fewest, most = np.zeros(components + 1, np.int64), np.zeros(components + 1, np.int64)
    for component in range(components):
        if not ws.cell[COMPONENT_GOOD, component]:
            return nothing
        shift = component_shift(ws, component, mines)
        end = ws.cell[COMPONENT_BOX, component + 1] + 2 * component
        low, high = mines, 0
        for state in range(ws.layers[LAYER, end], ws.layers[LAYER, end + 1]):
            m = ws.keys[state] >> shift
            low, high = min(low, m), max(high, m)
        fewest[component + 1] = fewest[component] + low
        most[component + 1] = min(most[component] + high, mines)
    highest = -1e300
    first = max(fewest[components], mines - outside)
    for k in range(first, most[components] + 1):
        left = mines - k
        after[components, k] = table[outside] - table[left] - table[outside - left] - k * log_odds
        highest = max(highest, after[components, k])
    for k in range(first, most[components] + 1):
        after[components, k] = math.exp(after[components, k] - highest)
    for component in range(components - 1, -1, -1):
        shift = component_shift(ws, component, mines)
        end = ws.cell[COMPONENT_BOX, component + 1] + 2 * component
        largest = 0.0
        for state in range(ws.layers[LAYER, end], ws.layers[LAYER, end + 1]):
            m = ws.keys[state] >> shift
            for k in range(fewest[component], min(most[component], mines - m) + 1):
                after[component, k] += ws.forward[state] * after[component + 1, k + m]
                largest = max(largest, after[component, k])
        if largest <= 0.0:
            return nothing
        for k in range(fewest[component], most[component] + 1):
            after[component, k] /= largest
    return after


@part
def draw_box_mines(sampler: Sampler, rest: Floats, ws: Workspace, combined: Combination, mines: int) -> bool:
    """Draw how many of `mines` mines each box holds, and the cells outside: for `draw_cell`. `rest` is what
    `weigh_rest` gave. Returns False where rounding left nothing to choose from."""
    components = combined.components
    odds = combined.odds
    room, left = sampler.room, sampler.left
    used = 0
    for component in range(components):
        begin, end = ws.cell[COMPONENT_BOX, component], ws.cell[COMPONENT_BOX, component + 1]
        base = begin + 2 * component
        shift = component_shift(ws, component, mines)
        first, stop = ws.layers[LAYER, base + end - begin], ws.layers[LAYER, base + end - begin + 1]
        total = 0.0
        for state in range(first, stop):
            m = ws.keys[state] >> shift
            if used + m <= mines:
                total += ws.forward[state] * rest[component + 1, used + m]
        pick = np.random.random() * total
        here = -1
        taken = 0
        for state in range(first, stop):
            m = ws.keys[state] >> shift
            if used + m > mines:
                continue
            weight = ws.forward[state] * rest[component + 1, used + m]
            if weight <= 0.0:
                continue
            here, taken = state, m
            pick -= weight
            if pick < 0.0:
                break
        if here < 0:
            return False
        used += taken
        for at in range(end - 1, begin - 1, -1):
            box = ws.cell[BOX_ORDER, at]
            size = ws.cell[BOX_SIZE, box]
            edge_first = ws.layers[EDGE_LAYER, base + at - begin]
            edge_stop = ws.layers[EDGE_LAYER, base + at - begin + 1]
            # The ways into a state are its forward count, but for the scale of the layer: counted again.
            total = 0.0
            for edge in range(edge_first, edge_stop):
                if ws.edges[EDGE_TO, edge] == here:
                    total += ways_along(ws, edge, size, odds)
            pick = np.random.random() * total
            source = -1
            for edge in range(edge_first, edge_stop):
                if ws.edges[EDGE_TO, edge] != here:
                    continue
                source = ws.edges[EDGE_FROM, edge]
                left[box] = ws.edges[EDGE_MINES, edge]
                pick -= ways_along(ws, edge, size, odds)
                if pick < 0.0:
                    break
            if source < 0:
                return False
            room[box] = size
            here = source
    outside = room.shape[0] - 1
    room[outside] = combined.outside
    left[outside] = mines - used
    return True


@part
def draw_cell(sampler: Sampler, ws: Workspace, cell: int) -> bool:
    """Draw whether a cell is one of the mines of its box, after those of the box that came before."""
    room, left = sampler.room, sampler.left
    box = ws.cell[CELL_BOX, cell] if ws.cell[CELL_DEGREE, cell] > 0 else room.shape[0] - 1
    mine = np.random.random() * room[box] < left[box]
    room[box] -= 1
    if mine:
        left[box] -= 1
    return bool(mine)


@part
def sample_layout(
    sampler: Sampler, rest: Floats, field: CompiledBoard, ws: Workspace, combined: Combination
) -> bool:
    """Draw a layout of a board and write its numbers into `minefield`, 9 for a mine. `rest` is what
    `weigh_rest` gave. Returns False where rounding left nothing to choose from."""
    if not draw_box_mines(sampler, rest, ws, combined, mines_left(field)):
        return False
    minefield = sampler.minefield
    minefield[:] = 0
    for cell in range(field.state.shape[0]):
        if field.state[cell] == UNKNOWN:
            if not draw_cell(sampler, ws, cell):
                continue
        elif field.state[cell] != MINE:
            continue
        for step in field.around:
            if minefield[cell + step] < 9:
                minefield[cell + step] += 1
        # Neighbours that come later must not count it away: a mine stays one.
        minefield[cell] = 9
    return True


@jit
def sample_system(
    sampler: Sampler, ws: Workspace, combined: Combination, mines: int, seed: int, layouts: Bytes
) -> bool:
    """Fill `layouts`, shape (layouts, cells), 1 for a mine, with layouts of a system that `analyse` counted.
    Returns False where a component is too large to be counted."""
    np.random.seed(seed)
    rest = weigh_rest(sampler, ws, combined, mines)
    if rest.shape[0] == 0:
        return False
    for layout in layouts:
        if not draw_box_mines(sampler, rest, ws, combined, mines):
            return False
        for cell in range(layouts.shape[1]):
            layout[cell] = draw_cell(sampler, ws, cell)
    return True


@part
def ways_along(ws: Workspace, edge: int, size: int, odds: float) -> float:
    """The ways from the start of a component along an edge."""
    ways = ws.forward[ws.edges[EDGE_FROM, edge]]
    for k in range(ws.edges[EDGE_MINES, edge]):
        ways = ways * (size - k) / (k + 1) * odds
    return float(ways)
