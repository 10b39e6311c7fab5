"""Writing out every solution, where they are few, as rows for the endgame search."""

from __future__ import annotations

import numpy as np

from bot.solver.constraints.workspace import (
    BOX_CELL,
    BOX_ORDER,
    BOX_SIZE,
    CELL_BOX,
    CELL_DEGREE,
    COMPONENT_BOX,
    CON_CELLS,
    CON_START,
    EDGE_FROM,
    EDGE_LAYER,
    EDGE_MINES,
    EDGE_TO,
    LAYER,
    Bytes,
    Ints,
    Workspace,
)
from bot.solver.deduction.compiled_board import UNKNOWN, CompiledBoard
from bot.solver.endgame.exact_search import HOLDS_MINE, Endgame
from bot.solver.jit.compiler import jit, part


@jit
def enumerate_solutions(
    field: CompiledBoard, ws: Workspace, game: Endgame, chosen: Bytes, components: int, mines: int, limit: int
) -> tuple[int, int]:
    """Fill `values` and `cells` of the endgame after `mine_chances`.

    `chosen` marks the components that take part. With `mines` from 0, so many mines lie in all components and
    the cells outside together, and those cells are columns too; with -1 only the components' cells are.
    Returns the numbers of rows and columns; rows is -1 where there are more than `limit`.
    """
    values, cells = game.values, game.cells
    room, width = values.shape
    room = min(room, limit)
    columns = 0
    column_of = np.full(field.state.shape[0], -1, np.int32)
    for component in range(components):
        if not chosen[component]:
            continue
        for at in range(ws.cell[COMPONENT_BOX, component], ws.cell[COMPONENT_BOX, component + 1]):
            box = ws.cell[BOX_ORDER, at]
            con = ws.cell_cons[ws.cell[BOX_CELL, box], 0]
            for k in range(ws.con[CON_START, con], ws.con[CON_START, con + 1]):
                cell = ws.link[CON_CELLS, k]
                if ws.cell[CELL_BOX, cell] == box:
                    if columns == width:
                        return -1, columns
                    cells[columns] = cell
                    column_of[cell] = columns
                    columns += 1
    inner = columns
    if mines >= 0:
        for cell in range(field.state.shape[0]):
            if field.state[cell] == UNKNOWN and ws.cell[CELL_DEGREE, cell] == 0:
                if columns == width:
                    return -1, columns
                cells[columns] = cell
                column_of[cell] = columns
                columns += 1

    old = np.zeros((room, columns), np.int8)
    new = np.zeros((room, columns), np.int8)
    old_state = np.zeros(room, np.int32)
    new_state = np.zeros(room, np.int32)
    old_used = np.zeros(room, np.int32)
    new_used = np.zeros(room, np.int32)
    combination = np.zeros(columns + 1, np.int32)
    rows = 1
    column = 0
    for component in range(components):
        if not chosen[component]:
            continue
        begin, end = ws.cell[COMPONENT_BOX, component], ws.cell[COMPONENT_BOX, component + 1]
        base = begin + 2 * component
        for row in range(rows):
            old_state[row] = ws.layers[LAYER, base]
        for at in range(begin, end):
            size = ws.cell[BOX_SIZE, ws.cell[BOX_ORDER, at]]
            edge_first, edge_stop = (
                ws.layers[EDGE_LAYER, base + at - begin],
                ws.layers[EDGE_LAYER, base + at - begin + 1],
            )
            fresh = 0
            for row in range(rows):
                for edge in range(edge_first, edge_stop):
                    if (
                        ws.edges[EDGE_FROM, edge] != old_state[row]
                        or ws.reached[ws.edges[EDGE_TO, edge]] == 0
                    ):
                        continue
                    k = ws.edges[EDGE_MINES, edge]
                    used = old_used[row] + k
                    if mines >= 0 and used > mines:
                        continue
                    for j in range(k):
                        combination[j] = j
                    while True:
                        if fresh == room:
                            return -1, columns
                        new[fresh] = old[row]
                        for j in range(k):
                            new[fresh, column + combination[j]] = 1
                        new_state[fresh] = ws.edges[EDGE_TO, edge]
                        new_used[fresh] = used
                        fresh += 1
                        if not next_combination(combination, k, size):
                            break
            old, new = new, old
            old_state, new_state = new_state, old_state
            old_used, new_used = new_used, old_used
            rows = fresh
            column += size
    if mines >= 0:
        size = columns - inner
        fresh = 0
        for row in range(rows):
            k = mines - old_used[row]
            if k < 0 or k > size:
                continue
            for j in range(k):
                combination[j] = j
            while True:
                if fresh == room:
                    return -1, columns
                new[fresh] = old[row]
                for j in range(k):
                    new[fresh, inner + combination[j]] = 1
                fresh += 1
                if not next_combination(combination, k, size):
                    break
        old, new = new, old
        rows = fresh

    beside = np.zeros(8, np.int32)
    for c in range(columns):
        cell = cells[c]
        many = 0
        for step in field.around:
            if field.state[cell + step] == UNKNOWN and column_of[cell + step] >= 0:
                beside[many] = column_of[cell + step]
                many += 1
        for row in range(rows):
            if old[row, c]:
                values[row, c] = HOLDS_MINE
                continue
            shows = field.near[cell]
            for k in range(many):
                shows += old[row, beside[k]]
            values[row, c] = shows
    return rows, columns


@part
def next_combination(combination: Ints, chosen: int, size: int) -> bool:
    """The next way to choose from `size` things, in place; False after the last."""
    k = chosen - 1
    while k >= 0 and combination[k] == size - chosen + k:
        k -= 1
    if k < 0:
        return False
    combination[k] += 1
    for j in range(k + 1, chosen):
        combination[j] = combination[j - 1] + 1
    return True
