"""The one loop that plays a game on from a guess and says how it ends: for self-play, and for rollouts.

With CONTROL or EXPLORE, the luck is taken out of the results (control_variate.py).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from bot.solver.constraints.workspace import Bytes
from bot.solver.deduction.compiled_board import (
    COLUMNS,
    MINE_TOTAL,
    OPENED_COUNT,
    ROWS,
    SAFE_COUNT,
    apply_number_rules,
    open_cell,
)
from bot.solver.guess.control_variate import (
    GROUPS_BEFORE,
    GROUPS_SINCE,
    RESULT,
    VALUE_BEFORE,
    add_change,
    take_luck_out,
)
from bot.solver.guess.endgame_guess import settle_isolated_group
from bot.solver.guess.player import (
    ANALYSES,
    GUESSED,
    LOST_EARLY,
    LOST_END,
    LOST_GROUP,
    LOST_SCORED,
    RESULT_LOSS,
    RESULT_WIN,
    Player,
)
from bot.solver.guess.score import collect_candidates
from bot.solver.guess.settings import CONTROL, EXPLORE, LAYER_STATES
from bot.solver.jit.compiler import part
from bot.solver.probability.combination import SOLVABLE
from bot.solver.probability.components import release_cells
from bot.solver.probability.mine_chances import mine_chances, settle_certain

Choose = Callable[[Player, "Player | None", bool], int]
"""Chooses a guess where nothing is certain: a player, the one that it looks further with, whether nothing
that it remembers counts."""

PlayOn = Callable[[Player, "Player | None", Bytes, int, int, bool], "tuple[float, int]"]


@part
def record_position(player: Player, shown: int) -> None:
    """Write down what the position looks like after a guess that `take_luck_out` weighed."""
    n = player.record_size[0]
    if n == player.record.shape[0]:
        return
    player.record[n] = player.outcomes.features[shown]
    # To this, the result of the whole game over the weight is added in the end.
    player.record_weight[n] = player.controlled[GROUPS_BEFORE]
    player.record_outcome[n] = (
        player.controlled[VALUE_BEFORE] - player.controlled[RESULT] / player.controlled[GROUPS_BEFORE]
    )
    player.record_size[0] = n + 1


def playing_on(choose: Choose) -> PlayOn:
    """The loop that guesses by `choose`, compiled as a part."""

    @part
    def play_on(
        player: Player, deeper: Player | None, minefield: Bytes, guess: int, stop: int, early: bool
    ) -> tuple[float, int]:
        """Open `guess` and play on to the end of the game. Returns the result of the game and -1; with `stop`
        from 0 on, 0 and the scored guess of that number, where the game has one: of all, or with `early`
        false of those after the first zero."""
        field, ws, stats = player.field, player.ws, player.stats
        numbers = field.numbers
        goal = numbers[ROWS] * numbers[COLUMNS] - numbers[MINE_TOTAL]
        counted = early
        explore = player.settings[EXPLORE] > 0
        control = explore or player.settings[CONTROL] > 0
        controlled = player.controlled
        turn = 0
        when = int(np.random.random() ** 2 * player.settings[EXPLORE]) if explore else 0
        while True:
            if minefield[guess] == 9:
                stats[int(player.result[RESULT_LOSS])] += 1
                if goal - numbers[OPENED_COUNT] >= 300:
                    stats[LOST_EARLY] += 1
                return float(controlled[RESULT]), -1
            open_cell(field, guess, minefield[guess])
            counted |= minefield[guess] == 0
            while True:
                apply_number_rules(field)
                if numbers[SAFE_COUNT] == 0:
                    if numbers[OPENED_COUNT] == goal:
                        add_change(controlled, 1.0)
                        return float(controlled[RESULT]), -1
                    stats[ANALYSES] += 1
                    found, cons = mine_chances(
                        field, ws, int(player.settings[LAYER_STATES]), player.chance, player.out
                    )
                    if found != SOLVABLE:
                        release_cells(ws, cons)
                        return np.nan, -1
                    settled = settle_certain(field, ws, player.out)
                    if settled == 0:
                        guess = choose(player, deeper, False)
                        kind = player.result[RESULT_LOSS]
                        if counted and stop >= 0 and kind == LOST_SCORED:
                            if stop == 0:
                                release_cells(ws, cons)
                                return 0.0, guess
                            stop -= 1
                        if control and kind == LOST_END:
                            # What is left is played perfectly: its chance says more than its luck.
                            release_cells(ws, cons)
                            add_change(controlled, player.result[RESULT_WIN])
                            return float(controlled[RESULT]), -1
                        if control and kind == LOST_GROUP:
                            controlled[GROUPS_SINCE] *= settle_isolated_group(player, minefield)
                            guess = -1
                        elif control:
                            # Rows only from the one random guess on: what came before it was not its doing,
                            # and a choice of games by what happened later would bend the rates.
                            if explore and turn == when:
                                guess = player.candidates[np.random.randint(0, collect_candidates(player))]
                            known = take_luck_out(player, minefield, guess)
                            if explore and turn >= when and known and minefield[guess] != 9:
                                record_position(player, minefield[guess])
                            turn += 1
                        release_cells(ws, cons)
                        if guess >= 0:
                            break
                    else:
                        release_cells(ws, cons)
                for at in range(numbers[SAFE_COUNT]):
                    cell = field.safes[at]
                    open_cell(field, cell, minefield[cell])
                    counted |= minefield[cell] == 0
                numbers[SAFE_COUNT] = 0
            stats[GUESSED] += 1

    return play_on
