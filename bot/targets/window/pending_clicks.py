"""Clicks whose effect is awaited, and what on a board shows that they were taken."""

from __future__ import annotations

from dataclasses import dataclass

from bot.board import Action, Board, Cell, Move

LONGEST_LATENCY_S = 1.0


@dataclass
class PendingClick:
    """A click whose effect has not been seen yet. Times are of `time.perf_counter`, in seconds."""

    move: Move
    before: int
    """What the cell showed."""
    attempt: int = 1
    at: float = 0.0
    """When it was sent last."""

    def took_effect(self, board: Board) -> bool:
        """Whether the board shows what the click must do."""
        if self.move.action is Action.CHORD:
            return all(board[near] != Cell.COVERED for near in board.neighbours(*self.move.cell))
        if self.move.action is Action.FLAG:
            return board[self.move.cell] != self.before
        return board[self.move.cell] not in (Cell.COVERED, Cell.QUESTION)


class ResendDelay:
    """How long to wait for the effect of a click before it is sent again: longer in windows that lag."""

    def __init__(self, least_s: float) -> None:
        self._least_s = least_s
        self._latency_s = 0.0

    def saw(self, sent: PendingClick, now: float) -> None:
        """The effect of a click was seen now."""
        # Of a click that was sent again it is not known which of the two was taken.
        latency = min(LONGEST_LATENCY_S, now - sent.at)
        # Quickly up, slowly down: one slow reveal is reason enough to wait longer for the next.
        self._latency_s = max(latency, 0.9 * self._latency_s)

    def is_over(self, sent: PendingClick, last: float, overtaken: bool, now: float) -> bool:
        """Whether a click may be sent again. `last` is when the last click of its batch was sent.

        A second click on a flag takes it away again: unless a later click was seen to be taken, which
        proves the flag's one lost, that waits eight times as long.
        """
        factor = 1 << min(sent.attempt - 1, 3)
        if sent.move.action is Action.FLAG and not overtaken:
            factor = 8
        return now - max(sent.at, last) >= factor * max(self._least_s, 2 * self._latency_s)


class PendingClicks:
    """Clicks whose effect is waited for, and which of them must have been lost."""

    def __init__(self, least_s: float) -> None:
        """`least_s`: a click is not thought to be lost any sooner."""
        self._patience = ResendDelay(least_s)
        self._sent: list[PendingClick] = []

    def add(self, sent: PendingClick) -> None:
        """Wait for what this click does."""
        self._sent.append(sent)

    def forget(self) -> None:
        """None of them is sent again."""
        self._sent.clear()

    @property
    def any(self) -> bool:
        """Whether there are any."""
        return bool(self._sent)

    def lost(self, board: Board, now: float) -> list[PendingClick]:
        """Those without an effect on the board for too long. Those that had theirs are waited for no more."""
        waiting: list[PendingClick] = []
        taken_last = 0.0
        for sent in self._sent:
            if sent.took_effect(board):
                self._patience.saw(sent, now)
                taken_last = max(taken_last, sent.at)
            else:
                waiting.append(sent)
        self._sent = waiting
        last = max((sent.at for sent in waiting), default=0.0)
        return [sent for sent in waiting if self._patience.is_over(sent, last, sent.at < taken_last, now)]
