"""By how much a board that the network read breaks the rules of the game."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bot.board import Cell, Codes, neighbour_counts
from bot.vision.general.consistency import rule_violations


def broken_rules(codes: Codes) -> npt.NDArray[np.int8]:
    """By how much each cell of a board breaks the rules; shape (rows, columns) in and out.

    To what `rule_violations` counts this adds 1 for a number around which mines stay hidden while others are
    shown: the end of a game shows all.
    """
    violations = rule_violations(codes)
    if (codes == Cell.MINE).any():
        hidden = (codes >= 1) & (codes <= 8) & (codes > neighbour_counts(codes).known_mines)
        violations = np.maximum(violations, hidden.astype(np.int8))
    return violations


def broken_count(codes: Codes) -> int:
    """By how much a board (rows, columns) breaks the rules."""
    return int(broken_rules(codes).sum())
