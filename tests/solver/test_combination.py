"""Exact mine probabilities against all layouts written out."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.board import Board, Constraint, Rules
from bot.errors import ContradictionError
from bot.solver.constraints.packing import pack
from bot.solver.constraints.workspace import BOX_CAN, BOX_SIZE, CELL_BOX, CELL_DEGREE
from bot.solver.jit.records import new
from bot.solver.position.solve import solve_board
from bot.solver.probability.combination import SOLVABLE, Combination, analyse
from bot.solver.probability.dynamic_programme import CAN_MINE, CAN_SAFE
from bot.solver.probability.solution_count import analyse_system


@st.composite
def systems(draw: st.DrawFn) -> tuple[list[tuple[list[int], int]], int, int]:
    cells = draw(st.integers(1, 11))
    mines = draw(st.integers(0, cells))
    groups = draw(
        st.lists(st.lists(st.integers(0, cells - 1), unique=True, max_size=6).map(sorted), max_size=6)
    )
    layout = draw(st.permutations(range(cells)))[:mines]
    off = draw(st.integers(-40, 1))  # now and then a number that may not be possible
    system = []
    for k, group in enumerate(groups):
        need = len(set(group) & set(layout))
        system.append((group, max(0, need + (off if k == 0 and off > 0 else 0))))
    return system, cells, mines


@settings(max_examples=150, deadline=None)
@given(systems())
def test_any_constraints(drawn: tuple[list[tuple[list[int], int]], int, int]) -> None:
    system, cells, mines = drawn
    every = [
        set(layout)
        for layout in itertools.combinations(range(cells), mines)
        if all(len(set(layout) & set(group)) == need for group, need in system)
    ]
    if not every:
        with pytest.raises(ContradictionError):
            analyse_system(system, cells, mines, 4096)
        return
    ws, combined = analyse_system(system, cells, mines, 4096)
    assert combined.log_solutions == pytest.approx(math.log(len(every)), abs=1e-9)
    for cell in range(cells):
        count = sum(cell in layout for layout in every)
        chance, can = combined.outside_chance, combined.outside_can
        if ws.cell[CELL_DEGREE, cell]:
            box = ws.cell[CELL_BOX, cell]
            chance, can = ws.box_mines[box] / ws.cell[BOX_SIZE, box], int(ws.cell[BOX_CAN, box])
        assert abs(Fraction(float(chance)) - Fraction(count, len(every))) < Fraction(1, 10**12)
        assert bool(can & CAN_MINE) == (count > 0)
        assert bool(can & CAN_SAFE) == (count < len(every))


@pytest.mark.parametrize("need", [-1, -2])
def test_less_than_no_mine_cannot_be(need: int) -> None:
    for mines in (-1, 1):
        with pytest.raises(ContradictionError):
            analyse_system([([0, 1], 1), ([1, 2], need)], 3, mines, 4096)


@pytest.mark.parametrize("states", range(8, 40))
def test_a_pool_that_is_full_is_not_written_past(states: int) -> None:
    """Where the components before had filled it exactly, the next one wrote its first state behind it."""
    system = [([2 * pair, 2 * pair + 1], 1) for pair in range(30)]
    keys, forward = np.full(states + 1, -7), np.full(states + 1, -7.0)
    ws = pack(system, 60, states)._replace(keys=keys[:states], forward=forward[:states])
    combined = new(Combination)
    assert analyse(ws, len(system), 60, -1, states // 4, combined) == SOLVABLE
    assert combined.limited, "nothing is tested"
    assert (keys[-1], forward[-1]) == (-7, -7.0)


def test_a_row_of_two_numbers() -> None:
    solved = solve_board(Board.parse("1#\n1#\n.#"), Rules(2, 3, None))
    assert solved.safe == ((1, 1), (2, 1))
    assert solved.mines == ((0, 1),)


def test_the_mine_total_decides() -> None:
    assert solve_board(Board.parse("#1#\n###"), Rules(3, 2, 1)).safe == ()
    free = solve_board(Board.parse("#1###\n#####"), Rules(5, 2, 1))
    assert free.safe == ((0, 3), (0, 4), (1, 3), (1, 4))
    assert free.chance[0, 0] == pytest.approx(1 / 5)
    assert (0, 1) not in free.chance
    assert free.solutions == 5


def test_a_further_constraint() -> None:
    top = Constraint(frozenset({(0, 0), (0, 1), (0, 2)}), 2)
    solved = solve_board(Board.parse("###\n###"), Rules(3, 2, 2), [top])
    assert solved.safe == ((1, 0), (1, 1), (1, 2))
    assert [solved.chance[0, column] for column in range(3)] == pytest.approx([2 / 3] * 3)


def test_a_large_board_keeps_its_precision() -> None:
    _, combined = analyse_system([], 10_000, 2000)
    assert combined.outside_chance == pytest.approx(0.2, abs=1e-12)
    expected = math.lgamma(10001) - math.lgamma(2001) - math.lgamma(8001)
    assert combined.log_solutions == pytest.approx(expected)
