"""Whole games for learning and for measuring variants: no clicks are written down."""

from __future__ import annotations

import numpy as np

from bot.solver.analysis import FINE
from bot.solver.chances import chances, settle_certain
from bot.solver.choice import choose
from bot.solver.compiled import jit
from bot.solver.field import COLUMNS, OPENS, ROWS, SAFES, TOTAL, clear, deduce, reveal
from bot.solver.fronts import forget
from bot.solver.games import lay
from bot.solver.outlook import look_at, prepare
from bot.solver.player import (
    ANALYSES,
    EXPLORE,
    GUESSES,
    LIMIT,
    LOST_EARLY,
    LOST_END,
    LOST_SCORED,
    WIN,
    Player,
)
from bot.solver.scored import collect
from bot.solver.workspace import Bytes, Ints


@jit
def play(player: Player, deeper: Player | None, minefield: Bytes, first: int) -> int:
    """Play one game. Returns 1 for a win, 0 for a loss, -1 where the minefield is not one of its total."""
    field, ws, stats = player.field, player.ws, player.stats
    clear(field)
    numbers = field.numbers
    goal = numbers[ROWS] * numbers[COLUMNS] - numbers[TOTAL]
    guess = first
    explore = player.settings[EXPLORE] > 0
    turn = 0
    when = int(np.random.random() ** 2 * player.settings[EXPLORE]) if explore else 0
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
                    player.result[WIN] = 1.0
                    return 1
                stats[ANALYSES] += 1
                found, cons = chances(field, ws, int(player.settings[LIMIT]), player.chance, player.out)
                if found != FINE:
                    forget(ws, cons)
                    return -1
                settled = settle_certain(field, ws, player.out)
                if settled == 0:
                    guess = choose(player, deeper, False)
                    if explore and player.result[1] == LOST_END:
                        # What is left is played perfectly: its chance says more than its luck.
                        forget(ws, cons)
                        return 1
                    if explore and player.result[1] == LOST_SCORED:
                        # Only from the one random guess on: what came before it was not its doing, and
                        # a choice of games by what happened later would bend the rates.
                        if turn == when:
                            guess = player.candidates[np.random.randint(0, collect(player))]
                        turn += 1
                        if turn > when and minefield[guess] != 9:
                            prepare(player.look, ws, player.out)
                            n = player.record_size[0]
                            if n < player.record.shape[0] and look_at(
                                player.look, field, ws, player.trial, player.out, guess, 2000
                            ):
                                player.record[n] = player.look.features[minefield[guess]]
                                player.record_game[n] = player.record_size[1]
                                player.record_size[0] = n + 1
                    forget(ws, cons)
                    break
                forget(ws, cons)
            for at in range(numbers[SAFES]):
                cell = field.safes[at]
                reveal(field, cell, minefield[cell])
            numbers[SAFES] = 0
        stats[GUESSES] += 1


@jit
def play_many(player: Player, deeper: Player | None, layouts: Ints, first: int, won: Bytes) -> None:
    """Play a game for each row of `layouts`, mines as `row * columns + column`."""
    minefield = np.zeros(player.field.state.shape[0], np.int8)
    for game in range(layouts.shape[0]):
        lay(player.field, layouts[game], minefield)
        player.record_size[1] = game
        won[game] = play(player, deeper, minefield, first)
        if player.settings[EXPLORE] > 0:
            player.record_outcome[game] = player.result[WIN] if won[game] == 1 else 0.0
