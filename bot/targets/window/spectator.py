"""Watching a window that a person plays. An onlooker has no hands: it never clicks nor moves the pointer."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from bot.board import Board, Fault, Observation, Phase
from bot.targets.board_changes import continues
from bot.targets.window.game_window import GameWindow
from bot.targets.window.locate.relocate import Relocator, SearchResult
from bot.targets.window.observer import WindowObserver
from bot.vision.grid import Image
from bot.vision.reading import Reading

REST_S = 0.04
"""How long the cells must look the same: a person's press looks like an opening before it is let go."""

READY_REST_S = 0.25
"""The same for an untouched board, whose counter may still be that of the game before, and for the end of a
game, which windows show bit by bit."""

SUSPECT_S = 0.25
"""A board that cannot be is looked at for so long before a moved or closed window is suspected, and in
between the looks at the windows."""

TROUBLE_S = 1.5
"""A board that cannot be is told after so long: people hold a button down for a while. One that reads the
same for so long counts though its cells shimmer; one that does not is told after twice that time."""

RESTLESS = "the board does not come to rest: does something move over it?"


class Spectator(GameWindow):
    """Looks at one window, game after game, while somebody else plays it."""

    def __init__(self, observer: WindowObserver, tell: Callable[[str], None] = lambda text: None) -> None:
        """Look with a sight. `tell` is given a line for people when something happens."""
        self._tell = tell
        self._cells: Image | None = None
        """The pixels of the cells in the last picture, and since when they are the same."""
        self._since = 0.0
        self._read: Board | None = None
        """The board that was read in it, and since when it is the same."""
        self._read_since = 0.0
        self._rested = time.perf_counter()
        """When a board was at rest last."""
        self._wrong_since: float | None = None
        self._looked_around = 0.0
        self._relocator = Relocator(observer)
        self._rest_s = max(REST_S, observer.behaviour.timing.rest_ms / 1000)
        super().__init__(observer)

    def begin_game(self) -> None:
        """Forget the board: the next one is of another game. No click is ever counted."""
        super().begin_game()
        self.board: Board | None = None
        """The last one that was possible and at rest, with its phase."""
        self.phase: Phase | None = None
        self.trouble = ""
        """Why no board has been seen for a while; empty where one was."""
        self.another = False
        """Whether the window shows a board of another game since, maybe of another size."""

    def look(self) -> Observation | None:
        """One look, without waiting: the board, or None where it is just changing or cannot be seen.

        Call it some fifty times a second. Where nothing can be seen for a while, `trouble` says why; a
        window that moved is followed, to a board of another size too. Raises WindowLost where the window
        is gone.
        """
        frame, now = self._observer.grab(), time.perf_counter()
        reading = self._observer.reader.read(frame)
        cells = self.view.cells_of(frame)
        if self._cells is None or not np.array_equal(cells, self._cells):
            self._cells, self._since = cells.copy(), now
        if reading.board != self._read:
            self._read, self._read_since = reading.board, now
        over = self._observer.over(reading.board, frame, now)
        if over is not None:
            return self._taken(frame, reading, over, now)
        faults = self._observer.faults(reading.board)
        phase = self._observer.phase(reading.board, frame)
        # The corner of a larger board looks like a board of the old size.
        doubt = not faults and self._is_doubtful(reading.board, phase)
        if faults or phase is None or doubt:
            self._rested = now
            self._suspect(frame, reading, faults, now, doubt)
            return None
        self._wrong_since, self.trouble = None, ""
        slow = phase.over or phase is Phase.READY
        rests = now - self._since >= (max(self._rest_s, READY_REST_S) if slow else self._rest_s)
        if not rests and now - self._read_since < TROUBLE_S:
            if now - self._rested > 2 * TROUBLE_S:
                self.trouble = RESTLESS
            return None
        self._rested = now
        return self._taken(frame, reading, phase, now)

    def _is_doubtful(self, board: Board, phase: Phase | None) -> bool:
        new = self.board is None or self.phase is not Phase.PLAYING or not continues(self.board, board)
        return self._relocator.doubtful(new=new and not (phase is not None and phase.over))

    def _taken(self, frame: Image, reading: Reading, phase: Phase, now: float) -> Observation:
        """Take a board, and record it where it is not the one before."""
        board = self._observer.at_end(reading.board, self.board) if phase.over else reading.board
        if phase.over and self.ended is None:
            self.ended = now
        if (board, phase) != (self.board, self.phase):
            self.board, self.phase = board, phase
            if phase is Phase.READY:
                self._observer.take_rules(frame)
            if not phase.over:
                self._observer.tell_unknown(self._tell)
            if not self.another:
                self.keep(frame, reading, phase)
        return Observation(board, phase, self.rules)

    def _suspect(self, frame: Image, reading: Reading, faults: list[Fault], now: float, doubt: bool) -> None:
        """The board cannot be, or may be a part of another one (`doubt`): follow a window that moved, and say
        what is wrong once it lasts."""
        if self._wrong_since is None:
            self._wrong_since = self._looked_around = now
        if now - self._looked_around < SUSPECT_S:
            return
        self._looked_around = now
        lasting = now - self._wrong_since > TROUBLE_S
        if (self._observer.has_moved() or lasting or doubt) and self._search():
            return
        if lasting:
            if not self.trouble:
                self.keep(frame, reading, Phase.HIDDEN, faults)
            self.trouble = self._observer.what_is_wrong(reading.board, faults, doubt=doubt)

    def _search(self) -> bool:
        """Look for the board on the whole screen; True where it was found elsewhere, or another one."""
        found = self._relocator.search(self.board, played=True)
        if not found.elsewhere:
            return False
        self.another = self.another or found is SearchResult.ANOTHER
        self._cells = self._wrong_since = None
        self.trouble = ""
        grid = self.view.grid
        text = f"{found.value}; looking at {grid.columns}x{grid.rows} cells at {self.view.grid_on_screen()}"
        self.record.note(text)
        self._tell(text)
        return True

    def doubt(self) -> None:
        """What the last look gave cannot be right: read everything afresh."""
        self._observer.reader.forget()

    def let_go(self) -> None:
        """It has no hands: there is nothing to let go of."""
