"""What is known of a board while some of its cells are still in flight.

A window shows what a click opens bit by bit: cells are drawn one after another, pieces fly over others. What
is at rest meanwhile counts, and what is not is unread: it may be anything. So whatever follows from an early
board is certain, though not all that is certain follows from it.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from bot.board import Board, Cell, Coordinate, neighbour_sums

MAX_HIDDEN = 0.6
"""Maximum share of unread cells, 0 to 1: where pieces hide more, the game may be over."""

MAX_STRANGE = 2
"""Maximum number of opened cells that pieces over them may make look like others: another game, just begun,
covers them all."""


def early_board(
    known: Board,
    read: Board,
    at_rest: npt.NDArray[np.bool_],
    pending: Iterable[Coordinate],
    *,
    pieces: bool,
) -> Board | None:
    """The board of a window in which cells are in flight: those are unread.

    `known` is the last board that counted, of which the opened cells stay what they were; `read` is what the
    window shows now, and `at_rest` says which of its cells have come to rest, shape (rows, columns). Clicks
    under way are to change the cells of `pending`. `pieces`: whether the game moves something over its cells,
    which are unread then. None where the window shows something else than this game in progress.
    """
    if known.codes.shape != read.codes.shape or read.finished:
        return None
    codes = read.codes.copy()
    opened, unread = known.codes <= 8, codes == Cell.UNREAD
    if unread.any() and (not pieces or unread.mean() > MAX_HIDDEN):
        return None
    strange = opened & ~unread & (codes != known.codes)
    if (strange & at_rest).any() or np.count_nonzero(strange) > (MAX_STRANGE if pieces else 0):
        return None
    codes[opened] = known.codes[opened]
    codes[~opened & ~at_rest] = Cell.UNREAD
    for row, column in pending:
        if codes[row, column] > 8:
            codes[row, column] = Cell.UNREAD
    # A cell that is pressed, or whose number is not drawn yet, looks like a 0. Beside a cell that is not seen
    # to be opened it is none, or its opening is not all drawn; pieces hide such cells for long.
    while True:
        closed = codes > 8
        if pieces:
            closed &= codes != Cell.UNREAD
        early = ~opened & (codes == Cell.EMPTY) & (neighbour_sums(closed) > 0)
        if not early.any():
            return Board(codes)
        codes[early] = Cell.UNREAD
