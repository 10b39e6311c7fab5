from __future__ import annotations

import itertools
import random
from collections import Counter

import numpy as np
import pytest

from bot.board import FirstClick, Rules, neighbours
from bot.errors import UsageError
from bot.game.minefield import Minefield, most_mines


@pytest.mark.parametrize("policy", [rule for rule in FirstClick if not rule.lays_first])
@pytest.mark.parametrize("first", [(0, 0), (1, 2), (3, 4)])
def test_generated_minefields_keep_the_first_click_rule(policy: FirstClick, first: tuple[int, int]) -> None:
    rules = Rules(5, 4, 9, policy)
    rng = random.Random(1)
    seen_under = False
    for _ in range(200):
        field = Minefield.generate(rules, first, rng)
        assert field.total == 9
        assert (field.columns, field.rows) == (5, 4)
        seen_under |= bool(field.mines[first])
        if policy is not FirstClick.ANY:
            assert not field.mines[first]
        if policy is FirstClick.ZERO:
            assert not any(field.mines[cell] for cell in neighbours(*first, 4, 5))
        assert field.allows(first, policy)
    assert seen_under == (policy is FirstClick.ANY)


@pytest.mark.parametrize(
    ("policy", "allowed"), [(FirstClick.ANY, 8), (FirstClick.SAFE, 7), (FirstClick.ZERO, 4)]
)
def test_every_allowed_layout_is_equally_likely(policy: FirstClick, allowed: int) -> None:
    rules = Rules(4, 2, 2, policy)
    rng = random.Random(7)
    each = 500
    layouts = len(list(itertools.combinations(range(allowed), 2)))
    counts = Counter(Minefield.generate(rules, (0, 0), rng) for _ in range(layouts * each))
    assert len(counts) == layouts
    # Chi-square over the layouts: its mean is layouts - 1, its deviation the root of twice that.
    chi = sum((seen - each) ** 2 / each for seen in counts.values())
    assert chi < (layouts - 1) + 4 * (2 * (layouts - 1)) ** 0.5


def test_a_seed_gives_the_same_minefield_everywhere() -> None:
    field = Minefield.generate(Rules(9, 9, 10), (4, 4), random.Random(2026))
    assert field.cells == [7, 9, 11, 21, 41, 42, 48, 51, 65, 70]


def test_a_full_board_is_laid_without_searching() -> None:
    field = Minefield.generate(Rules(100, 100, 9999), (50, 50), random.Random(1))
    assert field.total == 9999
    assert not field.mines[50, 50]


@pytest.mark.parametrize(
    ("rules", "first", "says"),
    [
        (Rules(3, 3, 1, FirstClick.ZERO), (1, 1), "at most 0"),
        (Rules(3, 3, 6, FirstClick.ZERO), (0, 0), "at most 5"),
        (Rules(2, 1, 2), (0, 0), "at most 1"),
        (Rules(2, 2), (0, 0), "number of mines"),
        (Rules(2, 2, 1), (2, 0), "not on a board"),
    ],
)
def test_what_cannot_be_laid_is_refused(rules: Rules, first: tuple[int, int], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        Minefield.generate(rules, first, random.Random(1))


def test_counts_are_of_the_neighbours() -> None:
    field = Minefield.parse("*..\n.*.\n...")
    assert field.counts.tolist() == [[1, 2, 1], [2, 1, 1], [1, 1, 1]]
    assert field.cells == [0, 4]
    assert field.total == 2
    assert Minefield.parse(str(field)) == field
    assert hash(Minefield.from_cells(3, 3, [4, 0])) == hash(field)


def test_a_minefield_cannot_be_changed() -> None:
    field = Minefield(np.zeros((2, 2), dtype=np.bool_))
    with pytest.raises(ValueError, match="read-only"):
        field.mines[0, 0] = True


def test_a_cell_off_the_board_is_refused() -> None:
    with pytest.raises(UsageError, match="no cell 9"):
        Minefield.from_cells(3, 3, [9])
    with pytest.raises(UsageError, match="no cell -1"):
        Minefield.from_cells(3, 3, [-1])


@pytest.mark.parametrize(
    ("columns", "rows", "policy", "most"),
    [
        (9, 9, FirstClick.SAFE, 80),
        (9, 9, FirstClick.ANY, 80),
        (9, 9, FirstClick.ZERO, 72),
        (2, 1, FirstClick.ZERO, 0),
        (5, 1, FirstClick.ZERO, 2),
    ],
)
def test_most_mines_fit_every_first_click(columns: int, rows: int, policy: FirstClick, most: int) -> None:
    assert most_mines(columns, rows, policy) == most
    rules = Rules(columns, rows, most, policy)
    for first in itertools.product(range(rows), range(columns)):
        Minefield.generate(rules, first, random.Random(1))
