"""The safest cell to guess."""

from __future__ import annotations

from bot.solver.constraints.workspace import Floats
from bot.solver.deduction.compiled_board import UNKNOWN, CompiledBoard
from bot.solver.jit.compiler import jit


@jit
def safest_cell(field: CompiledBoard, chance: Floats) -> int:
    """The UNKNOWN cell least likely to be a mine; ties: corners, then edges, then row order."""
    best = -1
    best_chance = 2.0
    best_place = -1
    rows, columns = field.counts.rows, field.counts.columns
    stride = field.counts.stride
    for row in range(1, rows + 1):
        for column in range(1, columns + 1):
            cell = row * stride + column
            if field.state[cell] != UNKNOWN:
                continue
            place = (row == 1 or row == rows) + (column == 1 or column == columns)
            p = chance[cell]
            if p < best_chance - 1e-9 or (p < best_chance + 1e-9 and place > best_place):
                best, best_chance, best_place = cell, p, place
    return best
