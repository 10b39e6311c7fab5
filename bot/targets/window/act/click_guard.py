"""Waits before a click: for a piece that flies over its cell, and for another seed of the game."""

from __future__ import annotations

import time
from collections.abc import Callable

from bot.board import Board, Cell, Coordinate
from bot.targets.board_changes import filled_from
from bot.targets.window.observe.observer import WindowObserver

POLL_S = 0.001
"""Time between two looks, in seconds."""

FLIGHT_S = 1.5
"""Maximum wait for a piece that flies over a cell, in seconds."""

SEED_POLL_S = 0.005
"""Time between two looks at the pointer while waiting for another seed, in seconds."""


def seen_before(observer: WindowObserver, cell: Coordinate, at_rest: Board, *, pieces: bool) -> Board:
    """The board just before a click on a cell. If `pieces` move over it, waits until none hides the cell; the
    board `at_rest` is filled in where they hide others."""
    until = time.perf_counter() + FLIGHT_S
    while True:
        board = observer.reader.read(observer.grab()).board
        hidden = board[cell] == Cell.UNREAD
        if not pieces or (hidden and time.perf_counter() > until):
            return board
        if not hidden:
            clear = board.count(Cell.UNREAD) * 2 < board.codes.size
            return filled_from(at_rest, board) if clear else board
        time.sleep(POLL_S)


class SeedInterval:
    """Games whose seed is the clock: a first click too soon gives the same minefield again."""

    def __init__(self, interval_s: float) -> None:
        self._interval_s = interval_s
        self._last = -1e9
        """Start of the last game, on `time.perf_counter`."""

    def wait(self, undisturbed: Callable[[], bool]) -> None:
        """Wait until a first click gives another minefield, or a person takes the mouse."""
        while time.perf_counter() - self._last < self._interval_s and undisturbed():
            time.sleep(SEED_POLL_S)
        self._last = time.perf_counter()
