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

from bot.solver.compiled import jit
from bot.solver.workspace import Bytes, Floats, Workspace

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
        ws.con_first_box[con] = -1
        ws.con_left[con] = 0
        for at in range(ws.con_start[con], ws.con_start[con + 1]):
            cell = ws.con_cells[at]
            degree = ws.cell_degree[cell]
            ws.cell_cons[cell, degree] = con
            ws.cell_degree[cell] = degree + 1
    for con in range(cons):
        for at in range(ws.con_start[con], ws.con_start[con + 1]):
            cell = ws.con_cells[at]
            if ws.cell_cons[cell, 0] != con:
                continue
            degree = ws.cell_degree[cell]
            box = ws.con_first_box[con]
            while box >= 0:
                twin = ws.box_cell[box]
                same = ws.cell_degree[twin] == degree
                k = 1
                while same and k < degree:
                    same = ws.cell_cons[twin, k] == ws.cell_cons[cell, k]
                    k += 1
                if same:
                    break
                box = ws.box_next[box]
            if box < 0:
                box = boxes
                boxes += 1
                ws.box_cell[box] = cell
                ws.box_size[box] = 0
                ws.box_next[box] = ws.con_first_box[con]
                ws.con_first_box[con] = box
                ws.box_taken[box] = 0
                for k in range(degree):
                    ws.con_left[ws.cell_cons[cell, k]] += 1
            ws.box_size[box] += 1
            ws.cell_box[cell] = box
    ws.con_box_start[0] = 0
    for con in range(cons):
        ws.con_box_start[con + 1] = ws.con_box_start[con] + ws.con_left[con]
        ws.con_left[con] = 0
    for box in range(boxes):
        cell = ws.box_cell[box]
        for k in range(ws.cell_degree[cell]):
            con = ws.cell_cons[cell, k]
            ws.con_boxes[ws.con_box_start[con] + ws.con_left[con]] = box
            ws.con_left[con] += 1
    return boxes


@jit
def forget(ws: Workspace, cons: int) -> None:
    """Leave the cells of the constraints as `gather` found them."""
    for at in range(ws.con_start[cons]):
        ws.cell_degree[ws.con_cells[at]] = 0


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
        ws.con_front[con] = -1
    ws.front_box[0] = 0
    ws.front_con[0] = 0
    for root in range(cons):
        if ws.con_front[root] >= 0 or ws.con_start[root] == ws.con_start[root + 1]:
            continue
        begin = seen
        ws.queue[seen] = root
        seen += 1
        ws.con_front[root] = fronts
        at = begin
        while at < seen:
            con = ws.queue[at]
            at += 1
            for b in range(ws.con_box_start[con], ws.con_box_start[con + 1]):
                box = ws.con_boxes[b]
                ws.box_front[box] = fronts
                cell = ws.box_cell[box]
                for k in range(ws.cell_degree[cell]):
                    other = ws.cell_cons[cell, k]
                    if ws.con_front[other] < 0:
                        ws.con_front[other] = fronts
                        ws.queue[seen] = other
                        seen += 1
        last = ws.queue[seen - 1]
        for at in range(begin, seen):
            ws.con_shift[ws.queue[at]] = -1  # here: not under way
        ws.active[0] = last
        ws.con_shift[last] = 0
        under_way = 1
        while under_way > 0:
            best = -1
            fewest = 1 << 30
            keep = 0
            for a in range(under_way):
                con = ws.active[a]
                left = ws.con_left[con]
                if left == 0:
                    continue
                ws.active[keep] = con
                if left < fewest:
                    fewest = left
                    best = keep
                keep += 1
            under_way = keep
            if best < 0:
                break
            con = ws.active[best]
            # The boxes that open no new constraint first: fewer states on the way.
            for fresh in range(2):
                for b in range(ws.con_box_start[con], ws.con_box_start[con + 1]):
                    box = ws.con_boxes[b]
                    if ws.box_taken[box]:
                        continue
                    cell = ws.box_cell[box]
                    if fresh == 0:
                        opens = False
                        for k in range(ws.cell_degree[cell]):
                            if ws.con_shift[ws.cell_cons[cell, k]] < 0:
                                opens = True
                        if opens:
                            continue
                    ws.box_taken[box] = 1
                    ws.order[taken] = box
                    taken += 1
                    for k in range(ws.cell_degree[cell]):
                        other = ws.cell_cons[cell, k]
                        ws.con_left[other] -= 1
                        if ws.con_shift[other] < 0:
                            ws.con_shift[other] = 0
                            ws.active[under_way] = other
                            under_way += 1
        fronts += 1
        ws.front_box[fronts] = taken
        ws.front_con[fronts] = seen
    return fronts


