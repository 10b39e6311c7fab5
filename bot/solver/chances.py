"""The chance of a mine in each cell of a field, and what is certain."""

from __future__ import annotations

from bot.solver.analysis import FINE, OUT_CAN, OUT_MINE, analyse
from bot.solver.compiled import jit
from bot.solver.field import MINE, MINES, SAFE, TOTAL, UNKNOWN, UNKNOWNS, Field, constrain, settle
from bot.solver.walk import CAN_MINE, CAN_SAFE
from bot.solver.workspace import BOX_CAN, BOX_SIZE, CELL_BOX, CELL_DEGREE, Floats, Workspace


@jit
def chances(field: Field, ws: Workspace, limit: int, chance: Floats, out: Floats) -> tuple[int, int]:
    """Fill `chance` for the UNKNOWN cells. Returns FINE or IMPOSSIBLE, and the number of constraints.

    The constraints stay gathered: call `forget` before the next position.
    """
    cons = constrain(field, ws)
    mines = field.numbers[TOTAL]
    if mines >= 0:
        mines -= field.numbers[MINES]
        if mines < 0:
            return 1, 0
    found = analyse(ws, cons, field.numbers[UNKNOWNS], mines, limit, out)
    if found != FINE:
        return found, cons
    for cell in range(field.state.shape[0]):
        if field.state[cell] != UNKNOWN:
            continue
        if ws.cell[CELL_DEGREE, cell] == 0:
            chance[cell] = out[OUT_MINE]
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
def settle_certain(field: Field, ws: Workspace, out: Floats) -> int:
    """Settle every UNKNOWN cell that is certain after `chances`. Returns how many there were."""
    settled = 0
    for cell in range(field.state.shape[0]):
        if field.state[cell] != UNKNOWN:
            continue
        can = int(out[OUT_CAN])
        if ws.cell[CELL_DEGREE, cell] > 0:
            can = ws.cell[BOX_CAN, ws.cell[CELL_BOX, cell]]
        if can == CAN_SAFE:
            settle(field, cell, SAFE)
            settled += 1
        elif can == CAN_MINE:
            settle(field, cell, MINE)
            settled += 1
    return settled
