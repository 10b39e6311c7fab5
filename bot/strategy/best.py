"""`best`: the strongest strategy: all that is certain, exact search, and a learned value for the rest."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from bot.board import Board, Cell, Coordinate, FirstClick, Observation, Rules
from bot.strategy.base import CUT_SHORT, Candidate, Decision, Kind
from bot.strategy.certain import untouched
from bot.strategy.exact import Exact, certain_cells, protected_click

EXACT = Exact()

INSIDE = 2
"""The row and the column of a first click that opens a zero."""

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
        from bot.solver.rounds import CERTAIN, IMPOSSIBLE, LIMITED, NOTHING
        from bot.solver.thinker import ponder

        board, rules = observation.board, observation.rules
        if untouched(board):
            return first_click(observation)
        informed = bool(observation.constraints or observation.cases)
        if rules.mines is None or informed or board.count(Cell.UNREAD):
            return EXACT.decide(observation, turn)
        thought = ponder(board, rules.mines, self.think, self.limit_s)
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
    from bot.solver.player import ENDGAMES, GROUPS

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


def first_click(observation: Observation) -> Decision:
    """The first click of a game: what wins most where every layout can be searched; else a corner, or, where
    it opens a zero, a cell a little inside."""
    board, rules = observation.board, observation.rules
    search = None
    plain = not (observation.constraints or rules.first_click.lays_first)
    if plain and not board.count(Cell.UNREAD):
        search = _searched(Rules(rules.columns, rules.rows, rules.mines, rules.first_click))
    if search is None:
        inside = (INSIDE, INSIDE) if rules.first_click is FirstClick.ZERO else None
        return protected_click(board, rules, inside) or EXACT.decide(observation, 0)
    assert rules.mines is not None
    chance = rules.mines / rules.cells if rules.first_click is FirstClick.ANY else 0.0
    return Decision(
        Kind.GUESS if rules.first_click is FirstClick.ANY else Kind.FIRST,
        "first click",
        (search[0],),
        survival=1 - chance,
        reason=f"wins with {search[1]:.1%} by perfect play: all ways were searched",
        chances={search[0]: chance} if chance else {},
        candidates=(Candidate(search[0], 1 - chance, search[1]),),
    )


@lru_cache(maxsize=64)
def _searched(rules: Rules) -> tuple[Coordinate, float] | None:
    """The first click that wins most and its chance to win; None where there are too many layouts."""
    from bot.solver.winning import LAYOUTS, winning

    if rules.mines is None or math.comb(rules.cells, rules.mines) > LAYOUTS:
        return None
    search = winning(Board.covered(rules.columns, rules.rows), rules)
    return None if search is None else (search.best, search.win)
