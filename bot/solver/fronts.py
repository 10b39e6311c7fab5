"""Counting the solutions of a system of constraints, front by front.

The cells that lie in exactly the same constraints are a *box*: only how many mines it holds matters, and
k mines in a box of n cells stand for C(n, k) solutions. Boxes that share constraints, directly or through
others, are a *front*. A front is walked box by box; a state is what the constraints on the way still need,
and the mines used so far. States that agree in this are merged, so that the work grows with the width of
the front and not with its length. Walking back with a weight for each number of mines used gives the
expected mines of every box. (Boxes: R. Mgriscom, "minesweepr"; the states are those of a knapsack with
several sides.)

A *counter* is a constraint whose number is not known: its mines are counted up to the end, so that one
walk answers for all the numbers that an opened cell may show.
"""

from __future__ import annotations

import numpy as np

from bot.solver.compiled import jit
from bot.solver.workspace import (
    ACTIVE,
    BOX_CAN,
    BOX_CELL,
    BOX_FRONT,
    BOX_NEXT,
    BOX_SIZE,
    BOX_TAKEN,
    CELL_BOX,
    CELL_DEGREE,
    CON_BOX_START,
    CON_BOXES,
    CON_CELLS,
    CON_FIRST_BOX,
    CON_FRONT,
    CON_LEFT,
    CON_NEED,
    CON_ROOM,
    CON_SHIFT,
    CON_START,
    CON_WIDTH,
    EDGE_FROM,
    EDGE_LAYER,
    EDGE_MINES,
    EDGE_TO,
    FRONT_BOX,
    FRONT_CON,
    LAYER,
    ORDER,
    QUEUE,
    Workspace,
)

FREE = -1
"""The need of a counter."""

CAN_MINE, CAN_SAFE = 1, 2

COUNTER_BITS = 4

KEY_BITS = 62
"""A key is one signed 64-bit number: needs at the bottom, the counter above, mines used at the top."""


@jit
def bits(number: int) -> int:
    """How many bits a number from 0 takes."""
    width = 0
    while number > 0:
        width += 1
        number >>= 1
    return width


@jit
def gather(ws: Workspace, cons: int) -> int:
    """Sort the cells of the first `cons` constraints into boxes. Returns the number of boxes."""
    boxes = 0
    for con in range(cons):
        ws.con[CON_FIRST_BOX, con] = -1
        ws.con[CON_LEFT, con] = 0
        for at in range(ws.con[CON_START, con], ws.con[CON_START, con + 1]):
            cell = ws.link[CON_CELLS, at]
            degree = ws.cell[CELL_DEGREE, cell]
            ws.cell_cons[cell, degree] = con
            ws.cell[CELL_DEGREE, cell] = degree + 1
    for con in range(cons):
        for at in range(ws.con[CON_START, con], ws.con[CON_START, con + 1]):
            cell = ws.link[CON_CELLS, at]
            if ws.cell_cons[cell, 0] != con:
                continue
            degree = ws.cell[CELL_DEGREE, cell]
            box = ws.con[CON_FIRST_BOX, con]
            while box >= 0:
                twin = ws.cell[BOX_CELL, box]
                same = ws.cell[CELL_DEGREE, twin] == degree
                k = 1
                while same and k < degree:
                    same = ws.cell_cons[twin, k] == ws.cell_cons[cell, k]
                    k += 1
                if same:
                    break
                box = ws.cell[BOX_NEXT, box]
            if box < 0:
                box = boxes
                boxes += 1
                ws.cell[BOX_CELL, box] = cell
                ws.cell[BOX_SIZE, box] = 0
                ws.cell[BOX_NEXT, box] = ws.con[CON_FIRST_BOX, con]
                ws.con[CON_FIRST_BOX, con] = box
                ws.cell[BOX_TAKEN, box] = 0
                for k in range(degree):
                    ws.con[CON_LEFT, ws.cell_cons[cell, k]] += 1
            ws.cell[BOX_SIZE, box] += 1
            ws.cell[CELL_BOX, cell] = box
    ws.con[CON_BOX_START, 0] = 0
    for con in range(cons):
        ws.con[CON_BOX_START, con + 1] = ws.con[CON_BOX_START, con] + ws.con[CON_LEFT, con]
        ws.con[CON_LEFT, con] = 0
    for box in range(boxes):
        cell = ws.cell[BOX_CELL, box]
        for k in range(ws.cell[CELL_DEGREE, cell]):
            con = ws.cell_cons[cell, k]
            ws.link[CON_BOXES, ws.con[CON_BOX_START, con] + ws.con[CON_LEFT, con]] = box
            ws.con[CON_LEFT, con] += 1
    return boxes


