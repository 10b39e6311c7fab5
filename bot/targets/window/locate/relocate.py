"""Whether a board still lies where it was seen and has the size that it had, and where it lies if not.

The corner of a larger board looks like a board of the old size, and so does its middle: where another level
was chosen in the middle of a game, the cells alone do not tell it.
"""

from __future__ import annotations

from enum import Enum

import numpy as np
import numpy.typing as npt

from bot.board import Board
from bot.targets.board_changes import continues, filled_from
from bot.targets.window.observer import WindowObserver
from bot.vision.grid import Image, same_pixels

REACH = 0.25
"""How much around a board is looked at, as a part of a cell."""


class SearchResult(Enum):
    """What a search has found; the value is how people are told of it."""

    NOTHING = "the board is not to be seen"
    HERE = "the board lies where it was"
    MOVED = "the window moved"
    ANOTHER = "the window shows another board now"

    @property
    def elsewhere(self) -> bool:
        """Whether the sight looks somewhere else now."""
        return self in (SearchResult.MOVED, SearchResult.ANOTHER)


class Relocator:
    """Keeps an eye on the place and the size of the board of one window."""

    def __init__(self, observer: WindowObserver) -> None:
        """The board of the sight has just been found, whole."""
        self._observer = observer
        self._remember()

    def _look(self) -> Image:
        view = self._observer.view
        return self._observer.grab_around(max(2, round(REACH * max(view.grid.pitch) / view.scale)))

    def _remember(self) -> None:
        """The board is known to have its size now: what lies around it is none of it."""
        self._around = self._now = self._look()
        self._blinks = np.zeros(self._around.shape[:2], bool)
        """Pixels that have changed around a board that had not: they tell nothing."""

    def is_partial(self, *, new: bool) -> bool:
        """Whether the board that is seen may be a part of another one, or be gone from there.

        A window tells that it was moved or resized. A page that shows another level tells nothing: but cells
        lie then where something else lay around the board. That is asked where the game may be a `new` one.
        Raises WindowLost where the window is gone.
        """
        return self._observer.has_moved() or (new and self._has_grown())

    def _has_grown(self) -> bool:
        self._now = self._look()
        if same_pixels(self._now, self._around):
            return False
        return self._now.shape != self._around.shape or bool(self._changed().any())

    def _changed(self) -> npt.NDArray[np.bool_]:
        changed: npt.NDArray[np.bool_] = (self._now != self._around).any(axis=2) & ~self._blinks
        return changed

    def _trust(self) -> None:
        """The board was seen where it was, with its size: what changed around it is no part of it."""
        if self._now.shape != self._around.shape:
            self._remember()
        else:
            self._blinks |= self._changed()

    def search(self, last: Board | None, *, played: bool) -> SearchResult:
        """Look for the board on the whole screen: for the game that showed `last`, or another one of the same
        window, also of another size. Where it was found elsewhere the sight looks there from now on.

        Without `played`, in a window that has not moved, only a larger board, and one that nobody has played
        yet, are taken for another one: what lies over a board may look like its end.
        """
        observer, seen = self._observer, self._observer.find()
        if seen is None or (seen.problem and observer.calibration is not None):
            return SearchResult.NOTHING
        if seen.view.is_near(observer.view):
            observer.window = seen.window  # it may have another size
            self._trust()
            return SearchResult.HERE
        if seen.problem:
            return SearchResult.NOTHING
        board, grid = seen.reading.board, observer.view.grid
        # What cannot be read there either is no other game: the end may show looks that were never met.
        goes_on = last is not None and continues(last, filled_from(last, board))
        if not goes_on and last is not None:
            larger = seen.view.grid.columns * seen.view.grid.rows > grid.columns * grid.rows
            if not (played or larger or observer.has_moved() or observer.is_fresh(board)):
                return SearchResult.NOTHING
        same_size = goes_on or (last is None and board.codes.shape == grid.shape)
        observer.look_there(seen, new_rules=not goes_on)
        self._remember()
        return SearchResult.MOVED if same_size else SearchResult.ANOTHER
