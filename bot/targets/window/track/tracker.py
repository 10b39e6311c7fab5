"""What a sequence of pictures of one window means: a board at rest, or what it is still waited for.

A single picture proves little: windows draw bit by bit, pieces fly over cells, a cell that is only pressed
looks opened. A board counts once it is possible, has stayed the same for long enough, and shows what the last
clicks must have done. The tracker works that out from pictures and times alone: it neither sleeps nor
clicks, and has no clock of its own, so whoever looks at a window (the bot, the spectator, the start of a new
game) asks it the same questions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from bot.board import Action, Board, Cell, Coordinate, Fault, FaultKind, Observation, Phase, Rules
from bot.targets.board_changes import (
    continues,
    contradicts,
    covers_again,
    filled_from,
    hides_its_game,
    is_nearly,
    turned_unread,
    with_numbers_kept,
    with_opened_kept,
)
from bot.targets.window.locate.stretched import Shown
from bot.targets.window.observe.observer import WindowObserver
from bot.targets.window.track.cell_rest import CellRest
from bot.targets.window.track.early_board import early_board
from bot.targets.window.track.game_end import GameEnd
from bot.targets.window.track.motion import Motion
from bot.targets.window.track.pending_clicks import PendingClick, PendingClicks
from bot.targets.window.track.settle_times import SettleTimes
from bot.targets.window.track.stopped_openings import StoppedOpenings
from bot.vision.grid import Grid, Image, same_pixels
from bot.vision.reading import Reading

NEW_LOOK_S = 0.15
"""How long a board of a game without a theme must rest where a cell has a look that is new."""

UNREAD_S = 0.6
"""How long a board of a game without a theme must rest where cells of it cannot be read."""

MANY_TURNED = 3
"""Minimum number of cells that turn unread together, though nothing opened them, with which no board of a
game without a theme counts: they may be the mines of a lost game."""


@dataclass(frozen=True)
class Waiting:
    """Why the picture that was seen last does not count yet."""

    board: Board
    phase: Phase | None
    """Where the game stands; None where that is not sure, and where the board cannot be."""
    faults: tuple[Fault, ...]
    """Why the board cannot be; empty where it can."""
    steady: bool
    """Whether the cells are those of the picture before."""
    partial: bool
    """Whether the board may be a part of another one, or be gone from its place."""
    lost: tuple[PendingClick, ...]
    """Clicks without an effect for too long: to be sent again."""
    unsteady_s: float
    """For how long no possible board has been seen in two pictures in a row."""
    unsteady_looks: int
    """In how many pictures in a row that was so: on a busy machine seconds may pass between two of them."""
    impossible_s: float
    """For how long every board has been impossible."""
    moving_s: float
    """For how long every board has been possible, and none has been steady."""
    exact: npt.NDArray[np.bool_]
    """Which cells show what they were read as in every pixel: shape (rows, columns)."""
    unproven: frozenset[Coordinate] | None = None
    """Cells that look empty beside covered ones, and that nothing proves; None where no opening has stopped
    so that the board may count."""

    @property
    def possible(self) -> bool:
        """Whether the board can be the one of the game."""
        return self.phase is not None and not self.partial


class Tracker:
    """Follows the games of one window, picture by picture. Times in seconds, of any one clock."""

    def __init__(
        self,
        observer: WindowObserver,
        times: SettleTimes,
        end: GameEnd | None,
        is_partial: Callable[[bool], bool],
        *,
        resend_after_s: float = 0.0,
        apart_s: float = 0.0,
    ) -> None:
        """`end` recognises the end of a game that hides its board; `is_partial` says whether the board may be
        a part of another one, given whether its game may be a new one. `resend_after_s` and `apart_s` as
        `PendingClicks` has them."""
        self._observer = observer
        self._times = times
        self._end = end
        self._is_partial = is_partial
        self.pending = PendingClicks(resend_after_s, apart_s)
        """The clicks whose effect is waited for."""
        self.last: Observation | None = None
        """The last board that counted."""
        self.frame: Image | None = None
        """The picture that showed it."""
        self.in_play: Image | None = None
        """The last picture in the middle of a game."""
        self.played: Board | None = None
        """The board that it showed."""
        self.was_over = False
        """Whether the game before the present one was seen to its end."""
        self.fresh = False
        """Whether nothing had been played on it."""
        self._sought: Board | None = None
        """What was read where the board was searched for since then, and not found elsewhere."""
        self._openings = StoppedOpenings(observer)
        self._rest: CellRest | None = None
        self._read_in: Grid | None = None
        """Where the cells of the last board that counted lay in its picture."""
        self.restart(0.0)

    def restart(self, now: float) -> None:
        """The next picture is the first one again: something else happened in between."""
        self.motion = Motion(self._observer.view.cells_of, now)
        self._read: Board | None = None
        self._header: tuple[Image, Rules] | None = None
        """The picture whose header was read last, and the rules that it shows."""
        self._read_since = self._steady_at = self._possible_at = self._moving_from = now
        self._unsteady_looks = 0

    def forget_game(self) -> None:
        """Another game begins."""
        self.was_over = self.last is not None and self.last.phase.over
        self.pending.forget()
        self._openings.forget_game()
        self._observer.begin_game()
        self.last, self.fresh, self._sought = None, False, None
        self.forget_end()

    def forget_misplaced(self) -> None:
        """The board lies elsewhere than where it was looked at: what was read there since the last board
        counted is none of it."""
        if self._end is not None and self.last is not None and not self.last.phase.over:
            self._end.seen = self.last.board

    def note_search(self, *, elsewhere: bool) -> None:
        """The board was searched for, and found elsewhere or not: what is read there counts then."""
        self._sought = None if elsewhere else self._read

    def doubt(self) -> None:
        """What was read so far contradicts itself: the next board counts by itself alone."""
        self.last = None

    def forget_end(self) -> None:
        """What was recognised as the end of a game is not: another one may have begun."""
        if self._end is not None:
            self._end.forget()

    def update(self, frame: Image, reading: Reading, now: float) -> Observation | Waiting:
        """Take in a picture of the window and what was read in it; gives the board, once one counts."""
        over = self._over(reading.board, frame, now)
        seen = self.look(frame, reading, now)
        if over is not None:
            return self._counted(frame, reading.board, over, None)
        if not (seen.possible and seen.steady) or seen.phase is None:
            return seen
        another = self._is_another(seen.board)
        at_rest = self.motion.at_rest_for(now, only_cells=self._only_cells(another)) >= self._least(
            seen, frame, another
        )
        at_rest = at_rest or self.motion.at_rest_for(now, only_cells=True) >= self._times.cells
        unread = bool(seen.board.count(Cell.UNREAD)) and self._observer.is_unknown
        at_rest = at_rest or now - self._read_since >= (UNREAD_S if unread else self._times.board)
        if another and at_rest:
            self.pending.forget()
        lost: tuple[PendingClick, ...] = ()
        if not seen.phase.over and (at_rest or not another):
            lost = tuple(self.pending.lost(seen.board, now))
        if at_rest and (seen.phase.over or not self.pending.any):
            return self._counted(frame, seen.board, seen.phase, seen.unproven)
        return replace(seen, lost=lost)

    def look(self, frame: Image, reading: Reading, now: float) -> Waiting:
        """Take in a picture without asking whether its board counts: what can be said of it so far."""
        board = reading.board
        first = self.motion.update(frame, now)
        if board != self._read:
            self._read, self._read_since = board, now
        faults = tuple(self._observer.faults(board)) or self._turned(board)
        before = None if self.last is None else self.last.board
        unproven = self._openings.unproven(board, before, self.pending.sent, faults, now - self._read_since)
        if unproven is not None:
            faults = self._turned(board)
        phase = None if faults else self._observer.phase(board, frame, end_hides_board=self._end is not None)
        if phase is Phase.WON and self._end is not None and self._end.is_open(board):
            phase = None if self._end.shows_hit_as_flag(board) else Phase.PLAYING
        steady = not first and not self._observer.reader.changed
        steady = steady or now - self._read_since >= self._times.board
        partial = steady and not faults and self._may_be_partial(board, phase)
        possible = phase is not None and not partial
        if possible:
            self._possible_at = now
        if steady or not possible:
            self._moving_from = now
        self._unsteady_looks += 1
        if possible and steady and phase is not None and not phase.over:
            self._steady_at, self._unsteady_looks = now, 0
        times = now - self._steady_at, self._unsteady_looks, now - self._possible_at, now - self._moving_from
        exact = reading.distances == 0
        return Waiting(board, phase, faults, steady, partial, (), *times, exact=exact, unproven=unproven)

    def has_turned(self, board: Board) -> bool:
        """Whether many cells of a game without a theme cannot be read any more since the last clicks, though
        nothing has opened them."""
        return bool(self._turned(board))

    def _turned(self, board: Board) -> tuple[Fault, ...]:
        """That fault; none where every cell that is left turned so, and what was clicked is opened: a game
        that is won may show its mines in its own way."""
        sent = self.pending.sent
        if not self._observer.is_unknown or self.last is None or not sent:
            return ()
        if self._observer.view.grid != self._read_in:
            return ()  # cells of another size, as where a page was zoomed, have looks that are new
        cells = turned_unread(self.last.board, board, sent)
        opened = all(board[move.cell] <= 8 for move in sent if move.action is Action.OPEN)
        if len(cells) < MANY_TURNED or (opened and not board.count(Cell.COVERED, Cell.QUESTION)):
            return ()
        row, column = cells[0]
        what = f"{len(cells)} cells that were not clicked cannot be read any more"
        what += f", that of row {row}, column {column} among them"
        return (Fault(FaultKind.UNREAD, cells[0], what),)

    def early(self, frame: Image, seen: Waiting, now: float) -> Observation | None:
        """What is at rest in a picture that does not count yet, `seen` in it; None where that says nothing.

        Cells that have been clicked and not opened yet, and what is in flight, are unread.
        """
        if self._rest is None or self._rest.grid is not self._observer.view.grid:
            self._rest = CellRest(self._observer.view.grid)
        last, observer, read = self.last, self._observer, seen.board
        if self._times.pieces and last is not None:
            read = observer.half_hidden(read, last.board)
        self._rest.update(frame, read.codes, now)
        # An untouched board is a game in progress once we have clicked on it.
        begun = last is not None and not last.phase.over and (not self.fresh or bool(self.pending.sent))
        if last is None or not begun or seen.partial or observer.is_unknown:
            return None
        if self._end is not None and self._end.phase is not None:
            return None
        pending = self.pending.cells(read)
        board = early_board(last.board, read, self._settled(seen, now), pending, pieces=self._times.pieces)
        if board is None or any(fault.kind is not FaultKind.UNREAD for fault in observer.faults(board)):
            return None
        return Observation(board, Phase.PLAYING, observer.rules, early=True)

    def take_early(self, frame: Image, early: Observation) -> None:
        """Somebody acts on an early board: it is what the next clicks are held against."""
        self.frame, self.last, self.fresh = frame, early, False
        self._read_in = self._observer.view.grid

    @property
    def shown(self) -> Shown | None:
        """The last board that counted, as it was seen; None before the first."""
        if self.last is None or self.frame is None or self._read_in is None:
            return None
        return Shown(self.last.board, self.frame, self._read_in)

    def lost_early(self, seen: Waiting, now: float) -> list[PendingClick]:
        """Clicks to be sent again though other cells are in flight: theirs have come to rest, still covered.
        For pictures of which `early` gave a board."""
        return self.pending.lost_opens(seen.board, self._settled(seen, now), now)

    def _settled(self, seen: Waiting, now: float) -> npt.NDArray[np.bool_]:
        """Which cells of the picture that was looked at last can be believed: shape (rows, columns)."""
        assert self._rest is not None
        if self._times.pieces:
            return self._rest.settled(now, self._times.playing)
        # A number that is drawn in part is like no number, pixel for pixel: one look is enough.
        numbers = (seen.board.codes >= 1) & (seen.board.codes <= 8)
        settled: npt.NDArray[np.bool_] = self._rest.still | (seen.exact & numbers)
        return settled

    def _is_another(self, board: Board) -> bool:
        """Whether somebody else started a new game: what was opened is not opened any more."""
        if self.last is None:
            return False
        if self._observer.is_unknown:
            return covers_again(self.last.board, board)
        return not continues(self.last.board, board)

    def _may_be_partial(self, board: Board, phase: Phase | None) -> bool:
        """Whether the board may be a part of another one, for a game that has just begun may be larger; or
        the board of this game, moved, which must be searched for first."""
        last = None if self.last is None or self.last.phase.over or self.fresh else self.last.board
        another, fresh = self._is_another(board), self._observer.is_fresh(board)
        over = phase is not None and phase.over
        sought = self._sought is not None and is_nearly(self._sought, board)
        asks = self._observer.is_unknown and not (fresh or over or sought)
        if asks and last is not None and (another or contradicts(last, board)):
            return True  # a text that came above it may have moved it by a row
        return self._is_partial((last is None or another or fresh) and not over)

    def _only_cells(self, another: bool) -> bool:
        # The clock above a game that somebody else plays goes on, and pieces fly over cells.
        return self._times.only_cells or (another and self._times.pieces)

    def _least(self, seen: Waiting, frame: Image, another: bool) -> float:
        """How long the picture must have been the same, in seconds."""
        times = self._times
        if seen.phase is not None and seen.phase.over:
            return times.end
        if seen.board.count(Cell.UNREAD) and self._observer.is_unknown:
            return UNREAD_S
        fresh = self._observer.is_fresh(seen.board)
        new = not fresh and self._observer.is_unknown and self._observer.has_new_looks
        least = max(times.fresh if fresh else times.playing, NEW_LOOK_S * new, times.another * another)
        if (fresh or another) and least < times.new_rules and self._rules(frame) != self._observer.rules:
            return times.new_rules
        return least

    def _rules(self, frame: Image) -> Rules:
        """The rules that the header of a picture shows, read once for each picture."""
        if self._header is None or not same_pixels(frame, self._header[0]):
            reading = self._observer.reader.read(frame, header=True)
            self._header = frame, self._observer.rules_of(reading)
        return self._header[1]

    def _counted(
        self, frame: Image, board: Board, phase: Phase, unproven: frozenset[Coordinate] | None
    ) -> Observation:
        """The board of a picture counts; `unproven` as `Waiting` has it."""
        before = None if self.last is None else self.last.board
        self._openings.counted(board, before, self.pending.sent, unproven)
        self.fresh = not phase.over and self._observer.is_fresh(board)
        another = not phase.over and self._is_another(board)  # somebody may have played in it already
        if self.fresh or another:
            self._observer.rules = self._rules(frame)
        self.pending.forget(others=self._times.others_click)
        self._sought = None
        if phase is Phase.PLAYING and not self._lies_under(board):
            self.in_play, self.played = frame, board
        if phase.over:
            board = self._at_end(board)
        elif self._observer.is_unknown and self.last is not None and not another:
            hidden = hides_its_game(self.last.board, board)
            board = board if hidden else with_opened_kept(self.last.board, board)
        if self._end is not None and not phase.over:
            self._end.counted(board)
        seen = Observation(board, phase, self._observer.rules)
        self.frame, self.last = frame, self._openings.believed(seen, unproven or ())
        self._read_in = self._observer.view.grid
        return self.last

    def _lies_under(self, board: Board) -> bool:
        """Whether a sheet or a card lies over the board of a game without a theme: its end may have begun."""
        if not self._observer.is_unknown:
            return False
        opened = () if self.last is None else np.argwhere(self.last.board.codes <= 8).tolist()
        hidden = any(board[row, column] == Cell.UNREAD for row, column in opened)
        return hidden or self._observer.is_dimmed

    # The end of a game

    def _over(self, board: Board, frame: Image, now: float) -> Phase | None:
        """WON or LOST once the game has ended, where its end hides the board or a dialog reports it."""
        if self._end is None:
            return self._observer.reported_by_dialog()
        known, observer = self._end.phase, self._observer
        phase = self._end.watch(board, observer.rules, frame, observer.view.grid.rect, now)
        # A window over the board, or another page in its own, hides it as an end does, which needs a click.
        untouched = self.last is not None and not self.pending.touched
        if phase is not known and board.count(Cell.UNREAD) and (untouched or observer.covering()):
            self._end.take_back()
            return None
        return phase

    def _at_end(self, board: Board) -> Board:
        """What is known of the board of a finished game, of which a picture shows this one."""
        before = None if self.last is None else self.last.board
        if self._end is not None and self._end.seen is not None:
            board = self._end.seen
        if before is None:
            return board
        if self._observer.reported_by_dialog() is not None:
            return before  # the dialog lies over this one
        # The end of a game may show what was opened with glyphs that a learned skin has never met.
        board = filled_from(before, board)
        lost = self._end is not None and self._end.lost_on_guess and before.codes.shape == board.codes.shape
        if self._observer.is_unknown and (lost or not covers_again(before, board)):
            board = with_opened_kept(before, board)  # something lies over it, or a text has moved it by a row
        return board if self._end is None else with_numbers_kept(before, board)
