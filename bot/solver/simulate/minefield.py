"""The mines of a game, as the compiled games read them."""

from __future__ import annotations

from bot.solver.constraints.workspace import Bytes, Ints
from bot.solver.deduction.compiled_board import CompiledBoard
from bot.solver.jit.compiler import jit


@jit
def lay_mines(field: CompiledBoard, mines: Ints, minefield: Bytes) -> None:
    """Write the numbers of a layout into `minefield`, bordered; 9 for a mine."""
    minefield[:] = 0
    stride = field.counts.stride
    columns = field.counts.columns
    for mine in mines:
        cell = (mine // columns + 1) * stride + mine % columns + 1
        for step in field.around:
            minefield[cell + step] += 1
    for mine in mines:
        minefield[(mine // columns + 1) * stride + mine % columns + 1] = 9