@jit
def forget(ws: Workspace, cons: int) -> None:
    """Leave the cells of the constraints as `gather` found them."""
    for at in range(ws.con[CON_START, cons]):
        ws.cell[CELL_DEGREE, ws.link[CON_CELLS, at]] = 0


@jit
def arrange(ws: Workspace, cons: int) -> int:
    """Split the boxes into fronts and put each in an order in which constraints close early.

    A front is walked from its far end: always the constraint under way with the fewest boxes left comes
    next. Returns the number of fronts.
    """
    fronts = 0
    taken = 0
    seen = 0
    for con in range(cons):
        ws.con[CON_FRONT, con] = -1
    ws.cell[FRONT_BOX, 0] = 0
    ws.cell[FRONT_CON, 0] = 0
    for root in range(cons):
        if ws.con[CON_FRONT, root] >= 0 or ws.con[CON_START, root] == ws.con[CON_START, root + 1]:
            continue
        begin = seen
        ws.con[QUEUE, seen] = root
        seen += 1
        ws.con[CON_FRONT, root] = fronts
        at = begin
        while at < seen:
            con = ws.con[QUEUE, at]
            at += 1
            for b in range(ws.con[CON_BOX_START, con], ws.con[CON_BOX_START, con + 1]):
                box = ws.link[CON_BOXES, b]
                ws.cell[BOX_FRONT, box] = fronts
                cell = ws.cell[BOX_CELL, box]
                for k in range(ws.cell[CELL_DEGREE, cell]):
                    other = ws.cell_cons[cell, k]
                    if ws.con[CON_FRONT, other] < 0:
                        ws.con[CON_FRONT, other] = fronts
                        ws.con[QUEUE, seen] = other
                        seen += 1
        last = ws.con[QUEUE, seen - 1]
        for at in range(begin, seen):
            ws.con[CON_SHIFT, ws.con[QUEUE, at]] = -1  # here: not under way
        ws.con[ACTIVE, 0] = last
        ws.con[CON_SHIFT, last] = 0
        under_way = 1
        while under_way > 0:
            best = -1
            fewest = 1 << 30
            keep = 0
            for a in range(under_way):
                con = ws.con[ACTIVE, a]
                left = ws.con[CON_LEFT, con]
                if left == 0:
                    continue
                ws.con[ACTIVE, keep] = con
                if left < fewest:
                    fewest = left
                    best = keep
                keep += 1
            under_way = keep
            if best < 0:
                break
            con = ws.con[ACTIVE, best]
            # The boxes that open no new constraint first: fewer states on the way.
            for fresh in range(2):
                for b in range(ws.con[CON_BOX_START, con], ws.con[CON_BOX_START, con + 1]):
                    box = ws.link[CON_BOXES, b]
                    if ws.cell[BOX_TAKEN, box]:
                        continue
                    cell = ws.cell[BOX_CELL, box]
                    if fresh == 0:
                        opens = False
                        for k in range(ws.cell[CELL_DEGREE, cell]):
                            if ws.con[CON_SHIFT, ws.cell_cons[cell, k]] < 0:
                                opens = True
                        if opens:
                            continue
                    ws.cell[BOX_TAKEN, box] = 1
                    ws.cell[ORDER, taken] = box
                    taken += 1
                    for k in range(ws.cell[CELL_DEGREE, cell]):
                        other = ws.cell_cons[cell, k]
                        ws.con[CON_LEFT, other] -= 1
                        if ws.con[CON_SHIFT, other] < 0:
                            ws.con[CON_SHIFT, other] = 0
                            ws.con[ACTIVE, under_way] = other
                            under_way += 1
        fronts += 1
        ws.cell[FRONT_BOX, fronts] = taken
        ws.cell[FRONT_CON, fronts] = seen
    return fronts


