"""Layouts drawn from a position with more ways to fill its boxes than can be listed."""

from __future__ import annotations

import numpy as np

from bot.board import Board, Cell, Observation, Phase, Rules
from bot.game.minefield import Minefield
from bot.solver.position.random_layouts import sample_layouts
from bot.solver.position.solve import solve_board

SIDE, MINES, NUMBERS = 12, 30, 22
DRAWS = 4000


def scattered_numbers() -> tuple[Board, Rules]:
    """Numbers here and there that share cells: millions of ways to fill the boxes between them."""
    rng = np.random.default_rng(3)
    order = rng.permutation(SIDE * SIDE)
    mines = np.zeros(SIDE * SIDE, np.bool_)
    mines[order[:MINES]] = True
    codes = np.full(SIDE * SIDE, int(Cell.COVERED), np.int8)
    opened = order[MINES : MINES + NUMBERS]
    codes[opened] = Minefield(mines.reshape(SIDE, SIDE)).counts.ravel()[opened]
    return Board(codes.reshape(SIDE, SIDE)), Rules(SIDE, SIDE, MINES)


def test_draws_fit_the_position_and_are_as_likely_as_they_are() -> None:
    board, rules = scattered_numbers()
    drawn = sample_layouts(Observation(board, Phase.PLAYING, rules), DRAWS, np.random.default_rng(1))
    assert drawn is not None
    cells, layouts = drawn
    assert (layouts.sum(axis=1) == MINES).all()
    place = {cell: index for index, cell in enumerate(cells)}
    for row, column in np.argwhere(board.codes <= 8).tolist():
        around = [place[cell] for cell in board.neighbours(row, column) if cell in place]
        assert (layouts[:, around].sum(axis=1) == board[row, column]).all()
    chance = solve_board(board, rules).chance
    exact = np.array([chance[cell] for cell in cells])
    off = np.abs(layouts.mean(axis=0) - exact) / np.sqrt(np.maximum(exact * (1 - exact), 1e-9) / DRAWS)
    # Of a hundred cells, the furthest off is 2.6 deviations on average.
    assert off.max() < 4.5
    assert len(np.unique(layouts, axis=0)) > 0.99 * DRAWS
