"""Whether a new game has begun in a window that no theme knows."""

from __future__ import annotations

import time

from bot.board import Board, Cell
from bot.targets.board_changes import covers_again, shows_all_of
from bot.targets.window.act.controls import WindowControls
from bot.targets.window.events import dialogs
from bot.targets.window.track.tracker import Tracker, Waiting

SLOW_S = 3.0
"""How much longer it may take, in seconds, where the board has changed: a busy machine draws slowly."""

SEVERAL = 3
"""Minimum number of cells that cannot be read any more where the board may lie elsewhere."""

POLL_S = 0.03
"""Between two looks, in seconds."""


def comes(controls: WindowControls, tracker: Tracker, before: Board, limit_s: float) -> bool:
    """Whether a new board, and not the one `before`, is seen within a time, in seconds.

    Dialogs that come with it are answered.
    """
    begin, followed = time.perf_counter(), False
    for now in controls.pointer.looks(limit_s + SLOW_S, POLL_S):
        seen = tracker.look(*controls.seen(), now)
        if has_begun(seen, before, tracker.played):
            return True
        if now - begin > limit_s and seen.board == before:
            return False
        dialogs.answer_all(controls, start=True)
        moved = controls.observer.has_moved()
        if moved or (now - begin > limit_s / 2 and not followed):
            followed = True
            if moved or _may_lie_elsewhere(controls.seen()[1].board, before):
                controls.follow(None)
    return False


def _may_lie_elsewhere(board: Board, before: Board) -> bool:
    """Whether hardly a cell can be read, or several cannot that could on the board `before`: a page that was
    loaded again may lie elsewhere, and a text above the board that goes, or comes, moves it."""
    unread = board.codes == Cell.UNREAD
    if unread.mean() > 0.5 or unread.shape != before.codes.shape:
        return bool(unread.mean() > 0.5)
    return int((unread & (before.codes != Cell.UNREAD)).sum()) >= SEVERAL


def has_begun(seen: Waiting, before: Board, played: Board | None) -> bool:
    """Whether a new board is seen: covered, or half open as some games begin, but covered where the one
    `before` was opened, and not the one that was `played`: a dialog that lay over its end, and hid it, may
    have gone."""
    board = seen.board
    if not seen.steady or board.finished or board.count(Cell.UNREAD, Cell.FLAG):
        return False
    if played is not None and before.count(Cell.UNREAD) and shows_all_of(board, played):
        return False
    return board.all_covered or covers_again(before, board)