@jit
def walk(
    ws: Workspace, front: int, state: int, edge: int, most: int, odds: float, limit: int
) -> tuple[int, int]:
    """Count the ways to reach each state of a front, up to `most` mines.

    The states begin at `state` of the pools, the edges at `edge`. At most `limit` states are kept in a
    layer. Every mine weighs `odds`, so that the counts of long fronts stay where floats are dense. Returns the ends of the states and the edges; an end of -1 where the front is too large.
    """
    begin, end = ws.front_box[front], ws.front_box[front + 1]
    mines_shift = KEY_BITS - bits(most)
    used = 0  # bits of the key that are taken
    counter_shift = -1
    for at in range(ws.front_con[front], ws.front_con[front + 1]):
        con = ws.queue[at]
        ws.con_shift[con] = -1
        ws.con_room[con] = ws.con_start[con + 1] - ws.con_start[con]
        if ws.con_need[con] == FREE:
            counter_shift = mines_shift - COUNTER_BITS
            ws.con_shift[con] = counter_shift
            ws.con_width[con] = COUNTER_BITS
            used |= ((1 << COUNTER_BITS) - 1) << counter_shift
        elif ws.con_need[con] < 0 or ws.con_need[con] > ws.con_room[con]:
            ws.layer[begin + 2 * front + end - begin] = state  # no solution: no last state
            ws.layer[begin + 2 * front + end - begin + 1] = state
            return state, edge
    ws.log_scale[front] = 0.0
    ws.keys[state] = 0
    ws.forward[state] = 1.0
    first = state
    state += 1
    base = begin + 2 * front  # of this front in `layer`
    shifts = ws.active
    for at in range(begin, end):
        box = ws.order[at]
        size = ws.box_size[box]
        cell = ws.box_cell[box]
        ws.layer[base + at - begin] = first
        ws.edge_layer[base + at - begin] = edge
        step = 1 << mines_shift
        opened = 0
        sides = 0
        for k in range(ws.cell_degree[cell]):
            con = ws.cell_cons[cell, k]
            ws.con_room[con] -= size
            need = ws.con_need[con]
            if need == FREE:
                step += 1 << counter_shift
                continue
            if ws.con_shift[con] < 0:
                width = bits(need)
                mask = (1 << width) - 1
                shift = 0
                while used & (mask << shift):
                    shift += 1
                if shift + width > mines_shift:
                    return -1, edge
                used |= mask << shift
                ws.con_shift[con] = shift
                ws.con_width[con] = width
                opened += need << shift
            step -= 1 << ws.con_shift[con]
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
                need = (key >> ws.con_shift[con]) & ((1 << ws.con_width[con]) - 1)
                if need < high:
                    high = need
                if need - ws.con_room[con] > low:
                    low = need - ws.con_room[con]
            spare = most - (key >> mines_shift)
            if spare < high:
                high = spare
            if edge + high + 1 - low > ws.edge_from.shape[0]:
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
                ws.edge_from[edge] = source
                ws.edge_to[edge] = target
                ws.edge_mines[edge] = k
                edge += 1
                ways = ways * (size - k) / (k + 1) * odds
                key += step
        for side in range(sides):
            con = shifts[side]
            if ws.con_room[con] == 0:
                used &= ~(((1 << ws.con_width[con]) - 1) << ws.con_shift[con])
        if largest > 1e100:
            for target in range(last, state):
                ws.forward[target] *= 1e-100
            ws.log_scale[front] += 230.25850929940457  # log(1e100)
        elif 0.0 < largest < 1e-100:
            for target in range(last, state):
                ws.forward[target] *= 1e100
            ws.log_scale[front] -= 230.25850929940457
        first = last
    ws.layer[base + end - begin] = first
    ws.layer[base + end - begin + 1] = state
    ws.edge_layer[base + end - begin] = edge
    return state, edge


@jit
def walk_back(ws: Workspace, front: int, odds: float) -> bool:
    """Work out `box_mines` and `box_can` of a front from the weights on its last states.

    `backward` and `reached` of the last layer are given. Returns whether the front has a solution.
    """
    begin, end = ws.front_box[front], ws.front_box[front + 1]
    base = begin + 2 * front
    for at in range(end - 1, begin - 1, -1):
        box = ws.order[at]
        size = ws.box_size[box]
        first, last = ws.layer[base + at - begin], ws.layer[base + at - begin + 1]
        for source in range(first, last):
            ws.backward[source] = 0.0
            ws.reached[source] = 0
        total = 0.0
        mines = 0.0
        can = 0
        largest = 0.0
        stop = ws.edge_layer[base + at - begin + 1]
        for edge in range(ws.edge_layer[base + at - begin], stop):
            target = ws.edge_to[edge]
            if ws.reached[target] == 0:
                continue
            source = ws.edge_from[edge]
            k = ws.edge_mines[edge]
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
        ws.box_can[box] = can
        if largest > 1e100:
            for source in range(first, last):
                ws.backward[source] *= 1e-100
        elif 0.0 < largest < 1e-100:
            for source in range(first, last):
                ws.backward[source] *= 1e100
    return True
