"""What is certain on a position: by the rules for one number, and else by counting."""

from __future__ import annotations

from bot.solver.constraints.workspace import Floats, Workspace
from bot.solver.deduction.compiled_board import CompiledBoard, apply_number_rules
from bot.solver.jit.compiler import part
from bot.solver.probability.combination import SOLVABLE, Combination
from bot.solver.probability.components import release_cells
from bot.solver.probability.mine_chances import mine_chances, settle_certain

CERTAIN, UNCERTAIN, NOTHING, IMPOSSIBLE, LIMITED = range(5)
"""What `examine_position` finds: safe cells; none; no cell to open; a board that cannot be; a component with
more states than the limit, so that chances would be estimates."""


@part
def examine_position(
    field: CompiledBoard, ws: Workspace, chance: Floats, combined: Combination, limit: int, quick: bool
) -> tuple[int, int]:
    """Settle all that is certain on a position, and say what that is.

    Fills `chance` for the cells that stay UNKNOWN. With UNCERTAIN the constraints stay gathered, and their
    number is the second answer: call `release_cells` after the guess.

    With `quick` it ends at the first safe cells, so that some positions need no counting, and estimates are
    taken for chances: no position is LIMITED.
    """
    counts = field.counts
    while True:
        apply_number_rules(field)
        if counts.sound == 0:
            return IMPOSSIBLE, 0
        if counts.unknown == 0:
            # Nothing is counted that the total could contradict: mines that fit every number can be too many.
            if 0 <= counts.total != counts.mines:
                return IMPOSSIBLE, 0
            break
        if quick and counts.safe > 0:
            break
        found, cons = mine_chances(field, ws, limit, chance, combined)
        if found != SOLVABLE:
            release_cells(ws, cons)
            return IMPOSSIBLE, 0
        if combined.limited > 0 and not quick:
            release_cells(ws, cons)
            return LIMITED, 0
        settled = settle_certain(field, ws, combined)
        if settled == 0 and counts.safe == 0:
            return UNCERTAIN, cons
        release_cells(ws, cons)
        if counts.safe > 0:
            break
        # Mines only: once more without them, so that a guess hangs on the board and not on how it came about.
    if counts.safe > 0:
        return CERTAIN, 0
    return NOTHING, 0
