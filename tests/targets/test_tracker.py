"""What a sequence of pictures means: the tracker alone, with pictures and times that the tests make up."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest

from bot.board import Action, Board, Cell, Move, Observation, Phase, Rules
from bot.targets.board_changes import continues
from bot.targets.window.track.pending_clicks import PendingClick
from bot.targets.window.track.settle_times import SettleTimes
from bot.targets.window.track.tracker import Tracker, Waiting
from bot.targets.window.track.unknown_end import UnknownGameEnd
from bot.vision.grid import Grid, Image
from bot.vision.reading import Reading

COVERED = Board.parse("###\n###\n###")
OPENED = Board.parse("1##\n###\n###")
MORE = Board.parse("12#\n###\n###")
IMPOSSIBLE = Board.parse(".##\n###\n###")
OTHERWISE_IMPOSSIBLE = Board.parse("##.\n###\n###")
LOST = Board.parse("1*#\n###\n###")


@dataclass
class FakeReader:
    """Reads what the test says; a picture is the board's codes and a shade."""

    changed: int = 0
    mines: int = 1
    distance: float = 1.0
    """Of each cell from what it is read as."""

    def read(self, image: Image, *, header: bool = False) -> Reading:
        board = Board(image[..., 0].astype(np.int8))
        return Reading(board, np.full(board.codes.shape, self.distance, np.float32), counter=self.mines)


@dataclass
class FakeWindow:
    """As much of an observer as the tracker asks."""

    reader: FakeReader = field(default_factory=FakeReader)
    rules: Rules = field(default_factory=lambda: Rules(3, 3, 1))
    partial: bool = False
    is_unknown: bool = False
    is_dimmed: bool = False
    has_new_looks: bool = False
    openings_stop: bool = False
    grid: Grid = field(default_factory=lambda: Grid(0, 0, 1, 1, columns=3, rows=3))

    @property
    def view(self) -> Any:
        return self

    def cells_of(self, picture: Image) -> Image:
        return picture[..., :1]

    def rules_of(self, reading: Reading) -> Rules:
        return Rules(3, 3, reading.counter)

    def faults(self, board: Board) -> list[Any]:
        return list(board.faults(self.rules))

    def phase(self, board: Board, frame: Image, *, end_hides_board: bool) -> Phase | None:
        if board.finished:
            return Phase.LOST
        return Phase.READY if board.all_covered else Phase.PLAYING

    def is_fresh(self, board: Board) -> bool:
        return board.all_covered

    def reported_by_dialog(self) -> Phase | None:
        return None


class Film:
    """A tracker and the pictures that it is shown, one every 10 ms unless a test says otherwise."""

    def __init__(self, times: SettleTimes, resend_after_s: float = 0.1) -> None:
        self.window = FakeWindow()
        observer: Any = self.window
        self.tracker = Tracker(
            observer, times, None, lambda new: self.window.partial, resend_after_s=resend_after_s
        )
        self.now = 100.0
        self._before: Image | None = None
        self.tracker.restart(self.now)

    def show(self, board: Board, *, shade: int = 0, wait_s: float = 0.01) -> Observation | Waiting:
        """What comes of one more picture; `shade` colours what is no part of what is read."""
        self.now += wait_s
        codes = board.codes.astype(np.uint8)
        picture = np.stack([codes, np.full_like(codes, shade), codes], axis=2)
        self.window.reader.changed = 0 if self._before is not None and same(picture, self._before) else 9
        self._before = picture
        return self.tracker.update(picture, self.window.reader.read(picture), self.now)

    def until(self, board: Board, limit_s: float = 5.0) -> float:
        """For how many seconds a board must be shown until it counts."""
        begin = self.now
        while self.now - begin < limit_s:
            if isinstance(self.show(board), Observation):
                return self.now - begin
        pytest.fail("it never counts")


def same(one: Image, other: Image) -> bool:
    return np.array_equal(one[..., 0], other[..., 0])


def unknown_game(*boards: Board) -> tuple[Film, UnknownGameEnd]:
    """A game that no theme knows, with boards of which each has counted, and what follows its end."""
    film, end = Film(SettleTimes.of_unknown()), UnknownGameEnd()
    film.tracker._end = end
    film.window.is_unknown, film.window.rules = True, Rules(3, 3, None)
    film.window.faults = lambda board: []  # type: ignore[method-assign]
    for board in boards:
        film.until(board)
    return film, end


