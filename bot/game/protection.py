"""First-click rules that change a field already laid, and what a player can conclude from them.

Each of these three rules takes a uniform layout and mends it where the first click met a mine. Afterwards
some layouts are likelier than others, because several uniform ones lead to them; how many is what the cases
of an `Observation` say. `tests/game/test_protection.py` counts them all on small fields.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from bot.board import Board, Case, Constraint, Coordinate, FirstClick
from bot.game.minefield import Minefield


def protect(minefield: Minefield, first: Coordinate, first_click: FirstClick) -> Minefield:
    """The field after a first click at `first` (row, column); the same one where no mine lies under it.

    Only `removed`, `moved` and `shifted` change a field. A mine that cannot go anywhere stays: a full field
    is not moved, a column full of mines not shifted, since it would look the same after each step.
    """
    if not (first_click.lays_first and minefield.mines[first]):
        return minefield
    mines = minefield.mines.copy()
    if first_click is FirstClick.REMOVED:
        mines[first] = False
    elif first_click is FirstClick.MOVED:
        free = np.flatnonzero(~mines)
        if len(free):
            mines[first] = False
            mines.flat[free[0]] = True
    else:
        for _ in range(minefield.rows):
            if not mines[first]:
                break
            mines = np.roll(mines, 1, axis=0)
    return Minefield(mines)


def cases(
    board: Board, first: Coordinate, first_click: FirstClick, before: tuple[Constraint, ...] = ()
) -> tuple[Case, ...]:
    """The cases of a game whose first click was `first`, as far as the board leaves them open.

    The first is that the field was left as it was. `before` is what hints said before the first click: in
    each case it is what they would say after it. Empty where all layouts are equally likely: with
    `removed`, a mine that is taken away shows in the mine total, and all layouts of that total are.
    """
    if first_click is FirstClick.SHIFTED:
        # A field that was shifted by k came from a run of k mines that now lies under the first click.
        row, column = first
        run = [((row + down) % board.rows, column) for down in range(1, board.rows)]
    elif first_click is FirstClick.MOVED:
        # A mine that moved to a cell found all cells before it taken; the first click is free since.
        run = [
            (row, column)
            for row in range(board.rows)
            for column in range(board.columns)
            if (row, column) != first
        ]
    else:
        return ()
    found = [Case(before)] if before else [Case()]
    mined: set[Coordinate] = set()
    for steps, cell in enumerate(run, start=1):
        if board[cell] <= 8:
            break
        mined.add(cell)
        if any(0 <= board[near] <= 8 and _too_many(board, near, mined) for near in board.neighbours(*cell)):
            break
        run_is_mined = Constraint(frozenset(mined), len(mined))
        if first_click is FirstClick.SHIFTED:
            moved = tuple(_down(constraint, steps, board.rows) for constraint in before)
        else:
            moved = tuple(_after_move(constraint, first, cell) for constraint in before)
        if all(0 <= constraint.mines <= len(constraint.cells) for constraint in moved):
            found.append(Case((run_is_mined, *moved)))
    return tuple(found) if len(found) > 1 or before else ()


def told_after(told: Iterable[Constraint], first: Coordinate, taken: int) -> list[Constraint]:
    """What hints said before a first click at `first`, said of the field after so many mines were taken away
    from under it: 1 or none, as the mine total shows."""
    return [Constraint(each.cells, each.mines - taken * (first in each.cells)) for each in told]


def _too_many(board: Board, number: Coordinate, mined: set[Coordinate]) -> bool:
    """Whether a number has fewer mines around than these: so it will be with every longer run."""
    return sum(near in mined for near in board.neighbours(*number)) > board[number]


def _after_move(constraint: Constraint, source: Coordinate, target: Coordinate) -> Constraint:
    """What was known of some cells, said of them after a mine has moved."""
    more = (target in constraint.cells) - (source in constraint.cells)
    return Constraint(constraint.cells, constraint.mines + more)


def _down(constraint: Constraint, steps: int, rows: int) -> Constraint:
    """What was known of some cells, said of where a shift has taken them."""
    return Constraint(
        frozenset(((row + steps) % rows, column) for row, column in constraint.cells), constraint.mines
    )
