"""The strategies of the two documents: what they open, in which order they guess, and with what chance."""

from __future__ import annotations

import pytest

from bot.board import Board, Constraint, FirstClick, Observation, Phase, Rules
from bot.errors import ContradictionError, UsageError
from bot.strategy.base import Decision, Kind
from bot.strategy.registry import names, strategy
from bot.strategy.risk import ASSUMED_DENSITY

LATER = 5
"""A turn after the rounds of the corners."""


def decide(
    name: str, text: str, mines: int | None, turn: int = 0, first_click: FirstClick = FirstClick.SAFE
) -> Decision:
    board = Board.parse(text)
    rules = Rules(board.columns, board.rows, mines, first_click)
    phase = Phase.PLAYING if (board.codes <= 8).any() else Phase.READY
    return strategy(name).decide(Observation(board, phase, rules), turn)


COVERED_5X4 = "#####\n" * 4


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("first_click", [FirstClick.SAFE, FirstClick.ZERO])
def test_a_protected_first_click_is_no_guess(name: str, first_click: FirstClick) -> None:
    decision = decide(name, COVERED_5X4, 4, first_click=first_click)
    # From where it opens a zero, best clicks a little inside.
    cell = (2, 2) if (name, first_click) == ("best", FirstClick.ZERO) else (0, 0)
    assert (decision.kind, decision.safe, decision.survival) == (Kind.FIRST, (cell,), 1.0)


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize(
    ("mines", "survival", "reason"),
    [
        (3, 1.0, "the first click is never a mine"),
        (4, 1 - 1 / 4845, "the first click is a mine only where its column is full of them"),
        (None, 1.0, "the first click is a mine only where its column is full of them"),
    ],
)
def test_a_shifted_field_protects_but_from_a_full_column(
    name: str, mines: int | None, survival: float, reason: str
) -> None:
    decision = decide(name, COVERED_5X4, mines, first_click=FirstClick.SHIFTED)
    assert (decision.kind, decision.reason) == (Kind.FIRST, reason)
    assert decision.survival == pytest.approx(survival, abs=1e-12)


@pytest.mark.parametrize("name", names())
def test_an_unprotected_first_click_is_a_guess(name: str) -> None:
    decision = decide(name, COVERED_5X4, 4, first_click=FirstClick.ANY)
    assert (decision.kind, decision.safe) == (Kind.GUESS, ((0, 0),))
    assert decision.survival == pytest.approx(0.8)


@pytest.mark.parametrize("name", names())
def test_what_is_safe_is_opened_all_at_once(name: str) -> None:
    decision = decide(name, "1#321.\n24##2.\n####2.\n##x21.\n###21.\n####1.", None)
    assert decision.kind is Kind.CERTAIN
    assert (4, 2) in decision.safe
    assert {(2, 2), (5, 2)} <= set(decision.mines)
    assert decision.survival == 1.0


def test_each_player_names_the_rung_it_needed() -> None:
    text = "1#321.\n24##2.\n####2.\n###21.\n###21.\n####1."
    assert decide("seed", text, None).rung == "contradiction"
    assert decide("best", text, None).rung == "exact"
    assert decide("local", text, None).rung == "pair"
    assert decide("seed", text, None).safe == ((3, 2), (4, 2))
    assert decide("local", text, None).reason == "safe: 2 by pair"


def test_only_best_and_local_use_the_total() -> None:
    for name, kind in (("best", Kind.CERTAIN), ("local", Kind.CERTAIN), ("seed", Kind.GUESS)):
        assert decide(name, "#1x##", 1).kind is kind


def test_best_sees_what_single_suppositions_do_not() -> None:
    # The 3 and the 1 share three cells: two mines beside the 3 alone, and then 0,2 is one of theirs.
    text = "###x\n#31x\nx#xx"
    assert (1, 0) in decide("best", text, None).mines
    assert (1, 0) not in decide("seed", text, None).mines


@pytest.mark.parametrize(
    ("text", "corner"),
    [
        ("#####\n##1##\n#####\n#####", (0, 0)),
        ("1####\n#####\n#####\n#####", (3, 0)),
        ("1####\n#####\n#####\n1####", (3, 4)),
        ("1####\n#####\n#####\n1###1", (0, 4)),
    ],
)
def test_the_first_rounds_guess_untried_corners_anticlockwise(text: str, corner: tuple[int, int]) -> None:
    decision = decide("seed", text, 4, turn=4)
    assert (decision.kind, decision.rung, decision.safe) == (Kind.GUESS, "corner", (corner,))
    assert decide("seed", text, 4, turn=LATER).rung != "corner"


