"""The chance of a mine in each cell of a field, and what is certain."""

from __future__ import annotations

from bot.solver.constraints.workspace import BOX_CAN, BOX_SIZE, CELL_BOX, CELL_DEGREE, Floats, Workspace
from bot.solver.deduction.compiled_board import (
    MINE,
    SAFE,
    UNKNOWN,
    CompiledBoard,
    settle_cell,
    write_constraints,
)
from bot.solver.jit.compiler import jit
from bot.solver.probability.combination import SOLVABLE, Combination, analyse
from bot.solver.probability.dynamic_programme import CAN_MINE, CAN_SAFE


@jit
def mine_chances(
    field: CompiledBoard, ws: Workspace, limit: int, chance: Floats, combined: Combination
) -> tuple[int, int]:
    """Fill `chance` for the UNKNOWN cells. Returns SOLVABLE or UNSOLVABLE, and the number of constraints.

    The constraints stay gathered: call `release_cells` before the next position.
    """
    cons = write_constraints(field, ws)
    mines = field.counts.total
    if mines >= 0:
        mines -= field.counts.mines
        if mines < 0:
            return 1, 0
    found = analyse(ws, cons, field.counts.unknown, mines, limit, combined)
    if found != SOLVABLE:
        return found, cons
    for cell in range(field.state.shape[0]):
        if field.state[cell] != UNKNOWN:
            continue
        if ws.cell[CELL_DEGREE, cell] == 0:
            chance[cell] = combined.outside_chance
            continue
        box = ws.cell[CELL_BOX, cell]
        can = ws.cell[BOX_CAN, box]
        if can == CAN_SAFE:
            chance[cell] = 0.0
        elif can == CAN_MINE:
            chance[cell] = 1.0
        else:
            chance[cell] = ws.box_mines[box] / ws.cell[BOX_SIZE, box]
    return found, cons


@jit
def settle_certain(field: CompiledBoard, ws: Workspace, combined: Combination) -> int:
    """Settle every UNKNOWN cell that is certain after `mine_chances`. Returns how many there were."""
    settled = 0
    for cell in range(field.state.shape[0]):
        if field.state[cell] != UNKNOWN:
            continue
        can = combined.outside_can
        if ws.cell[CELL_DEGREE, cell] > 0:
            can = ws.cell[BOX_CAN, ws.cell[CELL_BOX, cell]]
        if can == CAN_SAFE:
            settle_cell(field, cell, SAFE)
            settled += 1
        elif can == CAN_MINE:
            settle_cell(field, cell, MINE)
            settled += 1
    return settled
