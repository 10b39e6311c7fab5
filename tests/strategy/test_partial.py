"""Playing on where it is not known what some opened cells show."""

from __future__ import annotations

from bot.board import Board, Constraint, Coordinate, Observation, Phase, Rules
from bot.strategy.base import Decision, Kind
from bot.strategy.exact import Exact
from bot.strategy.partial import BESIDE, Partial


def decided(text: str, opened: list[Coordinate]) -> Decision:
    """What is opened on a board, some of whose unread cells are known to be opened."""
    board = Board.parse(text)
    facts = tuple(Constraint(frozenset([cell]), 0) for cell in opened)
    rules = Rules(board.columns, board.rows)
    return Partial(Exact()).decide(Observation(board, Phase.PLAYING, rules, facts), 1)


def test_a_guess_falls_beside_the_opened_cell_with_the_fewest_covered_around_it() -> None:
    found = decided("!####\n#####\n#####\n####!", [(0, 0), (3, 4)])
    assert (found.kind, found.rung, found.safe) == (Kind.GUESS, BESIDE, ((0, 1),))
    assert decided("#####\n##!##\n#####\n####!", [(1, 2), (3, 4)]).safe == ((2, 3),)


def test_what_the_numbers_make_likely_to_be_a_mine_is_not_opened_for_that() -> None:
    """Two of the three covered cells around the 2 are mines, and the unread one lies beside all of them."""
    found = decided("!2###\n#####\n#####\n#####\n####!", [(0, 0), (4, 4)])
    assert found.safe == ((3, 3),)


def test_a_cell_that_cannot_be_read_and_may_be_a_mine_draws_no_guess() -> None:
    found = decided("1!###\n#####\n#####\n#####", [])
    assert (found.kind, found.rung) == (Kind.GUESS, "safest")


def test_a_first_click_that_cannot_be_read_protects_no_other() -> None:
    assert decided("!###\n####", []).kind is Kind.GUESS


def test_what_is_certain_is_opened_first() -> None:
    found = decided("!#1#\n!11#\n####\n####", [(0, 0), (1, 0)])
    assert found.kind is Kind.CERTAIN
