"""Whether the cells that a skin gives can be a board at all: one standard for every theme.

A theme that half fits a picture gives cells that no game shows: opened ones beside nothing covered, a 0
beside a covered cell, a number with too few cells around it. Flags are a player's and may be wrong, so they
contradict nothing here.
"""

from __future__ import annotations

import numpy as np

from bot.board import Cell, Codes, neighbour_counts, neighbour_sums
from bot.geometry import Rect

MAX_CONTRADICTIONS = 0.02
"""Maximum number of contradictions as a part of the cells of a board, of which one is always allowed: a
picture may be taken while a game opens its cells one after the other."""

MIN_CLOSED = 2
"""Minimum number of closed cells beside a line of nothing: one may be misread."""

NEIGHBOURS = 8
"""Number of cells around one that is not at an edge."""

LEAST_CHANCE_WITHOUT_ONE = 0.02
"""Numbers without a single 1 are no board where that is less likely, by how many mines they tell: 11 numbers
that are 2 in the mean, or 33 that are 3."""

MIN_LINES, STEPS, LEAST_CHANCE_OF_LINES = 5, (4, 3, 2), 0.01
"""Cells may be halves, thirds or quarters of larger ones if their numbers lie on every second, third or
fourth line alone: on so many lines at least, and by less than such a chance. Of 7,891 drawn boards none has
numbers on three lines or more that are a number of lines apart."""


def contradictions(codes: Codes) -> int:
    """How many opened cells of a board (rows, columns) contradict the covered and unread ones around."""
    around = neighbour_counts(codes)
    too_few = (codes >= 1) & (codes <= 8) & (codes > around.possible_mines)
    covered = neighbour_sums(np.isin(codes, (Cell.COVERED, Cell.QUESTION)))
    return int(np.count_nonzero(too_few | ((codes == Cell.EMPTY) & (covered > 0))))


def lacks_ones(codes: Codes) -> bool:
    """Whether numbers without a single 1 are less likely than in any game: on so crowded a board as they tell
    of, each would be 1 now and then."""
    numbers = codes[(codes >= 1) & (codes <= 8)]
    if not len(numbers) or (numbers == 1).any():
        return False
    mined = float(numbers.mean()) / NEIGHBOURS
    one = NEIGHBOURS * mined * (1 - mined) ** (NEIGHBOURS - 1) / (1 - (1 - mined) ** NEIGHBOURS)
    return bool((1 - one) ** len(numbers) < LEAST_CHANCE_WITHOUT_ONE)


def skips_lines(codes: Codes) -> bool:
    """Whether the numbers of a board (rows, columns) lie on every second line alone, or every third or
    fourth: its cells are parts of larger ones."""
    numbers = (codes >= 1) & (codes <= 8)
    chance = 1.0
    for axis in (0, 1):
        lines = np.flatnonzero(numbers.any(axis=axis))
        if len(lines) >= MIN_LINES:
            step = next((step for step in STEPS if not (np.diff(lines) % step).any()), 1)
            chance *= float(step) ** (1 - len(lines))
    return chance < LEAST_CHANCE_OF_LINES


def without_lines_of_nothing(codes: Codes) -> Rect | None:
    """The columns and rows of a board (rows, columns) without outer lines on which nothing is, and beside
    which there are cells that such a line would have opened: it is none of the board. None if there are none
    of these."""
    is_nothing, is_closed = codes == Cell.EMPTY, (codes > 8) & (codes != Cell.UNREAD)
    top, bottom, left, right = (
        bool(line.all() and beside.sum() >= MIN_CLOSED)
        for line, beside in (
            (is_nothing[0], is_closed[1]),
            (is_nothing[-1], is_closed[-2]),
            (is_nothing[:, 0], is_closed[:, 1]),
            (is_nothing[:, -1], is_closed[:, -2]),
        )
    )
    rows, columns = codes.shape
    part = Rect(left, top, columns - left - right, rows - top - bottom)
    return part if part != Rect(0, 0, columns, rows) else None


def without_misread_numbers(codes: Codes) -> Codes:
    """The cells (rows, columns) with those numbers unread that do not fit, where no wrong flag explains it.

    A wrong flag contradicts all numbers around it, a number that was misread only itself.
    """
    around = neighbour_counts(codes)
    numbered = (codes >= 1) & (codes <= 8)
    unfit = numbered & ((codes > around.possible_mines) | (codes < around.known_mines))
    blamed = (codes == Cell.FLAG) & (neighbour_sums(unfit) > 1)
    misread = unfit & (neighbour_sums(blamed) == 0)
    checked: Codes = np.where(misread, np.int8(Cell.UNREAD), codes)
    return checked


def why_no_game(codes: Codes) -> str | None:
    """Why cells (rows, columns) are no board of a game, in a few words; None where they can be one."""
    if contradictions(codes) > max(1, MAX_CONTRADICTIONS * codes.size):
        return "the numbers do not fit the cells around them"
    if not np.isin(
        codes, (Cell.COVERED, Cell.FLAG, Cell.QUESTION, Cell.MINE, Cell.EXPLODED, Cell.WRONG_FLAG)
    ).any():
        return "nothing on it is covered, flagged or mined"
    numbers = codes[(codes >= 1) & (codes <= 8)]
    if lacks_ones(codes):
        return "many numbers and no 1"
    if not len(numbers) and (codes == Cell.EMPTY).any() and not (codes == Cell.UNREAD).any():
        return "opened cells without any number"
    return None
