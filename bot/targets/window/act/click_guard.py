"""What is waited for before a click: a piece that flies over its cell, and another seed of the game's."""

from __future__ import annotations

import time
from collections.abc import Callable

from bot.board import Board, Cell, Coordinate
from bot.targets.board_changes import filled_from
from bot.targets.window.observe.observer import WindowObserver

POLL_S = 0.001
"""Between two looks."""

FLIGHT_S = 1.5
"""How long a piece of the game that flies over a cell is waited for."""

SEED_POLL_S = 0.005
"""Between two looks at whether a person has taken the mouse, while another seed is waited for."""


def seen_before(observer: WindowObserver, cell: Coordinate, at_rest: Board, *, pieces: bool) -> Board:
    """The board just before a click on a cell. Where `pieces` move over it, that of the last rest behind
    them, once nothing hides the cell any more."""
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
    """Some games are seeded by the clock: a first click too soon gives the same minefield again."""

    def __init__(self, interval_s: float) -> None:
        self._interval_s = interval_s
        self._last = -1e9
        """When the last game was begun, by `time.perf_counter`."""

    def wait(self, undisturbed: Callable[[], bool]) -> None:
        """Wait, as long as a person leaves the mouse alone, until a first click gives another minefield."""
        while time.perf_counter() - self._last < self._interval_s and undisturbed():
            time.sleep(SEED_POLL_S)
        self._last = time.perf_counter()
