"""`seed`: the ladder of the series "Solving Minesweeper" (part 7), whose author tells of about 25 %."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bot.board import Observation
from bot.solver.deduction.ladder import Deduction, Rung, deduce
from bot.strategy.base import Decision, Kind
from bot.strategy.certain import nothing, open_safe
from bot.strategy.first_click import corner_click, corners, untouched
from bot.strategy.risk import PlainRisks, plain_risks

CORNER_ROUNDS = 5
"""In the first rounds, as many as this, untried corners are guessed."""


@dataclass(frozen=True)
class Seed:
    """Opens all that its rungs call safe, and else guesses.

    A guess is, in the first five rounds, an untried corner, anticlockwise from the top left; later a cell
    of a 50/50 pair, so that a guess that survives teaches something; else a cell of the lowest plain risk.
    Within a rung of guesses the lowest plain risk goes first, then the order of the rows. Cells that are
    known to be mines are never guessed, and cells beside no number come last where the total is unknown.
    The further constraints of an observation are not used.
    """

    name: str = "seed"
    version: int = 1
    rungs: Rung = Rung.SINGLE | Rung.CONTRADICTION

    def decide(self, observation: Observation, turn: int) -> Decision:
        """Open what is safe, else guess. Raises ContradictionError where the board cannot be."""
        deduction = deduce(observation.board, observation.rules, self.rungs)
        if deduction.safe:
            return open_safe(deduction)
        if untouched(observation.board):
            return corner_click(observation, deduction) or nothing(deduction)
        return _guess(observation, deduction, turn)


def _guess(observation: Observation, deduction: Deduction, turn: int) -> Decision:
    risks = plain_risks(observation.board, observation.rules, deduction)
    if turn < CORNER_ROUNDS:
        for corner in corners(observation.board):
            if deduction.unsettled[corner]:
                return _decision("corner", corner, risks, deduction)
    for rung, choice in (
        ("50/50 pair", risks.fifty),
        ("lowest risk", risks.known),
        ("lowest risk", deduction.unsettled),
    ):
        if choice.any():
            return _decision(rung, _safest(choice, risks), risks, deduction)
    return nothing(deduction)


def _safest(choice: npt.NDArray[np.bool_], risks: PlainRisks) -> tuple[int, int]:
    row, column = divmod(int(np.where(choice, risks.risk, np.inf).argmin()), choice.shape[1])
    return row, column


def _decision(rung: str, cell: tuple[int, int], risks: PlainRisks, deduction: Deduction) -> Decision:
    risk = float(risks.risk[cell])
    rows, columns = np.nonzero(deduction.unsettled)
    unsettled = zip(rows.tolist(), columns.tolist(), strict=True)
    return Decision(
        kind=Kind.GUESS,
        rung=rung,
        safe=(cell,),
        mines=deduction.mines,
        survival=1 - risk,
        reason=f"nothing is certain; {rung}: a mine with {risk:.0%}",
        chances=dict(zip(unsettled, risks.risk[deduction.unsettled].tolist(), strict=True)),
    )