def bot() -> Film:
    film = Film(SettleTimes.of_bot(0.0))
    film.until(COVERED)
    return film


def test_one_picture_proves_nothing() -> None:
    film = bot()
    first = film.show(OPENED)
    assert isinstance(first, Waiting)
    assert not first.steady
    second = film.show(OPENED)
    assert isinstance(second, Observation)
    assert (second.board, second.phase) == (OPENED, Phase.PLAYING)


def test_how_often_a_board_was_looked_at_is_told_beside_the_time() -> None:
    film = bot()
    stalled = film.show(OPENED, wait_s=7.0)  # the machine was busy
    assert isinstance(stalled, Waiting)
    assert (stalled.unsteady_s > 6.9, stalled.unsteady_looks) == (True, 1)
    for turn in range(9):
        moving = film.show(COVERED if turn % 2 else OPENED, wait_s=0.5)
    assert isinstance(moving, Waiting)
    assert moving.unsteady_looks >= 5


def test_new_rules_take_longer_than_those_of_the_game_before() -> None:
    same_rules, new_rules = Film(SettleTimes.of_bot(0.0)), Film(SettleTimes.of_bot(0.0))
    new_rules.window.reader.mines = 2
    assert same_rules.until(COVERED) < 0.1 < 0.2 < new_rules.until(COVERED) < 0.3
    assert new_rules.window.rules.mines == 2
    assert new_rules.tracker.fresh


@pytest.mark.parametrize("times", [SettleTimes.of_bot(0.0), SettleTimes.of_spectator(0.0)])
def test_the_rules_of_another_game_are_read_where_somebody_has_played_in_it_already(
    times: SettleTimes,
) -> None:
    """It was played with the total of the game before."""
    begun = Board.parse("###\n#2#\n###")
    same_rules, new_rules = Film(times), Film(times)
    for film in (same_rules, new_rules):
        film.until(COVERED)
        film.until(MORE)
    new_rules.window.reader.mines = 2
    assert isinstance(new_rules.show(MORE, shade=1), Observation)
    assert new_rules.window.rules.mines == 1, "the counter alone begins no game"
    assert same_rules.until(Board.parse("###\n#1#\n###")) < 0.1 < 0.2 < new_rules.until(begun) < 0.3
    assert new_rules.window.rules.mines == 2
    assert not new_rules.tracker.fresh


def test_a_game_that_moves_its_pieces_must_rest() -> None:
    film = Film(SettleTimes.of_bot(0.06))
    assert 0.05 < film.until(COVERED) < 0.1
    film.until(MORE)
    assert film.until(Board.parse("###\n#1#\n###")) > 0.9, "another game may be pieces over opened cells"


def test_a_picture_that_is_drawn_in_part_is_no_other_game() -> None:
    """Its lower part shows cells that were opened as they were before."""
    film = bot()
    film.until(MORE)
    for _ in range(2):
        assert isinstance(film.show(OPENED), Waiting)
    assert isinstance(film.show(MORE), Waiting)
    assert film.until(MORE) < 0.02
    assert 0.03 <= film.until(OPENED) < 0.06


def test_an_impossible_board_says_why_and_for_how_long() -> None:
    film = bot()
    for _ in range(20):
        seen = film.show(IMPOSSIBLE)
    assert isinstance(seen, Waiting)
    assert seen.faults
    assert seen.steady
    assert not seen.possible
    assert 0.15 < seen.impossible_s < 0.25
    assert seen.moving_s == 0


def test_a_board_that_may_be_a_part_of_another_does_not_count() -> None:
    film = bot()
    film.window.partial = True
    for _ in range(50):
        seen = film.show(OPENED)
    assert isinstance(seen, Waiting)
    assert seen.partial
    assert not seen.possible


def test_a_click_without_effect_is_lost_after_a_while() -> None:
    film = bot()
    film.tracker.pending.add(PendingClick(Move(Action.OPEN, 0, 0), int(Cell.COVERED), at=film.now))
    seen = film.show(COVERED)
    assert isinstance(seen, Waiting)
    assert not seen.lost
    seen = film.show(COVERED, wait_s=0.2)
    assert isinstance(seen, Waiting)
    assert [one.move.cell for one in seen.lost] == [(0, 0)]
    film.show(OPENED)
    assert isinstance(film.show(OPENED), Observation)


