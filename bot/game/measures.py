"""What is measured of a minefield: its openings, its islands, and its 3BV.

The 3BV is Bechtel's Board Benchmark Value: the fewest left clicks that open every safe cell without
flags, one for each opening and one for each safe cell that no opening opens. All measures are of games
whose openings spread over eight neighbours.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bot.board import Board, Cell, Rules, neighbour_sums
from bot.game.minefield import Minefield


def openings(minefield: Minefield) -> int:
    """The number of openings: groups of zeros that touch, corners included."""
    return _groups(~minefield.mines & (minefield.counts == 0))


def islands(minefield: Minefield) -> int:
    """The number of islands: groups of safe cells that touch and that no opening opens."""
    return _groups(_outside_openings(minefield))


def bbbv(minefield: Minefield) -> int:
    """The 3BV: openings, and safe cells that no opening opens."""
    return openings(minefield) + int(np.count_nonzero(_outside_openings(minefield)))


def _outside_openings(minefield: Minefield) -> npt.NDArray[np.bool_]:
    zeros = ~minefield.mines & (minefield.counts == 0)
    outside: npt.NDArray[np.bool_] = ~minefield.mines & ~zeros & (neighbour_sums(zeros) == 0)
    return outside


def _groups(cells: npt.NDArray[np.bool_]) -> int:
    """How many groups of set cells there are that touch, corners included."""
    # A border of cells that are not set: no neighbour needs a look at the edges.
    padded = np.pad(cells, 1)
    width = padded.shape[1]
    around = (-width - 1, -width, -width + 1, -1, 1, width - 1, width, width + 1)
    left = bytearray(padded.tobytes())
    groups = 0
    for start in np.flatnonzero(padded).tolist():
        if not left[start]:
            continue
        groups += 1
        left[start] = 0
        stack = [start]
        while stack:
            here = stack.pop()
            for step in around:
                if left[here + step]:
                    left[here + step] = 0
                    stack.append(here + step)
    return groups


def bbbv_of_board(board: Board, rules: Rules) -> int | None:
    """The 3BV of a finished game from what its board shows; None where not every mine was shown."""
    shown = board.where(Cell.FLAG, Cell.MINE, Cell.EXPLODED)
    if not board.finished:  # won: whatever was never opened is a mine
        shown += board.where(Cell.COVERED, Cell.QUESTION)
    if not shown or (rules.mines is not None and len(shown) != rules.mines):
        return None
    mines = np.zeros((board.rows, board.columns), dtype=bool)
    mines[tuple(np.array(shown).T)] = True
    return bbbv(Minefield(mines))
