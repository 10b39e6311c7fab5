"""Since when the picture of a window, and the cells in it, have been the same."""

from __future__ import annotations

from collections.abc import Callable

from bot.vision.grid import Image, same_pixels

POLL_S, MAX_POLL_S = 0.001, 0.02
"""The least and the most time from one look at a window to the next, in seconds."""

LATE = 0.05
"""By which part of the time that nothing has moved the next change may be seen too late: a look costs a
millisecond of the processor that the game may need."""


class Motion:
    """Compares picture after picture of one window. Times in seconds, of any one clock."""

    def __init__(self, cells_of: Callable[[Image], Image], now: float) -> None:
        """`cells_of` gives the part of a picture that the cells take."""
        self._cells_of = cells_of
        self._frame: Image | None = None
        self._changed_at = self._cells_changed_at = now
        self.cells_changed = False
        """Whether the cells of the last picture differ from those of the one before."""
        self.first_change_at: float | None = None
        """When the cells changed first; None where they have not."""
        self.longest_pause_s = 0.0
        """The longest time between two changes of the cells."""

    def update(self, frame: Image, now: float) -> bool:
        """Take in a picture; whether it is the first one."""
        before, self._frame = self._frame, frame
        if before is None:
            self._changed_at = self._cells_changed_at = now
            return True
        moved = not same_pixels(frame, before)
        self.cells_changed = moved and not same_pixels(self._cells_of(frame), self._cells_of(before))
        if moved:
            self._changed_at = now
        if self.cells_changed:
            if self.first_change_at is None:
                self.first_change_at = now
            else:
                self.longest_pause_s = max(self.longest_pause_s, now - self._cells_changed_at)
            self._cells_changed_at = now
        return False

    def at_rest_for(self, now: float, *, only_cells: bool = False) -> float:
        """For how many seconds the picture has been the same, or only its cells."""
        return now - (self._cells_changed_at if only_cells else self._changed_at)

    def until_next_look(self, now: float) -> float:
        """How long to wait before the next picture is taken, in seconds."""
        return min(max(POLL_S, LATE * self.at_rest_for(now)), MAX_POLL_S)

    def lasted_s(self) -> float:
        """From the first change of the cells to the last, in seconds; 0 where there was none."""
        return 0.0 if self.first_change_at is None else self._cells_changed_at - self.first_change_at