def early(film: Film, board: Board) -> Observation | None:
    """What may be acted on in one more picture of a board that does not count yet."""
    seen = film.show(board)
    assert isinstance(seen, Waiting)
    assert film._before is not None
    return film.tracker.early(film._before, seen, film.now)


def test_what_the_first_click_opens_counts_while_the_rest_is_drawn() -> None:
    film = bot()
    assert early(film, OPENED) is None  # nobody of us has clicked: somebody else plays
    film = bot()
    film.tracker.pending.add(PendingClick(Move(Action.OPEN, 0, 0), Cell.COVERED, at=film.now))
    assert film.tracker.fresh
    early(film, OPENED)
    seen = early(film, MORE)
    assert seen is not None
    assert seen.board == Board.parse("1!#\n###\n###")
    assert film._before is not None
    film.tracker.take_early(film._before, seen)
    assert not film.tracker.fresh


def test_a_number_that_is_shown_to_the_pixel_counts_in_the_first_picture() -> None:
    film = bot()
    film.window.reader.distance = 0.0
    film.tracker.pending.add(PendingClick(Move(Action.OPEN, 0, 0), Cell.COVERED, at=film.now))
    early(film, OPENED)
    seen = early(film, Board.parse("12#\n###\n.##"))
    assert seen is not None
    # What looks empty may be pressed, or have a number that is not drawn yet.
    assert seen.board == Board.parse("12#\n###\n!##")


def test_a_lost_click_is_sent_again_while_other_cells_are_drawn() -> None:
    film = bot()
    film.until(OPENED)
    clicks = [PendingClick(Move(Action.OPEN, 2, column), Cell.COVERED, at=film.now) for column in (0, 2)]
    for click in clicks:
        film.tracker.pending.add(click)
    lost = []
    for turn in range(16):
        # Something goes on in the middle, and the left one of the two cells is opened.
        seen = film.show(Board.parse(f"1{'2#'[turn % 2]}#\n###\n1##"))
        assert isinstance(seen, Waiting)
        assert film._before is not None
        if film.tracker.early(film._before, seen, film.now) is not None:
            lost.append((turn, film.tracker.lost_early(seen, film.now)))
    assert [found for turn, found in lost if turn < 9] == [[]] * 9
    assert lost[-1][1] == clicks[1:]


def test_the_end_of_a_game_waits_for_its_mines() -> None:
    film = bot()
    film.until(OPENED)
    film.show(LOST)
    assert isinstance(film.show(LOST, wait_s=0.005), Waiting)
    ended = film.show(LOST, wait_s=0.03)
    assert isinstance(ended, Observation)
    assert ended.phase is Phase.LOST


@pytest.mark.parametrize("others", [True, False])
def test_what_moves_beside_the_cells_says_nothing_of_who_clicks(others: bool) -> None:
    """One name stood for both."""
    film = Film(replace(SettleTimes.of_bot(0.0), only_cells=not others, others_click=others))
    film.until(COVERED)
    assert film.tracker.pending.touched is others


def test_a_press_is_no_opening_for_who_looks_on() -> None:
    bot_s, spectator = bot(), Film(SettleTimes.of_spectator(0.0))
    spectator.until(COVERED)
    assert bot_s.until(OPENED) < 0.03 < spectator.until(OPENED) < 0.1


def test_cells_that_shimmer_count_for_who_looks_on_once_they_read_the_same() -> None:
    film = Film(SettleTimes.of_spectator(0.0))
    begin, shade = film.now, 0
    while isinstance(film.show(COVERED, shade=shade), Waiting):
        film._before, shade = None, 1 - shade
        assert film.now - begin < 2
    assert film.now - begin > 1.4


def test_a_board_that_was_impossible_has_not_been_moving() -> None:
    """A spectator that waited through a fault said that the board did not come to rest, as soon as it could
    be again."""
    film = Film(SettleTimes.of_spectator(0.0))
    film.until(COVERED)
    for number in range(6):
        film.show((IMPOSSIBLE, OTHERWISE_IMPOSSIBLE)[number % 2], wait_s=1.0)
    seen = film.show(OPENED)
    assert isinstance(seen, Waiting)
    assert seen.possible
    assert seen.moving_s < 0.1


