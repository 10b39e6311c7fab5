"""The decisions that every strategy of the ladder shares: what is certain, or that nothing is."""

from __future__ import annotations

from bot.solver.deduction.ladder import Deduction
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
