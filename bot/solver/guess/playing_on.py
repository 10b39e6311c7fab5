"""The one loop that plays a game: whole games whose clicks are recorded, self-play to learn from, rollouts.

It opens what is certain, and one cell by a guess where nothing is, until every safe cell is open or a mine
was. What differs is given to it as functions, which are compiled into it:

- how a guess is chosen: by the policy, or the safest cell;
- how cells are opened: row by row with a person's clicks (`bot.solver.simulate.recorded_games`), or as the
  rules find them (control_variate.py);
- what is made of a guess before it is opened: nothing, or the luck is taken out of it, or the game stops
  there;
- whether the first safe cells are enough and estimates count as chances (`quick`), or a game is given up
  where chances would be estimates.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from bot.solver.deduction.compiled_board import CompiledBoard
from bot.solver.guess.player import Player
from bot.solver.jit.compiler import part
from bot.solver.probability.components import release_cells
from bot.solver.probability.examination import CERTAIN, LIMITED, UNCERTAIN, examine_position

LOST, WON, UNDECIDED, STOPPED = range(4)
"""How a game ends: UNDECIDED where a position of it was IMPOSSIBLE or LIMITED, STOPPED by what was made of a
guess."""

ENDS_HERE = LIMITED + 1
"""What is said of a position, besides all that `examine_position` finds: the game is STOPPED at it."""

Choose = Callable[[Any, "Player | None", bool], int]
"""Chooses a guess where nothing is certain: a player, the one that it looks further with, whether nothing
that it remembers counts."""

FindGuess = Callable[[Any, "Player | None", Any, int, bool], "tuple[int, int]"]

PlayOn = Callable[[Any, "Player | None", Any, int, int], "tuple[int, int]"]


class Manner(NamedTuple):
    """In what games differ. A `game` is what these functions need of it: its minefield at least."""

    open_guess: Callable[[Any, Any, int], bool]
    """Opens a cell: player, game, cell. Returns False where it is a mine."""
    open_certain: Callable[[Any, Any], None]
    """Opens the cells that are known to be safe: player, game."""
    consider: Callable[[Any, Any, int], tuple[int, int]]
    """What is made of a guess, while the constraints are still gathered: player, game, cell. Returns
    UNCERTAIN or ENDS_HERE, and the cell to open, or to stop at (-1: none)."""
    quick: bool
    """As `examine_position` takes it."""


@part
def is_won(field: CompiledBoard) -> bool:
    """Whether every safe cell is open."""
    counts = field.counts
    return bool(counts.opened == counts.rows * counts.columns - counts.total)


def finding_guess(choose: Choose, manner: Manner) -> FindGuess:
    """One position, examined and decided, compiled as a part."""
    consider, quick = manner.consider, manner.quick

    @part
    def find_guess(
        player: Any, deeper: Player | None, game: Any, limit: int, afresh: bool
    ) -> tuple[int, int]:
        """What `examine_position` finds, or ENDS_HERE, and the cell to guess (-1: none)."""
        found, cons = examine_position(player.field, player.ws, player.chance, player.combined, limit, quick)
        if found != UNCERTAIN:
            return found, -1
        cell = choose(player, deeper, afresh)
        found, cell = consider(player, game, cell)
        release_cells(player.ws, cons)
        return found, cell

    return find_guess


def playing_on(find_guess: FindGuess, manner: Manner) -> PlayOn:
    """The loop, compiled as a part."""
    open_guess, open_certain = manner.open_guess, manner.open_certain

    @part
    def play_on(player: Any, deeper: Player | None, game: Any, cell: int, limit: int) -> tuple[int, int]:
        """Open `cell` (-1: none) and play on. Returns how the game ended, and the guess that it stopped at
        (-1: none). `limit` is the states of a layer, as `examine_position` takes it."""
        while True:
            if cell >= 0 and not open_guess(player, game, cell):
                return LOST, -1
            if is_won(player.field):
                return WON, -1
            found, cell = find_guess(player, deeper, game, limit, False)
            if found == CERTAIN:
                open_certain(player, game)
            elif found == ENDS_HERE:
                return STOPPED, cell
            elif found != UNCERTAIN:
                return UNDECIDED, -1

    return play_on
