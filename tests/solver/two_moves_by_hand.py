"""Two moves deep against the same by hand: run with NUMBA_DISABLE_JIT=1 (see test_by_hand.py).

Every number that a cell can show is counted over the layouts written out, and the position after it is put
on a fresh board and decided one move deep, or by the search of bot/solver/winning.py, which share no state
with what is tested.
"""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np

from bot.board import Board, Cell, FirstClick, Rules
from bot.solver.chances import chances
from bot.solver.deepened import deepened, value_deepened
from bot.solver.fronts import forget
from bot.solver.outlook import prepare
from bot.solver.player import (
    BELOW,
    DEEP_MARGIN,
    POLICY,
    RARE,
    SCORED_ONCE,
    SHADE,
    SOLUTIONS,
    WIDTH,
    WIN,
    Player,
    load_board,
    new_player,
)
from bot.solver.scored import scored, value
from bot.solver.thinker import read_net
from bot.solver.winning import winning

NONE = 0.5
"""As a number of solutions: no position has so few."""

TEXT, MINES = "1####\n#####\n#####\n####2", 5
SHADED = 0.02


def player_of(board: Board, solutions: float) -> Player:
    """A player that has taken up a board and knows its chances."""
    player = new_player(board.rows, board.columns, MINES, net=read_net())
    player.settings[SOLUTIONS] = solutions
    player.settings[POLICY] = SCORED_ONCE
    player.settings[BELOW] = 100
    player.settings[WIDTH] = 100
    player.settings[DEEP_MARGIN] = 1.0
    player.settings[RARE] = 0.0
    player.settings[SHADE] = SHADED
    load_board(player, board.codes)
    return player


def know(player: Player) -> int:
    found, cons = chances(player.field, player.ws, 20000, player.chance, player.out)
    assert found == 0
    return int(cons)


def layouts(board: Board) -> list[frozenset[tuple[int, int]]]:
    covered = [(r, c) for r in range(board.rows) for c in range(board.columns) if board[r, c] == Cell.COVERED]
    return [
        frozenset(mines)
        for mines in itertools.combinations(covered, MINES)
        if all(
            sum(cell in mines for cell in board.neighbours(r, c)) == board[r, c]
            for r in range(board.rows)
            for c in range(board.columns)
            if board[r, c] <= 8
        )
    ]


def by_hand(board: Board, place: tuple[int, int], solutions: float, known: Player) -> tuple[float, int]:
    """What a cell is worth, and how many of the numbers that it can show leave no safe cell."""
    every = layouts(board)
    alive = [layout for layout in every if place not in layout]
    beside = list(board.neighbours(*place))
    shown = Counter(sum(cell in layout for cell in beside) for layout in alive)
    total, guesses = 0.0, 0
    for number, count in shown.items():
        after = [layout for layout in alive if sum(cell in layout for cell in beside) == number]
        rest = [
            (r, c)
            for r in range(board.rows)
            for c in range(board.columns)
            if board[r, c] == Cell.COVERED and (r, c) != place
        ]
        follows = float(value(known.net, known.look.features[number], known.look.hidden))
        if not any(all(cell not in layout for layout in after) for cell in rest):
            guesses += 1
            codes = np.array(board.codes)
            codes[place] = number
            child = Board(codes)
            if solutions > NONE:
                searched = winning(child, Rules(board.columns, board.rows, MINES, FirstClick.ANY))
                assert searched is not None
                follows = searched.win
            else:
                player = player_of(child, NONE)
                cons = know(player)
                scored(player)
                forget(player.ws, cons)
                follows = float(player.result[2]) - SHADED
        total += count * follows
    return total / len(every), guesses


def main() -> None:
    board = Board.parse(TEXT)
    for solutions in (NONE, 400.0):
        player, deeper = player_of(board, NONE), player_of(board, solutions)
        cons = know(player)
        prepare(player.look, player.ws, player.out)
        stride = board.columns + 2
        seen = 0
        for place in ((0, 4), (3, 0), (0, 2), (1, 2), (2, 2)):
            cell = (place[0] + 1) * stride + place[1] + 1
            found = value_deepened(player, deeper, cell)
            hand, guesses = by_hand(board, place, solutions, player)
            assert abs(found - hand) < 1e-9, (solutions, place, found, hand)
            seen += guesses
        assert seen > 5
        choice = deepened(player, deeper)
        count = int(player.candidate_count[0])
        best = max(range(count), key=lambda k: float(player.score[k]))
        assert player.score[best] == player.result[2]
        assert player.candidates[best] == choice
        assert abs(by_hand_of(board, choice, stride, solutions, player, deeper) - player.result[2]) < 1e-9
        forget(player.ws, cons)
    assert deeper.result[WIN] <= 1


def by_hand_of(
    board: Board, cell: int, stride: int, solutions: float, player: Player, deeper: Player
) -> float:
    value_deepened(player, deeper, cell)  # its features lie in `player` again
    return by_hand(board, (cell // stride - 1, cell % stride - 1), solutions, player)[0]


if __name__ == "__main__":
    main()
