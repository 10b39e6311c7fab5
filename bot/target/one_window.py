"""What there is to tell of one window and the game in it, whoever plays there: the bot or a person."""

from __future__ import annotations

from bot.board import Rules
from bot.recording.record import NullRecorder, Record
from bot.target.sight import Sight
from bot.target.sighting import View
from bot.vision.theme import Theme


class OneWindow:
    """A window that is seen with a sight, game after game."""

    def __init__(self, sight: Sight) -> None:
        self._sight = sight
        self.record: Record = NullRecorder()
        self.begin_game()

    def begin_game(self) -> None:
        """Forget the game before: count clicks and seconds from here."""
        self.forget_end()
        self.clicks = 0
        """How many we have sent in this game."""
        self.started: float | None = None
        """When the game began, by its first click, on `time.perf_counter`; None before."""
        self.ended: float | None = None
        """When the end of the game was seen."""

    def forget_end(self) -> None:
        """Look afresh whether the game is over: another one may have begun."""
        if self._sight.ending is not None:
            self._sight.ending.forget()

    @property
    def theme(self) -> Theme:
        """What the window looks like."""
        return self._sight.theme

    @property
    def rules(self) -> Rules:
        """The size and the mines of the game in the window."""
        return self._sight.rules

    @property
    def view(self) -> View:
        """Where the board lies now."""
        return self._sight.view

    @property
    def title(self) -> str:
        """What the window is called."""
        return self._sight.title
