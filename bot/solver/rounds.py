"""The rounds of a game, compiled: what is certain on a position, and whole games of simulated minefields.

A round opens all that is certain, row by row, or one cell that is guessed, exactly as `bot.play` does with
the decisions of a strategy: the same clicks in the same order, with no loop in Python.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bot.solver.analysis import FINE, OUT_LIMITED, OUT_SIZE
from bot.solver.chances import chances, settle_certain
from bot.solver.compiled import jit, part
from bot.solver.field import (
    COLUMNS,
    OPENED,
    OPENS,
    ROWS,
    SAFE,
    SAFES,
    SOUND,
    TOTAL,
    UNKNOWNS,
    Field,
    clear,
    deduce,
    new_field,
    reveal,
)
from bot.solver.fronts import forget
from bot.solver.games import safest
from bot.solver.workspace import Bytes, Floats, Ints, Workspace, new_workspace

CERTAIN, UNCERTAIN, NOTHING, IMPOSSIBLE, LIMITED = range(5)
"""What `look` finds: safe cells; none; no cell to open; a board that cannot be; a front with more states than
the limit, so that chances would be estimates."""

LOST, WON, UNDECIDED = range(3)
"""How a game ends; UNDECIDED where a position of it was IMPOSSIBLE or LIMITED."""

STATES = 1 << 18
"""Partial solutions that a workspace for games holds."""

LIMIT = 20000
"""The most states of a layer, in games."""

CLICKS, GUESSES = 0, 1
"""Where `counts` holds how many there were."""

PROTECTED = -1.0
"""The survival of a first click that is no guess."""

EXPLOSION = 9
"""Stands for a mine in the numbers of a minefield."""


class Sheet(NamedTuple):
    """What is written down of one game, for a board of K cells with its border."""

    clicks: Ints
    """The cells that were clicked, in order."""
    guesses: Floats
    """The chance to survive that was given to each guess, in order."""
    counts: Ints
    stack: Ints
    """Cells that an opening still has to spread from."""


class Safest(NamedTuple):
    """The arrays of a player that guesses the safest cell."""

    field: Field
    ws: Workspace
    chance: Floats
    out: Floats


def new_sheet(cells: int) -> Sheet:
    """A sheet for a bordered board of so many cells."""
    return Sheet(
        clicks=np.zeros(cells, np.int32),
        guesses=np.zeros(cells),
        counts=np.zeros(2, np.int32),
        stack=np.zeros(cells, np.int32),
    )


def set_total(field: Field, mines: int) -> None:
    """From now on, so many mines are in all cells together."""
    field.numbers[TOTAL] = mines


def new_safest(rows: int, columns: int) -> Safest:
    """A player that guesses the safest cell, for boards of one size; its total is still to be set."""
    size = (rows + 2) * (columns + 2)
    return Safest(
        field=new_field(rows, columns, None),
        ws=new_workspace(size, STATES),
        chance=np.zeros(size),
        out=np.zeros(OUT_SIZE),
    )


@part
def look(field: Field, ws: Workspace, chance: Floats, out: Floats, limit: int) -> tuple[int, int]:
    """Settle all that is certain on a position, and say what that is.

    Fills `chance` for the cells that stay UNKNOWN. With UNCERTAIN the constraints stay gathered, and their
    number is the second answer: call `forget` after the guess.
    """
    numbers = field.numbers
    while True:
        deduce(field)
        if numbers[SOUND] == 0:
            return IMPOSSIBLE, 0
        if numbers[UNKNOWNS] == 0:
            break
        found, cons = chances(field, ws, limit, chance, out)
        if found != FINE:
            forget(ws, cons)
            return IMPOSSIBLE, 0
        if out[OUT_LIMITED] > 0:
            forget(ws, cons)
            return LIMITED, 0
        settled = settle_certain(field, ws, out)
        if settled == 0 and numbers[SAFES] == 0:
            return UNCERTAIN, cons
        forget(ws, cons)
        if numbers[SAFES] > 0:
            break
        # Mines only: once more without them, so that a guess hangs on the board and not on how it came about.
    if numbers[SAFES] > 0:
        return CERTAIN, 0
    return NOTHING, 0


@part
def spread(field: Field, minefield: Bytes, cell: int, sheet: Sheet) -> None:
    """Click a covered cell that is no mine; a zero opens its neighbours."""
    sheet.clicks[sheet.counts[CLICKS]] = cell
    sheet.counts[CLICKS] += 1
    stack = sheet.stack
    reveal(field, cell, minefield[cell])
    stack[0] = cell
    height = 1
    while height > 0:
        height -= 1
        here = stack[height]
        if minefield[here] != 0:
            continue
        for step in field.around:
            other = here + step
            if field.state[other] < OPENED:
                reveal(field, other, minefield[other])
                stack[height] = other
                height += 1


@part
def start(field: Field, minefield: Bytes, first: int, survival: float, sheet: Sheet) -> bool:
    """Make the first click of a game. Returns False where it hits a mine."""
    clear(field)
    sheet.counts[CLICKS] = 0
    sheet.counts[GUESSES] = 0
    return guess(field, minefield, first, survival, sheet)


@part
def guess(field: Field, minefield: Bytes, cell: int, survival: float, sheet: Sheet) -> bool:
    """Open a cell that may be a mine; a survival of PROTECTED is no guess. Returns False where it is one."""
    if survival != PROTECTED:
        sheet.guesses[sheet.counts[GUESSES]] = survival
        sheet.counts[GUESSES] += 1
    if minefield[cell] == EXPLOSION:
        sheet.clicks[sheet.counts[CLICKS]] = cell
        sheet.counts[CLICKS] += 1
        return False
    spread(field, minefield, cell, sheet)
    return True


@part
def open_safe(field: Field, minefield: Bytes, sheet: Sheet) -> None:
    """Open the cells that are known to be safe, row by row; those that an opening opens get no click."""
    field.numbers[SAFES] = 0
    for cell in range(field.state.shape[0]):
        if field.state[cell] == SAFE:
            spread(field, minefield, cell, sheet)


@part
def over(field: Field) -> bool:
    """Whether every safe cell is open."""
    numbers = field.numbers
    return bool(numbers[OPENS] == numbers[ROWS] * numbers[COLUMNS] - numbers[TOTAL])


@jit
def play_safest(player: Safest, minefield: Bytes, first: int, survival: float, sheet: Sheet) -> int:
    """Play one game by the safest cell: `minefield` is what `bot.solver.games.lay` writes.

    `survival` is the chance that was given to the first click, or PROTECTED.
    """
    field, ws = player.field, player.ws
    if not start(field, minefield, first, survival, sheet):
        return LOST
    while not over(field):
        found, cons = look(field, ws, player.chance, player.out, LIMIT)
        if found == CERTAIN:
            open_safe(field, minefield, sheet)
        elif found == UNCERTAIN:
            cell = safest(field, player.chance)
            forget(ws, cons)
            if not guess(field, minefield, cell, 1 - player.chance[cell], sheet):
                return LOST
        else:
            return UNDECIDED
    return WON
