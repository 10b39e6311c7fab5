"""Results of games with the luck taken out whose odds are known.

What a guess showed is weighed by the learned value, the average of that over all it could have shown is known
exactly, and the difference is not counted. A closed group counts with its chance, and so does what is left
when exact search takes over. On average the result is the same, whatever the value is worth, and its variance
is a third of that (on Expert). (Method: Burch, Schmid, Moravcik, Morrill, Bowling, "AIVAT: a new variance
reduction technique for agent evaluation in imperfect information games", 2018.)
"""

from __future__ import annotations

from bot.solver.compiled import part
from bot.solver.outlook import prepare
from bot.solver.player import Player
from bot.solver.scored import weigh
from bot.solver.workspace import Bytes, Floats

TOLD, WEIGHT, BEFORE, FACTOR = range(4)
"""Of a controlled game: its result so far; the chance to survive the closed groups before the last guess; the
value of what that guess showed; the chance to survive the closed groups since."""


@part
def tell(controlled: Floats, now: float) -> None:
    """Count what the game has come to be worth, over what it was worth after the last guess."""
    controlled[TOLD] += controlled[WEIGHT] * (controlled[FACTOR] * now - controlled[BEFORE])


@part
def open_controlled(player: Player, minefield: Bytes, guess: int) -> bool:
    """Take the luck out of a guess that is about to be opened. Returns False where its odds are too much
    work: its luck then stays."""
    controlled, shown = player.controlled, minefield[guess]
    prepare(player.look, player.ws, player.out)
    expected, _ = weigh(player, guess)
    if expected < 0:
        if shown == 9:
            tell(controlled, 0.0)
        return False
    tell(controlled, expected)
    controlled[WEIGHT] *= controlled[FACTOR]
    controlled[FACTOR] = 1.0
    controlled[BEFORE] = player.look.follows[shown] if shown != 9 else 0.0
    return True


@part
def begin(player: Player, told: float, before: float) -> None:
    """Begin to control a game, or the rest of one that counts `told` so far, `before` for what it shows."""
    controlled = player.controlled
    controlled[TOLD] = told
    controlled[BEFORE] = before
    controlled[WEIGHT] = 1.0
    controlled[FACTOR] = 1.0
