"""What two boards of one window, seen one after the other, say about each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bot.board import Board, Cell, Move


def continues(earlier: Board, later: Board) -> bool:
    """Whether one board can have come of the other in the same game: what was opened still is."""
    opened = earlier.codes <= 8
    return earlier.codes.shape == later.codes.shape and bool(
        (earlier.codes[opened] == later.codes[opened]).all()
    )


def filled_from(earlier: Board, later: Board) -> Board:
    """The later board, and where it cannot be read what the earlier one showed: things fly over cells."""
    if earlier.codes.shape != later.codes.shape:
        return later
    return Board(np.where(later.codes == Cell.UNREAD, earlier.codes, later.codes))


def with_numbers_kept(earlier: Board, later: Board) -> Board:
    """The later board, and the numbers of the earlier one where it shows none: a game that is won may wipe
    its numbers away while the last pieces still fly."""
    if earlier.codes.shape != later.codes.shape:
        return later
    wiped = (earlier.codes >= 1) & (earlier.codes <= 8) & (later.codes == Cell.EMPTY)
    return Board(np.where(wiped, earlier.codes, later.codes))


def differ_only_at(moves: Sequence[Move], before: Board, after: Board) -> bool:
    """Whether two boards are the same but for the cells of some moves."""
    changed = before.codes != after.codes
    for move in moves:
        changed[move.cell] = False
    return not changed.any()


def is_one_opening(board: Board) -> bool:
    """Whether nothing is shown but one opening: cells without a mine around them, all connected, and their
    neighbours."""
    import cv2  # late: games with no window import this module too

    empty = (board.codes == Cell.EMPTY).astype(np.uint8)
    count, _ = cv2.connectedComponents(empty, connectivity=8)
    opening = cv2.dilate(empty, np.ones((3, 3), np.uint8)).astype(bool)
    covered = board.codes == Cell.COVERED
    return count == 2 and bool((covered == ~opening).all()) and bool((board.codes[opening] <= 8).all())
