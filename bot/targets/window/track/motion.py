"""Since when the picture of a window, and the cells in it, have been the same."""

from __future__ import annotations

from collections.abc import Callable

from bot.vision.grid import Image, same_pixels


class Motion:
    """Compares picture after picture of one window. Times in seconds, of any one clock."""

    def __init__(self, cells_of: Callable[[Image], Image], now: float) -> None:
        """`cells_of` gives the part of a picture that the cells take."""
        self._cells_of = cells_of
        self._frame: Image | None = None
        self._changed_at = self._cells_changed_at = now

    def update(self, frame: Image, now: float) -> bool:
        """Take in a picture; whether it is the first one."""
        before, self._frame = self._frame, frame
        if before is None or not same_pixels(frame, before):
            self._changed_at = now
            if before is None or not same_pixels(self._cells_of(frame), self._cells_of(before)):
                self._cells_changed_at = now
        return before is None

    def at_rest_for(self, now: float, *, only_cells: bool = False) -> float:
        """For how many seconds the picture has been the same, or only its cells."""
        return now - (self._cells_changed_at if only_cells else self._changed_at)
