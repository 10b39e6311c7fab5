"""Fifty-fifties: covered cells of which half are mines, and which nothing can ever tell apart.

A *pair* of neighbours is one where one of the two is a mine and all its *walls* are: the cells that touch one
of the two and not the other. A *square* of two by two is one where the mines lie on a diagonal of it and the
four cells beyond its corners are mines. Whoever meets one loses half of these games, now or at the end: where
it is likely that a cell lies in one, to open it now risks little that would not be risked later. (That
such patterns are best settled early is known from the strongest public solvers. How likely they are is
counted exactly here, with walls and pairs as further constraints.)
"""

from __future__ import annotations

import math

import numpy as np

from bot.solver.analysis import FINE, OUT_FRONTS, OUT_LIMITED, OUT_LOG, OUT_SIZE, analyse
from bot.solver.compiled import jit, part
from bot.solver.field import BORDER, MINE, MINES, STRIDE, TOTAL, UNKNOWN, UNKNOWNS
from bot.solver.fronts import forget
from bot.solver.player import Player
from bot.solver.workspace import CON_CELLS, CON_NEED, CON_START, FRONT_CON, QUEUE, Ints

STATES = 2000
"""The most states of a layer: what takes more is not worth it."""

NONE = -1
"""Walls: one of them is no mine, so that it tells the cells apart."""


@part
def add_walls(player: Player, cell: int, other: int, walls: Ints, count: int) -> int:
    """Add to `count` walls the UNKNOWN cells that touch `cell` and neither are nor touch `other`. Returns how
    many there are then, or NONE."""
    field = player.field
    stride = field.numbers[STRIDE]
    for step in field.around:
        wall = cell + step
        if field.state[wall] == BORDER or field.state[wall] == MINE:
            continue
        rows = abs(wall // stride - other // stride)
        columns = abs(wall % stride - other % stride)
        if max(rows, columns) <= 1:
            continue
        if field.state[wall] != UNKNOWN:
            return NONE
        walls[count] = wall
        count += 1
    return count


@part
def unlikely(player: Player, walls: Ints, count: int, least: float) -> bool:
    """Whether there is a wall that is no mine, or all of them are mines with less than about `least`."""
    if count == NONE:
        return True
    chance = 1.0
    for at in range(count):
        chance *= player.chance[walls[at]]
    return chance < least


@part
def hold(player: Player, cons: int, cells: Ints, begin: int, end: int, mines: int) -> int:
    """Add to the `cons` constraints on trial that these cells hold so many mines. Returns how many there are
    then."""
    trial = player.trial
    at = trial.con[CON_START, cons]
    trial.con[CON_NEED, cons] = mines
    for k in range(begin, end):
        trial.link[CON_CELLS, at] = cells[k]
        at += 1
    trial.con[CON_START, cons + 1] = at
    return cons + 1


@part
def chance_of(player: Player, inner: Ints, pairs: int, walls: Ints, count: int) -> float:
    """How likely all walls are mines, and of each two cells of `inner` just one; 0 where that is too much
    work."""
    field, ws, trial = player.field, player.ws, player.trial
    cons = 0
    trial.con[CON_START, 0] = 0
    for at in range(ws.cell[FRONT_CON, int(player.out[OUT_FRONTS])]):
        con = ws.con[QUEUE, at]
        begin, end = ws.con[CON_START, con], ws.con[CON_START, con + 1]
        cons = hold(player, cons, ws.link[CON_CELLS], begin, end, ws.con[CON_NEED, con])
    for pair in range(pairs):
        cons = hold(player, cons, inner, 2 * pair, 2 * pair + 2, 1)
    if count > 0:
        cons = hold(player, cons, walls, 0, count, count)
    out = np.zeros(OUT_SIZE)
    mines = field.numbers[TOTAL] - field.numbers[MINES]
    found = analyse(trial, cons, field.numbers[UNKNOWNS], mines, STATES, out)
    forget(trial, cons)
    if found != FINE or out[OUT_LIMITED] > 0:
        return 0.0
    return math.exp(out[OUT_LOG] - player.out[OUT_LOG])


@jit
def fifty_fifty(player: Player, cell: int, least: float) -> float:
    """How likely an UNKNOWN cell lies in a fifty-fifty, after `chances`: the sum over pairs and squares.

    Those whose walls are all mines with less than about `least` are not counted.
    """
    if player.out[OUT_LIMITED] > 0:
        return 0.0
    field = player.field
    stride = field.numbers[STRIDE]
    walls = np.zeros(16, np.int32)
    inner = np.zeros(6, np.int32)
    total = 0.0
    inner[0] = cell
    for step in field.around:
        other = cell + step
        if field.state[other] != UNKNOWN or (abs(step) != 1 and abs(step) != stride):
            continue
        count = add_walls(player, cell, other, walls, 0)
        if count != NONE:
            count = add_walls(player, other, cell, walls, count)
        if not unlikely(player, walls, count, least):
            inner[1] = other
            total += chance_of(player, inner, 1, walls, count)
    inner[4] = cell
    for way in range(4):
        right = 1 if way < 2 else -1
        down = stride if way % 2 == 0 else -stride
        beside, below, across = cell + right, cell + down, cell + right + down
        if field.state[beside] != UNKNOWN or field.state[below] != UNKNOWN or field.state[across] != UNKNOWN:
            continue
        count = 0
        for corner in (
            cell - right - down,
            beside + right - down,
            below - right + down,
            across + right + down,
        ):
            if field.state[corner] == UNKNOWN and count != NONE:
                walls[count] = corner
                count += 1
            elif field.state[corner] != BORDER and field.state[corner] != MINE:
                count = NONE
        if not unlikely(player, walls, count, least):
            inner[1], inner[2], inner[3], inner[5] = beside, below, across, below
            total += chance_of(player, inner, 3, walls, count)
    return total
