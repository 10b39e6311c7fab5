"""How far a board contradicts the rules of the game: what decides among the labels of its clusters.

`Board.faults` lists the same contradictions for people, on boards of games that go on. Here their number is
all that counts: it is asked for some hundred times for each board, and for finished ones too, whose mines are
shown.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bot.board import Codes, neighbour_counts


def violation_count(codes: Codes) -> int:
    """By how much a board (rows, columns) breaks the rules: the sum of `rule_violations`."""
    return int(rule_violations(codes).sum())


def rule_violations(codes: Codes) -> npt.NDArray[np.int8]:
    """By how much each cell of a board breaks the rules; shape (rows, columns) in and out.

    A number counts the mines that are too few or too many around it; a 0 beside a cell that it would have
    opened counts 1.
    """
    around = neighbour_counts(codes)
    too_few = np.maximum(codes - around.possible_mines, 0)
    too_many = np.maximum(around.known_mines - codes, 0)
    numbered = (codes >= 1) & (codes <= 8)
    zero_beside_unopened = (codes == 0) & (around.not_opened > 0)
    violations: npt.NDArray[np.int8] = (too_few + too_many) * numbered + zero_beside_unopened
    return violations
