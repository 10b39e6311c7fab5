"""What the games say of the game's rules: what protects the first click, over what openings spread."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bot.board import Board, Cell, FirstClick, Spread, neighbour_sums

MAX_CHANCE = 0.05
"""A rule is believed where the same would be seen by chance with at most this probability."""

MIN_SHARE = 1 / 3
"""What more than this part of the games show is a rule, and not a picture taken while the window drew."""


def first_click_rule(opened: Sequence[int], density: float) -> FirstClick:
    """What protects the first click, as far as that is plain; where it is not, nothing does.

    `opened` are the codes of `Cell` that first clicks opened, MINE for a lost game; `density` is the part of
    the cells that are mines. It takes many games to show that a single cell is not safe by chance, most of
    all with few mines; that its eight neighbours are safe as well is soon too unlikely.
    """
    tries, safe = len(opened), 1 - density
    if not tries or int(Cell.MINE) in opened:
        return FirstClick.ANY
    if not any(opened) and safe ** (8 * tries) < MAX_CHANCE:
        return FirstClick.ZERO
    return FirstClick.SAFE if safe**tries < MAX_CHANCE else FirstClick.ANY


def spread_of(boards: Sequence[Board]) -> Spread:
    """Over which neighbours openings spread, by the zeros next to covered cells: one board a game.

    A few games with such a zero prove nothing: some windows draw the number of a cell after its background.
    """
    shown = straight = diagonal = 0
    for board in boards:
        zeros, covered = board.codes == Cell.EMPTY, board.codes == Cell.COVERED
        if not zeros.any():
            continue
        around = np.pad(covered, 1)
        adjacent = around[1:-1, :-2] | around[1:-1, 2:] | around[:-2, 1:-1] | around[2:, 1:-1]
        shown += 1
        straight += bool((zeros & adjacent).any())
        diagonal += bool((zeros & (neighbour_sums(covered) > 0) & ~adjacent).any())
    if straight > MIN_SHARE * shown:
        return Spread.NONE
    return Spread.FOUR if diagonal > MIN_SHARE * shown else Spread.EIGHT
