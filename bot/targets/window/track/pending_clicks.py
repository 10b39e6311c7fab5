"""Clicks whose effect has not been seen yet, and which of them were lost and must be sent again.

All times are in seconds, by `time.perf_counter`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bot.board import Action, Board, Cell, Coordinate, Move

MAX_LATENCY_S = 1.0
"""Maximum latency that the estimate takes from one click, in seconds."""

LATENCY_DECAY = 0.9
"""Factor by which the estimated latency falls with each click that took effect sooner."""

OVERTAKEN_FACTOR = 0.25
"""Factor for opening again what a later click has overtaken: windows take their clicks in order, and a second
click on an opened cell does nothing."""

FLAG_DELAY_FACTOR = 8
"""Factor for resending a flag: a second click on a flag that was merely slow would take it away again."""

DOUBLE_CLICK_S = 0.55
"""Two clicks on one cell that are further apart are no double click, in seconds: Windows, Chromium and Tk
wait 0.5 for the second, GTK and Qt 0.4."""

LATE = 3
"""From this attempt on a click is late."""


@dataclass
class PendingClick:
    """A click whose effect has not been seen yet."""

    move: Move
    before: int
    """The code of the cell before the click."""
    attempt: int = 1
    """Number of the attempt, from 1."""
    at: float = 0.0
    """When it was last sent; 0 if it has not been sent."""
    first_at: float = 0.0
    """When it was first sent."""
    refused_at: float = 0.0
    """Since when it could not be made again; 0 if it could."""
    waited_from: float = 0.0
    """When the last click of its batch was first sent: before that nothing was looked at. 0 until something
    is."""
    disturbed: bool = False
    """Whether something came between: when its effect is seen says nothing of how quick the window is."""

    def took_effect(self, board: Board) -> bool:
        """Whether the board shows the effect of the click."""
        if self.move.action is Action.CHORD:
            return all(board[near] != Cell.COVERED for near in board.neighbours(*self.move.cell))
        if self.move.action is Action.FLAG:
            return board[self.move.cell] != self.before
        return board[self.move.cell] not in (Cell.COVERED, Cell.QUESTION)


class ResendDelay:
    """How long to wait for the effect of a click before it is sent again; the delay adapts to the window's
    latency."""

    def __init__(self, min_s: float) -> None:
        self._min_s = min_s
        self._latency_s = 0.0

    def took_effect(self, click: PendingClick, now: float) -> None:
        """Learn the latency from a click whose effect was seen at `now`."""
        # The latency of a click that was sent again is uncertain: either attempt may have been taken.
        latency = min(MAX_LATENCY_S, now - max(click.at, click.waited_from))
        # The estimate rises at once and falls slowly: one slow reveal is reason enough to wait longer.
        self._latency_s = max(latency, LATENCY_DECAY * self._latency_s)

    def is_over(self, click: PendingClick, last: float, overtaken: bool, now: float) -> bool:
        """Whether a click may be sent again at `now`.

        `last` is when the last click of its batch was sent. `overtaken` says that a later click took effect,
        which proves this one lost.
        """
        factor = 1 << min(click.attempt - 1, 3)  # 1, 2, 4, then 8
        if click.move.action is Action.OPEN and overtaken:
            return now - click.at >= OVERTAKEN_FACTOR * factor * self._min_s
        if click.move.action is Action.FLAG and not overtaken:
            factor = FLAG_DELAY_FACTOR
        return now - max(click.at, last) >= factor * max(self._min_s, 2 * self._latency_s)


class PendingClicks:
    """The pending clicks of one window."""

    def __init__(self, min_delay_s: float, apart_s: float = 0.0) -> None:
        """`min_delay_s`: minimum time after which a click without effect counts as lost; `apart_s`: how far
        apart two clicks on one cell are made, with none elsewhere in between; both in seconds."""
        self._delay = ResendDelay(min_delay_s)
        self._apart_s = apart_s
        self._clicks: list[PendingClick] = []
        self.sent: list[Move] = []
        """The clicks since the last board counted, those whose effect was seen included."""
        self._others = True
        """Whether somebody else may have clicked since then."""
        self._last_taken = 0.0
        """When the last click was sent of those whose effect was seen since a board counted."""
        self.late = self.late_attempt = 0
        """How many times in a row all clicks that were seen to work did so at a late attempt, and at which
        the last of them did."""
        self.slowest_s = 0.0
        """The longest time from when the last click of a batch was first sent until the effect of one of them
        was seen, in seconds. Where clicks are made slowly the first of them is old by then."""

    def add(self, click: PendingClick) -> None:
        """Wait for the effect of this click."""
        click.first_at = click.at
        self._clicks.append(click)
        self.sent.append(click.move)

    def forget(self, *, others: bool = True) -> None:
        """Drop all pending clicks: none of them is sent again. `others`: whether somebody else may have made
        some, or may make some from now on."""
        self._others = others
        self._clicks.clear()
        self.sent.clear()
        self._last_taken = 0.0

    def disturb(self) -> None:
        """The effect of what is pending is seen later than it comes: the board had to be found again."""
        for click in self._clicks:
            click.disturbed = True

    def cells(self, board: Board) -> list[Coordinate]:
        """The cells that the pending clicks are to change: those that they were made on, and the covered ones
        around a chord."""
        chords = (click.move.cell for click in self._clicks if click.move.action is Action.CHORD)
        around = [near for cell in chords for near in board.neighbours(*cell) if board[near] == Cell.COVERED]
        return self.clicked + around

    @property
    def clicked(self) -> list[Coordinate]:
        """The cells that the pending clicks were made on."""
        return [click.move.cell for click in self._clicks]

    @property
    def newest(self) -> PendingClick | None:
        """The click that was made last, if it is pending."""
        return self._clicks[-1] if self._clicks else None

    @property
    def touched(self) -> bool:
        """Whether anything may have been clicked since the last board counted."""
        return self._others or bool(self.sent)

    @property
    def any(self) -> bool:
        """Whether any click is pending."""
        return bool(self._clicks)

    def lost(self, board: Board, now: float) -> list[PendingClick]:
        """The clicks that have had no effect for too long and may be sent again at `now`.

        Clicks whose effect `board` shows are no longer pending.
        """
        waiting: list[PendingClick] = []
        attempts: list[int] = []
        newest_at = max((click.first_at for click in self._clicks), default=0.0)
        for click in self._clicks:
            click.waited_from = click.waited_from or newest_at
            if click.took_effect(board):
                if not click.disturbed:
                    self._delay.took_effect(click, now)
                    self.slowest_s = max(self.slowest_s, now - click.waited_from)
                self._last_taken = max(self._last_taken, click.at)
                attempts.append(click.attempt)
            else:
                waiting.append(click)
        self._note_attempts(attempts)
        self._clicks = waiting
        last = max((click.at for click in waiting), default=0.0)
        taken = self._last_taken
        if self._would_double(max(last, taken), now):
            waiting = [click for click in waiting if click.at < max(last, taken)]
        return [click for click in waiting if self._delay.is_over(click, last, click.at < taken, now)]

    def _would_double(self, last: float, now: float) -> bool:
        """Whether the click that was made `last` and one on its cell `now` are a double click: on a page that
        selects what the cell shows, which looks otherwise then, and in some games it opens more cells."""
        return now - last < self._apart_s

    def _note_attempts(self, attempts: list[int]) -> None:
        """At which attempts clicks were seen to work at once: a window that stood still takes all of them
        late, once."""
        if attempts:
            self.late, self.late_attempt = (self.late + 1 if min(attempts) >= LATE else 0), min(attempts)

    def lost_opens(self, board: Board, at_rest: npt.NDArray[np.bool_], now: float) -> list[PendingClick]:
        """The clicks on cells to be opened that may be sent again while other cells are in flight: those of
        which the cell is still covered and `at_rest`, shape (rows, columns).

        Where pieces fly over the cells, one of them is not taken for the effect of a click.
        """
        opens = [click for click in self._clicks if click.move.action is Action.OPEN]
        last = max((click.at for click in opens), default=0.0)
        taken = [click.at for click in opens if board[click.move.cell] <= 8 and at_rest[click.move.cell]]
        last_taken = max(taken, default=self._last_taken)
        doubles = self._would_double(max(last, last_taken), now)
        return [
            click
            for click in opens
            if board[click.move.cell] == Cell.COVERED
            and at_rest[click.move.cell]
            and not (doubles and click.at >= max(last, last_taken))
            and self._delay.is_over(click, last, click.at < last_taken, now)
        ]
