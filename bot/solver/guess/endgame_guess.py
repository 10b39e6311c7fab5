"""Guesses on positions whose solutions can be written out: exact search, and a look ahead over them."""

from __future__ import annotations

import math

import numpy as np

from bot.solver.constraints.workspace import BOX_COMPONENT, CELL_BOX, CELL_DEGREE, Bytes
from bot.solver.deduction.compiled_board import MINE, SAFE, UNKNOWN, mines_left, settle_cell
from bot.solver.endgame.enumeration import enumerate_solutions
from bot.solver.endgame.exact_search import search_exactly
from bot.solver.endgame.greedy_lookahead import look_ahead
from bot.solver.endgame.isolated_components import isolated_groups
from bot.solver.guess.player import Player
from bot.solver.jit.compiler import part


@part
def search_whole_board(player: Player, components: int) -> int:
    """The best cell by exact search over all solutions; -1 where there are too many."""
    field, ws, game = player.field, player.ws, player.game
    if player.combined.log_solutions > math.log(player.settings.solutions) + 1e-6:
        return -1
    mines = mines_left(field)
    chosen = np.ones(components + 1, np.int8)
    rows, columns = enumerate_solutions(field, ws, game, chosen, components, mines, game.values.shape[0])
    if rows < 0:
        return -1
    won = search_exactly(game, rows, columns, player.settings.node_budget)
    if won < 0:
        return -1
    player.result.win = won / rows
    return int(game.cells[game.search.best])


@part
def look_ahead_over_layouts(player: Player, components: int) -> int:
    """The best cell by a look ahead over all solutions written out; -1 where there are too many."""
    field, ws, game = player.field, player.ws, player.game
    if player.combined.log_solutions > math.log(player.settings.layouts) + 1e-6:
        return -1
    mines = mines_left(field)
    chosen = np.ones(components + 1, np.int8)
    room = int(math.exp(player.combined.log_solutions) * 1.001) + 2
    rows, columns = enumerate_solutions(field, ws, game, chosen, components, mines, room)
    if rows < 2:
        return -1
    won = look_ahead(game, player.ahead, rows, columns, player.settings.layout_work)
    if won < 0:
        return -1
    count = 0
    for column in range(columns):
        if game.chance[column] >= 0:
            player.candidates[count] = game.cells[column]
            player.score[count] = game.chance[column] / rows
            count += 1
    player.candidate_count[0] = count
    player.result.score = won / rows
    return int(game.cells[game.search.best])


@part
def settle_isolated_group(player: Player, minefield: Bytes) -> float:
    """Settle the closed group that `search_isolated_group` chose last as it lies, as though it had been
    survived.

    Returns the chance of that. The group tells nothing about the rest, nor the rest about it, so that the
    rest can be played on as if nothing had been risked.
    """
    field, ws = player.field, player.ws
    components = player.combined.components
    group = np.zeros(components + 1, np.int32)
    isolated_groups(field, ws, components, group)
    for cell in range(field.state.shape[0]):
        if field.state[cell] != UNKNOWN or ws.cell[CELL_DEGREE, cell] == 0:
            continue
        if group[ws.cell[BOX_COMPONENT, ws.cell[CELL_BOX, cell]]] == player.result.group:
            settle_cell(field, cell, MINE if minefield[cell] == 9 else SAFE)
    return float(player.result.group_win)


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
            field, ws, game, chosen, components, -1, player.settings.group_solutions
        )
        if rows < 2:
            continue
        won = search_exactly(game, rows, columns, player.settings.node_budget)
        if won < 0:
            continue
        player.result.group_win = won / rows
        player.result.group = component
        return int(game.cells[game.search.best])
    return -1
