"""The clicks that the buttons of a mouse make, as Minesweeper programs take them.

The left button opens where it is let go, the right one flags where it goes down. Both together, or the middle
one, chord where the first of them is let go; until both are up nothing else happens. A right button that goes
down on an opened cell and becomes part of a chord is no click of its own. So counts `ms_toollib` too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bot.board import UNOPENED, Action, Coordinate, FirstClick, Move, Rules
from bot.game.game import Game
from bot.game.minefield import Minefield
from bot.show.story import Deed


@dataclass(frozen=True)
class Press:
    """A button that goes down or up: `lc`, `lr`, `rc`, `rr`, `mc` or `mr`.

    `pf` is a flag that was there before the first click.
    """

    t: float
    """Seconds."""
    word: str
    cell: Coordinate
    """May lie beside the board: the button goes down or up all the same, and nothing is clicked."""


def moves_of(presses: Iterable[Press], minefield: Minefield) -> list[Deed]:
    """The clicks on a board with these mines; what is let go beside the board clicks nothing."""
    mouse = _Mouse(minefield)
    for press in presses:
        mouse.take(press)
    return mouse.deeds


class _Mouse:
    """The buttons that are down, and the game so far."""

    def __init__(self, minefield: Minefield) -> None:
        self.deeds: list[Deed] = []
        self._size = minefield.rows, minefield.columns
        rules = Rules(minefield.columns, minefield.rows, minefield.total, FirstClick.ANY)
        self._game = Game(rules, minefield=minefield)
        self._left = self._right = self._chord = False
        self._idle_flag: int | None = None
        """The place in `deeds` of a right click on an opened cell whose button is still down."""

    def take(self, press: Press) -> None:
        """One button goes down or up."""
        word = press.word
        if word == "lc":
            self._left = True
            if self._right:
                self._begin_chord()
        elif word == "rc":
            self._right = True
            if self._left:
                self._begin_chord()
            else:
                self._flag(press)
        elif word == "lr" and self._left:
            self._left = False
            if self._chord and self._right:
                self._click(press, Action.CHORD)
            elif not self._chord:
                self._click(press, Action.OPEN)
        elif word == "rr" and self._right:
            self._right = False
            self._idle_flag = None
            if self._chord and self._left:
                self._click(press, Action.CHORD)
        elif word == "mr":
            self._click(press, Action.CHORD)
        elif word == "pf":
            self._click(press, Action.FLAG)
        if not self._left and not self._right:
            self._chord = False

    def _begin_chord(self) -> None:
        self._chord = True
        if self._idle_flag is not None:
            del self.deeds[self._idle_flag]
            self._idle_flag = None

    def _flag(self, press: Press) -> None:
        if self._click(press, Action.FLAG) and self._game.board[press.cell] not in UNOPENED:
            self._idle_flag = len(self.deeds) - 1

    def _click(self, press: Press, action: Action) -> bool:
        """Click, unless beside the board or after the end; whether there was a click."""
        row, column = press.cell
        if self._game.phase.over or not (0 <= row < self._size[0] and 0 <= column < self._size[1]):
            return False
        move = Move(action, row, column)
        self.deeds.append(Deed(press.t, move))
        self._game.act(move)
        return True
