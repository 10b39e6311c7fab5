"""Whether clicks whose effect nobody saw can have won a game, by the numbers that were seen before them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bot.board import UNOPENED, Board, Cell, Coordinate, neighbour_sums
from bot.targets.board_changes import mask

Mask = npt.NDArray[np.bool_]


def may_have_won(board: Board, clicked: Sequence[Coordinate], mines: int | None) -> bool:
    """Whether opening the cells `clicked` on a board can have opened all that holds no mine.

    In a won game all that is left is a mine. So each number has as many cells left around it as it says, and
    what the clicks cannot have reached is left. `mines`: their number, None where nobody knows.
    """
    unopened, there = _unopened(board), mask(board, clicked)
    least, most = unopened & ~_reached(board, clicked), unopened & ~there
    numbers = board.codes <= 8
    fits = (neighbour_sums(least) <= board.codes) & (board.codes <= neighbour_sums(most))
    if mines is not None and not least.sum() <= mines <= most.sum():
        return False
    return bool(fits[numbers].all())


def cells_left(board: Board, clicked: Sequence[Coordinate]) -> int:
    """How many cells at least are left unopened."""
    return int(np.count_nonzero(_unopened(board) & ~_reached(board, clicked)))


def _reached(board: Board, clicked: Sequence[Coordinate]) -> Mask:
    """The cells that clicks may open: their own, and what is connected with them by cells that may be empty.

    A cell is not empty where a number beside those around it would have too few cells left for its mines.
    """
    unopened, reached = _unopened(board), np.zeros(board.codes.shape, bool)
    waiting = [cell for cell in clicked if unopened[cell]]
    while waiting:
        cell = waiting.pop()
        if reached[cell]:
            continue
        reached[cell] = True
        if _may_be_empty(board, unopened, cell):
            waiting += [near for near in board.neighbours(*cell) if unopened[near] and not reached[near]]
    return reached


def _may_be_empty(board: Board, unopened: Mask, cell: Coordinate) -> bool:
    row, column = cell
    around = {cell, *board.neighbours(*cell)}
    for r in range(max(0, row - 2), min(board.rows, row + 3)):
        for c in range(max(0, column - 2), min(board.columns, column + 3)):
            if 1 <= board[r, c] <= 8:
                left = sum(bool(unopened[near]) and near not in around for near in board.neighbours(r, c))
                if left < board[r, c]:
                    return False
    return True


def _unopened(board: Board) -> Mask:
    """The cells that are not seen to be opened."""
    mask: Mask = np.isin(board.codes, (*UNOPENED, Cell.UNREAD))
    return mask
