"""The decisions that every strategy of the ladder shares: what is certain, or that nothing is."""

from __future__ import annotations

from dataclasses import replace

from bot.board import Cell, Observation, Rules
from bot.errors import ContradictionError
from bot.solver.deduction.ladder import Deduction, Rung, deduce
from bot.strategy.base import Decision, Kind


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


def nothing(deduction: Deduction) -> Decision:
    """There is nothing to open."""
    all_mines = not deduction.unsettled.any()
    reason = "every covered cell is a mine" if all_mines else "no cell is certainly safe"
    return Decision(Kind.NONE, "none", mines=deduction.mines, reason=reason)


def early_decision(observation: Observation) -> Decision | None:
    """Open what the rules for one number and for two call safe on an early board; None where that is nothing.

    All strategies know these rules, and they take microseconds. Cells in flight are unread: they are not
    opened, and may be mines. A board that contradicts itself gives None: it is looked at again.
    """
    board = observation.board
    try:
        deduction = deduce(board, Rules(board.columns, board.rows), Rung.SINGLE | Rung.PAIR)
    except ContradictionError:
        return None
    safe = tuple(cell for cell in deduction.safe if board[cell] == Cell.COVERED)
    if not safe:
        return None
    mines = tuple(cell for cell in deduction.mines if board[cell] != Cell.UNREAD)
    return replace(open_safe(deduction), safe=safe, mines=mines)
