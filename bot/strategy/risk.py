"""The plain risk of a cell: what a player sees who looks at one number at a time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bot.board import Board, Cell, Rules, neighbour_sums
from bot.solver.deduction.ladder import Deduction

ASSUMED_DENSITY = 99 / 480
"""The share of mines in cells beside no number where the total is unknown: that of an expert board. It is
told as the chance of a first click and of a click into the blue, and orders nothing."""


@dataclass(frozen=True, eq=False)
class PlainRisks:
    """Chances of a mine, and the cells that a guess may choose from; arrays of shape (rows, columns)."""

    risk: npt.NDArray[np.float64]
    """Of an unsettled cell, the largest of mines missing / unsettled cells around, over the numbers beside
    it; beside no number, the mines left / the unsettled cells of the board. Of others it means nothing."""
    known: npt.NDArray[np.bool_]
    """The unsettled cells whose risk rests on something: all of them where the total is known, else those
    beside a number."""
    fifty: npt.NDArray[np.bool_]
    """The unsettled cells of a 50/50 pair: beside a number with one mine missing in two cells."""


def plain_risks(board: Board, rules: Rules, deduction: Deduction) -> PlainRisks:
    """The plain risks on a board, given what is certain on it."""
    unsettled, missing, unknown = deduction.unsettled, deduction.missing, deduction.unknown
    if rules.mines is None:
        density = ASSUMED_DENSITY
    else:
        left = rules.mines - board.count(Cell.MINE, Cell.EXPLODED) - len(deduction.mines)
        # A ladder that does not look at the total can have settled more mines than there are.
        density = min(1.0, max(0.0, left / max(1, int(np.count_nonzero(unsettled)))))
    share = np.full((board.rows + 2, board.columns + 2), -1.0)
    np.divide(missing, unknown, out=share[1:-1, 1:-1], where=unknown > 0)
    risk = share[1:-1, 1:-1].copy()
    for down in range(3):
        for right in range(3):
            np.maximum(risk, share[down : down + board.rows, right : right + board.columns], out=risk)
    beside = risk >= 0
    risk[~beside] = density
    pairs = neighbour_sums((missing == 1) & (unknown == 2)) > 0
    return PlainRisks(
        risk=risk,
        known=unsettled & beside if rules.mines is None else unsettled,
        fifty=unsettled & pairs,
    )
