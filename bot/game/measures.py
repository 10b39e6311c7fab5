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
    """How many groups of set cells there are that touch, corners included.

    The cells are the bits of one whole number: a group grows by a ring of neighbours in four shifts,
    several times as fast as cell by cell.
    """
    # A column that is never set keeps the end of a row and the start of the next apart.
    rows, width = cells.shape[0], cells.shape[1] + 1
    padded = np.zeros((rows, width), dtype=np.bool_)
    padded[:, :-1] = cells
    left = int.from_bytes(np.packbits(padded).tobytes(), "big")
    groups = 0
    while left:
        groups += 1
        grown, group = left & -left, 0
        while grown != group:
            group = grown
            grown |= grown << 1 | grown >> 1
            grown = (grown | grown << width | grown >> width) & left
        left ^= group
    return groups


def efficiency(value: int | None, clicks: int) -> float | None:
    """The 3BV of a won game over the clicks it took; None where the 3BV is unknown or nothing was clicked.

    1.0 is every opening and every other number opened with one click each; flags and chords can better it.
    """
    return value / clicks if value is not None and clicks > 0 else None


def bbbv_per_second(value: int | None, seconds: float | None) -> float | None:
    """The 3BV of a won game over its seconds; None where one of them is unknown or no time went by."""
    return value / seconds if value is not None and seconds else None


def minefield_of_board(board: Board, rules: Rules) -> Minefield | None:
    """Where the mines of a finished game lie, from what its board shows; None where that is not sure.

    It is sure where a won game leaves nothing covered but mines, or a lost one shows as many as there are,
    and every number that is shown counts them rightly.
    """
    shown = board.where(Cell.FLAG, Cell.MINE, Cell.EXPLODED)
    if not board.finished:  # won: whatever was never opened is a mine
        shown += board.where(Cell.COVERED, Cell.QUESTION)
    if rules.mines is None and (board.finished or board.count(Cell.UNREAD)):
        return None
    if not shown or (rules.mines is not None and len(shown) != rules.mines):
        return None
    mines = np.zeros((board.rows, board.columns), dtype=bool)
    mines[tuple(np.array(shown).T)] = True
    if np.any((board.codes <= 8) & (mines | (board.codes != neighbour_sums(mines)))):
        return None
    return Minefield(mines)
