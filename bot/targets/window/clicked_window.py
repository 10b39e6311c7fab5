"""A window in which the bot clicks: each click is sent on the board that was seen, and on no other."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import Enum

import numpy as np

from bot.board import Action, Board, Cell, Coordinate, Move, Observation
from bot.targets.board_changes import continues, differ_only_where_unread
from bot.targets.window.act.click_guard import looks_as_before, opened_cells_changed, seen_before
from bot.targets.window.act.controls import WindowControls
from bot.targets.window.act.pointer import CHECK_S
from bot.targets.window.game_window import GameWindow
from bot.targets.window.track.pending_clicks import LATE, PendingClick
from bot.targets.window.track.tracker import Tracker
from bot.vision.grid import Image, part, same_pixels
from bot.vision.reading import Reading

PROOF = 3
"""How many clicks in a row none of which was lost prove that the window takes them as fast as they come."""

LOOK_S, WORTH_S = 0.001, 0.002
"""Between two looks for what the click before did, in seconds: whoever looks all the time keeps the window
from drawing. And the wait that is worth a look."""

WHOLE_S, MAX_WHOLE_S = 0.05, 0.2
"""How long a look at the whole board lasts while clicks are made, at least and at most, in seconds: between
two of them a click is held against the cells around its own."""

SHIFTED = 0.5
"""The part of the opened cells, 0 to 1, that must have changed where the board may lie elsewhere now."""

MOST_SHIFTED = 20
"""Maximum number of clicks in a row that are not made for that."""

WHOLE_TIMES = 4
"""How many times as long as it took it lasts: on a busy machine, or where pictures come slowly, a look before
each click would take most of the time."""


class Done(Enum):
    """What became of a click."""

    SENT = 1
    NEEDLESS = 2
    """Not sent: its cell is opened."""
    HIDDEN = 3
    """Not sent: something flies over its cell."""
    REFUSED = 4
    """Not sent: there is something else than what it was meant for, another game, a dialog, a flag; or a
    person has the mouse."""


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
        self._seen_at = 0.0
        """When the whole board was looked at last before a click, on `time.perf_counter`."""
        self._look_s = 0.0
        """How long that look took, in seconds."""
        self._shifted = 0
        """How often in a row no click was made because the opened cells looked otherwise."""
        self._flawless = 0
        """Clicks since the last board counted, none of them lost."""
        self._is_over_board = False
        """Whether the pointer lies where the last click was made."""

    @property
    def fresh(self) -> bool:
        """Whether nothing has been played yet in the game that was seen last."""
        return self._tracker.fresh

    @property
    def _last(self) -> Observation | None:
        """What counted last."""
        return self._tracker.last

    @property
    def _board(self) -> Board | None:
        """The board that counted last."""
        return None if self._last is None else self._last.board

    def _taken_early(self, frame: Image, reading: Reading, early: Observation, now: float) -> Observation:
        """Something is done on a board of which cells are in flight, looked at `now`: record it."""
        self._seen_at = now
        self._tracker.take_early(frame, early)
        self._keep_pace()
        self.keep(frame, replace(reading, board=early.board), early.phase, early=True)
        return early

    def _keep_pace(self) -> None:
        """Click quicker where the window takes all clicks."""
        if self._flawless >= PROOF:
            self._pointer.quicker()
            self._flawless = 0

    def _batch(self, moves: Sequence[Move]) -> list[Move]:
        """Send clicks of one kind; gives those that were sent, or were no longer needed."""
        assert self._board is not None
        made: list[Move] = []
        if not moves or not self._still_the_same():
            return made
        for move in moves:
            pending = PendingClick(move, self._board[move.cell])
            done = self._click(pending)
            if done is Done.HIDDEN:
                continue  # it is decided again, once it can be seen
            if done is Done.REFUSED:
                break
            if pending.at:
                self._tracker.pending.add(pending)
                self._flawless += 1
            made.append(move)
        self._is_over_board = True
        if self._moves_pieces:
            self._leave_board()
        return made

    def _leave_board(self) -> None:
        """Park the pointer, where it was not parked since the last clicks, once these are seen to work or it
        has stayed there for long enough."""
        if self._is_over_board:
            self._is_over_board = False
            self._wait_for_turn()
            while self._pointer.stays and self._tracker.pending.any:
                if self._have_changed(self._tracker.pending.clicked):
                    self._pointer.end_stay()
                    break
                time.sleep(LOOK_S)
            self._controls.park()

    def _have_changed(self, cells: Sequence[Coordinate]) -> bool:
        """Whether each of some cells looks otherwise than in the picture that counted."""
        before, now = self._tracker.frame, self._observer.grab()
        if before is None or before.shape != now.shape:
            return False
        places = [self.view.grid.cell_rect(*cell) for cell in cells]
        return not any(same_pixels(part(before, place), part(now, place)) for place in places)

    def _click(self, pending: PendingClick) -> Done:
        """Make a click, unless a click before it has opened its cell."""
        last, move = self._last, pending.move
        assert last is not None
        self._wait_for_turn()
        board = self._kept(self._seen_before(move.cell, last))
        there = board[move.cell]
        if self._has_shifted() or (self.fresh and self._relocator.has_grown()):
            return Done.REFUSED
        if last.early and there == Cell.UNREAD:
            return Done.HIDDEN
        if there != pending.before or not continues(last.board, board):
            return Done.NEEDLESS if there <= 8 and continues(last.board, board) else Done.REFUSED
        point = self.view.cell_on_screen(move.cell)
        assert self.view.grid_on_screen().contains(point), "clicks go only to cells inside the board"
        chord, attempt = self.behaviour.chord, pending.attempt
        window = self._observer.window
        if not self._pointer.click(
            point, move.action, chord, attempt=attempt, last_look=self._is_in_place, window=window
        ):
            return Done.REFUSED
        pending.at = time.perf_counter()
        self.clicks += 1
        if self.started is None:
            self.started = pending.at
        self.record.click(move, point, pending.attempt)
        return Done.SENT

    def _doubt_look(self, click: PendingClick) -> None:
        """A click did nothing, and is made again: the look of its cell may be known wrongly."""
        cell, is_flag = click.move.cell, click.move.action is Action.FLAG
        if click.attempt > 1 and not is_flag:
            self._observer.doubt_covered(cell, self._tracker.frame)
        elif click.attempt >= LATE and is_flag and click.before == Cell.FLAG:
            self._observer.doubt_flag(cell)

    def _is_in_place(self) -> bool:
        """Whether the window lies where it did: a click that is under way while it goes lands elsewhere.

        Raises WindowLost where it is gone. X11 looks once more in the very instant of the click.
        """
        return not self._observer.has_moved()

    def _seen_before(self, cell: Coordinate, last: Observation) -> Board:
        """The board just before a click on a cell. Every few clicks the whole board is looked at, and in
        between what is around the cell."""
        now, picture = time.perf_counter(), self._tracker.frame
        # What flies over a cell, or lights it under the pointer, makes it look otherwise.
        known = last.board[cell] != Cell.UNREAD and not self.fresh
        lasts_s = min(max(WHOLE_S, WHOLE_TIMES * self._look_s), MAX_WHOLE_S)
        quick = known and not self._observer.is_unknown and now - self._seen_at < lasts_s
        if quick and picture is not None and looks_as_before(self._observer, cell, last.board, picture):
            return last.board
        self._seen_at = now
        waits = self._moves_pieces and not last.early
        board = seen_before(self._observer, cell, last.board, pieces=self._moves_pieces, waits=waits)
        self._look_s = time.perf_counter() - now
        return board

    def _has_shifted(self) -> bool:
        """Whether most opened cells of a game without a theme look otherwise than in the picture that
        counted: a page that is being zoomed, or lies under a sheet, shows other cells where ours were.

        A game whose opened cells change on and on is not waited for without end.
        """
        last, picture = self._board, self._tracker.frame
        if last is None or picture is None or not self._observer.is_unknown:
            return False
        if opened_cells_changed(self.view.grid, last, picture, self._observer.grab()) <= SHIFTED:
            self._shifted = 0
            return False
        self._shifted += 1
        return self._shifted <= MOST_SHIFTED

    def _kept(self, board: Board) -> Board:
        """The board that is seen now, where an opened cell that looks as in the picture that counted is what
        it was there: in a game without a theme a look may be read otherwise since then, and as the tracker
        keeps what was read first, no click would ever be sent."""
        last, picture = self._board, self._tracker.frame
        if last is None or picture is None or not self._observer.is_unknown or continues(last, board):
            return board
        now = self._observer.grab()
        if now.shape != picture.shape or last.codes.shape != board.codes.shape:
            return board
        codes = board.codes.copy()
        for row, column in np.argwhere((last.codes <= 8) & (last.codes != codes)).tolist():
            box = self.view.grid.cell_rect(row, column)
            if same_pixels(part(now, box), part(picture, box)):
                codes[row, column] = last.codes[row, column]
        return Board(codes)

    def _wait_for_turn(self) -> None:
        """Wait until the window takes the next click: for the time that it needs, or until the click before
        is seen to have been taken, where nothing hides that."""
        self._pointer.wait_for_soonest_turn()
        newest = None if self._moves_pieces else self._tracker.pending.newest
        while newest is not None and self._pointer.wait_s > WORTH_S:
            time.sleep(LOOK_S)
            if self._pointer.wait_s > CHECK_S:
                self._pointer.undisturbed()
            if newest.took_effect(self._controls.seen()[1].board):
                self._pointer.end_wait()
        self._pointer.wait_for_turn()

    def _still_the_same(self) -> bool:
        """Whether the cells are still those that the last observation showed."""
        assert self._tracker.frame is not None
        if not self._pointer.undisturbed():
            return False
        if self._last is not None and self._last.early:
            return True  # what else moves does not matter: each click is held against its own cell
        self._seen_at = 0.0
        if self._observer.is_unknown:
            assert self._board is not None
            return differ_only_where_unread(self._board, self._kept(self._controls.seen()[1].board))
        cells_of, now = self.view.cells_of, time.perf_counter()
        same = same_pixels(cells_of(self._observer.grab()), cells_of(self._tracker.frame))
        if same:
            self._seen_at = now  # the first click need not look at all of them again
        return same

    def let_go(self) -> None:
        """Leave no button down, whatever happened."""
        self._pointer.let_go()

    def _say(self, text: str) -> None:
        self.record.note(text)
        self._tell(text)
