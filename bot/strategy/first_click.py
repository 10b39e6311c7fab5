"""The first click of a game: where, and whether it is a guess."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from bot.board import Board, Cell, Coordinate, FirstClick, Observation, Rules, neighbour_sums
from bot.solver.deduction.ladder import Deduction
from bot.strategy.base import Candidate, Decision, Kind
from bot.strategy.risk import plain_risks

INSIDE = 2
"""The row and the column of a first click that opens a zero."""


def corners(board: Board) -> tuple[Coordinate, ...]:
    """The corners, anticlockwise from the top left."""
    bottom, right = board.rows - 1, board.columns - 1
    return (0, 0), (bottom, 0), (bottom, right), (0, right)


def start(first_click: FirstClick) -> Coordinate:
    """Where a game is opened first: a corner, or, where that opens a zero, a cell a little inside."""
    return (INSIDE, INSIDE) if first_click is FirstClick.ZERO else (0, 0)


def untouched(board: Board) -> bool:
    """Whether nothing has been opened yet."""
    return not bool((board.codes <= 8).any())


def protection(board: Board, rules: Rules, cell: Coordinate) -> float | None:
    """The chance that a first click on `cell` survives by the rule that protects it: 1 where there is always
    a place for the mine. None where no rule protects it. Where the mines are unknown, a column is taken not
    to be full of them."""
    if rules.first_click is FirstClick.ANY or not untouched(board):
        return None
    if rules.first_click is FirstClick.ZERO:
        return 1.0 if zero_clicks(board, rules)[cell] else None
    if rules.mines is None or rules.first_click is FirstClick.REMOVED:
        return 1.0
    if rules.first_click is FirstClick.SHIFTED:
        # A column full of mines looks the same after each step.
        full = math.prod((rules.mines - k) / (rules.cells - k) for k in range(rules.rows))
        return (1.0 - full) or None
    return 1.0 if rules.mines < rules.cells else None


def zero_clicks(board: Board, rules: Rules) -> npt.NDArray[np.bool_]:
    """Which covered cells a first click can open as a zero, shape (rows, columns): no mine is shown around
    them, and those that are not shown have room elsewhere."""
    shown = np.isin(board.codes, (Cell.MINE, Cell.EXPLODED))
    covered = np.isin(board.codes, (Cell.COVERED, Cell.FLAG, Cell.QUESTION, Cell.UNREAD))
    can: npt.NDArray[np.bool_] = covered & (neighbour_sums(shown) == 0)
    if rules.mines is not None:
        room = np.count_nonzero(covered) - 1 - neighbour_sums(covered)
        can &= room >= rules.mines - np.count_nonzero(shown)
    return can


def protected_click(board: Board, rules: Rules, cell: Coordinate | None = None) -> Decision | None:
    """The first click of a game whose rules protect it: `cell` or else a corner; None in any other case."""
    if rules.first_click is FirstClick.ANY or not untouched(board):
        return None
    readable = set(board.where(Cell.COVERED, Cell.FLAG, Cell.QUESTION))
    for first in (cell, *corners(board)):
        if first in readable and (decision := _protected(board, rules, first)):
            return decision
    return None


def _protected(board: Board, rules: Rules, cell: Coordinate) -> Decision | None:
    """A first click on this cell, where the rules protect it."""
    survival = protection(board, rules, cell)
    if survival is None:
        return None
    what = "opens a zero" if rules.first_click is FirstClick.ZERO else "is never a mine"
    if rules.first_click is FirstClick.SHIFTED and (rules.mines is None or rules.mines >= rules.rows):
        what = "is a mine only where its column is full of them"
    return Decision(Kind.FIRST, "first click", (cell,), survival=survival, reason=f"the first click {what}")


def corner_click(observation: Observation, deduction: Deduction) -> Decision | None:
    """The first click of the ladder: a corner, which is no guess where the rules of the game protect it; None
    where all corners are certain."""
    board, rules = observation.board, observation.rules
    unsettled = [corner for corner in corners(board) if deduction.unsettled[corner]]
    if not unsettled:
        return None
    for corner in unsettled:
        if decision := _protected(board, rules, corner):
            return decision
    first = unsettled[0]
    risk = float(plain_risks(board, rules, deduction).risk[first])
    return Decision(
        Kind.GUESS,
        "first click",
        (first,),
        survival=1 - risk,
        reason=f"an unprotected first click, a mine with {risk:.0%}",
        chances={first: risk},
    )


def searched_click(observation: Observation) -> Decision | None:
    """The first click that wins most, where every layout can be searched; else one that the rules protect: a
    corner, or, where it opens a zero, a cell a little inside. None where they protect none."""
    board, rules = observation.board, observation.rules
    search = None
    mined, known = board.count(Cell.MINE, Cell.EXPLODED), board.count(Cell.WRONG_FLAG)
    plain = not (observation.constraints or rules.first_click.lays_first)
    if plain and not board.count(Cell.UNREAD):
        # Flags prove nothing: without them more boards are the same.
        bare = board if mined or known else Board.covered(board.columns, board.rows)
        search = _searched(bare, Rules(rules.columns, rules.rows, rules.mines, rules.first_click))
    if search is None:
        return protected_click(board, rules, start(rules.first_click))
    assert rules.mines is not None
    chance = 0.0
    if rules.first_click is FirstClick.ANY:
        chance = (rules.mines - mined) / (rules.cells - mined - known)
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
def _searched(board: Board, rules: Rules) -> tuple[Coordinate, float] | None:
    """The first click that wins most and its chance to win, on a board that shows no number; None where there
    are too many layouts, or none."""
    from bot.solver.endgame.perfect_play import MOST_LAYOUTS, play_perfectly

    if rules.mines is None:
        return None
    left = rules.mines - board.count(Cell.MINE, Cell.EXPLODED)
    covered = board.count(Cell.COVERED, Cell.FLAG, Cell.QUESTION)
    if not 0 <= left <= covered or math.comb(covered, left) > MOST_LAYOUTS:
        return None
    search = play_perfectly(board, rules)
    return None if search is None else (search.best, search.win)
