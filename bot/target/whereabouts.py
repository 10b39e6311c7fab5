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
"""How much of what lies around a board is looked at, as a part of a cell; at most what the view shows."""


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
        self._around: list[Image] = []

    def doubtful(self, frame: Image, board: Board) -> bool:
        """Whether the board that was read in a picture may be a part of another one, or be gone from there.

        A window tells that it was moved or resized. A page that shows another level tells nothing: but cells
        that nobody has played yet lie then where something else lay around the board. Raises WindowLost
        where the window is gone.
        """
        return self._sight.has_moved() or (self._has_grown(frame) and self._sight.is_fresh(board))

    def _has_grown(self, frame: Image) -> bool:
        view = self._sight.view
        if view != self._view:
            return False
        around = _around(view, frame)
        return not all(same(now, before) for now, before in zip(around, self._around, strict=True))

    def remember(self, frame: Image) -> None:
        """A picture in which the board is known to have its size: what lies around it now is none of it."""
        self._view, self._around = self._sight.view, _around(self._sight.view, frame)

    def forget(self) -> None:
        """Ask no more about what lies around the board, until the next picture is remembered."""
        self._view = None

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


def _around(view: View, frame: Image) -> list[Image]:
    """Copies of the strips to the left of the cells, to the right, above and below; those without pixels are
    left out."""
    inner = view.grid.rect
    wide, high = (max(2, round(REACH * pitch)) for pitch in view.grid.pitch)
    left, top = max(0, inner.x - wide), max(0, inner.y - high)
    strips = [
        frame[inner.y : inner.bottom, left : inner.x],
        frame[inner.y : inner.bottom, inner.right : inner.right + wide],
        frame[top : inner.y, inner.x : inner.right],
        frame[inner.bottom : inner.bottom + high, inner.x : inner.right],
    ]
    return [strip.copy() for strip in strips if strip.size]
