"""What shows that a click was taken, and how long that is waited for."""

from __future__ import annotations

import numpy as np
import pytest

from bot.board import Action, Board, Cell, Move
from bot.targets.board_changes import continues, differ_only_at, is_one_opening
from bot.targets.window.track.pending_clicks import PendingClick, PendingClicks, ResendDelay


@pytest.mark.parametrize(
    ("action", "before", "board", "taken"),
    [
        (Action.OPEN, "#", "#1", False),
        (Action.OPEN, "?", "?1", False),
        (Action.OPEN, "#", "21", True),
        (Action.OPEN, "#", "X1", True),
        (Action.FLAG, "#", "#1", False),
        (Action.FLAG, "#", "F1", True),
        (Action.FLAG, "F", "F1", False),
        (Action.FLAG, "F", "?1", True),
        (Action.CHORD, "1", "1#", False),
        (Action.CHORD, "1", "1F", True),
    ],
)
def test_taken(action: Action, before: str, board: str, taken: bool) -> None:
    sent = PendingClick(Move(action, 0, 0), Board.parse(before)[0, 0])
    assert sent.took_effect(Board.parse(board)) is taken


def test_clicks_that_took_effect_are_sent_ones_until_a_board_counts() -> None:
    clicks = PendingClicks(0.1)
    for column in (0, 1):
        clicks.add(PendingClick(Move(Action.OPEN, 0, column), 9, at=10.0))
    assert not clicks.lost(Board.parse("11"), 10.0)
    assert not clicks.any
    assert len(clicks.sent) == 2
    clicks.forget()
    assert not clicks.sent


def test_a_chord_is_to_change_the_covered_cells_around_it() -> None:
    # Else they look untouched where other cells are in flight, and the chord is made again at each picture.
    clicks = PendingClicks(0.1)
    clicks.add(PendingClick(Move(Action.CHORD, 1, 1), 1, at=10.0))
    clicks.add(PendingClick(Move(Action.OPEN, 0, 3), 9, at=10.0))
    cells = clicks.cells(Board.parse("F1##\n112#\n.1##"))
    assert sorted(cells) == [(0, 2), (0, 3), (1, 1), (2, 2)]


def test_patience_grows_with_the_lag_and_with_the_attempts() -> None:
    patience, sent = ResendDelay(0.1), PendingClick(Move(Action.OPEN, 0, 0), 9, at=10.0)
    assert not patience.is_over(sent, 10.0, False, 10.09)
    assert patience.is_over(sent, 10.0, False, 10.11)
    patience.took_effect(sent, 10.3)
    assert not patience.is_over(sent, 10.0, False, 10.5)
    assert patience.is_over(sent, 10.0, False, 10.7)
    sent.attempt = 2
    assert not patience.is_over(sent, 10.0, False, 10.7)


def test_what_a_later_click_has_overtaken_is_opened_again_soon() -> None:
    clicks = PendingClicks(0.1)
    first, second = (
        PendingClick(Move(Action.OPEN, 0, column), 9, at=10.0 + column / 1000) for column in (0, 1)
    )
    for click in (first, second):
        clicks.add(click)
    # Seen once, it stays known: the click that took effect is not waited for any more.
    assert clicks.lost(Board.parse("#1"), 10.01) == []
    assert clicks.lost(Board.parse("#1"), 10.03) == [first]
    first.attempt = 2
    assert clicks.lost(Board.parse("#1"), 10.03) == []
    assert clicks.lost(Board.parse("#1"), 10.06) == [first]
    clicks.forget()
    clicks.add(PendingClick(Move(Action.OPEN, 0, 0), 9, at=10.0))
    assert clicks.lost(Board.parse("#1"), 10.06) == []


def test_in_flight_only_what_rests_covered_is_opened_again() -> None:
    clicks = PendingClicks(0.1)
    sent = [PendingClick(Move(Action.OPEN, 0, column), 9, at=10.0) for column in range(3)]
    sent.append(PendingClick(Move(Action.FLAG, 0, 3), 9, at=10.0))
    for click in sent:
        clicks.add(click)
    board, rest = Board.parse("##!#"), np.array([[True, False, True, True]])
    assert clicks.lost_opens(board, rest, 10.05) == []
    assert clicks.lost_opens(board, rest, 10.15) == sent[:1]
    assert len(clicks.cells(board)) == 4  # all of them are still waited for


def test_a_flag_is_set_again_late_unless_a_later_click_was_taken() -> None:
    patience, sent = ResendDelay(0.1), PendingClick(Move(Action.FLAG, 0, 0), 9, at=10.0)
    assert not patience.is_over(sent, 10.0, False, 10.5)
    assert patience.is_over(sent, 10.0, False, 10.9)
    assert patience.is_over(sent, 10.0, True, 10.11)


