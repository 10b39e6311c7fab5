"""What is looked at and waited for before a click: a piece that flies over its cell, another seed."""

from __future__ import annotations

import time
from collections.abc import Callable

import cv2
import numpy as np

from bot.board import Board, Cell, Coordinate
from bot.geometry import Rect
from bot.targets.board_changes import filled_from
from bot.targets.window.locate.stretched import FEW_OPENED
from bot.targets.window.observe.observer import WindowObserver
from bot.vision.grid import Grid, Image, part, same_pixels

POLL_S = 0.001
"""Time between two looks, in seconds."""

FLIGHT_S = 1.5
"""Maximum wait for a piece that flies over a cell, in seconds."""

CHANGED = 24
"""Minimum difference of a pixel, 0 to 255, that has changed: more than grounds shimmer."""

SEED_POLL_S = 0.005
"""Time between two looks at the pointer while waiting for another seed, in seconds."""


def seen_before(
    observer: WindowObserver, cell: Coordinate, at_rest: Board, *, pieces: bool, waits: bool
) -> Board:
    """The board just before a click on a cell. If `pieces` move over the board, what they hide is filled in
    from the board `at_rest`, but not the cell itself; `waits` until none hides that."""
    until = time.perf_counter() + FLIGHT_S
    while True:
        board = observer.reader.read(observer.grab()).board
        if not pieces:
            return board
        board = observer.half_hidden(board, at_rest)
        hidden = board[cell] == Cell.UNREAD
        if not (hidden and waits) or time.perf_counter() > until:
            clear = board.count(Cell.UNREAD) * 2 < board.codes.size
            return filled_from(at_rest, board).replaced([cell], board[cell]) if clear else board
        time.sleep(POLL_S)


def looks_as_before(observer: WindowObserver, cell: Coordinate, at_rest: Board, picture: Image) -> bool:
    """Whether a cell, and the opened ones around it, look as in the picture that showed the board `at_rest`.

    A look at nine cells takes a tenth of the time of one at all. False where that is not known.
    """
    view, board_rows, board_columns = observer.view, *at_rest.codes.shape
    if view.scale != 1:
        return False
    row, column = cell
    top, bottom = max(0, row - 1), min(board_rows, row + 2)
    left, right = max(0, column - 1), min(board_columns, column + 2)
    y, x = view.grid.row_edges, view.grid.column_edges
    place = Rect(int(x[left]), int(y[top]), int(x[right] - x[left]), int(y[bottom] - y[top]))
    if place.clipped(Rect(0, 0, picture.shape[1], picture.shape[0])) != place:
        return False
    before = picture[place.y : place.bottom, place.x : place.right]
    now = observer.capture.grab(Rect(view.rect.x + place.x, view.rect.y + place.y, place.width, place.height))
    if now.shape != before.shape:
        return False
    for r in range(top, bottom):
        for c in range(left, right):
            if (r, c) == cell or at_rest[r, c] <= 8:
                rows, columns = (
                    slice(y[r] - y[top], y[r + 1] - y[top]),
                    slice(x[c] - x[left], x[c + 1] - x[left]),
                )
                if not same_pixels(now[rows, columns], before[rows, columns]):
                    return False
    return True


def opened_cells_changed(grid: Grid, at_rest: Board, picture: Image, now: Image) -> float:
    """The part, 0 to 1, of the opened cells of the board `at_rest` that look otherwise in a picture, (height,
    width, 3), than in the one that showed it; 0 where few are opened."""
    opened = at_rest.codes <= 8
    if opened.shape != grid.shape or opened.sum() < FEW_OPENED:
        return 0.0
    if now.shape != picture.shape:
        return 1.0
    area = grid.rect.clipped(Rect(0, 0, picture.shape[1], picture.shape[0]))
    if area != grid.rect:
        return 0.0
    other = cv2.absdiff(part(now, area), part(picture, area)).max(axis=2) > CHANGED
    by_rows = np.add.reduceat(other.astype(np.int32), grid.row_edges[:-1] - grid.row_edges[0], axis=0)
    changed = np.add.reduceat(by_rows, grid.column_edges[:-1] - grid.column_edges[0], axis=1) > 0
    return float(changed[opened].mean())


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
