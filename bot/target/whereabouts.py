"""Whether a board still lies where it was seen and has the size that it had, and where it lies if not.

The corner of a larger board looks like a board of the old size, and so does its middle: where another level
was chosen in the middle of a game, the cells alone do not tell it.
"""

from __future__ import annotations

from enum import Enum

from bot.board import Board
from bot.target.sight import Sight
from bot.target.sighting import View
from bot.vision.grid import Image, same

REACH = 0.25
"""How much around a board is looked at, as a part of a cell."""


class Found(Enum):
    """What a search has found; the value is how people are told of it."""

    NOTHING = ""
    MOVED = "the window moved"
    ANOTHER = "the window shows another board now"


class Whereabouts:
    """Keeps an eye on the place and the size of the board of one window."""

    def __init__(self, sight: Sight) -> None:
        self._sight = sight
        self._view: View | None = None
        self._around: Image | None = None

    def doubtful(self, board: Board) -> bool:
        """Whether the board that is seen may be a part of another one, or be gone from there.

        A window tells that it was moved or resized. A page that shows another level tells nothing: but cells
        that nobody has played yet lie then where something else lay around the board. Raises WindowLost
        where the window is gone.
        """
        return self._sight.has_moved() or (self._sight.is_fresh(board) and self._has_grown())

    def _has_grown(self) -> bool:
        if self._around is None or self._sight.view != self._view:
            return False
        return not same(self._look(), self._around)

    def _look(self) -> Image:
        view = self._sight.view
        return self._sight.grab_around(max(2, round(REACH * max(view.grid.pitch) / view.scale)))

    def remember(self) -> None:
        """The board was not doubtful: what lies around it is none of it."""
        if self._around is None or self._sight.view != self._view:
            self._view, self._around = self._sight.view, self._look()

    def forget(self) -> None:
        """Ask no more about what lies around the board, until it is remembered again."""
        self._around = None

    def search(self, last: Board | None, *, played: bool) -> Found:
        """Look for the board on the whole screen: for the game that showed `last`, or another one of the same
        window, also of another size. Where it was found elsewhere the sight looks there from now on.

        Without `played`, in a window that has not moved, only a game that nobody has played yet is taken for
        another one: what lies over a board may look like its end.
        """
        sight = self._sight
        if sight.follow(last):
            return Found.MOVED
        if last is not None and sight.follow(None, fresh=not (played or sight.has_moved())):
            return Found.ANOTHER
        return Found.NOTHING
