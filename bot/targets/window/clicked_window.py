"""A window in which the bot clicks: each click is sent on the board that was seen, and on no other."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from bot.board import Board, Move
from bot.targets.board_changes import continues, differ_only_where_unread
from bot.targets.window.act.click_guard import seen_before
from bot.targets.window.act.controls import WindowControls
from bot.targets.window.game_window import GameWindow
from bot.targets.window.track.pending_clicks import PendingClick
from bot.targets.window.track.tracker import Tracker
from bot.vision.grid import same_pixels


class ClickedWindow(GameWindow):
    """One window and the clicks in it."""

    def __init__(
        self, controls: WindowControls, tracker: Tracker, tell: Callable[[str], None], *, pieces: bool
    ) -> None:
        """`pieces`: whether the game moves something over its cells. `tell` is given lines for people."""
        super().__init__(controls.observer, tracker)
        self._controls = controls
        self._pointer = controls.pointer
        self._relocator = controls.relocator
        self._tell = tell
        self._moves_pieces = pieces
        self._flawless = 0
        """Clicks since the last board counted, none of them lost."""

    @property
    def is_unknown(self) -> bool:
        """Whether no theme knows the game in the window."""
        return self._observer.is_unknown

    @property
    def fresh(self) -> bool:
        """Whether nothing has been played yet in the game that was seen last."""
        return self._tracker.fresh

    @property
    def _board(self) -> Board | None:
        """The board that counted last."""
        return None if self._tracker.last is None else self._tracker.last.board

    def _batch(self, moves: Sequence[Move]) -> int:
        """Send clicks of one kind; gives how many were sent, or were no longer needed."""
        assert self._board is not None
        if not moves or not self._still_the_same():
            return 0
        made = 0
        for move in moves:
            pending = PendingClick(move, self._board[move.cell])
            if not self._click(pending):
                break
            if pending.at:
                self._tracker.pending.add(pending)
                self._flawless += 1
            made += 1
        self._controls.park()
        return made

    def _click(self, pending: PendingClick) -> bool:
        """Make a click, unless a click before it has opened its cell.

        False, and no click, where there is something else than what the click was meant for: another game,
        a dialog, a flag; or where a person has the mouse.
        """
        last, move = self._board, pending.move
        assert last is not None
        self._pointer.wait_for_turn()
        board = seen_before(self._observer, move.cell, last, pieces=self._moves_pieces)
        there = board[move.cell]
        if self._relocator.is_partial(new=self.fresh):
            return False
        if there != pending.before or not continues(last, board):
            return there <= 8 and continues(last, board)
        point = self.view.cell_on_screen(move.cell)
        assert self.view.grid_on_screen().contains(point), "clicks go only to cells inside the board"
        if not self._pointer.click(point, move.action, self.behaviour.chord, slow=pending.attempt > 1):
            return False
        pending.at = time.perf_counter()
        self.clicks += 1
        if self.started is None:
            self.started = pending.at
        self.record.click(move, point, pending.attempt)
        return True

    def _still_the_same(self) -> bool:
        """Whether the cells are still those that the last observation showed."""
        assert self._tracker.frame is not None
        if not self._pointer.undisturbed():
            return False
        if self._observer.is_unknown:
            assert self._board is not None
            return differ_only_where_unread(self._board, self._controls.seen()[1].board)
        cells_of = self.view.cells_of
        return same_pixels(cells_of(self._observer.grab()), cells_of(self._tracker.frame))

    def let_go(self) -> None:
        """Leave no button down, whatever happened."""
        self._pointer.let_go()

    def _say(self, text: str) -> None:
        self.record.note(text)
        self._tell(text)
