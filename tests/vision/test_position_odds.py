"""What is unlikely in a game, beside what its rules forbid."""

from __future__ import annotations

import pytest

from bot.board import Board, Cell
from bot.vision.general.odds.position_odds import (
    ALL_FLAGGED,
    ALL_KNOWN,
    HIDDEN_MINE,
    KNOWN_OF_A_FLAG,
    LONELY_FLAG,
    MORE_EXPLOSIONS,
    MORE_WRONG_FLAGS,
    MOST_KNOWN,
    MOST_NEEDLESS,
    NEEDLESS,
    NO_EXPLOSION,
    ONE_MINE,
    ONLY_WRONG_FLAGS,
    RULE,
    coincidences,
    position_cost,
)


def board(text: str) -> Board:
    return Board.parse(text.replace("/", "\n"))


@pytest.mark.parametrize(
    ("text", "cost"),
    [
        ("1#/11", 0),
        ("1F/11", 0),
        # A number without mines around.
        ("1./..", RULE),
        # Flags that nobody has a reason for.
        ("111##/1###F/1####", LONELY_FLAG),
        ("111##/1###?/1####", 0),
        # Flags that tell all, of which no use is made.
        ("F###/11##", ALL_KNOWN + 3 * KNOWN_OF_A_FLAG),
        ("F###F/11#11", ALL_KNOWN + 2 * KNOWN_OF_A_FLAG),
        ("#####/#111#/#1F1#/#111#/#####", MOST_KNOWN + MOST_NEEDLESS),
        ("F###/12##", 0),
        ("F##/1##", 0),
        # Of a lost game nothing more is opened.
        ("F###x/11###", ONLY_WRONG_FLAGS),
        ("F####/11###/####*", NO_EXPLOSION + ONE_MINE),
        # The end of a lost game.
        ("1X/11", 0),
        ("1*/11", NO_EXPLOSION + ONE_MINE),
        ("**/22", NO_EXPLOSION),
        ("X2/X2", MORE_EXPLOSIONS),
        ("X11#/1111", 3 * HIDDEN_MINE),
        ("X111/111F", ALL_FLAGGED),
        ("X1xxx", 0),
        ("#x", ONLY_WRONG_FLAGS),
        ("X1xxxxx", 2 * MORE_WRONG_FLAGS),
    ],
)
def test_costs(text: str, cost: float) -> None:
    codes = board(text).codes
    assert position_cost(codes) == pytest.approx(cost)
    # Below a limit it is the same, and otherwise it need not be known.
    assert position_cost(codes, cost + 1) == position_cost(codes)
    assert position_cost(codes, cost / 2) >= cost / 2


NEEDLESS_LAKE = board("FFFFF/F535F/F3#3F/F535F/FFFFF")
NEEDED_LAKE = board("FFFFF/F646F/F4#4F/F646F/FFFFF")
WITH_FLAG = board("FFFFF/F535F/F3#3F/F5#5F/FFFFF")


def test_covered_cells_that_need_no_mine_cost_something() -> None:
    assert position_cost(NEEDLESS_LAKE.codes) == pytest.approx(NEEDLESS)
    assert position_cost(NEEDED_LAKE.codes) == 0
    # It goes on at the flags: what lies beyond them is not known to be safe.
    assert position_cost(WITH_FLAG.codes) == 0


def test_numbers_that_fit_a_mine_or_an_empty_cell_are_coincidences() -> None:
    lake = NEEDED_LAKE.codes == Cell.COVERED
    assert coincidences(NEEDED_LAKE.codes, lake, Cell.MINE) == 8
    assert coincidences(NEEDED_LAKE.codes, lake, Cell.EMPTY) == 0
    assert coincidences(NEEDLESS_LAKE.codes, lake, Cell.MINE) == 0
    assert coincidences(NEEDLESS_LAKE.codes, lake, Cell.EMPTY) == 1
