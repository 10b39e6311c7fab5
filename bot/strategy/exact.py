"""`exact`: certain moves, else the cell least likely to be a mine, by exact probabilities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bot.board import Board, Coordinate, FirstClick, Observation
from bot.solver.position import Analysis, analyse_board
from bot.strategy.base import Decision, Kind
from bot.strategy.certain import untouched

EVEN = 1e-9
"""Chances nearer than this are a tie."""


@dataclass(frozen=True)
class Exact:
    """Opens every cell that is certainly safe; guesses the safest, corners before edges before row order.

    The first click is a corner, or where it opens a zero a cell with all its neighbours.
    """

    name: str = "exact"
    version: int = 1

    def decide(self, observation: Observation, turn: int) -> Decision:
        """Open what is safe, else the safest. Raises ContradictionError where the board cannot be."""
        board, rules = observation.board, observation.rules
        if untouched(board) and rules.first_click is not FirstClick.ANY and not observation.constraints:
            cell = opening(board, rules.first_click)
            where = "opens a zero" if rules.first_click is FirstClick.ZERO else "is never a mine"
            return Decision(Kind.FIRST, "first click", (cell,), reason=f"the first click {where}")
        analysis = analyse_board(board, rules.mines, observation.constraints)
        if analysis.safe:
            return Decision(
                Kind.CERTAIN,
                "exact",
                analysis.safe,
                analysis.mines,
                reason=f"{len(analysis.safe)} cells are no mine in any solution",
                chances=chances_of(analysis),
            )
        cell = safest(analysis)
        if cell is None:
            return Decision(Kind.NONE, "none", mines=analysis.mines, reason="every covered cell is a mine")
        risk = float(analysis.chance[cell])
        about = "about " if analysis.approximate else ""
        return Decision(
            Kind.GUESS,
            "safest",
            (cell,),
            analysis.mines,
            survival=1 - risk,
            reason=f"nothing is certain; the safest cell is a mine with {about}{risk:.1%}",
            chances=chances_of(analysis),
        )


def opening(board: Board, first_click: FirstClick) -> Coordinate:
    """The first click: a corner, or where it opens a zero a cell three (two on small boards) from both."""
    if first_click is not FirstClick.ZERO:
        return 0, 0
    inward = 3 if min(board.rows, board.columns) >= 16 else 2
    return min(inward, (board.rows - 1) // 2), min(inward, (board.columns - 1) // 2)


def chances_of(analysis: Analysis) -> dict[Coordinate, float]:
    """The chance of a mine of every covered cell."""
    where = np.argwhere(~np.isnan(analysis.chance))
    return {(int(r), int(c)): float(analysis.chance[r, c]) for r, c in where}


def safest(analysis: Analysis) -> Coordinate | None:
    """The cell least likely to be a mine; None where all covered cells are mines."""
    rows, columns = analysis.chance.shape

    def border(cell: Coordinate) -> int:
        return (cell[0] in (0, rows - 1)) + (cell[1] in (0, columns - 1))

    chances = {cell: chance for cell, chance in chances_of(analysis).items() if chance < 1}
    if not chances:
        return None
    lowest = min(chances.values())
    return max((cell for cell, chance in chances.items() if chance < lowest + EVEN), key=border)
