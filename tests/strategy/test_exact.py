"""The strategy of exact chances: on positions whose chances were written out, and over whole games."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction

import pytest
from positions import Position, read_positions

from bot.board import LEVELS, Board, Constraint, Coordinate, Observation, Phase, Rules
from bot.errors import ContradictionError
from bot.lab.games import Player, Tally, generated
from bot.lab.simulate import simulate
from bot.strategy.base import Decision, Kind
from bot.strategy.exact import Exact

POSITIONS = read_positions("chances")


def decide(text: str, mines: int | None, *constraints: Constraint) -> Decision:
    board = Board.parse(text)
    rules = Rules(board.columns, board.rows, mines)
    return Exact().decide(Observation(board, Phase.PLAYING, rules, constraints), 1)


def named(position: Position) -> str:
    return position.name


@pytest.mark.parametrize("position", POSITIONS, ids=named)
def test_it_opens_what_is_least_likely_a_mine(position: Position) -> None:
    known: dict[Coordinate, Fraction] = {
        (row, column): Fraction(word)
        for row, words in enumerate(position.known)
        for column, word in enumerate(words)
        if word != "."
    }
    decision = Exact().decide(Observation(position.board, Phase.PLAYING, position.rules), 1)
    lowest = min(known.values())
    assert set(decision.mines) == {cell for cell, chance in known.items() if chance == 1}
    if lowest == 1:
        assert (decision.kind, decision.safe) == (Kind.NONE, ())
    elif lowest == 0:
        assert decision.kind is Kind.CERTAIN
        assert set(decision.safe) == {cell for cell, chance in known.items() if chance == 0}
        assert decision.survival == 1.0
    else:
        (cell,) = decision.safe
        assert decision.kind is Kind.GUESS
        assert known[cell] == lowest
        assert decision.survival == pytest.approx(float(1 - lowest), abs=1e-12)
        assert set(decision.chances) == set(known)


def test_of_equal_cells_a_corner_comes_first_and_then_an_edge() -> None:
    assert decide("####\n####\n1###\n####", 3).safe == ((0, 0),)
    assert decide("xxxx\nx###\nx##x", 2).safe == ((1, 3),)


def test_a_flag_is_no_mine_for_that() -> None:
    # The 1 has one covered cell, and that is not the flagged one.
    decision = decide("#1xF#", 1)
    assert (decision.kind, decision.safe, decision.mines) == (Kind.CERTAIN, ((0, 3), (0, 4)), ((0, 0),))


def test_a_cell_that_was_not_read_is_not_opened() -> None:
    decision = decide("#1x!#", 1)
    assert decision.safe == ((0, 4),)


def test_a_further_constraint_counts() -> None:
    decision = decide("##\n1x", 1, Constraint(frozenset({(0, 0)}), 0))
    assert (decision.kind, decision.safe, decision.mines) == (Kind.CERTAIN, ((0, 0),), ((0, 1),))


@pytest.mark.parametrize(("text", "mines"), [("#3\n##\n1#", None), ("1###\n1###", 0), ("1###", 4)])
def test_a_board_that_cannot_be_is_told(text: str, mines: int | None) -> None:
    with pytest.raises(ContradictionError):
        decide(text, mines)


def test_without_a_total_the_rest_counts_as_a_fifth() -> None:
    decision = decide("3####\n#####\n#####", None)
    assert decision.mines == ((0, 1), (1, 0), (1, 1))
    assert decision.safe == ((0, 4),)
    assert decision.survival == pytest.approx(0.8)
    assert decision.reason == "nothing is certain; the safest cell is a mine with 20.0%"


def test_most_games_of_the_first_level_are_won() -> None:
    tally = Tally()
    simulate(generated(Rules(*LEVELS["beginner"]), 40, seed=1), Player("exact"), played=tally.add)
    assert len(tally.wins) == 40
    assert tally.won > 30


def test_the_list_of_strategies_leaves_the_learned_player_alone() -> None:
    code = "import sys, bot.strategy.registry; print(*(m for m in sys.modules if m.startswith('bot.solver')))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=240)
    assert run.returncode == 0, run.stderr
    loaded = {name.rpartition(".")[2] for name in run.stdout.split()}
    assert "solve" in loaded
    assert not loaded & {"player", "outcomes", "exact_search"}
