"""Guesses on positions whose solutions can be written out: exact search, and a look ahead over them."""

from __future__ import annotations

import math

import numpy as np

from bot.solver.analysis import OUT_FRONTS, OUT_LOG
from bot.solver.compiled import part
from bot.solver.endgame import BEST_CELL, search
from bot.solver.field import MINE, MINES, SAFE, TOTAL, UNKNOWN, settle
from bot.solver.lookahead import look_ahead
from bot.solver.player import (
    FAILED,
    GROUP,
    GROUP_SOLUTIONS,
    GROUP_WIN,
    LAYOUT_WORK,
    LAYOUTS,
    NODE_BUDGET,
    SOLUTIONS,
    WIN,
    Player,
)
from bot.solver.solutions import closed_fronts, write_solutions
from bot.solver.workspace import BOX_FRONT, CELL_BOX, CELL_DEGREE, Bytes


@part
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
    return int(game.cells[game.numbers[BEST_CELL]])


@part
def few_layouts(player: Player, fronts: int) -> int:
    """The best cell by a look ahead over all solutions written out; -1 where there are too many."""
    field, ws, game = player.field, player.ws, player.game
    if player.out[OUT_LOG] > math.log(player.settings[LAYOUTS]) + 1e-6:
        return -1
    mines = field.numbers[TOTAL] - field.numbers[MINES]
    chosen = np.ones(fronts + 1, np.int8)
    room = int(math.exp(player.out[OUT_LOG]) * 1.001) + 2
    rows, columns = write_solutions(field, ws, game, chosen, fronts, mines, room)
    if rows < 2:
        return -1
    won = look_ahead(game, player.ahead, rows, columns, int(player.settings[LAYOUT_WORK]))
    if won < 0:
        return -1
    count = 0
    for column in range(columns):
        if game.chance[column] >= 0:
            player.candidates[count] = game.cells[column]
            player.score[count] = game.chance[column] / rows
            count += 1
    player.candidate_count[0] = count
    player.result[2] = won / rows
    return int(game.cells[game.numbers[BEST_CELL]])


@part
def settle_closed(player: Player, minefield: Bytes) -> float:
    """Settle the closed group that `closed_endgame` chose last as it lies, as though it had been survived.

    Returns the chance of that. The group tells nothing about the rest, nor the rest about it, so that the
    rest can be played on as if nothing had been risked.
    """
    field, ws = player.field, player.ws
    fronts = int(player.out[OUT_FRONTS])
    group = np.zeros(fronts + 1, np.int32)
    closed_fronts(field, ws, fronts, group)
    for cell in range(field.state.shape[0]):
        if field.state[cell] != UNKNOWN or ws.cell[CELL_DEGREE, cell] == 0:
            continue
        if group[ws.cell[BOX_FRONT, ws.cell[CELL_BOX, cell]]] == int(player.result[GROUP]):
            settle(field, cell, MINE if minefield[cell] == 9 else SAFE)
    return float(player.result[GROUP_WIN])


@part
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
        player.result[GROUP_WIN] = won / rows
        player.result[GROUP] = front
        return int(game.cells[game.numbers[BEST_CELL]])
    return -1
