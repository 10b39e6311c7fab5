"""Whether what hides a board may be the dialog of its won game, on a desktop that lists no windows."""

from __future__ import annotations

import cv2
import numpy as np

from bot.board import UNOPENED, Board, Cell
from bot.targets.board_changes import continues, filled_from

HIDDEN = 0.1
"""The part of the cells, 0 to 1, that a dialog over the board hides at least: of the 480 of Expert those of
GNOME Mines hide 0.3."""

LAST_OPENING = 0.2
"""The part of the cells, 0 to 1, that the last clicks of a won game open at most, if nothing more is seen."""

UNSEEN = 0.5
"""The part of the cells, 0 to 1, that they open unseen at most, if what is seen beside them is that of a won
board, or a box to write in is seen over it."""


def hides_win(board: Board, mines: int | None) -> bool:
    """Whether a board, partly hidden by something, may be that of a game that is won."""
    hidden = board.count(Cell.UNREAD) >= HIDDEN * board.codes.size
    return hidden and mines is not None and board.count(*UNOPENED) <= mines


def may_be_won(before: Board, board: Board, mines: int | None, sent: int, *, asks: bool = False) -> bool:
    """Whether a game that showed the board `before` may have been won by the clicks sent since, so many, so
    that its dialog hides a part of the board now, or all of it; `asks`: whether that has a box to write in.

    Either few cells were left, or the clicks have opened a part of the rest that is seen, if no name is asked
    for, and what is seen is finished: in a game that goes on, some number has more covered cells around it
    than mines.
    """
    now = filled_from(before, board)
    if not (continues(before, now) and hides_win(board, mines)):
        return False
    spare, size = sent + (mines or 0), before.codes.size
    if before.count(*UNOPENED) - spare <= LAST_OPENING * size:
        return True
    opened = np.isin(before.codes, UNOPENED) & (board.codes <= 8)
    is_told = asks or bool(opened.any())
    return is_told and now.count(*UNOPENED) - spare <= UNSEEN * size and is_finished(before, board)


def is_finished(before: Board, board: Board) -> bool:
    """Whether every number that is seen has as many covered cells around it as mines, if some of the hidden
    cells that were covered `before` are covered still."""
    covered = np.isin(board.codes, UNOPENED)
    unknown = (board.codes == Cell.UNREAD) & np.isin(before.codes, UNOPENED)
    least, more = (_around(cells) for cells in (covered, unknown))
    numbers = board.codes <= 8
    fits = (least <= board.codes) & (board.codes <= least + more)
    return bool(fits[numbers].all())


def _around(
    cells: np.ndarray[tuple[int, ...], np.dtype[np.bool_]],
) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """How many of these cells lie around each cell."""
    ones = np.ones((3, 3), np.float32)
    sums = cv2.filter2D(cells.astype(np.float32), -1, ones, borderType=cv2.BORDER_CONSTANT)
    return np.rint(sums).astype(np.int64) - cells
