"""Drawing layouts at random from those that fit a position, each as likely as the other.

The fronts have been counted by a walk over their boxes: a draw chooses how many mines each front holds, and
then walks its states back from the end, each way as likely as it is counted.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from bot.solver.analysis import OUT_FRONTS, OUT_LIMITED, OUT_ODDS, OUT_OUTSIDE
from bot.solver.compiled import part
from bot.solver.field import MINE, MINES, TOTAL, UNKNOWN, Field
from bot.solver.walk import KEY_BITS, bits
from bot.solver.workspace import (
    BOX_SIZE,
    CELL_BOX,
    CELL_DEGREE,
    EDGE_FROM,
    EDGE_LAYER,
    EDGE_MINES,
    EDGE_TO,
    FRONT_BOX,
    FRONT_GOOD,
    LAYER,
    ORDER,
    Bytes,
    Floats,
    Ints,
    Workspace,
)


class Draws(NamedTuple):
    """What layouts are drawn from."""

    after: Floats
    """Row f, column k: what the fronts from f on weigh, with the cells outside, where those before hold k
    mines; each row in a scale of its own."""
    room: Ints
    """Of each box, the cells that are not drawn yet; the last is of those outside; ..."""
    left: Ints
    """and its mines that are not."""
    minefield: Bytes


def new_draws(size: int, area: int) -> Draws:
    """Arrays for a bordered board of `size` cells, `area` inside the border."""
    return Draws(
        after=np.zeros((area + 2, area + 2)),
        room=np.zeros(size + 1, np.int32),
        left=np.zeros(size + 1, np.int32),
        minefield=np.zeros(size, np.int8),
    )


@part
def front_shift(ws: Workspace, front: int, mines: int) -> int:
    """Where the mines of a front stand in the keys of its states."""
    cells = 0
    for at in range(ws.cell[FRONT_BOX, front], ws.cell[FRONT_BOX, front + 1]):
        cells += ws.cell[BOX_SIZE, ws.cell[ORDER, at]]
    return KEY_BITS - bits(min(cells, mines))


@part
def prepare_draws(draws: Draws, table: Floats, field: Field, ws: Workspace, out: Floats) -> bool:
    """Get ready to draw, after `chances`. `table` has the logarithms of factorials. Returns False where a
    front is too large to be counted."""
    if out[OUT_LIMITED] > 0:
        return False
    fronts = int(out[OUT_FRONTS])
    mines = field.numbers[TOTAL] - field.numbers[MINES]
    outside = int(out[OUT_OUTSIDE])
    log_odds = math.log(out[OUT_ODDS])
    after = draws.after
    highest = -1e300
    for k in range(max(0, mines - outside), mines + 1):
        left = mines - k
        after[fronts, k] = table[outside] - table[left] - table[outside - left] - k * log_odds
        highest = max(highest, after[fronts, k])
    for k in range(mines + 1):
        after[fronts, k] = math.exp(after[fronts, k] - highest) if k >= mines - outside else 0.0
    for front in range(fronts - 1, -1, -1):
        if not ws.cell[FRONT_GOOD, front]:
            return False
        shift = front_shift(ws, front, mines)
        end = ws.cell[FRONT_BOX, front + 1] + 2 * front
        for k in range(mines + 1):
            after[front, k] = 0.0
        largest = 0.0
        for state in range(ws.layers[LAYER, end], ws.layers[LAYER, end + 1]):
            m = ws.keys[state] >> shift
            for k in range(mines + 1 - m):
                after[front, k] += ws.forward[state] * after[front + 1, k + m]
                largest = max(largest, after[front, k])
        if largest <= 0.0:
            return False
        for k in range(mines + 1):
            after[front, k] /= largest
    return True


@part
def draw(draws: Draws, field: Field, ws: Workspace, out: Floats) -> bool:
    """Draw a layout and write its numbers into `minefield`, 9 for a mine. Returns False where rounding left
    nothing to choose from."""
    fronts = int(out[OUT_FRONTS])
    odds = out[OUT_ODDS]
    mines = field.numbers[TOTAL] - field.numbers[MINES]
    room, left = draws.room, draws.left
    used = 0
    for front in range(fronts):
        begin, end = ws.cell[FRONT_BOX, front], ws.cell[FRONT_BOX, front + 1]
        base = begin + 2 * front
        shift = front_shift(ws, front, mines)
        first, stop = ws.layers[LAYER, base + end - begin], ws.layers[LAYER, base + end - begin + 1]
        total = 0.0
        for state in range(first, stop):
            m = ws.keys[state] >> shift
            if used + m <= mines:
                total += ws.forward[state] * draws.after[front + 1, used + m]
        pick = np.random.random() * total
        here = -1
        taken = 0
        for state in range(first, stop):
            m = ws.keys[state] >> shift
            if used + m > mines:
                continue
            weight = ws.forward[state] * draws.after[front + 1, used + m]
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
            box = ws.cell[ORDER, at]
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
    room[outside] = int(out[OUT_OUTSIDE])
    left[outside] = mines - used
    minefield = draws.minefield
    minefield[:] = 0
    for cell in range(field.state.shape[0]):
        if field.state[cell] == UNKNOWN:
            box = ws.cell[CELL_BOX, cell] if ws.cell[CELL_DEGREE, cell] > 0 else outside
            mine = np.random.random() * room[box] < left[box]
            room[box] -= 1
            if not mine:
                continue
            left[box] -= 1
        elif field.state[cell] != MINE:
            continue
        for step in field.around:
            if minefield[cell + step] < 9:
                minefield[cell + step] += 1
        # Neighbours that come later must not count it away: a mine stays one.
        minefield[cell] = 9
    return True


@part
def ways_along(ws: Workspace, edge: int, size: int, odds: float) -> float:
    """The ways from the start of a front along an edge."""
    ways = ws.forward[ws.edges[EDGE_FROM, edge]]
    for k in range(ws.edges[EDGE_MINES, edge]):
        ways = ways * (size - k) / (k + 1) * odds
    return float(ways)
