"""All layouts of a small board: slow, and plainly right."""

from __future__ import annotations

import itertools

import numpy as np
import numpy.typing as npt

from bot.board import Board, Cell, Coordinate, neighbours


def layouts(board: Board, total: int | None) -> tuple[list[Coordinate], npt.NDArray[np.bool_]]:
    """The unopened cells, and a row for each way in which they can hold mines.

    The rows have shape (layouts, cells). Only the numbers and the total, where it is given, are looked at.
    """
    cells = board.where(Cell.COVERED, Cell.FLAG, Cell.QUESTION, Cell.UNREAD)
    shown = set(board.where(Cell.MINE, Cell.EXPLODED))
    every = (np.arange(2 ** len(cells))[:, None] >> np.arange(len(cells)) & 1).astype(bool)
    fine = np.ones(len(every), dtype=bool)
    if total is not None:
        fine &= every.sum(axis=1) == total - len(shown)
    for row in range(board.rows):
        for column in range(board.columns):
            if board[row, column] > 8:
                continue
            around = set(neighbours(row, column, board.rows, board.columns))
            beside = [index for index, cell in enumerate(cells) if cell in around]
            fine &= every[:, beside].sum(axis=1) == board[row, column] - len(around & shown)
    return cells, every[fine]


def every_layout(rows: int, columns: int, mines: int, first: int) -> npt.NDArray[np.int32]:
    """Every layout with `first` safe: mines as `row * columns + column`, shape (layouts, mines)."""
    cells = [cell for cell in range(rows * columns) if cell != first]
    return np.array(list(itertools.combinations(cells, mines)), np.int32)
