"""Writing out every solution, where they are few, as rows for the endgame search."""

from __future__ import annotations

from typing import NamedTuple

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
from bot.solver.jit.compiler import jit, part, written_in


class Rows(NamedTuple):
    """Solutions that are written out as far as the walk has come, one a row."""

    mines: Bytes
    """1 for a mine, shape (rows, columns)."""
    state: Ints
    """The state of each row in the component under way."""
    used: Ints
    """The mines of each row so far."""


@jit
def enumerate_solutions(
    field: CompiledBoard, ws: Workspace, game: Endgame, chosen: Bytes, components: int, mines: int, limit: int
) -> tuple[int, int]:
    """Fill `values` and `cells` of the endgame after `mine_chances`.

    `chosen` marks the components that take part. With `mines` from 0, so many mines lie in all components and
    the cells outside together, and those cells are columns too; with -1 only the components' cells are.
    Returns the numbers of rows and columns; rows is -1 where there are more than `limit`.
    """
    room, width = game.values.shape
    room = min(room, limit)
    column_of = np.full(field.state.shape[0], -1, np.int32)
    inner = place_component_cells(ws, game, chosen, components, column_of)
    if inner < 0:
        return -1, width
    columns = inner
    if mines >= 0:
        columns = place_outside_cells(field, ws, game, inner, column_of)
        if columns < 0:
            return -1, width

    # Each step writes the rows of `old` on into `new`.
    old, new = new_rows(room, columns), new_rows(room, columns)
    combination = np.zeros(columns + 1, np.int32)
    rows = 1
    column = 0
    for component in range(components):
        if not chosen[component]:
            continue
        begin, end = ws.cell[COMPONENT_BOX, component], ws.cell[COMPONENT_BOX, component + 1]
        layer = begin + 2 * component
        for row in range(rows):
            old.state[row] = ws.layers[LAYER, layer]
        for at in range(begin, end):
            size = ws.cell[BOX_SIZE, ws.cell[BOX_ORDER, at]]
            rows = write_box(ws, layer + at - begin, old, new, rows, column, size, mines, combination)
            if rows < 0:
                return -1, columns
            old, new = new, old
            column += size
    if mines >= 0:
        rows = write_outside(old, new, rows, inner, columns - inner, mines, combination)
        if rows < 0:
            return -1, columns
        old, new = new, old
    write_values(field, game, old, rows, columns, column_of)
    return rows, columns


@written_in
def place_component_cells(
    ws: Workspace, game: Endgame, chosen: Bytes, components: int, column_of: Ints
) -> int:
    """Give each cell of the chosen components a column, box by box in the order of the walk.

    Leaves the cells in `cells` of the endgame, and their columns in `column_of`. Returns the number of
    columns; -1 where there is no room for them.
    """
    columns = 0
    for component in range(components):
        if not chosen[component]:
            continue
        for at in range(ws.cell[COMPONENT_BOX, component], ws.cell[COMPONENT_BOX, component + 1]):
            box = ws.cell[BOX_ORDER, at]
            con = ws.cell_cons[ws.cell[BOX_CELL, box], 0]  # it holds all cells of the box
            for k in range(ws.con[CON_START, con], ws.con[CON_START, con + 1]):
                cell = ws.link[CON_CELLS, k]
                if ws.cell[CELL_BOX, cell] == box:
                    if columns == game.cells.shape[0]:
                        return -1
                    game.cells[columns] = cell
                    column_of[cell] = columns
                    columns += 1
    return columns


@written_in
def place_outside_cells(
    field: CompiledBoard, ws: Workspace, game: Endgame, columns: int, column_of: Ints
) -> int:
    """The same for the cells outside all constraints, behind the first `columns` columns."""
    for cell in range(field.state.shape[0]):
        if field.state[cell] == UNKNOWN and ws.cell[CELL_DEGREE, cell] == 0:
            if columns == game.cells.shape[0]:
                return -1
            game.cells[columns] = cell
            column_of[cell] = columns
            columns += 1
    return columns


@written_in
def new_rows(room: int, columns: int) -> Rows:
    """Room for so many rows, which hold no mine."""
    return Rows(np.zeros((room, columns), np.int8), np.zeros(room, np.int32), np.zeros(room, np.int32))


@written_in
def write_box(
    ws: Workspace,
    layer: int,
    old: Rows,
    new: Rows,
    rows: int,
    column: int,
    size: int,
    mines: int,
    combination: Ints,
) -> int:
    """Write the first `rows` rows of `old` on into `new`, by every way to fill one box of `size` cells.

    `layer` is that of the states before the box, `column` the first of its cells. Rows that cannot be
    completed are left out, as are those of more than `mines` mines, if that is not -1. Returns the number of
    rows of `new`; -1 where there is no room for them.
    """
    first, stop = ws.layers[EDGE_LAYER, layer], ws.layers[EDGE_LAYER, layer + 1]
    fresh = 0
    for row in range(rows):
        for edge in range(first, stop):
            state = ws.edges[EDGE_TO, edge]
            if ws.edges[EDGE_FROM, edge] != old.state[row] or not ws.reached[state]:
                continue
            held = ws.edges[EDGE_MINES, edge]
            used = old.used[row] + held
            if mines >= 0 and used > mines:
                continue
            end = write_combinations(old, new, row, fresh, column, size, held, combination)
            if end < 0:
                return -1
            for written in range(fresh, end):
                new.state[written] = state
                new.used[written] = used
            fresh = end
    return fresh


@written_in
def write_outside(
    old: Rows, new: Rows, rows: int, column: int, size: int, mines: int, combination: Ints
) -> int:
    """The same for the `size` cells outside, which hold what is left of `mines` mines; no state follows."""
    fresh = 0
    for row in range(rows):
        left = mines - old.used[row]
        if left < 0 or left > size:
            continue
        fresh = write_combinations(old, new, row, fresh, column, size, left, combination)
        if fresh < 0:
            return -1
    return fresh


@part
def write_combinations(
    old: Rows, new: Rows, row: int, fresh: int, column: int, size: int, held: int, combination: Ints
) -> int:
    """Write a row of `old` into `new` from row `fresh` on, once for every way to choose `held` mines from
    `size` columns. Returns where the rows written end; -1 where there is no room for them."""
    for k in range(held):
        combination[k] = k
    while fresh < new.mines.shape[0]:
        for k in range(new.mines.shape[1]):  # compiled, it is faster than to assign the row as a whole
            new.mines[fresh, k] = old.mines[row, k]
        for k in range(held):
            new.mines[fresh, column + combination[k]] = 1
        fresh += 1
        if not next_combination(combination, held, size):
            return fresh
    return -1


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


@written_in
def write_values(
    field: CompiledBoard, game: Endgame, solutions: Rows, rows: int, columns: int, column_of: Ints
) -> None:
    """Fill `values` of the endgame: what each cell shows in each of the solutions, by the mines around it."""
    beside = np.zeros(8, np.int32)  # the columns of a cell's neighbours
    for column in range(columns):
        cell = game.cells[column]
        many = 0
        for step in field.around:
            if field.state[cell + step] == UNKNOWN and column_of[cell + step] >= 0:
                beside[many] = column_of[cell + step]
                many += 1
        for row in range(rows):
            if solutions.mines[row, column]:
                game.values[row, column] = HOLDS_MINE
                continue
            shows = field.near[cell]
            for k in range(many):
                shows += solutions.mines[row, beside[k]]
            game.values[row, column] = shows
