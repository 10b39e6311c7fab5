"""The decisions that every strategy of the ladder shares: what is certain, and the first click."""

from __future__ import annotations

from bot.board import Board, Coordinate, FirstClick, Observation
from bot.solver.deduction import Deduction
from bot.strategy.base import Decision, Kind
from bot.strategy.risk import plain_risks


def corners(board: Board) -> tuple[Coordinate, ...]:
    """The corners, anticlockwise from the top left."""
    bottom, right = board.rows - 1, board.columns - 1
    return (0, 0), (bottom, 0), (bottom, right), (0, right)


def open_safe(deduction: Deduction) -> Decision:
    """Open all that is certainly safe; the rung is the hardest that any of the cells needed."""
    assert deduction.rung is not None
    ways = ", ".join(f"{count} by {rung.title}" for rung, count in deduction.found.items())
    return Decision(
        kind=Kind.CERTAIN,
        rung=deduction.rung.title,
        safe=deduction.safe,
        mines=deduction.mines,
        reason=f"safe: {ways}",
    )


def untouched(board: Board) -> bool:
    """Whether nothing has been opened yet."""
    return not bool((board.codes <= 8).any())


def first_click(observation: Observation, deduction: Deduction) -> Decision:
    """The first click of a game: a corner. It is no guess where the rules of the game protect it."""
    board, rules = observation.board, observation.rules
    for corner in corners(board):
        if not deduction.unsettled[corner]:
            continue
        if rules.first_click is not FirstClick.ANY:
            where = "opens a zero" if rules.first_click is FirstClick.ZERO else "is never a mine"
            return Decision(Kind.FIRST, "first click", (corner,), reason=f"the first click {where}")
        risk = float(plain_risks(board, rules, deduction).risk[corner])
        return Decision(
            Kind.GUESS,
            "first click",
            (corner,),
            survival=1 - risk,
            reason=f"an unprotected first click, a mine with {risk:.0%}",
            chances={corner: risk},
        )
    return nothing(deduction)


def nothing(deduction: Deduction) -> Decision:
    """There is nothing to open."""
    all_mines = not deduction.unsettled.any()
    reason = "every covered cell is a mine" if all_mines else "no cell is certainly safe"
    return Decision(Kind.NONE, "none", mines=deduction.mines, reason=reason)
