"""One window and the game in it, whoever plays there: the bot or a person."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from bot.board import Constraint, Fault, Observation, Phase, Rules
from bot.recording.record import NullRecorder, Record
from bot.targets.board_changes import with_opened_kept
from bot.targets.window.observe.observer import WindowObserver
from bot.targets.window.sighting import View
from bot.targets.window.track.tracker import Tracker
from bot.vision.grid import Image
from bot.vision.reading import Reading
from bot.vision.themes.behaviour import GameBehaviour
from bot.vision.themes.skin import Skin


class GameWindow:
    """A window that is observed, game after game."""

    def __init__(self, observer: WindowObserver, tracker: Tracker) -> None:
        self._observer = observer
        self._tracker = tracker
        self.record = NullRecorder()
        self.begin_game()

    def begin_game(self) -> None:
        """Forget the game before: count clicks and seconds from here."""
        self._tracker.forget_end()
        self.clicks = 0
        """Clicks that the bot has sent in this game."""
        self.started: float | None = None
        """When the game began, by its first click, on `time.perf_counter`; None before."""
        self.ended: float | None = None
        """When the end of the game was seen."""

    def forget_end(self) -> None:
        """Forget that the game is over: another one may have begun."""
        self._tracker.forget_end()

    @property
    def record(self) -> Record:
        """The recording of the board that lay in the view when this was set."""
        return self._recorder

    @record.setter
    def record(self, record: Record) -> None:
        self._recorder, self._shape = record, self.view.grid.shape
        self._begin_record: Callable[[], Record] | None = None
        """How another one is begun; None once anything of the game was recorded."""

    def record_by(self, begin: Callable[[], Record]) -> None:
        """Record the game, in a recording that is begun so; and begun again if its board is another one."""
        self.record = begin()
        self._begin_record = begin

    def keep_counted(self, frame: Image, reading: Reading, seen: Observation) -> None:
        """Record the frame of a board that counts, with what may be believed of it and what is known of cells
        that were opened before: that is what is decided on."""
        if seen.constraints:
            reading = replace(reading, board=seen.board)
        elif self.is_unknown and seen.board.codes.shape == reading.board.codes.shape:
            reading = replace(reading, board=with_opened_kept(seen.board, reading.board))
        self.keep(frame, reading, seen.phase, constraints=seen.constraints)

    def keep(
        self,
        frame: Image,
        reading: Reading,
        phase: Phase,
        faults: Sequence[Fault] = (),
        *,
        constraints: Sequence[Constraint] = (),
        early: bool = False,
    ) -> None:
        """Record a frame; `early`: whether some of its cells are in flight.

        A board of another size than that of the recording begins another one, and what was there before was
        none of its game; but not once something of the game was recorded: then it is left out.
        """
        if reading.board.codes.shape != self._shape and self._begin_record and not self.clicks:
            self.record.discard()
            self.record_by(self._begin_record)
        if reading.board.codes.shape == self._shape:
            if not faults and (reading.board.codes <= 8).any():
                self._begin_record = None
            number = self.record.frame(frame, self.view.rect.x, self.view.rect.y, self.view.grid)
            facts = tuple(constraints)
            self.record.board(
                number, reading, phase, self.rules.mines, faults=faults, constraints=facts, early=early
            )

    def close_record(self) -> None:
        """Close the recording of the game and record nothing until another one is set."""
        self.record.close()
        self.record = NullRecorder()

    @property
    def name(self) -> str:
        """That of the game's theme; `unknown` where there is none."""
        return self._observer.name

    @property
    def observer(self) -> WindowObserver:
        """The eyes on the window."""
        return self._observer

    @property
    def is_unknown(self) -> bool:
        """Whether no theme knows the game in the window."""
        return self._observer.is_unknown

    @property
    def skin(self) -> Skin | None:
        """How the game in the window looks; None where nobody knows it."""
        return self._observer.skin

    @property
    def behaviour(self) -> GameBehaviour:
        """How the game in the window acts."""
        return self._observer.behaviour

    @property
    def rules(self) -> Rules:
        """The size and the mines of the game in the window."""
        return self._observer.rules

    @property
    def view(self) -> View:
        """Where the board lies now."""
        return self._observer.view

    @property
    def title(self) -> str:
        """What the window is called."""
        return self._observer.title
