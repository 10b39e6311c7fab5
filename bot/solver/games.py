"""Whole games, compiled: the same decisions as the strategies make on a board, with no loop in Python."""

from __future__ import annotations

import numpy as np

from bot.solver.analysis import OUT_SIZE
from bot.solver.chances import chances, settle_certain
from bot.solver.compiled import jit
from bot.solver.field import (
    COLUMNS,
    OPENS,
    ROWS,
    SAFES,
    STRIDE,
    TOTAL,
    UNKNOWN,
    Field,
    clear,
    deduce,
    reveal,
)
from bot.solver.fronts import forget
from bot.solver.workspace import Bytes, Floats, Ints, Workspace


@jit
def safest(field: Field, chance: Floats) -> int:
    """The UNKNOWN cell least likely to be a mine; ties: corners, then edges, then row order."""
    best = -1
    best_chance = 2.0
    best_place = -1
    rows, columns = field.numbers[ROWS], field.numbers[COLUMNS]
    stride = field.numbers[STRIDE]
    for row in range(1, rows + 1):
        for column in range(1, columns + 1):
            cell = row * stride + column
            if field.state[cell] != UNKNOWN:
                continue
            place = (row == 1 or row == rows) + (column == 1 or column == columns)
            p = chance[cell]
            if p < best_chance - 1e-9 or (p < best_chance + 1e-9 and place > best_place):
                best, best_chance, best_place = cell, p, place
    return best


@jit
def lay(field: Field, mines: Ints, minefield: Bytes) -> None:
    """Write the numbers of a layout into `minefield`, bordered; 9 for a mine."""
    minefield[:] = 0
    stride = field.numbers[STRIDE]
    columns = field.numbers[COLUMNS]
    for mine in mines:
        cell = (mine // columns + 1) * stride + mine % columns + 1
        for step in field.around:
            minefield[cell + step] += 1
    for mine in mines:
        minefield[(mine // columns + 1) * stride + mine % columns + 1] = 9


@jit
def play_exact(field: Field, ws: Workspace, minefield: Bytes, first: int, limit: int, stats: Floats) -> int:
    """Play one game by the safest cell. Returns 1 for a win."""
    out = np.zeros(OUT_SIZE)
    chance = np.zeros(field.state.shape[0])
    clear(field)
    numbers = field.numbers
    goal = numbers[ROWS] * numbers[COLUMNS] - numbers[TOTAL]
    guess = first
    while True:
        if minefield[guess] == 9:
            return 0
        reveal(field, guess, minefield[guess])
        while True:
            deduce(field)
            if numbers[SAFES] == 0:
                if numbers[OPENS] == goal:
                    return 1
                stats[0] += 1
                _, cons = chances(field, ws, limit, chance, out)
                settled = settle_certain(field, ws, out)
                forget(ws, cons)
                if settled == 0:
                    break
            for at in range(numbers[SAFES]):
                cell = field.safes[at]
                reveal(field, cell, minefield[cell])
            numbers[SAFES] = 0
        stats[1] += 1
        guess = safest(field, chance)


@jit
def play_many_exact(
    field: Field, ws: Workspace, layouts: Ints, first: int, limit: int, won: Bytes, stats: Floats
) -> None:
    """Play a game for each row of `layouts`, mines as `row * columns + column`."""
    minefield = np.zeros(field.state.shape[0], np.int8)
    for game in range(layouts.shape[0]):
        lay(field, layouts[game], minefield)
        won[game] = play_exact(field, ws, minefield, first, limit, stats)
