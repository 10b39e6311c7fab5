"""Fronts of real games against a SAT solver, which writes out their layouts one by one."""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction

import numpy as np
import pytest
from pysat.solvers import Cadical153

from bot.board import Board, Cell, Coordinate, Rules
from bot.game.minefield import Minefield
from bot.solver.position.solve import solve_board

pytestmark = pytest.mark.slow

MOST = 4000
"""Layouts of a front that are written out."""

SEEDS = range(6)


def midgame(seed: int) -> tuple[Board, int]:
    """An expert board on which all that follows was opened, and now and then more."""
    rng = random.Random(seed)
    rules = Rules(30, 16, 99)
    first = rng.randrange(3, 13), rng.randrange(3, 27)
    field = Minefield.generate(rules, first, rng)
    codes = np.full((16, 30), Cell.COVERED, np.int8)
    opened = [first]
    while np.count_nonzero(codes <= 8) < 220:
        for cell in opened:
            codes[cell] = field.counts[cell]
        safe = solve_board(Board(codes), rules).safe
        covered = [(int(r), int(c)) for r, c in np.argwhere((codes > 8) & ~field.mines)]
        opened = list(safe) or [rng.choice(covered)]
    return Board(codes), 99


def fronts(board: Board) -> list[tuple[list[Coordinate], list[tuple[list[Coordinate], int]]]]:
    """The covered cells beside numbers that hang together, with what the numbers say of them."""
    facts = [
        ([cell for cell in board.neighbours(int(r), int(c)) if board[cell] > 8], board[int(r), int(c)])
        for r, c in np.argwhere(board.codes <= 8)
    ]
    left = [fact for fact in facts if fact[0]]
    found = []
    while left:
        cells, own = set(left[0][0]), [left.pop(0)]
        while beside := [fact for fact in left if cells & set(fact[0])]:
            own += beside
            cells |= {cell for fact in beside for cell in fact[0]}
            left = [fact for fact in left if fact not in beside]
        found.append((sorted(cells), own))
    return found


def layouts_of(
    cells: list[Coordinate], facts: list[tuple[list[Coordinate], int]]
) -> list[set[Coordinate]] | None:
    """Every layout of a front; None where there are more than `MOST`."""
    variable = {cell: index + 1 for index, cell in enumerate(cells)}
    found = []
    with Cadical153() as solver:
        for around, mines in facts:
            literals = [variable[cell] for cell in around]
            # Of any `mines` + 1 cells one is safe, and of all but `mines` - 1 one is a mine.
            for some in itertools.combinations(literals, mines + 1):
                solver.add_clause([-literal for literal in some])
            for some in itertools.combinations(literals, len(literals) - mines + 1):
                solver.add_clause(list(some))
        while solver.solve():
            model = {abs(literal): literal for literal in solver.get_model() or []}
            layout = [model.get(index, -index) for index in variable.values()]
            found.append({cell for cell, literal in zip(cells, layout, strict=True) if literal > 0})
            if len(found) > MOST:
                return None
            solver.add_clause([-literal for literal in layout])
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_counts_of_a_sat_solver(seed: int) -> None:
    board, mines = midgame(seed)
    everything = []
    for cells, facts in fronts(board):
        layouts = layouts_of(cells, facts)
        if layouts is None:
            pytest.skip("a front has too many layouts to write them out")
        everything.append((cells, layouts))
    outside = board.count(Cell.COVERED) - sum(len(cells) for cells, _ in everything)

    # How many ways there are for the fronts other than one to hold so many mines.
    def together(left_out: int) -> list[int]:
        ways = [1]
        for index, (cells, layouts) in enumerate(everything):
            if index == left_out:
                continue
            own = [0] * (len(cells) + 1)
            for layout in layouts:
                own[len(layout)] += 1
            product = [0] * (len(ways) + len(own))
            for i, a in enumerate(ways):
                for j, b in enumerate(own):
                    product[i + j] += a * b
            ways = product
        return ways

    def outside_ways(held: int) -> int:
        return math.comb(outside, mines - held) if held <= mines else 0

    solved = solve_board(board, Rules(30, 16, mines))
    total = sum(ways * outside_ways(held) for held, ways in enumerate(together(-1)))
    assert solved.solutions == total
    for index, (cells, layouts) in enumerate(everything):
        others = together(index)
        weight = [
            sum(ways * outside_ways(held + len(layout)) for held, ways in enumerate(others))
            for layout in layouts
        ]
        for cell in cells:
            mined = sum(w for w, layout in zip(weight, layouts, strict=True) if cell in layout)
            assert abs(Fraction(solved.chance[cell]) - Fraction(mined, total)) < Fraction(1, 10**12)
            assert (solved.chance[cell] in (0.0, 1.0)) == (mined in (0, total))
