"""Playing on where it is not known what some opened cells show.

The observation says of such cells, by its constraints, that they hold no mine; on the board they are unread.
A person may have corrected a number that is not known yet. Or cells look empty beside covered ones, as in
games whose openings open a single cell, and no others prove yet that this is what they look like: a guess
beside such a cell helps to prove it, and hardly ever loses.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.board import Cell, Coordinate, FirstClick, Observation
from bot.strategy.base import Decision, Kind, StandsFor
from bot.strategy.exact import Exact

BESIDE = "beside what looks empty"
"""The rung of a guess beside an opened cell that looks empty."""

BELIEF = 0.9
"""How likely a cell is taken to be empty that looks so, 0 to 1. None of 50 such guesses lost in games by
other people (28 November 2026)."""

MOST_RISK = 0.1
"""By how much the chance of a mine there may exceed that of the safest cell, by the numbers."""


@dataclass(frozen=True)
class Partial(StandsFor):
    """Plays as another strategy; on a board with unread cells as `exact`, which opens none of them.

    Where it guesses, it opens a cell beside the opened one around which the fewest are left to be opened.
    """

    def decide(self, observation: Observation, turn: int) -> Decision:
        """Say what to open. Raises ContradictionError where the board cannot be."""
        if not observation.board.count(Cell.UNREAD):
            return self.inner.decide(observation, turn)
        # What cannot be read may be what the first click has opened.
        rules = replace(observation.rules, first_click=FirstClick.ANY)
        decision = Exact().decide(replace(observation, rules=rules), turn)
        if decision.kind is not Kind.GUESS:
            return decision
        around = [_covered_around(observation, cell, decision) for cell in _opened_unread(observation)]
        risks = {cell: decision.chances.get(cell, 1.0) for cells in around for cell in cells}
        if not risks:
            return decision
        # Chances that hardly differ do not count: most of these cells touch no number.
        ways = [(round(risks[cell], 1), len(cells), cell) for cells in around for cell in cells]
        chosen = min(ways)[2]
        if risks[chosen] > 1 - decision.survival + MOST_RISK:
            return decision  # the numbers speak against it
        risk = (1 - BELIEF) * risks[chosen]
        reason = f"nothing is certain; it lies beside what looks empty, and is a mine with about {risk:.1%}"
        return replace(decision, rung=BESIDE, safe=(chosen,), survival=1 - risk, reason=reason)


def _opened_unread(seen: Observation) -> list[Coordinate]:
    """The cells that cannot be read and are known to hold no mine."""
    alone = [fact.cells for fact in seen.constraints if len(fact.cells) == 1 and fact.mines == 0]
    return sorted(cell for cells in alone for cell in cells if seen.board[cell] == Cell.UNREAD)


def _covered_around(seen: Observation, cell: Coordinate, decision: Decision) -> list[Coordinate]:
    """The covered cells around one that may hold no mine."""
    return [
        near
        for near in seen.board.neighbours(*cell)
        if seen.board[near] == Cell.COVERED and decision.chances.get(near, 1.0) < 1.0
    ]
