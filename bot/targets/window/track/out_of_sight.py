"""What has become of cells that were seen in a game: wiped off its board, or hidden here and there."""

from __future__ import annotations

import numpy as np

from bot.board import Board, Cell
from bot.targets.board_changes import hanging_together, mask
from bot.targets.window.track.game_end import HIDDEN_SHARE

MANY_NUMBERS = 3
"""Minimum number of numbers of a game by which it is told that they were wiped off its board."""

MANY_HIDDEN = 3
"""Minimum number of cells that cannot be read any more where a board that cannot be read tells the end."""

SOME_COVERED = 2
"""Minimum number of cells that are covered where others show their mines: one may be misread."""


def is_wiped(seen: Board, board: Board) -> bool:
    """Whether most numbers that were seen in a game show something else than before, and no covered cells as
    in another game: something lies there that happens to look like cells."""
    if seen.codes.shape != board.codes.shape:
        return False
    numbers = (seen.codes >= 1) & (seen.codes <= 8)
    other = numbers & (board.codes != seen.codes) & (board.codes != Cell.COVERED)
    return bool(numbers.sum() >= MANY_NUMBERS and other.sum() > HIDDEN_SHARE * numbers.sum())


def shows_some(seen: Board, board: Board) -> bool:
    """Whether many of the cells that were covered cannot be read any more and some are still covered, but for
    those that hang together with opened ones under a card: a game that is won shows all its mines alike."""
    turned = (board.codes == Cell.UNREAD) & (seen.codes != Cell.UNREAD)
    under = turned & (seen.codes <= 8)
    card = np.zeros_like(turned)
    if under.any():
        row, column = np.argwhere(under)[0].tolist()
        card = hanging_together(turned, mask(board, [(row, column)]))
    if (under & ~card).any():
        return False  # more than one thing lies over it: they may hide cells here and there
    covered = seen.codes == Cell.COVERED
    shown, still = covered & turned & ~card, covered & (board.codes == Cell.COVERED)
    return bool(shown.sum() >= MANY_HIDDEN and still.sum() >= SOME_COVERED)
