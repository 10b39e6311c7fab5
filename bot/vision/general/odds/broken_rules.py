"""By how much cells break the rules of the game: what decides among the labels of looks.

`Board.faults` lists the same contradictions for people, on boards of games that go on. Here their number is
all that counts: it is asked for some hundred times for each board, and for finished ones too, whose mines are
shown.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bot.board import Cell, Codes, NeighbourCounts, neighbour_counts, neighbour_sums


def broken_rules(codes: Codes, around: NeighbourCounts | None = None) -> npt.NDArray[np.int8]:
    """By how much each cell of a board breaks the rules; shape (rows, columns) in and out. `around`: what is
    around its cells, if that is known.

    A number counts the mines that are too few or too many around it, and where other mines are shown, for the
    end of a game shows all, 1 if some around it stay hidden; a 0 beside a cell that it would have opened
    counts 1.
    """
    around = neighbour_counts(codes) if around is None else around
    numbered = (codes >= 1) & (codes <= 8)
    too_few = np.maximum(codes - around.possible_mines, 0)
    too_many = np.maximum(around.known_mines - codes, 0)
    zero_beside_unopened = (codes == Cell.EMPTY) & (around.not_opened > 0)
    broken: npt.NDArray[np.int8] = (too_few + too_many) * numbered + zero_beside_unopened
    if (codes == Cell.MINE).any():
        shown = around.known_mines + neighbour_sums(codes == Cell.UNREAD)
        broken = np.maximum(broken, (numbered & (codes > shown)).astype(np.int8))
    return broken


def broken_count(codes: Codes, around: NeighbourCounts | None = None) -> int:
    """By how much a board (rows, columns) breaks the rules, as `broken_rules` has it."""
    return int(broken_rules(codes, around).sum())
