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

from bot.solver.constraints.workspace import (
    COMPONENT_CON,
    CON_CELLS,
    CON_NEED,
    CON_START,
    CONSTRAINT_QUEUE,
    Ints,
)
from bot.solver.deduction.compiled_board import (
    BORDER,
    MINE,
    UNKNOWN,
    mines_left,
)
from bot.solver.guess.player import Player
from bot.solver.jit.compiler import jit, part
from bot.solver.probability.combination import SOLVABLE, analyse
from bot.solver.probability.components import release_cells

TRIAL_LAYER_STATES = 2000
"""The most states of a layer: what takes more is not worth it."""

NO_WALLS = -1
"""Walls: one of them is no mine, so that it tells the cells apart."""


@part
def add_walls(player: Player, cell: int, other: int, walls: Ints, count: int) -> int:
    """Add to `count` walls the UNKNOWN cells that touch `cell` and neither are nor touch `other`. Returns how
    many there are then, or NO_WALLS."""
    field = player.field
    stride = field.counts.stride
    for step in field.around:
        wall = cell + step
        if field.state[wall] == BORDER or field.state[wall] == MINE:
            continue
        rows = abs(wall // stride - other // stride)
        columns = abs(wall % stride - other % stride)
        if max(rows, columns) <= 1:
            continue
        if field.state[wall] != UNKNOWN:
            return NO_WALLS
        walls[count] = wall
        count += 1
    return count


@part
def walls_unlikely(player: Player, walls: Ints, count: int, least: float) -> bool:
    """Whether there is a wall that is no mine, or all of them are mines with less than about `least`."""
    if count == NO_WALLS:
        return True
    chance = 1.0
    for at in range(count):
        chance *= player.chance[walls[at]]
    return chance < least


@part
def add_constraint(player: Player, cons: int, cells: Ints, begin: int, end: int, mines: int) -> int:
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
def pattern_chance(player: Player, inner: Ints, pairs: int, walls: Ints, count: int) -> float:
    """How likely all walls are mines, and of each two cells of `inner` just one; 0 where that is too much
    work."""
    field, ws, trial = player.field, player.ws, player.trial
    cons = 0
    trial.con[CON_START, 0] = 0
    for at in range(ws.cell[COMPONENT_CON, player.combined.components]):
        con = ws.con[CONSTRAINT_QUEUE, at]
        begin, end = ws.con[CON_START, con], ws.con[CON_START, con + 1]
        cons = add_constraint(player, cons, ws.link[CON_CELLS], begin, end, ws.con[CON_NEED, con])
    for pair in range(pairs):
        cons = add_constraint(player, cons, inner, 2 * pair, 2 * pair + 2, 1)
    if count > 0:
        cons = add_constraint(player, cons, walls, 0, count, count)
    combined = player.trial_combined
    mines = mines_left(field)
    found = analyse(trial, cons, field.counts.unknown, mines, TRIAL_LAYER_STATES, combined)
    release_cells(trial, cons)
    if found != SOLVABLE or combined.limited > 0:
        return 0.0
    return math.exp(combined.log_solutions - player.combined.log_solutions)


@jit
def fifty_fifty_chance(player: Player, cell: int, least: float) -> float:
    """How likely an UNKNOWN cell lies in a fifty-fifty, after `mine_chances`: the sum over pairs and squares.

    Those whose walls are all mines with less than about `least` are not counted.
    """
    if player.combined.limited > 0:
        return 0.0
    field = player.field
    stride = field.counts.stride
    walls = np.zeros(16, np.int32)
    inner = np.zeros(6, np.int32)
    total = 0.0
    inner[0] = cell
    for step in field.around:
        other = cell + step
        if field.state[other] != UNKNOWN or (abs(step) != 1 and abs(step) != stride):
            continue
        count = add_walls(player, cell, other, walls, 0)
        if count != NO_WALLS:
            count = add_walls(player, other, cell, walls, count)
        if not walls_unlikely(player, walls, count, least):
            inner[1] = other
            total += pattern_chance(player, inner, 1, walls, count)
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
            if field.state[corner] == UNKNOWN and count != NO_WALLS:
                walls[count] = corner
                count += 1
            elif field.state[corner] != BORDER and field.state[corner] != MINE:
                count = NO_WALLS
        if not walls_unlikely(player, walls, count, least):
            inner[1], inner[2], inner[3], inner[5] = beside, below, across, below
            total += pattern_chance(player, inner, 3, walls, count)
    return total
