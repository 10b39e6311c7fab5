"""Boards of ten thousand cells and more: what weighs too little for a float, and what takes too long."""

from __future__ import annotations

import functools
import itertools
import math
import random
from fractions import Fraction

import numpy as np
import pytest

from bot.board import Board, Cell, Rules
from bot.errors import ContradictionError
from bot.solver.constraints.system import Group, System
from bot.solver.guess.player import new_player
from bot.solver.position import contradiction, solve
from bot.solver.position.solve import Contradiction, solve_board
from bot.solver.probability import solution_count
from bot.solver.probability.solution_count import FEW_STATES, count_solutions


def islands(count: int, outside: int, mines: int) -> System:
    """Pairs of threes, far apart: two groups of eight cells that share three; and cells outside."""
    groups = []
    for at in range(0, 13 * count, 13):
        groups += [
            Group(tuple(range(at, at + 8)), 3),
            Group(tuple(range(at + 5, at + 13)), 3),
        ]
    return System(13 * count + outside, tuple(groups), mines)


def product(a: list[int], b: list[int]) -> list[int]:
    """Of two polynomials."""
    found = [0] * (len(a) + len(b) - 1)
    for (i, x), (j, y) in itertools.product(enumerate(a), enumerate(b)):
        found[i + j] += x * y
    return found


