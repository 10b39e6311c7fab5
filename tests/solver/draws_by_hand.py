"""Draws layouts of a small board and counts how often each comes; run uncompiled by test_by_hand.py.

The board has two fronts and cells outside them, so that the mines of all three hang together.
"""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np

from bot.board import Board, Cell
from bot.solver.guess.player import load_board, new_player
from bot.solver.probability.mine_chances import mine_chances
from bot.solver.probability.sampling import sample_layout, weigh_rest

BOARD, MINES = Board.parse("1#####\n######\n####2#\n######"), 5
DRAWS = 20_000


def main() -> None:
    player = new_player(BOARD.rows, BOARD.columns, MINES)
    load_board(player, BOARD.codes)
    found, _ = mine_chances(player.field, player.ws, 20000, player.chance, player.combined)
    assert found == 0
    covered = [(r, c) for r in range(BOARD.rows) for c in range(BOARD.columns) if BOARD[r, c] == Cell.COVERED]
    stride = BOARD.columns + 2
    rest = weigh_rest(player.sampler, player.ws, player.combined, MINES)
    assert rest.shape == (player.combined.components + 1, MINES + 1)
    np.random.seed(7)
    drawn: Counter[tuple[int, ...]] = Counter()
    mined: Counter[tuple[int, int]] = Counter()
    for _ in range(DRAWS):
        assert sample_layout(player.sampler, rest, player.field, player.ws, player.combined)
        numbers = player.sampler.minefield
        mines = tuple(cell for cell in covered if numbers[(cell[0] + 1) * stride + cell[1] + 1] == 9)
        assert len(mines) == MINES
        for r, c in itertools.product(range(BOARD.rows), range(BOARD.columns)):
            if (r, c) not in mines:
                beside = sum(cell in mines for cell in BOARD.neighbours(r, c))
                assert numbers[(r + 1) * stride + c + 1] == beside
        assert sum(cell in mines for cell in BOARD.neighbours(0, 0)) == 1
        assert sum(cell in mines for cell in BOARD.neighbours(2, 4)) == 2
        for cell in mines:
            mined[cell] += 1
        # How the mines fall to the front of the 1, the front of the 2 and the rest; and where in the second.
        second = tuple(sorted(k for k, cell in enumerate(BOARD.neighbours(2, 4)) if cell in mines))
        drawn[second] += 1
    for r, c in covered:
        expected = player.chance[(r + 1) * stride + c + 1]
        deviation = (expected * (1 - expected) / DRAWS) ** 0.5
        assert abs(mined[r, c] / DRAWS - expected) < 5 * deviation, (r, c, mined[r, c] / DRAWS, expected)
    pairs = len(list(itertools.combinations(range(8), 2)))
    assert len(drawn) == pairs
    expected = DRAWS / pairs
    for pair, count in drawn.items():
        assert abs(count - expected) < 5 * expected**0.5, (pair, count, expected)


main()
