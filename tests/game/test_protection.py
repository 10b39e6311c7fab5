"""First-click rules that change a field, against counting every layout there is."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest

from bot.board import Action, Coordinate, FirstClick, Move, Observation, Phase, Rules, Spread
from bot.game.game import Game
from bot.game.minefield import Minefield
from bot.game.protection import protect
from bot.solver.position.weighted_cases import solve_observation

pytestmark = pytest.mark.slow

SKEWED = [rule for rule in FirstClick if rule.lays_first]


def layouts(columns: int, rows: int, mines: int) -> Iterator[Minefield]:
    for cells in itertools.combinations(range(columns * rows), mines):
        yield Minefield.from_cells(columns, rows, cells)


@pytest.mark.parametrize(
    ("rule", "before", "first", "after"),
    [
        (FirstClick.REMOVED, "*..\n.*.\n...", (1, 1), "*..\n...\n..."),
        (FirstClick.REMOVED, "*..\n.*.\n...", (2, 2), "*..\n.*.\n..."),
        (FirstClick.MOVED, "*..\n.*.\n...", (1, 1), "**.\n...\n..."),
        (FirstClick.MOVED, "*..\n.*.\n...", (0, 0), ".*.\n.*.\n..."),
        (FirstClick.MOVED, "**.\n.*.\n...", (0, 0), ".**\n.*.\n..."),
        (FirstClick.MOVED, "***\n***\n***", (0, 0), "***\n***\n***"),
        (FirstClick.SHIFTED, "*..\n.*.\n...", (1, 1), "...\n*..\n.*."),
        (FirstClick.SHIFTED, "*..\n.*.\n..*", (2, 2), "..*\n*..\n.*."),
        (FirstClick.SHIFTED, ".*.\n.*.\n..*", (1, 1), ".*.\n..*\n.*."),
        (FirstClick.SHIFTED, ".*.\n.*.\n..*", (1, 0), ".*.\n.*.\n..*"),
        (FirstClick.SHIFTED, ".*.\n.*.\n.*.", (1, 1), ".*.\n.*.\n.*."),
    ],
)
def test_what_the_first_click_changes(rule: FirstClick, before: str, first: Coordinate, after: str) -> None:
    assert str(protect(Minefield.parse(before), first, rule)) == after


@pytest.mark.parametrize("rule", SKEWED)
@pytest.mark.parametrize(
    ("columns", "rows", "mines"), [(3, 3, 3), (4, 3, 4), (2, 4, 5), (3, 4, 2), (1, 4, 3)]
)
@pytest.mark.parametrize("opened", [1, 3])
def test_the_chances_are_those_of_all_games_that_look_the_same(
    rule: FirstClick, columns: int, rows: int, mines: int, opened: int
) -> None:
    """Each layout is played from each first click; games that show the same are told apart by nothing."""
    rules = Rules(columns, rows, mines, rule, Spread.NONE)
    for first in itertools.product(range(rows), range(columns)):
        seen: dict[Observation, list[Minefield]] = {}
        for layout in layouts(columns, rows, mines):
            game = Game(rules, minefield=layout)
            cells = [first, *((r, c) for r in range(rows) for c in range(columns))]
            while np.count_nonzero(game.board.codes <= 8) < opened and not game.phase.over:
                game.open(*cells.pop(0))
            if game.phase is Phase.PLAYING:
                truth = game.truth_for_simulators
                assert truth is not None
                seen.setdefault(game.observation, []).append(truth)
        for observation, fields in seen.items():
            solved = solve_observation(observation)
            for cell, chance in solved.chance.items():
                mined = sum(bool(field.mines[cell]) for field in fields)
                assert chance == pytest.approx(float(Fraction(mined, len(fields))), abs=1e-12)
                assert (cell in solved.safe) == (mined == 0)
                assert (cell in solved.mines) == (mined == len(fields))
            assert solved.solutions == len(fields)


@pytest.mark.parametrize("rule", [FirstClick.MOVED, FirstClick.SHIFTED])
def test_the_rule_is_a_skew_and_no_more_than_one(rule: FirstClick) -> None:
    """All layouts without a mine under the first click can be, but they are not equally likely."""
    first = (1, 1)
    counts = Counter(protect(layout, first, rule) for layout in layouts(3, 3, 4))
    mended = {field: count for field, count in counts.items() if not field.mines[first]}
    assert set(mended) == {layout for layout in layouts(3, 3, 4) if not layout.mines[first]}
    assert len(set(mended.values())) > 1


def test_a_removed_mine_shows_in_the_total() -> None:
    game = Game(Rules(3, 3, 2, FirstClick.REMOVED), minefield=Minefield.parse("*..\n...\n..*"))
    assert game.mines_left == 2
    assert game.observation.rules.mines == 2
    game.open(0, 0)
    assert (game.observation.rules.mines, game.mines_left, game.phase) == (1, 0, Phase.WON)
    assert game.observation.cases == ()


@pytest.mark.parametrize("rule", SKEWED)
@pytest.mark.parametrize(
    "asked",
    [Move(Action.COUNT_ROW, 2, 0), Move(Action.COUNT_SQUARE, 2, 1, 3), Move(Action.COUNT_SQUARE, 0, 0, 1)],
)
def test_a_hint_before_the_first_click_is_about_the_field_before_it_is_changed(
    rule: FirstClick, asked: Move
) -> None:
    rules = Rules(3, 4, 4, rule, Spread.NONE)
    first = (1, 1)
    seen: dict[Observation, list[Minefield]] = {}
    for layout in layouts(3, 4, 4):
        game = Game(rules, minefield=layout, hints=1)
        game.ask(asked)
        game.open(*first)
        if game.phase is Phase.PLAYING:
            assert game.truth_for_simulators is not None
            seen.setdefault(game.observation, []).append(game.truth_for_simulators)
    assert len(seen) > 5
    for observation, fields in seen.items():
        assert observation.constraints or observation.cases
        solved = solve_observation(observation)
        for cell, chance in solved.chance.items():
            mined = sum(bool(field.mines[cell]) for field in fields)
            assert chance == pytest.approx(mined / len(fields), abs=1e-12)


def test_a_hint_after_the_first_click_is_one_more_constraint() -> None:
    rules = Rules(3, 4, 4, FirstClick.SHIFTED, Spread.NONE)
    seen: dict[Observation, list[Minefield]] = {}
    for layout in layouts(3, 4, 4):
        game = Game(rules, minefield=layout, hints=2)
        game.open(1, 1)
        if game.phase is Phase.PLAYING:
            game.ask(Move(Action.COUNT_COLUMN, 0, 1))
            game.ask(Move(Action.COUNT_SQUARE, 0, 0, 3))
            assert game.truth_for_simulators is not None
            seen.setdefault(game.observation, []).append(game.truth_for_simulators)
    for observation, fields in seen.items():
        solved = solve_observation(observation)
        assert solved.solutions == len(fields)
        for cell, chance in solved.chance.items():
            mined = sum(bool(field.mines[cell]) for field in fields)
            assert chance == pytest.approx(mined / len(fields), abs=1e-12)
