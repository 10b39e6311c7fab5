"""Guesses on positions whose solutions can be written out: exact search, and a look ahead over them."""

from __future__ import annotations

import math

import numpy as np

from bot.solver.constraints.workspace import BOX_COMPONENT, CELL_BOX, CELL_DEGREE, Bytes
from bot.solver.deduction.compiled_board import MINE, SAFE, UNKNOWN, mines_left, settle_cell
from bot.solver.endgame.enumeration import enumerate_solutions
from bot.solver.endgame.exact_search import BEST_CELL, search_exactly
from bot.solver.endgame.greedy_lookahead import look_ahead
from bot.solver.endgame.isolated_components import isolated_groups
from bot.solver.guess.player import FAILED, RESULT_GROUP, RESULT_GROUP_WIN, RESULT_SCORE, RESULT_WIN, Player
from bot.solver.guess.settings import GROUP_SOLUTIONS, LAYOUT_WORK, LAYOUTS, NODE_BUDGET, SOLUTIONS
from bot.solver.jit.compiler import part
from bot.solver.probability.combination import OUT_COMPONENTS, OUT_LOG


@part
def search_whole_board(player: Player, components: int) -> int:
    """The best cell by exact search over all solutions; -1 where there are too many."""
    field, ws, game = player.field, player.ws, player.game
    if player.out[OUT_LOG] > math.log(player.settings[SOLUTIONS]) + 1e-6:
        return -1
    mines = mines_left(field)
    chosen = np.ones(components + 1, np.int8)
    rows, columns = enumerate_solutions(field, ws, game, chosen, components, mines, game.values.shape[0])
    if rows < 0:
        player.stats[FAILED] += 1
        return -1
    won = search_exactly(game, rows, columns, int(player.settings[NODE_BUDGET]))
    if won < 0:
        player.stats[FAILED] += 1
        return -1
    player.result[RESULT_WIN] = won / rows
    return int(game.cells[game.numbers[BEST_CELL]])


@part
def look_ahead_over_layouts(player: Player, components: int) -> int:
    """The best cell by a look ahead over all solutions written out; -1 where there are too many."""
    field, ws, game = player.field, player.ws, player.game
    if player.out[OUT_LOG] > math.log(player.settings[LAYOUTS]) + 1e-6:
        return -1
    mines = mines_left(field)
    chosen = np.ones(components + 1, np.int8)
    room = int(math.exp(player.out[OUT_LOG]) * 1.001) + 2
    rows, columns = enumerate_solutions(field, ws, game, chosen, components, mines, room)
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
    player.result[RESULT_SCORE] = won / rows
    return int(game.cells[game.numbers[BEST_CELL]])


@part
def settle_isolated_group(player: Player, minefield: Bytes) -> float:
    """Settle the closed group that `search_isolated_group` chose last as it lies, as though it had been
    survived.

    Returns the chance of that. The group tells nothing about the rest, nor the rest about it, so that the
    rest can be played on as if nothing had been risked.
    """
    field, ws = player.field, player.ws
    components = int(player.out[OUT_COMPONENTS])
    group = np.zeros(components + 1, np.int32)
    isolated_groups(field, ws, components, group)
    for cell in range(field.state.shape[0]):
        if field.state[cell] != UNKNOWN or ws.cell[CELL_DEGREE, cell] == 0:
            continue
        if group[ws.cell[BOX_COMPONENT, ws.cell[CELL_BOX, cell]]] == int(player.result[RESULT_GROUP]):
            settle_cell(field, cell, MINE if minefield[cell] == 9 else SAFE)
    return float(player.result[RESULT_GROUP_WIN])


@part
def search_isolated_group(player: Player, components: int) -> int:
    """The best cell of a closed group of components, by exact search within it; -1 where there is none."""
    field, ws, game = player.field, player.ws, player.game
    group = np.zeros(components + 1, np.int32)
    isolated_groups(field, ws, components, group)
    chosen = np.zeros(components + 1, np.int8)
    for component in range(components):
        if group[component] != component:
            continue
        for other in range(components):
            chosen[other] = group[other] == component
        rows, columns = enumerate_solutions(
            field, ws, game, chosen, components, -1, int(player.settings[GROUP_SOLUTIONS])
        )
        if rows < 2:
            continue
        won = search_exactly(game, rows, columns, int(player.settings[NODE_BUDGET]))
        if won < 0:
            player.stats[FAILED] += 1
            continue
        player.result[RESULT_GROUP_WIN] = won / rows
        player.result[RESULT_GROUP] = component
        return int(game.cells[game.numbers[BEST_CELL]])
    return -1