def test_what_was_opened_stays_opened_in_the_same_game() -> None:
    before = Board.parse("1#\nF#")
    assert continues(before, Board.parse("11\n##"))
    assert continues(before, Board.parse("1X\n**"))
    assert not continues(before, Board.parse("##\n##"))
    assert not continues(before, Board.parse("2#\nF#"))
    assert not continues(before, Board.parse("1##\nF##"))


def test_boards_that_differ_only_where_a_move_was_made() -> None:
    before, flag = Board.parse("1#\n##"), [Move(Action.FLAG, 0, 1)]
    assert differ_only_at(flag, before, Board.parse("1F\n##"))
    assert not differ_only_at(flag, before, Board.parse("1F\n1#"))
    assert not differ_only_at(flag, before, Board.parse("##\n##"))
    assert not differ_only_at(flag, before, Board.parse("1F\n##\n##")), "a board of another size"


@pytest.mark.parametrize(
    ("text", "one"),
    [
        ("1..1#\n1221#\n#####", True),
        ("#####\n#####\n#####", False),  # nothing is opened
        ("1..1#\n12211\n####1", False),  # a number besides
        ("1..1F\n12211\n#####", False),  # a flag
        (".1###\n11###\n###11\n###1.", False),  # two openings
    ],
)
def test_an_opening_that_a_game_begins_with(text: str, one: bool) -> None:
    assert is_one_opening(Board.parse(text)) is one


def test_a_window_that_stood_still_once_has_not_taken_its_clicks_late_many_times() -> None:
    """One stall of a second made each click of a game take half a second."""
    clicks = PendingClicks(0.1)

    def taken(*attempts: int) -> int:
        """How many times in a row clicks came late, once these are seen to work together."""
        board = Board.parse("1" * len(attempts))
        for column, attempt in enumerate(attempts):
            clicks.add(PendingClick(Move(Action.OPEN, 0, column), 9, attempt=attempt, at=10.0))
        assert not clicks.lost(board, 10.0)
        return clicks.late

    assert taken(4, 5, 3) == 1
    assert taken(1, 4) == 0
    assert [taken(3), taken(4)] == [1, 2]
    assert clicks.late_attempt == 4
    assert taken(2) == 0


def test_no_double_click_is_made_of_two_attempts() -> None:
    """On a page the second click selected the 2 that the first one had opened late: it was read as a 4."""
    clicks, board = PendingClicks(0.1, apart_s=0.55), Board.parse("##\n##")
    clicks.add(PendingClick(Move(Action.OPEN, 0, 0), int(Cell.COVERED), at=1.0))
    assert clicks.lost(board, 1.5) == []
    assert [one.move.cell for one in clicks.lost(board, 1.6)] == [(0, 0)]


def test_a_click_elsewhere_in_between_makes_two_clicks_none_double() -> None:
    clicks, board = PendingClicks(0.1, apart_s=0.55), Board.parse("##\n##")
    clicks.add(PendingClick(Move(Action.OPEN, 0, 0), int(Cell.COVERED), at=1.0))
    clicks.add(PendingClick(Move(Action.OPEN, 1, 1), int(Cell.COVERED), at=1.1))
    assert [one.move.cell for one in clicks.lost(board, 1.4)] == [(0, 0)]
    rest = np.ones((2, 2), bool)
    assert [one.move.cell for one in clicks.lost_opens(board, rest, 1.4)] == [(0, 0)]


def test_how_slow_a_window_is_does_not_depend_on_the_pace_of_the_clicks() -> None:
    """At two clicks a second a flag was waited for five seconds on a page that takes a tenth of one."""
    clicks = PendingClicks(0.1)
    for column in range(6):
        clicks.add(PendingClick(Move(Action.OPEN, 0, column), 9, at=10.0 + column / 2))
    assert not clicks.lost(Board.parse("1111##"), 12.6)
    clicks.add(PendingClick(Move(Action.OPEN, 0, 6), 9, at=12.62))
    assert not clicks.lost(Board.parse("1111111"), 12.8)
    assert clicks.slowest_s == pytest.approx(0.3)
    clicks.add(PendingClick(Move(Action.OPEN, 0, 7), 9, at=20.0))
    assert not clicks.lost(Board.parse("1111111#"), 20.5)
    assert clicks.lost(Board.parse("1111111#"), 20.65)


def test_what_came_between_does_not_make_a_window_slow() -> None:
    clicks = PendingClicks(0.1)
    clicks.add(PendingClick(Move(Action.OPEN, 0, 0), 9, at=10.0))
    clicks.disturb()
    assert not clicks.lost(Board.parse("1"), 14.0)
    assert clicks.slowest_s == 0
