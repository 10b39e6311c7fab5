"""Whole games for learning and for measuring variants: no clicks are written down.

With CONTROL or EXPLORE, the luck is taken out of the results (controlled.py).
"""

from __future__ import annotations

import numpy as np

from bot.solver.analysis import FINE
from bot.solver.chances import chances, settle_certain
from bot.solver.choice import choose
from bot.solver.compiled import jit, part
from bot.solver.controlled import BEFORE, FACTOR, TOLD, WEIGHT, begin, open_controlled, tell
from bot.solver.field import COLUMNS, OPENS, ROWS, SAFES, TOTAL, clear, deduce, reveal
from bot.solver.fronts import forget
from bot.solver.games import lay
from bot.solver.player import (
    ANALYSES,
    CONTROL,
    EXPLORE,
    GUESSES,
    LIMIT,
    LOST_EARLY,
    LOST_END,
    LOST_GROUP,
    LOST_SCORED,
    WIN,
    Player,
)
from bot.solver.scored import collect
from bot.solver.searched import settle_closed
from bot.solver.workspace import Bytes, Floats, Ints


@part
def write_row(player: Player, shown: int) -> None:
    """Write down what the position looks like after a guess that `open_controlled` weighed."""
    n = player.record_size[0]
    if n == player.record.shape[0]:
        return
    player.record[n] = player.look.features[shown]
    # To this, the result of the whole game over the weight is added in the end.
    player.record_weight[n] = player.controlled[WEIGHT]
    player.record_outcome[n] = player.controlled[BEFORE] - player.controlled[TOLD] / player.controlled[WEIGHT]
    player.record_size[0] = n + 1


@jit
def play(player: Player, deeper: Player | None, minefield: Bytes, first: int) -> float:
    """Play one game. Returns 1 for a win, 0 for a loss, NaN where the minefield is not one of its total;
    for a controlled game, its result."""
    clear(player.field)
    begin(player, 0.0, 0.0)
    return play_on(player, deeper, minefield, first, -1, False)[0]


@part
def play_on(
    player: Player, deeper: Player | None, minefield: Bytes, guess: int, stop: int, early: bool
) -> tuple[float, int]:
    """Open `guess` and play on as `play` does. Returns the result of the game and -1; with `stop` from 0 on,
    0 and the scored guess of that number, where the game has one: of all, or with `early` false of those
    after the first zero."""
    field, ws, stats = player.field, player.ws, player.stats
    numbers = field.numbers
    goal = numbers[ROWS] * numbers[COLUMNS] - numbers[TOTAL]
    counted = early
    explore = player.settings[EXPLORE] > 0
    control = explore or player.settings[CONTROL] > 0
    controlled = player.controlled
    turn = 0
    when = int(np.random.random() ** 2 * player.settings[EXPLORE]) if explore else 0
    while True:
        if minefield[guess] == 9:
            stats[int(player.result[1])] += 1
            if goal - numbers[OPENS] >= 300:
                stats[LOST_EARLY] += 1
            return float(controlled[TOLD]), -1
        reveal(field, guess, minefield[guess])
        counted |= minefield[guess] == 0
        while True:
            deduce(field)
            if numbers[SAFES] == 0:
                if numbers[OPENS] == goal:
                    tell(controlled, 1.0)
                    return float(controlled[TOLD]), -1
                stats[ANALYSES] += 1
                found, cons = chances(field, ws, int(player.settings[LIMIT]), player.chance, player.out)
                if found != FINE:
                    forget(ws, cons)
                    return np.nan, -1
                settled = settle_certain(field, ws, player.out)
                if settled == 0:
                    guess = choose(player, deeper, False)
                    kind = player.result[1]
                    if counted and stop >= 0 and kind == LOST_SCORED:
                        if stop == 0:
                            forget(ws, cons)
                            return 0.0, guess
                        stop -= 1
                    if control and kind == LOST_END:
                        # What is left is played perfectly: its chance says more than its luck.
                        forget(ws, cons)
                        tell(controlled, player.result[WIN])
                        return float(controlled[TOLD]), -1
                    if control and kind == LOST_GROUP:
                        controlled[FACTOR] *= settle_closed(player, minefield)
                        guess = -1
                    elif control:
                        # Rows only from the one random guess on: what came before it was not its doing, and
                        # a choice of games by what happened later would bend the rates.
                        if explore and turn == when:
                            guess = player.candidates[np.random.randint(0, collect(player))]
                        known = open_controlled(player, minefield, guess)
                        if explore and turn >= when and known and minefield[guess] != 9:
                            write_row(player, minefield[guess])
                        turn += 1
                    forget(ws, cons)
                    if guess >= 0:
                        break
                else:
                    forget(ws, cons)
            for at in range(numbers[SAFES]):
                cell = field.safes[at]
                reveal(field, cell, minefield[cell])
                counted |= minefield[cell] == 0
            numbers[SAFES] = 0
        stats[GUESSES] += 1


@jit
def play_many(player: Player, deeper: Player | None, layouts: Ints, first: int, results: Floats) -> None:
    """Play a game for each row of `layouts`, mines as `row * columns + column`; results as of `play`."""
    minefield = np.zeros(player.field.state.shape[0], np.int8)
    for game in range(layouts.shape[0]):
        lay(player.field, layouts[game], minefield)
        begun = player.record_size[0]
        results[game] = play(player, deeper, minefield, first)
        if np.isnan(results[game]):
            player.record_size[0] = begun
        for row in range(begun, player.record_size[0]):
            player.record_outcome[row] += results[game] / player.record_weight[row]