def test_a_corner_guess_tells_its_plain_risk() -> None:
    decision = decide("seed", "#2##\n####\n####", 3, turn=1)
    assert decision.safe == ((0, 0),)
    assert decision.survival == pytest.approx(1 - 2 / 5)
    assert decide("seed", "2###\n####\n####", 5, turn=1).survival == pytest.approx(1 - 5 / 11)


def test_a_corner_that_is_a_mine_is_not_guessed() -> None:
    # 0,0 is the only cell that the 1 below it leaves.
    decision = decide("seed", "#x##\n1x##\nxx##\n####", 5, turn=1)
    assert decision.mines == ((0, 0),)
    assert decision.safe == ((3, 0),)
    assert decision.survival == pytest.approx(1 - 4 / 10)


def test_later_a_pair_of_fifty_fifty_comes_before_a_lower_risk() -> None:
    # The 1 at 0,4 has two cells; the cells beyond hold one mine in six.
    decision = decide("seed", "####1\n####x\n###x#", 2, turn=LATER)
    assert decision.rung == "50/50 pair"
    assert decision.safe == ((0, 3),)
    assert decision.survival == pytest.approx(0.5)


def test_else_the_lowest_plain_risk_in_row_order() -> None:
    decision = decide("seed", "#####\n##2##\n#####\n#####", 3, turn=LATER)
    assert decision.rung == "lowest risk"
    assert decision.safe == ((0, 0),)
    assert decision.survival == pytest.approx(1 - 3 / 19)
    assert decision.chances[(0, 1)] == pytest.approx(2 / 8)
    assert len(decision.chances) == 19
    # With more mines elsewhere, beside the number is safer.
    assert decide("seed", "#####\n##2##\n#####\n#####", 8, turn=LATER).safe == ((0, 1),)


def test_the_plain_risk_is_the_largest_of_its_numbers() -> None:
    decision = decide("seed", "#####\n1###3\n#####", 4, turn=LATER)
    assert decision.chances[(0, 1)] == pytest.approx(1 / 5)
    assert decision.chances[(0, 3)] == pytest.approx(3 / 5)
    assert decide("seed", "#####\n1#3##\n#####", 4, turn=LATER).chances[(0, 1)] == pytest.approx(3 / 8)


def test_cells_beside_no_number_come_last_where_the_total_is_unknown() -> None:
    text = "3####\n#####\n#####"
    decision = decide("seed", "2####\n#####\n#####", None, turn=LATER)
    assert decision.safe == ((0, 1),)
    assert decision.survival == pytest.approx(1 / 3)
    beyond = decide("seed", text, None, turn=LATER)
    assert beyond.mines == ((0, 1), (1, 0), (1, 1))
    assert beyond.safe == ((0, 2),)
    assert beyond.survival == pytest.approx(1 - ASSUMED_DENSITY)


@pytest.mark.parametrize("name", names())
def test_nothing_to_open_is_no_move(name: str) -> None:
    decision = decide(name, "#1", 1)
    assert (decision.kind, decision.safe, decision.mines) == (Kind.NONE, (), ((0, 0),))


def test_local_never_guesses() -> None:
    decision = decide("local", "####1\n####x\n###x#", 2, turn=3)
    assert (decision.kind, decision.safe) == (Kind.NONE, ())


@pytest.mark.parametrize("name", names())
def test_wrong_flags_are_not_trusted(name: str) -> None:
    decision = decide(name, "##FF\n11xx", None, turn=LATER)
    assert decision.safe == ((0, 2),)


def test_a_known_mine_is_never_guessed_and_wrong_totals_do_no_harm() -> None:
    # One mine at 0,0 is certain; a total of 0 leaves less than nothing for the rest.
    decision = decide("seed", "#1x##", 0, turn=LATER)
    assert decision.safe == ((0, 3),)
    assert decision.survival == 1.0


@pytest.mark.parametrize("name", names())
def test_an_impossible_board_is_told(name: str) -> None:
    with pytest.raises(ContradictionError):
        decide(name, "#2", None)


def test_further_constraints_are_not_used() -> None:
    board = Board.parse("##\n1x")
    constraint = Constraint(frozenset({(0, 0)}), 0)
    observation = Observation(board, Phase.PLAYING, Rules(2, 2, 1), (constraint,))
    assert strategy("local").decide(observation, 1).kind is Kind.NONE


def test_the_default_is_best_and_an_unknown_name_lists_them() -> None:
    assert names() == ("best", "exact", "seed", "local")
    assert [strategy(name).name for name in names()] == list(names())
    with pytest.raises(UsageError, match="best, exact, seed, local"):
        strategy("luck")