@pytest.mark.parametrize("hides_cells", [False, True])
def test_a_picture_with_something_over_its_board_is_none_of_the_middle_of_a_game(hides_cells: bool) -> None:
    film = Film(SettleTimes.of_unknown())
    film.window.is_unknown = True
    film.until(OPENED)
    before = film.tracker.in_play
    assert before is not None
    later = OPENED.replaced([(0, 0)], Cell.UNREAD) if hides_cells else OPENED
    film.window.is_dimmed = not hides_cells
    film.window.rules = Rules(3, 3, None)
    film.window.faults = lambda board: []  # type: ignore[method-assign]
    film.tracker.restart(film.now)
    film.until(later)
    assert film.tracker.in_play is before
    film.window.is_dimmed = False
    film.until(OPENED)
    assert film.tracker.in_play is not before


def test_what_lies_over_a_finished_board_is_no_other_game() -> None:
    """kmines lays its High Scores over a board, and their edges were read as covered cells."""
    wide, over = "1#1\n111\n...\n...", "1*1\n11!\n..#\n..."
    film = Film(SettleTimes.of_unknown())
    film.window.is_unknown, film.window.rules = True, Rules(3, 4, 1)
    film.window.faults = lambda board: []  # type: ignore[method-assign]
    film.until(Board.covered(3, 4))
    film.until(Board.parse(wide))
    film.until(Board.parse(over))
    assert film.tracker.last is not None
    assert film.tracker.last.phase is Phase.LOST
    assert film.tracker.last.board == Board.parse("1*1\n111\n...\n...")


def test_what_looks_like_another_game_is_searched_for_before_it_counts() -> None:
    """A text that came above a board moved it by a row, and what lay at its old place was another game."""
    film, other = Film(SettleTimes.of_unknown()), Board.parse("###\n111\n1##")
    film.window.is_unknown, film.window.rules = True, Rules(3, 3, None)
    film.window.faults = lambda board: []  # type: ignore[method-assign]
    for board in (COVERED, Board.parse("111\n1##\n1##")):
        film.until(board)
    for elsewhere in (True, True, False):
        seen = [film.show(other) for _ in range(200)]
        assert all(isinstance(one, Waiting) for one in seen), "nobody has searched, or it was elsewhere"
        assert isinstance(seen[-1], Waiting)
        assert seen[-1].partial
        film.tracker.note_search(elsewhere=elsewhere)
    film.until(other)
    seen = [film.show(Board.parse("1##\n###\n##1")) for _ in range(200)]
    assert all(isinstance(one, Waiting) for one in seen), "the next one is searched for again"
    film.tracker.note_search(elsewhere=False)
    assert all(isinstance(film.show(Board.parse("##2\n2##\n#2#")), Waiting) for _ in range(200)), (
        "it was another board that was searched for"
    )


def test_what_was_read_beside_the_place_of_a_board_is_none_of_its_game() -> None:
    film, end = unknown_game(COVERED, OPENED)
    end.seen = Board.parse("###\n1##\n###")
    film.tracker.forget_misplaced()
    assert end.seen == OPENED


def test_the_end_of_a_larger_game_that_somebody_else_began_is_its_own() -> None:
    larger = Board.parse("1*##\n1###\n####\n###X")
    film, end = unknown_game(COVERED, OPENED)
    end.declare(Phase.LOST, "mines that were shown from the beginning")
    end.seen = None
    film.window.grid, film.window.rules = Grid(0, 0, 1, 1, columns=4, rows=4), Rules(4, 4, None)
    film.tracker.restart(film.now)
    film.until(larger)
    assert film.tracker.last is not None
    assert (film.tracker.last.board, film.tracker.last.phase) == (larger, Phase.LOST)


def test_a_mine_on_a_guess_ends_its_game_where_the_board_has_moved_too() -> None:
    before = Board.parse("111\n1##\n###")
    film, end = unknown_game(COVERED, before)
    end.acted([(2, 1)], certain=False)
    film.until(Board.parse("###\n111\n1*#"))
    assert film.tracker.last is not None
    assert film.tracker.last.phase is Phase.LOST
    assert continues(before, film.tracker.last.board)