def power(a: list[int], exponent: int) -> list[int]:
    if exponent == 0:
        return [1]
    half = power(a, exponent // 2)
    square = product(half, half)
    return product(square, a) if exponent % 2 else square


@pytest.mark.slow
@pytest.mark.parametrize("mines", [1200, 1230, 7199])
def test_the_chances_are_exact_however_unlikely_the_total_is(mines: int) -> None:
    """At 1200 every pair holds as few as it can and all else is safe, at 7200 all else is a mine."""
    pairs, outside = 400, 4800
    # With s of the shared cells mined: 3 - s in each five of the rest.
    ways, shared = [0] * 7, [0] * 7
    for s in range(4):
        number = math.comb(3, s) * math.comb(5, 3 - s) ** 2
        ways[6 - s] += number
        shared[6 - s] += number * s
    others = power(ways, pairs - 1)
    every = product(others, ways)

    def completed(by_mines: list[int], cells: int, left: int) -> int:
        choices = math.comb(cells, left)
        total = 0
        for number in by_mines[: left + 1]:
            total += number * choices
            left -= 1
            # That of one mine less follows, once the cells can hold so many.
            choices = choices * (left + 1) // (cells - left) if choices else math.comb(cells, max(left, 0))
        return total

    solutions = completed(every, outside, mines)
    counted = count_solutions(islands(pairs, outside, mines), FEW_STATES)
    assert counted is not None
    assert not counted.limited
    assert counted.log_solutions == pytest.approx(math.log(solutions), rel=1e-12, abs=1e-6)
    one_mined = Fraction(completed(every, outside - 1, mines - 1), solutions)
    in_shared = Fraction(completed(product(others, shared), outside, mines), 3 * solutions)
    for cell, exact in ((13 * pairs, one_mined), (5, in_shared), (13 * 200 + 7, in_shared)):
        assert counted.chance[cell] == pytest.approx(float(exact), rel=1e-9)
        assert (counted.chance[cell] in (0.0, 1.0)) == (exact in (0, 1))


@pytest.mark.slow
@pytest.mark.parametrize("mines", [1201, 7199])
def test_layouts_are_drawn_however_unlikely_the_total_is(mines: int) -> None:
    system = islands(400, 4800, mines)
    counted = count_solutions(system, FEW_STATES)
    assert counted is not None
    drawn = counted.draw(10, 1)
    assert drawn is not None
    assert (drawn.sum(axis=1) == mines).all()
    for group in system.groups:
        assert (drawn[:, list(group.cells)].sum(axis=1) == group.mines).all()
    expected = sum(counted.chance[: 13 * 400])
    assert drawn[:, : 13 * 400].sum(axis=1).mean() == pytest.approx(expected, rel=0.01)


@pytest.mark.slow
def test_layouts_are_drawn_where_each_front_holds_as_many_as_it_must() -> None:
    """The cells outside alone would hold far more or far fewer mines than are left for them."""
    pairs = tuple(Group((2 * pair, 2 * pair + 1), 1) for pair in range(2000))
    for outside, mines in ((6000, 2010), (6000, 7990)):
        counted = count_solutions(System(4000 + outside, pairs, mines), FEW_STATES)
        assert counted is not None
        drawn = counted.draw(3, 1)
        assert drawn is not None
        assert (drawn.sum(axis=1) == mines).all()


def test_the_whole_number_takes_one_binomial(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each takes as long as all the rest on a large board."""
    large: list[int] = []
    comb = math.comb

    def counting(n: int, k: int) -> int:
        if n > 100:
            large.append(k)
        return comb(n, k)

    counted = count_solutions(islands(30, 500, 300), FEW_STATES)
    assert counted is not None
    monkeypatch.setattr("bot.solver.probability.solution_count.math.comb", counting)
    number = counted.whole_number(10**9)
    assert len(large) == 1
    monkeypatch.undo()
    ways = [0] * 7
    for s in range(4):
        ways[6 - s] += math.comb(3, s) * math.comb(5, 3 - s) ** 2
    assert number == sum(
        count * math.comb(500, 300 - held) for held, count in enumerate(power(ways, 30)) if held <= 300
    )


@pytest.mark.parametrize(
    ("outside", "total"), [(0, 4), (0, 5), (3, 0), (3, 2), (3, 4), (3, 7), (3, 8), (9, 4)]
)
def test_the_binomials_follow_from_each_other(outside: int, total: int) -> None:
    by_mines = [random.Random(total).randrange(100) for _ in range(6)]
    exact = sum(
        ways * math.comb(outside, total - held) for held, ways in enumerate(by_mines) if held <= total
    )
    assert solution_count._completed(by_mines, outside, total) == exact


def scattered(side: int, seed: int) -> tuple[Board, int]:
    """A board with a number opened here and there, and its mines."""
    rng = np.random.default_rng(seed)
    mines = rng.random((side, side)) < 0.2
    around = np.pad(mines.astype(int), 1)
    counts = sum(around[i : i + side, j : j + side] for i in range(3) for j in range(3))
    codes = np.full((side, side), int(Cell.COVERED), np.int8)
    opened = (rng.random((side, side)) < 0.1) & ~mines
    codes[opened] = np.asarray(counts)[opened]
    return Board(codes), int(mines.sum())


@pytest.mark.slow
def test_to_tell_what_contradicts_takes_no_more_than_so_much_work(monkeypatch: pytest.MonkeyPatch) -> None:
    board, mines = scattered(24, 2)
    looked = 0
    possible = contradiction.is_possible

    def counting(system: System, states: int = FEW_STATES) -> bool:
        nonlocal looked
        looked += len(system.groups)
        return possible(system, states)

    monkeypatch.setattr(contradiction, "is_possible", counting)
    with pytest.raises(Contradiction) as caught:
        solve_board(board, Rules(24, 24, 500), dead=False)
    smallest, usual = caught.value, looked
    assert smallest.total
    assert len(smallest.numbers) < board.codes[board.codes <= 8].size
    looked, numbers = 0, int((board.codes <= 8).sum())
    bounded = functools.partial(contradiction.smallest_contradiction, work=1500)
    monkeypatch.setattr(solve, "smallest_contradiction", bounded)
    with pytest.raises(ContradictionError) as other:
        solve_board(board, Rules(24, 24, 500), dead=False)
    assert looked < usual / 2
    assert str(other.value) == (
        f"the {numbers} numbers and a total of 500 mines cannot all be right:"
        " the board or its total was misread or mistyped"
    )
    assert mines < 500


def test_a_player_takes_no_memory_for_what_it_does_not_draw() -> None:
    """As (cells + 1) squared it was 100 MB here, and 13 GB on 200x200 cells."""
    assert sum(array.nbytes for array in new_player(60, 60, None).sampler) < 1_000_000
