"""The clicks that the buttons of a mouse make, as Minesweeper programs take them.

The left button opens where it is let go, the right one flags where it goes down. Both together, or the middle
one, chord where the first of them is let go; until both are up nothing else happens. A right button that goes
down on an opened cell and becomes part of a chord is no click of its own. So counts `ms_toollib` too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from bot.board import UNOPENED, Action, Coordinate, FirstClick, Move, Rules
from bot.game.game import Game
from bot.game.minefield import Minefield
from bot.game.play_measures import MouseFacts
from bot.show.story import Deed

WORDS = frozenset({"lc", "lr", "rc", "rr", "mc", "mr", "cc", "l", "r", "m", "pf"})
"""A letter for the left, right or middle button, and `c` where it goes down, `r` where it comes up; a letter
alone is whichever of the two it can be. `cc`: left and right are both down now. `pf`: a flag that was there
before the first click."""


@dataclass(frozen=True)
class Press:
    """A button that goes down or up, as a word of `WORDS`."""

    t: float
    """Seconds."""
    word: str
    cell: Coordinate
    """May lie beside the board: the button goes down or up all the same, and nothing is clicked."""
    place: tuple[float, float] | None = None
    """Where in the board, in cells from its top left: column, row."""


def moves_of(
    presses: Iterable[Press], minefield: Minefield, *, marks: bool = False
) -> tuple[tuple[Deed, ...], MouseFacts]:
    """The clicks on a board with these mines, and what is clicked beside it, which is no deed.

    With `marks` a flag that is clicked again becomes a question mark. What was clicked before anything lay on
    the board counts no more: a chord, or a flag that was taken away again.
    """
    mouse = _Mouse(minefield, marks=marks)
    for press in presses:
        mouse.take(press)
    return tuple(mouse.deeds), MouseFacts(marks, mouse.beside[Action.OPEN], mouse.beside[Action.FLAG])


class _Mouse:
    """The buttons that are down, and the game so far."""

    def __init__(self, minefield: Minefield, *, marks: bool) -> None:
        self.deeds: list[Deed] = []
        self.beside: Counter[Action] = Counter()
        """Clicks beside the board while the game went on."""
        self._size = minefield.rows, minefield.columns
        rules = Rules(minefield.columns, minefield.rows, minefield.total, FirstClick.ANY)
        self._game = Game(rules, minefield=minefield, marks=marks)
        self._left = self._right = self._middle = self._chord = False
        self._idle_flag: int | None = None
        """The place in `deeds` of a right click on an opened cell whose button is still down."""

    def take(self, press: Press) -> None:
        """One button goes down or up."""
        word = self._told(press.word)
        if word in ("lc", "rc", "cc"):
            self._left |= word in ("lc", "cc")
            self._right |= word in ("rc", "cc")
            if self._left and self._right:
                self._begin_chord()
            elif self._right:
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
        elif word == "mc":
            self._middle = True
        elif word == "mr":
            self._middle = False
            self._click(press, Action.CHORD)
        elif word == "pf":
            self._click(press, Action.FLAG)
        if not self._left and not self._right:
            self._chord = False

    def _told(self, word: str) -> str:
        """The word, with whether the button goes down or comes up where it does not say so."""
        down = {"l": self._left, "r": self._right, "m": self._middle}
        return word if word not in down else f"{word}r" if down[word] else f"{word}c"

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
        if self._game.phase.over:
            return False
        if not (0 <= row < self._size[0] and 0 <= column < self._size[1]):
            self.beside[action] += bool(self.deeds)
            return False
        move = Move(action, row, column)
        self.deeds.append(Deed(press.t, move, place=press.place))
        self._game.act(move)
        if self._game.board.all_covered:
            self.deeds.clear()
            self.beside.clear()
        return True
