"""Openings that stop beside covered cells, by what is seen of the window."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import pytest

from bot.board import Action, Board, Cell, Constraint, Coordinate, Move, Observation, Phase, Rules
from bot.targets.window.track.stopped_openings import KNOWN_S, STOPPED_S, UNPROVEN_S, StoppedOpenings

COVERED = Board.parse("####\n####\n####")
ALONE = Board.parse("####\n#.##\n####")
CLICKED = [Move(Action.OPEN, 1, 1)]


@dataclass
class FakeWindow:
    """As much of an observer as is asked."""

    proven: list[Coordinate] = field(default_factory=list)
    is_unknown: bool = True
    openings_stop: bool = False

    def is_proven_empty(self, cell: Coordinate) -> bool:
        return cell in self.proven

    def take_stopped_openings(self, stop: bool) -> None:
        self.openings_stop = stop


def unproven(
    window: FakeWindow, board: Board, sent: list[Move], rests_s: float, before: Board = COVERED
) -> Iterable[Coordinate] | None:
    observer: Any = window
    faults = board.faults(Rules(board.columns, board.rows))
    return StoppedOpenings(observer).unproven(board, before, sent, faults, rests_s)


def test_an_empty_cell_that_a_click_opened_alone_is_unproven_once_it_rests() -> None:
    assert unproven(FakeWindow(), ALONE, CLICKED, UNPROVEN_S) == frozenset([(1, 1)])
    assert unproven(FakeWindow(), ALONE, CLICKED, UNPROVEN_S - 0.1) is None
    assert unproven(FakeWindow(openings_stop=True), ALONE, CLICKED, KNOWN_S) == frozenset([(1, 1)])


def test_one_that_looks_as_proven_ones_do_is_believed() -> None:
    window = FakeWindow([(1, 1)], openings_stop=True)
    assert unproven(window, ALONE, CLICKED, KNOWN_S) == frozenset()
    assert unproven(window, ALONE, CLICKED, KNOWN_S - 0.1) is None
    # In other games it is pressed, and will show a number.
    assert unproven(FakeWindow([(1, 1)]), ALONE, CLICKED, UNPROVEN_S) == frozenset([(1, 1)])
    assert unproven(FakeWindow([(1, 1)]), ALONE, CLICKED, STOPPED_S) is None


@pytest.mark.parametrize(
    ("window", "board", "sent"),
    [
        (FakeWindow(is_unknown=False), ALONE, CLICKED),  # a theme knows its game
        (FakeWindow([(1, 1)]), ALONE, []),  # nothing that we did
        (FakeWindow(), Board.parse("####\n#.1#\n####"), []),
        (FakeWindow(), Board.parse("####\n#.##\n###9".replace("9", "1")), [Move(Action.OPEN, 0, 0)]),
        (FakeWindow([(1, 1)]), Board.parse("####\n#.##\n##F2"), CLICKED),  # that 2 cannot be, either
        (FakeWindow(), COVERED, CLICKED),
        (FakeWindow(), Board.parse("#.##\n#1##\n####"), CLICKED),  # a number opens nothing beside it
    ],
)
def test_anything_else_is_no_stopped_opening(window: FakeWindow, board: Board, sent: list[Move]) -> None:
    assert unproven(window, board, sent, 9.0) is None


def test_openings_to_the_sides_need_no_click_of_ours() -> None:
    board = Board.parse("#1##\n1.1#\n#1##")
    assert unproven(FakeWindow([(1, 1)]), board, [], STOPPED_S) == frozenset()
    assert unproven(FakeWindow(), board, [], UNPROVEN_S) is None


def test_what_was_opened_in_this_game_stays_ours() -> None:
    window: Any = FakeWindow()
    openings = StoppedOpenings(window)
    faults = ALONE.faults(Rules(4, 3))

    def seen() -> Iterable[Coordinate] | None:
        return openings.unproven(ALONE, ALONE, [], faults, UNPROVEN_S)

    openings.counted(ALONE, COVERED, CLICKED, None)
    assert seen() == frozenset([(1, 1)])
    openings.counted(COVERED, ALONE, [], None)
    assert seen() is None, "somebody began another game"
    openings.counted(ALONE, COVERED, CLICKED, None)
    openings.forget_game()
    assert seen() is None


def test_openings_are_known_to_stop_once_they_have_beside_two_cells_and_no_number_comes_there() -> None:
    window: Any = FakeWindow()
    openings, two = StoppedOpenings(window), Board.parse("####\n#.#.\n####")
    openings.counted(ALONE, COVERED, CLICKED, [(1, 1)])
    assert not window.openings_stop
    openings.counted(two, ALONE, [Move(Action.OPEN, 1, 3)], [(1, 1), (1, 3)])
    assert window.openings_stop
    openings.counted(two.replaced([(1, 3)], 2), two, [], None)
    assert not window.openings_stop


def test_of_unproven_cells_nothing_is_believed_but_that_they_are_no_mines() -> None:
    window: Any = FakeWindow()
    seen = Observation(ALONE, Phase.PLAYING, Rules(4, 3))
    believed = StoppedOpenings(window).believed(seen, [(1, 1)])
    assert believed.board == ALONE.replaced([(1, 1)], Cell.UNREAD)
    assert believed.constraints == (Constraint(frozenset([(1, 1)]), 0),)
    assert StoppedOpenings(window).believed(seen, []) is seen