@jit
def walk(
    ws: Workspace, front: int, state: int, edge: int, most: int, odds: float, limit: int
) -> tuple[int, int]:
    """Count the ways to reach each state of a front, up to `most` mines.

    The states begin at `state` of the pools, the edges at `edge`. At most `limit` states are kept in a
    layer. Every mine weighs `odds`, so that the counts of long fronts stay where floats are dense. Returns
    the ends of the states and the edges; an end of -1 where the front is too large.
    """
    begin, end = ws.cell[FRONT_BOX, front], ws.cell[FRONT_BOX, front + 1]
    mines_shift = KEY_BITS - bits(most)
    used = 0  # bits of the key that are taken
    counter_shift = -1
    for at in range(ws.cell[FRONT_CON, front], ws.cell[FRONT_CON, front + 1]):
        con = ws.con[QUEUE, at]
        ws.con[CON_SHIFT, con] = -1
        ws.con[CON_ROOM, con] = ws.con[CON_START, con + 1] - ws.con[CON_START, con]
        if ws.con[CON_NEED, con] == FREE:
            counter_shift = mines_shift - COUNTER_BITS
            ws.con[CON_SHIFT, con] = counter_shift
            ws.con[CON_WIDTH, con] = COUNTER_BITS
            used |= ((1 << COUNTER_BITS) - 1) << counter_shift
        elif ws.con[CON_NEED, con] < 0 or ws.con[CON_NEED, con] > ws.con[CON_ROOM, con]:
            ws.layers[LAYER, begin + 2 * front + end - begin] = state  # no solution: no last state
            ws.layers[LAYER, begin + 2 * front + end - begin + 1] = state
            return state, edge
    ws.log_scale[front] = 0.0
    ws.keys[state] = 0
    ws.forward[state] = 1.0
    first = state
    state += 1
    base = begin + 2 * front  # of this front in `layer`
    shifts = ws.con[ACTIVE]
    for at in range(begin, end):
        box = ws.cell[ORDER, at]
        size = ws.cell[BOX_SIZE, box]
        cell = ws.cell[BOX_CELL, box]
        ws.layers[LAYER, base + at - begin] = first
        ws.layers[EDGE_LAYER, base + at - begin] = edge
        # Uncompiled, numpy keeps 32 bits where only 32-bit numbers meet: keys take 64.
        step = np.int64(1) << mines_shift
        opened = 0
        sides = 0
        for k in range(ws.cell[CELL_DEGREE, cell]):
            con = ws.cell_cons[cell, k]
            ws.con[CON_ROOM, con] -= size
            need = ws.con[CON_NEED, con]
            if need == FREE:
                step += 1 << counter_shift
                continue
            if ws.con[CON_SHIFT, con] < 0:
                width = bits(need)
                mask = (1 << width) - 1
                shift = 0
                while used & (mask << shift):
                    shift += 1
                if shift + width > mines_shift:
                    return -1, edge
                used |= mask << shift
                ws.con[CON_SHIFT, con] = shift
                ws.con[CON_WIDTH, con] = width
                opened += np.int64(need) << shift
            step -= np.int64(1) << ws.con[CON_SHIFT, con]
            shifts[sides] = con
            sides += 1
        ws.stamp[0] += 1
        stamp = ws.stamp[0]
        last = state
        room = 4
        while room < 2 * (last - first) * (size + 1) and room < ws.table.shape[0]:
            room *= 2
        mask = room - 1
        largest = 0.0
        for source in range(first, last):
            key = ws.keys[source] + opened
            low, high = 0, size
            for side in range(sides):
                con = shifts[side]
                need = (key >> ws.con[CON_SHIFT, con]) & ((1 << ws.con[CON_WIDTH, con]) - 1)
                if need < high:
                    high = need
                if need - ws.con[CON_ROOM, con] > low:
                    low = need - ws.con[CON_ROOM, con]
            spare = most - (key >> mines_shift)
            if spare < high:
                high = spare
            if edge + high + 1 - low > ws.edges[EDGE_FROM].shape[0]:
                return -1, edge
            ways = ws.forward[source]
            for k in range(low):
                ways = ways * (size - k) / (k + 1) * odds
            key += low * step
            for k in range(low, high + 1):
                hashed = (key & 0xFFFFFFF) * 40503 + (key >> 28) * 30011
                slot = (hashed ^ (hashed >> 15)) & mask
                while ws.table_stamp[slot] == stamp and ws.keys[ws.table[slot]] != key:
                    slot = (slot + 1) & mask
                if ws.table_stamp[slot] != stamp:
                    if state >= ws.keys.shape[0] or state - last >= limit or 4 * (state - last) > 3 * room:
                        return -1, edge
                    ws.table_stamp[slot] = stamp
                    ws.table[slot] = state
                    ws.keys[state] = key
                    ws.forward[state] = 0.0
                    state += 1
                target = ws.table[slot]
                ws.forward[target] += ways
                if ws.forward[target] > largest:
                    largest = ws.forward[target]
                ws.edges[EDGE_FROM, edge] = source
                ws.edges[EDGE_TO, edge] = target
                ws.edges[EDGE_MINES, edge] = k
                edge += 1
                ways = ways * (size - k) / (k + 1) * odds
                key += step
        for side in range(sides):
            con = shifts[side]
            if ws.con[CON_ROOM, con] == 0:
                used &= ~(((np.int64(1) << ws.con[CON_WIDTH, con]) - 1) << ws.con[CON_SHIFT, con])
        if largest > 1e100:
            for target in range(last, state):
                ws.forward[target] *= 1e-100
            ws.log_scale[front] += 230.25850929940457  # log(1e100)
        elif 0.0 < largest < 1e-100:
            for target in range(last, state):
                ws.forward[target] *= 1e100
            ws.log_scale[front] -= 230.25850929940457
        first = last
    ws.layers[LAYER, base + end - begin] = first
    ws.layers[LAYER, base + end - begin + 1] = state
    ws.layers[EDGE_LAYER, base + end - begin] = edge
    return state, edge


