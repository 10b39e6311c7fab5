"""Results of games with the luck taken out whose odds are known.

What a guess showed is weighed by the learned value, the average of that over all it could have shown is known
exactly, and the difference is not counted. A closed group counts with its chance, and so does what is left
when exact search takes over. On average the result is the same, whatever the value is worth, and its variance
is a third of that (on Expert). (Method: Burch, Schmid, Moravcik, Morrill, Bowling, "AIVAT: a new variance
reduction technique for agent evaluation in imperfect information games", 2018.)
"""

from __future__ import annotations

from bot.solver.constraints.workspace import Bytes
from bot.solver.guess.outcomes import prepare_outcomes
from bot.solver.guess.player import ControlledGame, Player
from bot.solver.guess.score import weigh_candidate
from bot.solver.jit.compiler import part


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
