"""`exact`: certain moves, else the cell least likely to be a mine, by exact probabilities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from bot.board import Board, Cell, Coordinate, Observation
from bot.solver.position.solve import Solved
from bot.solver.position.weighted_cases import solve_observation
from bot.strategy.base import Decision, Kind
from bot.strategy.first_click import protected_click

EVEN = 1e-9
"""Chances nearer than this are a tie."""


@dataclass(frozen=True)
class Exact:
    """Opens every cell that is certainly safe; guesses the safest, corners before edges before row order.

    The first click is a corner. The mine total, where it is known, and further constraints count like the
    numbers of the board; flags do not.
    """

    name: str = "exact"
    version: int = 1

    def decide(self, observation: Observation, turn: int) -> Decision:
        """Open what is safe, else the safest. Raises ContradictionError where the board cannot be."""
        board, rules = observation.board, observation.rules
        protected = protected_click(board, rules)
        if protected is not None:
            return protected
        readable = set(board.where(Cell.COVERED, Cell.FLAG, Cell.QUESTION))
        solved = solved_of(observation)
        safe = tuple(cell for cell in solved.safe if cell in readable)
        if safe:
            return certain_cells(safe, solved.mines, solved.chance)
        cell = safest(board, {cell: solved.chance[cell] for cell in sorted(readable)})
        if cell is None:
            return Decision(Kind.NONE, "none", mines=solved.mines, reason="every covered cell is a mine")
        risk = solved.chance[cell]
        about = "about " if solved.approximate else ""
        return Decision(
            Kind.GUESS,
            "safest",
            (cell,),
            solved.mines,
            survival=1 - risk,
            reason=f"nothing is certain; the safest cell is a mine with {about}{risk:.1%}",
            chances=solved.chance,
        )


def solved_of(observation: Observation) -> Solved:
    """What follows from an observation. The last one is remembered: a strategy that asks for hints solves the
    same position as the one that it plays as. Raises ContradictionError where the board cannot be."""
    return _solved(replace(observation, hints=0))


@lru_cache(maxsize=1)
def _solved(observation: Observation) -> Solved:
    return solve_observation(observation)


def certain_cells(
    safe: tuple[Coordinate, ...], mines: tuple[Coordinate, ...], chances: Mapping[Coordinate, float]
) -> Decision:
    """Open the cells that hold no mine in any layout that fits."""
    cells = "cell is" if len(safe) == 1 else "cells are"
    reason = f"{len(safe)} {cells} no mine in any layout that fits"
    return Decision(Kind.CERTAIN, "exact", safe, mines, reason=reason, chances=chances)


def safest(board: Board, chances: Mapping[Coordinate, float]) -> Coordinate | None:
    """The cell least likely to be a mine; None where all are mines. `chances` come row by row."""

    def border(cell: Coordinate) -> int:
        return (cell[0] in (0, board.rows - 1)) + (cell[1] in (0, board.columns - 1))

    possible = {cell: chance for cell, chance in chances.items() if chance < 1}
    if not possible:
        return None
    lowest = min(possible.values())
    return max((cell for cell, chance in possible.items() if chance < lowest + EVEN), key=border)
