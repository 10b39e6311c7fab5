"""Whether a window has come to rest: since when its picture, and the cells in it, have been the same."""

from __future__ import annotations

from bot.board import Board, Phase
from bot.targets.window.observer import WindowObserver
from bot.vision.grid import Image, same_pixels

UNSURE_S = 0.25
"""How long a new board must rest whose rules are not those of the game before."""

STALLED_S = 1.0
"""How long a game that moves its pieces about must rest before it counts as another one than it was."""

REST_S = 0.03
"""How long the end of a game must look the same: windows show their mines one by one."""

BESIDE_S = 2.0
"""Where the cells have rested for so long, what still moves beside them does not belong to the game."""


class Settling:
    """Looks at the pictures of one window, one after the other. Times in seconds, by `time.perf_counter`."""

    def __init__(self, observer: WindowObserver, moves_s: float, now: float) -> None:
        """`moves_s`: so long a game that moves its pieces about must rest; 0 for one that does not."""
        self._observer = observer
        self._moves_s = moves_s
        self._before: Image | None = None
        self._since = self._cells_since = now

    def forget(self) -> None:
        """The next picture is the first one again."""
        self._before = None

    def look(self, frame: Image, now: float) -> bool:
        """Take in a picture; whether there was one before it."""
        before, self._before = self._before, frame
        cells_of = self._observer.view.cells_of
        if before is None or not same_pixels(frame, before):
            self._since = now
            if before is None or not same_pixels(cells_of(frame), cells_of(before)):
                self._cells_since = now
        return before is not None

    def lasts(self, phase: Phase, board: Board, another: bool, now: float) -> bool:
        """Whether what was looked at last rests for long enough to count: as a board in a phase of its game,
        or of `another` game than before."""
        # The clock above a game that somebody else plays goes on, and pieces fly over cells.
        since = self._cells_since if another and self._moves_s else self._since
        return now - since >= self._least(phase, board, another) or now - self._cells_since >= BESIDE_S

    def _least(self, phase: Phase, board: Board, another: bool) -> float:
        """How long the picture must have been the same, in seconds."""
        if phase.over:
            return REST_S
        if self._moves_s:
            # A busy machine may stop the pieces in mid-air, over cells that were opened before.
            return STALLED_S if another else self._moves_s
        if not self._observer.is_fresh(board):
            return 0.0
        # The counter may still be that of the game before, and a wrong total makes wrong clicks certain.
        assert self._before is not None
        with_header = self._observer.reader.read(self._before, header=True)
        return REST_S if self._observer.rules_of(with_header) == self._observer.rules else UNSURE_S
