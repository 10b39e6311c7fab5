"""A window of which it may not be known what wins: every safe cell opened, or every mine flagged."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.board import Action, Cell, Coordinate, Move, Phase
from bot.targets.window.act.controls import WindowControls
from bot.targets.window.clicked_window import ClickedWindow, Done
from bot.targets.window.track.pending_clicks import PendingClick
from bot.targets.window.track.tracker import Tracker
from bot.targets.window.track.unknown_end import UnknownGameEnd

POLL_S = 0.01
"""Between two looks while a flag is awaited, in seconds."""

FLAG_S, MAX_FLAG_S = 0.5, 5.0
"""How long a flag may take to show without a theme, in seconds: twice as long as the slowest click."""

LAID_OVER = 0.25
"""The part of the cells, 0 to 1, that look otherwise where something was laid over the board."""


class CompletedWindow(ClickedWindow):
    """One window, and what is done there once all that is covered are mines."""

    def __init__(
        self,
        controls: WindowControls,
        tracker: Tracker,
        tell: Callable[[str], None],
        unknown_end: UnknownGameEnd | None,
        *,
        pieces: bool,
    ) -> None:
        """`unknown_end`: what recognises the end of a game without a theme; None for others. The rest as
        `ClickedWindow` has it."""
        super().__init__(controls, tracker, tell, pieces=pieces)
        self._unknown_end = unknown_end

    def complete(self, mines: Sequence[Coordinate]) -> bool:
        """All that is covered are mines: the game is won, or will be once they are flagged.

        A game without a theme is asked by one flag, once: where it takes that, it wants all of them.
        """
        if self._unknown_end is None or self._board is None:
            return False
        covered = [cell for cell in mines if self._board[cell] == Cell.COVERED]
        # A click that came late, after it was made again, turns a flag into a question mark. The next click
        # takes it away, another one sets the flag.
        unflagged = [*covered, *(cell for cell in mines if self._board[cell] == Cell.QUESTION)]
        if not self._observer.knows_wins and covered:
            flagged = self._takes_flag(covered[0])
            self._observer.take_wins("flagged" if flagged else "opened")
            return True  # the next board counts under what is known now
        if unflagged and self.behaviour.wins == "flagged":
            return self._batch([Move(Action.FLAG, *cell) for cell in unflagged]) > 0
        self._unknown_end.declare(Phase.WON, "all that holds no mine opened")
        return True

    def _takes_flag(self, cell: Coordinate) -> bool:
        """Whether a right click on a covered cell does something to that cell: what the end of the game lays
        over the board meanwhile changes the others too."""
        assert self._board is not None
        flag = Move(Action.FLAG, *cell)
        if not self._batch([flag]):
            return False
        took = self._flag_shows(cell)
        if took is None:
            # A busy window loses a click: it is made again, slowly. One that came late changes the cell too.
            again = self._click(PendingClick(flag, self._board[cell], attempt=2)) is Done.SENT
            self._controls.park()
            took = self._flag_shows(cell) if again else None
        return bool(took)

    def _flag_shows(self, cell: Coordinate) -> bool | None:
        """Whether a cell is flagged soon, and hardly another one changes; None if nothing does."""
        assert self._board is not None
        self._tracker.pending.forget()
        patience_s = min(max(FLAG_S, 2 * self._tracker.pending.slowest_s), MAX_FLAG_S)
        for _ in self._pointer.looks(patience_s, POLL_S):
            codes = self._controls.seen()[1].board.codes
            if codes.shape != self._board.codes.shape or self._observer.is_dimmed:
                return False
            changed = codes != self._board.codes
            if changed[cell]:
                return bool(changed.mean() <= LAID_OVER)
        return None
