"""Looking on while a person plays a window. A spectator never clicks nor moves the pointer."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from bot.board import Board, Fault, Observation, Phase
from bot.recording.record import Record
from bot.targets.window.game_window import GameWindow
from bot.targets.window.locate.relocate import Relocator, SearchResult
from bot.targets.window.observe.observer import WindowObserver
from bot.targets.window.observe.trouble import what_is_wrong
from bot.targets.window.track.game_end import GameEnd, game_end_for
from bot.targets.window.track.settle_times import SettleTimes
from bot.targets.window.track.tracker import Tracker
from bot.vision.grid import Image
from bot.vision.reading import Reading

SUSPECT_S = 0.25
"""How long a board must be impossible before a moved or closed window is suspected, and how long lies between
two looks at the windows, in seconds."""

TROUBLE_S = 1.5
"""After how many seconds an impossible board is reported: people hold a button down for a while. A board that
does not come to rest is reported after twice that time."""

AWAY_S = 0.5
"""A spectator that has not looked for this long knows nothing of what happened in between, in seconds."""

RESTLESS = "the board does not come to rest: does something move over it?"


class Spectator(GameWindow):
    """Looks at one window, game after game, while somebody else plays it."""

    def __init__(
        self,
        observer: WindowObserver,
        tell: Callable[[str], None] = lambda text: None,
        *,
        end: GameEnd | None = None,
    ) -> None:
        """`tell` is given a line for people when something happens; `end` recognises the end of the game that
        is played already."""
        self._tell = tell
        self._looked_at = self._looked_around = 0.0
        """When it looked last, and when a moved window was suspected last."""
        self._relocator = Relocator(observer)
        if end is None:
            end = game_end_for(observer.skin, observer.behaviour, observer.view.grid)
        times = SettleTimes.of_spectator(observer.behaviour.timing.rest_ms / 1000)
        is_partial = self._relocator.is_partial
        tracker = Tracker(observer, times, end, lambda new: is_partial(new=new))
        super().__init__(observer, tracker)

    def begin_game(self) -> None:
        """Forget the board: the next one is of another game. No click is ever counted."""
        super().begin_game()
        self._tracker.last = None
        self._hidden_at: float | None = None
        """Since when a window that the game has opened lies over the board; None where none does."""
        self._kept: tuple[Record, Board, Phase] | None = None
        """What was recorded last, and where: a recording that begins later begins with the board as it is."""
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
        if now - self._looked_at > AWAY_S:
            self._tracker.restart(now)
        self._looked_at = now
        reading = self._observer.reader.read(frame)
        seen = self._tracker.update(frame, reading, now)
        if isinstance(seen, Observation):
            self.trouble = ""
            self._keep(frame, reading, seen, now)
            return seen
        if not seen.possible:
            self._suspect(frame, reading, seen.faults, now, seen.impossible_s, partial=seen.partial)
        elif seen.moving_s > 2 * TROUBLE_S:
            self.trouble = RESTLESS
        elif seen.steady:
            self.trouble = ""
        return None

    def _keep(self, frame: Image, reading: Reading, seen: Observation, now: float) -> None:
        """Record a board that is not the one before."""
        if not seen.phase.over:
            self.ended = None  # what was seen until now was the end of the game before
            self._hidden_at = None
        elif self.ended is None:
            # The dialog of a game that is over hides its last board until the person has answered it.
            self.ended = now if self._hidden_at is None else self._hidden_at
        if self._kept == (self.record, seen.board, seen.phase):
            return
        self._kept = self.record, seen.board, seen.phase
        if not seen.phase.over:
            self._observer.tell_unknown(self._tell)
        if not self.another:
            self.keep_counted(frame, reading, seen)

    def _suspect(
        self,
        frame: Image,
        reading: Reading,
        faults: Sequence[Fault],
        now: float,
        impossible_s: float,
        *,
        partial: bool,
    ) -> None:
        """The board cannot be, or may be a part of another one (`partial`): follow a window that moved, and
        say what is wrong once it lasts."""
        if impossible_s < SUSPECT_S or now - self._looked_around < SUSPECT_S:
            return
        self._looked_around = now
        if self._hidden_at is None and self._observer.are_its_own(self._observer.covering()):
            self._hidden_at = now - impossible_s
        lasting = impossible_s > TROUBLE_S
        if (self._observer.has_moved() or lasting or partial) and self._search(now):
            return
        if lasting:
            if not self.trouble:
                self.keep(frame, reading, Phase.HIDDEN, faults)
            self.trouble = what_is_wrong(self._observer, reading.board, faults, partial=partial)

    def _search(self, now: float) -> bool:
        """Look for the board on the whole screen; True where it was found elsewhere, or another one."""
        last: Board | None = None if self._tracker.last is None else self._tracker.last.board
        found = self._relocator.search(last, played=True, shown=self._tracker.shown)
        self._tracker.note_search(elsewhere=found.elsewhere)
        if not found.elsewhere:
            return False
        self.another = self.another or found is SearchResult.ANOTHER
        self._tracker.restart(now)
        self.trouble = ""
        text = f"{found.value}; looking at {self.view.described}"
        self.record.note(text)
        self._tell(text)
        return True

    def doubt(self) -> None:
        """What the last look gave cannot be right: read the next picture from scratch."""
        self._observer.reader.forget()

    def let_go(self) -> None:
        """A spectator never touches the mouse: there is nothing to let go of."""
