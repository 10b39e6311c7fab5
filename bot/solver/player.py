"""Deciding what to open: one compiled function for one position, and whole games of it."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from bot.solver.analysis import FINE, OUT_FRONTS, OUT_LOG, OUT_SIZE
from bot.solver.chances import chances, settle_certain
from bot.solver.compiled import jit
from bot.solver.endgame import BEST_CELL, Endgame, new_endgame, search
from bot.solver.field import (
    COLUMNS,
    MINES,
    OPENS,
    ROWS,
    SAFES,
    STRIDE,
    TOTAL,
    UNKNOWN,
    Field,
    clear,
    deduce,
    new_field,
    reveal,
)
from bot.solver.fronts import forget
from bot.solver.games import lay, safest
from bot.solver.solutions import closed_fronts, write_solutions
from bot.solver.workspace import Bytes, Floats, Ints, Workspace, new_workspace

LIMIT, SOLUTIONS, NODE_BUDGET, GROUP_SOLUTIONS = range(4)
"""Settings: most states of a layer; most solutions of a board that is searched to the end, and its nodes;
most solutions of a closed front that is."""

WIN = 0
"""Results: the chance to win, where it is exact; else -1."""

ANALYSES, GUESSES, ENDGAMES, GROUPS, SCORED, FAILED, LOST_SCORED, LOST_END, LOST_GROUP, LOST_EARLY = range(10)


class Player(NamedTuple):
    """All arrays of one player at one size of board."""

    field: Field
    ws: Workspace
    trial: Workspace
    """For the positions after a candidate."""
    game: Endgame
    chance: Floats
    out: Floats
    settings: Floats
    result: Floats
    stats: Floats


def new_player(rows: int, columns: int, mines: int | None, solutions: int = 400) -> Player:
    """A player for boards of one size."""
    size = (rows + 2) * (columns + 2)
    settings = np.zeros(40)
    settings[LIMIT] = 20000
    settings[SOLUTIONS] = solutions
    settings[NODE_BUDGET] = 100000
    settings[GROUP_SOLUTIONS] = 400
    return Player(
        field=new_field(rows, columns, mines),
        ws=new_workspace(size, 1 << 18),
        trial=new_workspace(size, 1 << 18),
        game=new_endgame(max(solutions, 400), rows * columns),
        chance=np.zeros(size),
        out=np.zeros(OUT_SIZE),
        settings=settings,
        result=np.zeros(4),
        stats=np.zeros(32),
    )


@jit
def endgame(player: Player, fronts: int) -> int:
    """The best cell by exact search over all solutions; -1 where there are too many."""
    field, ws, game = player.field, player.ws, player.game
    if player.out[OUT_LOG] > math.log(player.settings[SOLUTIONS]) + 1e-6:
        return -1
    mines = field.numbers[TOTAL] - field.numbers[MINES]
    chosen = np.ones(fronts + 1, np.int8)
    rows, columns = write_solutions(field, ws, game, chosen, fronts, mines, game.values.shape[0])
    if rows < 0:
        player.stats[FAILED] += 1
        return -1
    won = search(game, rows, columns, int(player.settings[NODE_BUDGET]))
    if won < 0:
        player.stats[FAILED] += 1
        return -1
    player.result[WIN] = won / rows
    return game.cells[game.numbers[BEST_CELL]]


@jit
def closed_endgame(player: Player, fronts: int) -> int:
    """The best cell of a closed group of fronts, by exact search within it; -1 where there is none."""
    field, ws, game = player.field, player.ws, player.game
    group = np.zeros(fronts + 1, np.int32)
    closed_fronts(field, ws, fronts, group)
    chosen = np.zeros(fronts + 1, np.int8)
    for front in range(fronts):
        if group[front] != front:
            continue
        for other in range(fronts):
            chosen[other] = group[other] == front
        rows, columns = write_solutions(
            field, ws, game, chosen, fronts, -1, int(player.settings[GROUP_SOLUTIONS])
        )
        if rows < 2:
            continue
        won = search(game, rows, columns, int(player.settings[NODE_BUDGET]))
        if won < 0:
            player.stats[FAILED] += 1
            continue
        return game.cells[game.numbers[BEST_CELL]]
    return -1


@jit
def choose(player: Player, cons: int) -> int:
    """The cell to guess, after `chances` found none that is safe."""
    fronts = int(player.out[OUT_FRONTS])
    stats = player.stats
    player.result[WIN] = -1.0
    cell = endgame(player, fronts)
    if cell >= 0:
        stats[ENDGAMES] += 1
        player.result[1] = LOST_END
        return cell
    cell = closed_endgame(player, fronts)
    if cell >= 0:
        stats[GROUPS] += 1
        player.result[1] = LOST_GROUP
        return cell
    stats[SCORED] += 1
    player.result[1] = LOST_SCORED
    return safest(player.field, player.chance)


@jit
def play(player: Player, minefield: Bytes, first: int) -> int:
    """Play one game. Returns 1 for a win."""
    field, ws, stats = player.field, player.ws, player.stats
    clear(field)
    numbers = field.numbers
    goal = numbers[ROWS] * numbers[COLUMNS] - numbers[TOTAL]
    guess = first
    while True:
        if minefield[guess] == 9:
            stats[int(player.result[1])] += 1
            if goal - numbers[OPENS] >= 300:
                stats[LOST_EARLY] += 1
            return 0
        reveal(field, guess, minefield[guess])
        while True:
            deduce(field)
            if numbers[SAFES] == 0:
                if numbers[OPENS] == goal:
                    return 1
                stats[ANALYSES] += 1
                found, cons = chances(field, ws, int(player.settings[LIMIT]), player.chance, player.out)
                settled = settle_certain(field, ws, player.out)
                if settled == 0:
                    guess = choose(player, cons)
                    forget(ws, cons)
                    break
                forget(ws, cons)
            for at in range(numbers[SAFES]):
                cell = field.safes[at]
                reveal(field, cell, minefield[cell])
            numbers[SAFES] = 0
        stats[GUESSES] += 1


@jit
def play_many(player: Player, layouts: Ints, first: int, won: Bytes) -> None:
    """Play a game for each row of `layouts`, mines as `row * columns + column`."""
    minefield = np.zeros(player.field.state.shape[0], np.int8)
    for game in range(layouts.shape[0]):
        lay(player.field, layouts[game], minefield)
        won[game] = play(player, minefield, first)