@jit
def walk_back(ws: Workspace, front: int, odds: float) -> bool:
    """Work out `box_mines` and `box_can` of a front from the weights on its last states.

    `backward` and `reached` of the last layer are given. Returns whether the front has a solution.
    """
    begin, end = ws.cell[FRONT_BOX, front], ws.cell[FRONT_BOX, front + 1]
    base = begin + 2 * front
    for at in range(end - 1, begin - 1, -1):
        box = ws.cell[ORDER, at]
        size = ws.cell[BOX_SIZE, box]
        first, last = ws.layers[LAYER, base + at - begin], ws.layers[LAYER, base + at - begin + 1]
        for source in range(first, last):
            ws.backward[source] = 0.0
            ws.reached[source] = 0
        total = 0.0
        mines = 0.0
        can = 0
        largest = 0.0
        stop = ws.layers[EDGE_LAYER, base + at - begin + 1]
        for edge in range(ws.layers[EDGE_LAYER, base + at - begin], stop):
            target = ws.edges[EDGE_TO, edge]
            if ws.reached[target] == 0:
                continue
            source = ws.edges[EDGE_FROM, edge]
            k = ws.edges[EDGE_MINES, edge]
            ws.reached[source] = 1
            if k > 0:
                can |= CAN_MINE
            if k < size:
                can |= CAN_SAFE
            ways = ws.backward[target]
            for j in range(k):
                ways = ways * (size - j) / (j + 1) * odds
            ws.backward[source] += ways
            if ws.backward[source] > largest:
                largest = ws.backward[source]
            ways *= ws.forward[source]
            total += ways
            mines += k * ways
        if can == 0:
            return False
        ws.box_mines[box] = mines / total if total > 0 else 0.0
        ws.cell[BOX_CAN, box] = can
        if largest > 1e100:
            for source in range(first, last):
                ws.backward[source] *= 1e-100
        elif 0.0 < largest < 1e-100:
            for source in range(first, last):
                ws.backward[source] *= 1e100
    return True
