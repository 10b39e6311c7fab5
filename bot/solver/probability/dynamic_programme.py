"""Counting the solutions of a component, box by box.

A state is what the constraints on the way still need, and the mines used so far. States that agree in this
are merged, so that the work grows with the width of the component and not with its length. Walking back with
a weight for each number of mines used gives the expected mines of every box. (The states are those of a
knapsack with several sides.)

A *counter* is a constraint whose number is not known: its mines are counted up to the end, so that one
walk answers for all the numbers that an opened cell may show.
"""

from __future__ import annotations

import numpy as np

from bot.solver.constraints.workspace import (
    ACTIVE,
    BOX_CAN,
    BOX_CELL,
    BOX_ORDER,
    BOX_SIZE,
    CELL_DEGREE,
    COMPONENT_BOX,
    COMPONENT_CON,
    CON_NEED,
    CON_ROOM,
    CON_SHIFT,
    CON_START,
    CON_WIDTH,
    CONSTRAINT_QUEUE,
    EDGE_FROM,
    EDGE_LAYER,
    EDGE_MINES,
    EDGE_TO,
    LAYER,
    Workspace,
)
from bot.solver.jit.compiler import jit

COUNTER_NEED = -1
"""The need of a counter."""

CAN_MINE, CAN_SAFE = 1, 2

COUNTER_BITS = 4

KEY_BITS = 62
"""A key is one signed 64-bit number: needs at the bottom, the counter above, mines used at the top."""


@jit
def bit_width(number: int) -> int:
    """How many bits a number from 0 takes."""
    width = 0
    while number > 0:
        width += 1
        number >>= 1
    return width


@jit
def count_forward(
    ws: Workspace, component: int, state: int, edge: int, most: int, odds: float, limit: int
) -> tuple[int, int]:
    """Count the ways to reach each state of a component, up to `most` mines.

    The states begin at `state` of the pools, the edges at `edge`. At most `limit` states are kept in a
    layer. Every mine weighs `odds`, so that the counts of long components stay where floats are dense.
    Returns the ends of the states and the edges; an end of -1 where the component is too large.
    """
    begin, end = ws.cell[COMPONENT_BOX, component], ws.cell[COMPONENT_BOX, component + 1]
    mines_shift = KEY_BITS - bit_width(most)
    used = 0  # bits of the key that are taken
    counter_shift = -1
    for at in range(ws.cell[COMPONENT_CON, component], ws.cell[COMPONENT_CON, component + 1]):
        con = ws.con[CONSTRAINT_QUEUE, at]
        ws.con[CON_SHIFT, con] = -1
        ws.con[CON_ROOM, con] = ws.con[CON_START, con + 1] - ws.con[CON_START, con]
        if ws.con[CON_NEED, con] == COUNTER_NEED:
            counter_shift = mines_shift - COUNTER_BITS
            ws.con[CON_SHIFT, con] = counter_shift
            ws.con[CON_WIDTH, con] = COUNTER_BITS
            used |= ((1 << COUNTER_BITS) - 1) << counter_shift
        elif ws.con[CON_NEED, con] < 0 or ws.con[CON_NEED, con] > ws.con[CON_ROOM, con]:
            ws.layers[LAYER, begin + 2 * component + end - begin] = state  # no solution: no last state
            ws.layers[LAYER, begin + 2 * component + end - begin + 1] = state
            return state, edge
    if state >= ws.keys.shape[0]:
        return -1, edge  # the components before have filled the pool
    ws.log_scale[component] = 0.0
    ws.keys[state] = 0
    ws.forward[state] = 1.0
    first = state
    state += 1
    base = begin + 2 * component  # of this component in `layer`
    shifts = ws.con[ACTIVE]
    for at in range(begin, end):
        box = ws.cell[BOX_ORDER, at]
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
            if need == COUNTER_NEED:
                step += 1 << counter_shift
                continue
            if ws.con[CON_SHIFT, con] < 0:
                width = bit_width(need)
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
            ws.log_scale[component] += 230.25850929940457  # log(1e100)
        elif 0.0 < largest < 1e-100:
            for target in range(last, state):
                ws.forward[target] *= 1e100
            ws.log_scale[component] -= 230.25850929940457
        first = last
    ws.layers[LAYER, base + end - begin] = first
    ws.layers[LAYER, base + end - begin + 1] = state
    ws.layers[EDGE_LAYER, base + end - begin] = edge
    return state, edge


@jit
def count_backward(ws: Workspace, component: int, odds: float) -> bool:
    """Work out `box_mines` and BOX_CAN of a component from the weights on its last states.

    `backward` and `reached` of the last layer are given. Returns whether the component has a solution.
    """
    begin, end = ws.cell[COMPONENT_BOX, component], ws.cell[COMPONENT_BOX, component + 1]
    base = begin + 2 * component
    for at in range(end - 1, begin - 1, -1):
        box = ws.cell[BOX_ORDER, at]
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
