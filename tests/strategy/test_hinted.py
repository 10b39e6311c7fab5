"""Hints: asked before a guess, where they settle most, and used from then on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bot.board import Action, Board, Cell, Constraint, FirstClick, Move, Observation, Phase, Rules, Spread
from bot.game.rule_sets import COMP1511
from bot.game_loop import play
from bot.solver.position.random_layouts import sample_layouts
from bot.solver.position.weighted_cases import solve_observation
from bot.strategy.base import Kind
from bot.strategy.hinted import best_question, player_of, questions
from bot.targets.in_process import InProcessTarget


def observed(text: str, mines: int, hints: int = 3, *told: Constraint) -> Observation:
    board = Board.parse(text)
    rules = Rules(board.columns, board.rows, mines, FirstClick.SAFE, Spread.RADIAL)
    return Observation(board, Phase.PLAYING, rules, told, hints=hints)


PAIR = "1#\n1#"  # one of the two is a mine


def test_it_asks_before_a_coin_is_tossed_and_then_knows() -> None:
    player = player_of("seed")
    seen = observed(PAIR, 1)
    decision = player.decide(seen, 3)
    assert decision.kind is Kind.HINT
    assert decision.ask is not None
    cells = decision.ask.asked(2, 2)
    assert len(cells & {(0, 1), (1, 1)}) == 1
    for mines in (0, 1):
        after = replace(seen, constraints=(Constraint(cells, mines),), hints=2)
        told = player.decide(after, 4)
        assert told.kind is Kind.CERTAIN
        assert told.safe == tuple(cell for cell in ((0, 1), (1, 1)) if (cell in cells) == (mines == 0))


def test_without_hints_it_is_the_other_strategy() -> None:
    seen = observed(PAIR, 1, hints=0)
    for name in ("seed", "exact", "local"):
        player = player_of(name)
        assert player.decide(seen, 3) == player.inner.decide(seen, 3)
        assert (player.name, player.version) == (name, player.inner.version)


def test_no_hint_is_spent_on_what_is_certain_or_on_the_first_click() -> None:
    player = player_of("seed")
    assert player.decide(observed("1#1#", 1), 3).kind is Kind.CERTAIN
    assert player.decide(observed("##\n##", 1), 0).kind is Kind.FIRST


def test_all_questions_are_weighed_and_are_on_the_board() -> None:
    asked = questions(3, 4)
    assert len(set(asked)) == len(asked) == 3 + 4 + 3 * 12
    for question in asked:
        cells = question.asked(3, 4)
        assert cells
        assert all(0 <= row < 3 and 0 <= column < 4 for row, column in cells)


def test_the_same_observation_asks_the_same() -> None:
    seen = observed("1###\n2###\n####", 4)
    assert best_question(seen) == best_question(seen)


def test_where_the_total_is_unknown_it_guesses() -> None:
    seen = observed(PAIR, 1)
    unknown = replace(seen, rules=replace(seen.rules, mines=None))
    assert player_of("exact").decide(unknown, 3).kind is Kind.GUESS


@pytest.mark.parametrize("seed", range(12))
def test_layouts_are_drawn_as_likely_as_they_are(seed: int) -> None:
    """Shifted fields, hints before and after the first click: the draws agree with the exact chances."""
    game = COMP1511.game(COMP1511.rules(5, 4, 5), seed=seed)
    game.ask(Move(Action.COUNT_ROW, 1, 0))
    game.open(1, 2)
    game.ask(Move(Action.COUNT_SQUARE, 2, 3, 3))
    if game.phase.over:
        pytest.skip("this field ends with its first click")
    seen = game.observation
    solved = solve_observation(seen)
    drawn = sample_layouts(seen, 20_000, np.random.default_rng(seed))
    assert drawn is not None
    cells, layouts = drawn
    assert cells == seen.board.where(Cell.COVERED)
    exact = np.array([solved.chance[cell] for cell in cells])
    # Four deviations of 20,000 draws, at most.
    assert np.abs(layouts.mean(axis=0) - exact).max() < 4 * 0.5 / 20_000**0.5
    assert (layouts.sum(axis=1) == 5).all()


@pytest.mark.slow
def test_hints_win_games() -> None:
    won = {
        hints: sum(
            play(
                InProcessTarget(COMP1511.game(seed=seed, hints=hints)), player_of("seed"), chords=False
            ).observation.phase
            is Phase.WON
            for seed in range(40)
        )
        for hints in (0, 3)
    }
    assert won[3] > won[0]
