"""Boxes and components of a system of constraints.

The cells that lie in exactly the same constraints are a *box*: only how many mines it holds matters, and
k mines in a box of n cells stand for C(n, k) solutions. Boxes that share constraints, directly or through
others, are a *component*. (Boxes: R. Mgriscom, "minesweepr".)
"""

from __future__ import annotations

from bot.solver.constraints.workspace import (
    ACTIVE,
    BOX_CELL,
    BOX_COMPONENT,
    BOX_NEXT,
    BOX_ORDER,
    BOX_SIZE,
    BOX_TAKEN,
    CELL_BOX,
    CELL_DEGREE,
    COMPONENT_BOX,
    COMPONENT_CON,
    CON_BOX_START,
    CON_BOXES,
    CON_CELLS,
    CON_COMPONENT,
    CON_FIRST_BOX,
    CON_LEFT,
    CON_SHIFT,
    CON_START,
    CONSTRAINT_QUEUE,
    Workspace,
)
from bot.solver.jit.compiler import jit


@jit
def gather_boxes(ws: Workspace, cons: int) -> int:
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
def release_cells(ws: Workspace, cons: int) -> None:
    """Leave the cells of the constraints as `gather_boxes` found them."""
    for at in range(ws.con[CON_START, cons]):
        ws.cell[CELL_DEGREE, ws.link[CON_CELLS, at]] = 0


@jit
def order_components(ws: Workspace, cons: int) -> int:
    """Split the boxes into components and put each in an order in which constraints close early.

    A component is walked from its far end: always the constraint under way with the fewest boxes left comes
    next. Returns the number of components.
    """
    components = 0
    taken = 0
    seen = 0
    for con in range(cons):
        ws.con[CON_COMPONENT, con] = -1
    ws.cell[COMPONENT_BOX, 0] = 0
    ws.cell[COMPONENT_CON, 0] = 0
    for root in range(cons):
        if ws.con[CON_COMPONENT, root] >= 0 or ws.con[CON_START, root] == ws.con[CON_START, root + 1]:
            continue
        begin = seen
        ws.con[CONSTRAINT_QUEUE, seen] = root
        seen += 1
        ws.con[CON_COMPONENT, root] = components
        at = begin
        while at < seen:
            con = ws.con[CONSTRAINT_QUEUE, at]
            at += 1
            for b in range(ws.con[CON_BOX_START, con], ws.con[CON_BOX_START, con + 1]):
                box = ws.link[CON_BOXES, b]
                ws.cell[BOX_COMPONENT, box] = components
                cell = ws.cell[BOX_CELL, box]
                for k in range(ws.cell[CELL_DEGREE, cell]):
                    other = ws.cell_cons[cell, k]
                    if ws.con[CON_COMPONENT, other] < 0:
                        ws.con[CON_COMPONENT, other] = components
                        ws.con[CONSTRAINT_QUEUE, seen] = other
                        seen += 1
        last = ws.con[CONSTRAINT_QUEUE, seen - 1]
        for at in range(begin, seen):
            ws.con[CON_SHIFT, ws.con[CONSTRAINT_QUEUE, at]] = -1  # here: not under way
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
                    ws.cell[BOX_ORDER, taken] = box
                    taken += 1
                    for k in range(ws.cell[CELL_DEGREE, cell]):
                        other = ws.cell_cons[cell, k]
                        ws.con[CON_LEFT, other] -= 1
                        if ws.con[CON_SHIFT, other] < 0:
                            ws.con[CON_SHIFT, other] = 0
                            ws.con[ACTIVE, under_way] = other
                            under_way += 1
        components += 1
        ws.cell[COMPONENT_BOX, components] = taken
        ws.cell[COMPONENT_CON, components] = seen
    return components
