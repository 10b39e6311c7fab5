"""Games of which the result counts and no click: self-play and rollouts. With `control` or `explore`, the
luck is taken out of the results whose odds are known.

What a guess showed is weighed by the learned value, the average of that over all it could have shown is known
exactly, and the difference is not counted. A closed group counts with its chance, and so does what is left
when exact search takes over. On average the result is the same, whatever the value is worth, and its variance
is a third of that (on Expert). (Method: Burch, Schmid, Moravcik, Morrill, Bowling, "AIVAT: a new variance
reduction technique for agent evaluation in imperfect information games", 2018.)
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from bot.solver.constraints.workspace import Bytes
from bot.solver.deduction.compiled_board import open_cell
from bot.solver.guess.endgame_guess import settle_isolated_group
from bot.solver.guess.outcomes import prepare_outcomes
from bot.solver.guess.player import ENDGAMES, GROUPS, SCORED, ControlledGame, Player
from bot.solver.guess.playing_on import ENDS_HERE, UNDECIDED, WON, Choose, Manner, finding_guess, playing_on
from bot.solver.guess.score import collect_candidates, weigh_candidate
from bot.solver.jit.compiler import part
from bot.solver.probability.examination import UNCERTAIN

PlayControlled = Callable[[Player, "Player | None", Bytes, int, int, bool], "tuple[float, int]"]


@part
def add_change(controlled: ControlledGame, now: float) -> None:
    """Count what the game has come to be worth, over what it was worth after the last guess."""
    controlled.result += controlled.groups_before * (controlled.groups_since * now - controlled.value_before)


@part
def take_luck_out(player: Player, minefield: Bytes, guess: int) -> bool:
    """Take the luck out of a guess that is about to be opened. Returns False where its odds are too much
    work: its luck then stays."""
    controlled, shown = player.controlled, minefield[guess]
    prepare_outcomes(player.outcomes, player.ws, player.combined)
    expected, _ = weigh_candidate(player, guess)
    if expected < 0:
        if shown == 9:
            add_change(controlled, 0.0)
        return False
    add_change(controlled, expected)
    controlled.groups_before *= controlled.groups_since
    controlled.groups_since = 1.0
    controlled.value_before = player.outcomes.follows[shown] if shown != 9 else 0.0
    return True


@part
def begin_control(player: Player, told: float, before: float) -> None:
    """Begin to control a game, or the rest of one that counts `told` so far, `before` for what it shows."""
    controlled = player.controlled
    controlled.result = told
    controlled.value_before = before
    controlled.groups_before = 1.0
    controlled.groups_since = 1.0


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


@part
def open_one(player: Player, minefield: Bytes, cell: int) -> bool:
    """Open a cell, and not what a zero opens: the rules find that. Returns False where it is a mine."""
    if minefield[cell] == 9:
        return False
    open_cell(player.field, cell, minefield[cell])
    return True


@part
def open_found(player: Player, minefield: Bytes) -> None:
    """Open the cells that are known to be safe, in the order in which the rules found them."""
    field = player.field
    for at in range(field.counts.safe):
        open_cell(field, field.safes[at], minefield[field.safes[at]])
    field.counts.safe = 0


@part
def control_guess(player: Player, minefield: Bytes, guess: int) -> tuple[int, int]:
    """Stop at a guess that is asked for; with `control` or `explore`, take the luck out of it.

    Returns UNCERTAIN or ENDS_HERE, and the cell to open, or to stop at (-1: none).
    """
    controlled, kind = player.controlled, player.result.kind
    if controlled.stop >= 0 and kind == SCORED and (controlled.early or np.any(player.field.shown == 0)):
        if controlled.stop == 0:
            return ENDS_HERE, guess
        controlled.stop -= 1
    explore = player.settings.explore > 0
    if not explore and player.settings.control == 0:
        return UNCERTAIN, guess
    if kind == ENDGAMES:
        # What is left is played perfectly: its chance says more than its luck.
        add_change(controlled, player.result.win)
        return ENDS_HERE, -1
    if kind == GROUPS:
        controlled.groups_since *= settle_isolated_group(player, minefield)
        return UNCERTAIN, -1
    # Rows only from the one random guess on: what came before it was not its doing, and a choice of games by
    # what happened later would bend the rates.
    if explore and controlled.turn == controlled.random_turn:
        guess = player.candidates[np.random.randint(0, collect_candidates(player))]
    known = take_luck_out(player, minefield, guess)
    if explore and controlled.turn >= controlled.random_turn and known and minefield[guess] != 9:
        record_position(player, minefield[guess])
    controlled.turn += 1
    return UNCERTAIN, guess


CONTROLLED = Manner(open_one, open_found, control_guess, quick=True)
"""Games of which the result counts, and no click."""


def controlled_play(choose: Choose) -> PlayControlled:
    """The loop of games whose result counts, with guesses by `choose`, compiled as a part."""
    play_on = playing_on(finding_guess(choose, CONTROLLED), CONTROLLED)

    @part
    def play_controlled(
        player: Player, deeper: Player | None, minefield: Bytes, guess: int, stop: int, early: bool
    ) -> tuple[float, int]:
        """Open `guess` and play on to the end of the game. Returns the result of the game and -1; with `stop`
        from 0 on, 0 and the scored guess of that number, where the game has one: of all, or with `early`
        false of those after the first zero. NaN where the minefield is not one of its total."""
        controlled, settings = player.controlled, player.settings
        controlled.stop = stop
        controlled.early = int(early)
        controlled.turn = 0
        controlled.random_turn = (
            int(np.random.random() ** 2 * settings.explore) if settings.explore > 0 else 0
        )
        ended, cell = play_on(player, deeper, minefield, guess, settings.layer_states)
        if ended == UNDECIDED:
            return np.nan, -1
        if cell >= 0:
            return 0.0, cell
        if ended == WON:
            add_change(controlled, 1.0)
        return float(controlled.result), -1

    return play_controlled
