"""The loop that plays a game on from a guess and says how it ends: for self-play, and for rollouts.

Games whose clicks count, in their order, are played by `bot.solver.simulate.recorded_games`. Both ask
`examine_position` what is certain, and differ in all else. That loop opens what is certain row by row, with
the clicks of a person, gives up where chances would be estimates, and serves players that only know the
safest cell. This one opens cells as the rules find them, looks no further than to the first safe ones, takes
estimates for chances, settles closed groups without playing them, and stops at a guess that is asked for.

With `control` or `explore`, the luck is taken out of the results (control_variate.py).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from bot.solver.constraints.workspace import Bytes
from bot.solver.deduction.compiled_board import open_cell
from bot.solver.guess.control_variate import add_change, take_luck_out
from bot.solver.guess.endgame_guess import settle_isolated_group
from bot.solver.guess.player import ENDGAMES, GROUPS, SCORED, Player
from bot.solver.guess.score import collect_candidates
from bot.solver.jit.compiler import part
from bot.solver.probability.components import release_cells
from bot.solver.probability.examination import CERTAIN, UNCERTAIN, examine_position

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
    player.record_weight[n] = player.controlled.groups_before
    player.record_outcome[n] = (
        player.controlled.value_before - player.controlled.result / player.controlled.groups_before
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
        field, ws, controlled = player.field, player.ws, player.controlled
        counts = field.counts
        goal = counts.rows * counts.columns - counts.total
        counted = early
        explore = player.settings.explore > 0
        control = explore or player.settings.control > 0
        turn = 0
        when = int(np.random.random() ** 2 * player.settings.explore) if explore else 0
        while True:
            if minefield[guess] == 9:
                return float(controlled.result), -1
            open_cell(field, guess, minefield[guess])
            counted |= minefield[guess] == 0
            while True:
                if counts.opened == goal:
                    add_change(controlled, 1.0)
                    return float(controlled.result), -1
                found, cons = examine_position(
                    field, ws, player.chance, player.combined, player.settings.layer_states, True
                )
                if found == CERTAIN:
                    for at in range(counts.safe):
                        cell = field.safes[at]
                        open_cell(field, cell, minefield[cell])
                        counted |= minefield[cell] == 0
                    counts.safe = 0
                    continue
                if found != UNCERTAIN:
                    return np.nan, -1
                guess = choose(player, deeper, False)
                kind = player.result.kind
                if counted and stop >= 0 and kind == SCORED:
                    if stop == 0:
                        release_cells(ws, cons)
                        return 0.0, guess
                    stop -= 1
                if control and kind == ENDGAMES:
                    # What is left is played perfectly: its chance says more than its luck.
                    release_cells(ws, cons)
                    add_change(controlled, player.result.win)
                    return float(controlled.result), -1
                if control and kind == GROUPS:
                    controlled.groups_since *= settle_isolated_group(player, minefield)
                    guess = -1
                elif control:
                    # Rows only from the one random guess on: what came before it was not its doing, and a
                    # choice of games by what happened later would bend the rates.
                    if explore and turn == when:
                        guess = player.candidates[np.random.randint(0, collect_candidates(player))]
                    known = take_luck_out(player, minefield, guess)
                    if explore and turn >= when and known and minefield[guess] != 9:
                        record_position(player, minefield[guess])
                    turn += 1
                release_cells(ws, cons)
                if guess >= 0:
                    break

    return play_on
