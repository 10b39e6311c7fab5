"""`best`: the strongest strategy: all that is certain, exact search, and a learned value for the rest."""

from __future__ import annotations

from dataclasses import dataclass

from bot.board import Cell, Observation
from bot.strategy.base import CUT_SHORT, Candidate, Decision, Kind
from bot.strategy.exact import Exact, certain_cells
from bot.strategy.first_click import searched_click, untouched

EXACT = Exact()

TOLD = 8
"""Candidates that a decision keeps."""


@dataclass(frozen=True)
class Best:
    """Opens every cell that is certainly safe; else what wins most.

    Where few layouts are left, all ways to play on are searched, and so is a front that nothing outside can
    tell more about. Else the cell goes first whose score is highest: its chance to survive, the learned value
    of what it can show, how safe the next guesses will be, the fifty-fifties it may lie in, and a learned
    correction for where it lies; a cell that teaches nothing only where there is no other. A decision hangs
    on the board alone. Where the mine total is unknown, cells could not be read, further constraints are
    given, some layouts are likelier than others, or a front has too many states, the decision is that of
    `exact`.
    """

    name: str = "best"
    version: int = 6
    think: int = 1
    """A multiple of the usual budget of thought."""
    limit_s: float | None = None
    """Seconds after which more thought is cut short; None for none, so that a decision hangs on nothing but
    the board."""

    def decide(self, observation: Observation, turn: int) -> Decision:
        """Open what is safe, else guess. Raises ContradictionError where the board cannot be."""
        from bot.solver.decision import decide
        from bot.solver.probability.examination import CERTAIN, IMPOSSIBLE, LIMITED, NOTHING

        board, rules = observation.board, observation.rules
        if untouched(board):
            return searched_click(observation) or EXACT.decide(observation, turn)
        informed = bool(observation.constraints or observation.cases)
        if rules.mines is None or informed or board.count(Cell.UNREAD):
            return EXACT.decide(observation, turn)
        thought = decide(board, rules.mines, self.think, self.limit_s)
        if thought.found in (IMPOSSIBLE, LIMITED):
            return EXACT.decide(observation, turn)  # which also says what contradicts
        if thought.found == CERTAIN:
            return certain_cells(thought.safe, thought.mines, thought.chance)
        if thought.found == NOTHING:
            return Decision(Kind.NONE, "none", mines=thought.mines, reason="every covered cell is a mine")
        assert thought.cell is not None
        survival = 1 - thought.chance[thought.cell]
        candidates = tuple(
            Candidate(each.cell, 1 - thought.chance[each.cell], each.win, each.most, each.score)
            for each in thought.weighed
        )
        rung, reason = _why(thought.kind, candidates)
        if thought.cut:
            rung = CUT_SHORT
            reason += f"; cut short after {self.limit_s:g} s"
        return Decision(
            Kind.GUESS,
            rung,
            (thought.cell,),
            thought.mines,
            survival=survival,
            reason=reason,
            chances=thought.chance,
            candidates=candidates[:TOLD],
            nodes=thought.nodes,
        )


def _why(kind: int, candidates: tuple[Candidate, ...]) -> tuple[str, str]:
    """The rung of a guess, and the reason that decided."""
    from bot.solver.guess.player import ENDGAMES, GROUPS

    first = candidates[0]
    alive = f"no mine with {first.survival:.1%}"
    if kind == ENDGAMES:
        assert first.win is not None
        return "exact search", f"{alive}; wins with {first.win:.1%} by perfect play: all ways were searched"
    if kind == GROUPS:
        return "closed front", f"{alive}; nothing outside will tell more: this front was searched by itself"
    if first.score is None:
        return "safest", f"{alive}: the safest cell"
    reason = f"{alive}, and about {first.score:.1%} to win"
    others = [each for each in candidates[1:] if each.score is not None]
    if others:
        second = others[0]
        reason += f"; next {second.cell[0]},{second.cell[1]}: {second.survival:.1%}, {second.score:.1%}"
    return "value", reason
