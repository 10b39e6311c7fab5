"""How games by other people end, and what their flags look like, each in a window of our own that does so."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest
from misbehaving import Wrapped, glyph
from playing import Told, no_record, screen_with, session, unknown_target

from bot.board import Action, Board, Cell, Coordinate, Move, Phase, Rules
from bot.game.game import Game
from bot.geometry import Point
from bot.practice.session import PracticeSession
from bot.screen.virtual import VirtualScreen, VirtualWindow
from bot.session import Play, run_games
from bot.strategy.registry import strategy
from bot.targets.window import WindowTarget
from bot.targets.window.clicked_window import Done
from bot.targets.window.completed_window import MAX_FLAG_ROUNDS, MAX_FLAG_TRIES
from bot.targets.window.events.begun import has_begun
from bot.targets.window.events.restart_search import _has_uncovered, _undone
from bot.targets.window.track.pending_clicks import PendingClick
from bot.vision.grid import Grid, Image
from bot.vision.themes.behaviour import NewGameWay

pytestmark = pytest.mark.slow

FINISHED = "1#1\n111\n..."
"""A small board whose one mine stays covered."""

RIGHT = 3
"""The number of the right button of the mouse."""


@dataclass
class Ends(Wrapped):
    """Starts the next game by one key alone, once it is over."""

    content: PracticeSession
    starts: str = "r"
    keys: list[str] = field(default_factory=list)

    @property
    def is_over(self) -> bool:
        return self.content.game.phase.over

    def image(self) -> Image:
        picture = self.content.image().copy()
        if self.is_over:
            self.draw_end(picture)
        shown: Image = picture
        return shown

    def draw_end(self, picture: Image) -> None:
        """What the end of a game draws over the window."""

    def press(self, x: int, y: int, button: int) -> None:
        if y >= self.content.layout.board.y and not self.is_over:
            super().press(x, y, button)

    def release(self, x: int, y: int, button: int) -> None:
        if y >= self.content.layout.board.y and not self.is_over:
            super().release(x, y, button)

    def key(self, name: str) -> None:
        self.keys.append(name)
        if name == self.starts:
            self.content.key("F2")


@pytest.mark.parametrize(("hidden", "struck"), [(3, []), (99, ["escape"])])
def test_what_blinks_over_a_finished_board_was_not_laid_there_by_a_key(
    hidden: int, struck: list[str]
) -> None:
    """A game that blinks WINNER! was not played on: the first key was taken for what had laid it there."""
    clear, veiled = Board.parse(FINISHED), Board.parse("!!!\n!!!\n...")
    boards = iter([*[veiled] * hidden, *[clear] * 99])
    picture: Image = np.zeros((48, 48, 3), np.uint8)
    keys: list[str] = []
    controls: Any = SimpleNamespace(
        seen=lambda: (picture, SimpleNamespace(board=next(boards))),
        pointer=SimpleNamespace(looks=lambda limit_s, poll_s: iter(range(20))),
        observer=SimpleNamespace(window=None),
        say=lambda text: None,
        strike=lambda names, window: keys.extend(names),
    )
    assert _undone(controls, [None], clear, NewGameWay("key", key="n")) != bool(struck)
    assert keys == struck


@dataclass
class Spoilt(Ends):
    """A page whose finished board is spoilt for good by a click, until it is loaded again."""

    starts: str = "f5"
    is_spoilt: bool = False

    def draw_end(self, picture: Image) -> None:
        if self.is_spoilt:
            board = self.content.layout.board
            picture[board.y + 30 : board.y + 110, board.x : board.right] = (30, 30, 200)

    def press(self, x: int, y: int, button: int) -> None:
        self.is_spoilt |= self.is_over and y >= self.content.layout.board.y
        super().press(x, y, button)

    def key(self, name: str) -> None:
        self.is_spoilt &= name != "f5"
        super().key(name)


def test_a_page_on_which_something_stays_is_loaded_again() -> None:
    """A click on a won board opened a mine, and PERDISTE lay across it: no other way was tried."""
    window, told, screen = Spoilt(session(seed=2)), Told(), VirtualScreen()
    screen.open(VirtualWindow(window, "Mines", Point(40, 40), "chromium"))
    target = unknown_target(screen, told)
    lines = run_games(target, strategy("best"), Play(2), no_record, told)
    assert len(lines) == 2
    assert "a new game is started by the key F5" in told.texts


@pytest.mark.parametrize(
    ("seen", "begun"),
    [
        (FINISHED, False),  # a dialog that hid it has gone
        ("###\n###\n###", True),
        ("##2\n#21\n##.", True),
        ("1#!\n111\n...", False),
    ],
)
def test_the_board_that_was_played_is_no_new_one(seen: str, begun: bool) -> None:
    """Under the veil of an alert covered cells were read as empty: once it was gone, the same board counted
    as another game, and as won once more."""
    veiled, played = Board.parse("!.!\n!!!\n!!!"), Board.parse(FINISHED)
    waiting: Any = SimpleNamespace(steady=True, board=Board.parse(seen))
    assert has_begun(waiting, veiled, played) == begun


@dataclass
class OddFlags(Wrapped):
    """Draws its flags otherwise, and wants them all."""

    content: PracticeSession
    drawn: ClassVar[int] = int(Cell.COVERED)
    clicks: list[Coordinate] = field(default_factory=list)

    def image(self) -> Image:
        picture = self.content.image().copy()
        for row, column in self.content.game.board.where(Cell.FLAG):
            place = self.content.layout.cell(row, column)
            picture[place.y : place.bottom, place.x : place.right] = self.flag(place.width)
        shown: Image = picture
        return shown

    def flag(self, side: int) -> Image:
        return glyph(self.drawn, side)

    def press(self, x: int, y: int, button: int) -> None:
        if button == RIGHT:
            places = np.ndindex(9, 9)
            at = next(one for one in places if self.content.layout.cell(*one).contains(Point(x, y)))
            self.clicks.append((int(at[0]), int(at[1])))
        super().press(x, y, button)


@dataclass
class QuestionFlags(OddFlags):
    drawn: ClassVar[int] = int(Cell.QUESTION)


@dataclass
class ThinFlags(OddFlags):
    """Draws its flags as a few grey pixels."""

    def flag(self, side: int) -> Image:
        cell = glyph(Cell.COVERED, side).copy()
        cell[6:10, 7:9] = 150
        drawn: Image = cell
        return drawn


@dataclass
class Lights(OddFlags):
    """Knows no flags, and lights the cell that was clicked last for a while."""

    since: float = -99.0

    def image(self) -> Image:
        picture = self.content.image().copy()
        if self.clicks and time.perf_counter() - self.since < 0.3:
            place = self.content.layout.cell(*self.clicks[-1])
            picture[place.y : place.bottom, place.x : place.right] = glyph(Cell.EMPTY, place.width)
        shown: Image = picture
        return shown

    def press(self, x: int, y: int, button: int) -> None:
        if button != RIGHT:
            super().press(x, y, button)
            return
        places, self.since = np.ndindex(9, 9), time.perf_counter()
        at = next(one for one in places if self.content.layout.cell(*one).contains(Point(x, y)))
        self.clicks.append((int(at[0]), int(at[1])))

    def release(self, x: int, y: int, button: int) -> None:
        if button != RIGHT:
            super().release(x, y, button)


def all_opened(window: OddFlags) -> tuple[WindowTarget, list[Coordinate]]:
    """What plays the window, of which all but the mines is opened, and these."""
    window.content._game = Game(Rules(9, 9, 10), 3, flags_needed=True)
    target = unknown_target(screen_with(window), Told())
    target.observe()
    target.act([Move(Action.OPEN, 4, 4)])
    truth = window.content.game.truth_for_simulators
    assert truth is not None
    safe = [cell for cell in target.observe().board.where(Cell.COVERED) if not truth.mines[cell]]
    target.act([Move(Action.OPEN, *cell) for cell in safe])
    return target, target.observe().board.where(Cell.COVERED)


def test_flags_that_are_read_as_covered_cells_are_not_set_and_taken_away_for_ever() -> None:
    """A game whose flags are dark on dark was flagged for as long as it was let."""
    window = OddFlags(session(seed=3))
    target, mines = all_opened(window)
    target.observer.take_wins("flagged")
    for _ in range(MAX_FLAG_ROUNDS + 1):
        assert target.complete(mines)
        target._tracker.pending.forget()  # as if the flags had been seen, and then not
    assert {window.clicks.count(cell) for cell in mines} == {MAX_FLAG_ROUNDS}
    assert target.observe().phase is Phase.WON
    assert window.content.game.board.where(Cell.FLAG) == mines


def test_a_flag_that_is_kept_back_does_not_say_what_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody touched the mouse as the one flag was to be set that asks for it: that game, and all after it,
    counted as won once what holds no mine was opened."""
    target, mines = all_opened(OddFlags(session(seed=3)))
    monkeypatch.setattr(target, "_click", lambda pending: Done.REFUSED)
    for _ in range(MAX_FLAG_TRIES):
        assert target.complete(mines)
        assert not target.observer.knows_wins
        assert target.observe().phase is Phase.PLAYING
    assert target.complete(mines)
    assert target.observer.knows_wins, "what is kept back for ever"


def test_a_board_that_moves_while_it_is_flagged_is_flagged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of mines left became narrower above a page: the board moved, and its first flags were set
    and taken away for ever."""
    window = OddFlags(session(seed=3))
    target, mines = all_opened(window)
    target.observer.take_wins("flagged")
    click, sent = target._click, list[Coordinate]()

    def refused(pending: PendingClick) -> Done:
        sent.append(pending.move.cell)
        return Done.REFUSED if len(sent) % 4 == 0 else click(pending)

    monkeypatch.setattr(target, "_click", refused)
    while len(window.clicks) < len(mines):
        assert target.complete(mines)
        target._tracker.pending.forget()
    assert sorted(window.clicks) == sorted(mines)
    assert window.content.game.phase is Phase.WON


def test_question_marks_are_flags_where_there_are_no_others() -> None:
    window = QuestionFlags(session(seed=3))
    target, mines = all_opened(window)
    target.observer.take_wins("flagged")
    # Where all that is covered has the same mark, nothing tells that it is one: the first is set by itself.
    target.act([Move(Action.FLAG, *mines[0])])
    assert target.observe().board.where(Cell.QUESTION) == mines[:1]
    assert target.complete(mines)
    marked = target.observe().board.where(Cell.QUESTION)
    assert set(marked) <= set(mines)
    assert len(marked) > len(mines) / 2
    assert target.complete(mines)
    assert target.observe().phase is Phase.WON
    assert sorted(window.clicks) == sorted(mines)


@pytest.mark.parametrize(
    ("shown", "phase"), [(Cell.UNREAD, Phase.LOST), (Cell.FLAG, Phase.LOST), (Cell.COVERED, Phase.WON)]
)
def test_a_guess_that_has_opened_a_mine_has_lost_though_the_game_goes_on(
    monkeypatch: pytest.MonkeyPatch, shown: Cell, phase: Phase
) -> None:
    """A page shows a star where a mine is opened, and lets all other cells be opened: it was told as won."""
    target, mines = all_opened(OddFlags(session(seed=3)))
    target.observer.take_wins("opened")
    end, board = target._unknown_end, target.observe().board
    assert end is not None
    monkeypatch.setattr(end, "_guesses", [mines[0]])
    monkeypatch.setattr(type(target), "_board", board.replaced(mines[:1], shown))
    assert target.complete(mines)
    assert end.phase is phase


def test_a_cell_that_is_lit_for_a_while_is_not_flagged() -> None:
    """Tk lights the button under the pointer: all 40 mines of a game were flagged four times each."""
    window = Lights(session(seed=3))
    target, mines = all_opened(window)
    assert target.complete(mines)
    assert target.behaviour.wins == "opened"
    assert set(window.clicks) == {mines[0]}


def test_a_flag_of_a_few_pixels_is_seen_and_known_from_then_on() -> None:
    """A game that wants its mines flagged was told as won, for its flag was read as a covered cell."""
    window = ThinFlags(session(seed=3))
    target, mines = all_opened(window)
    assert target.complete(mines)
    assert target.behaviour.wins == "flagged"
    assert target.observe().board.where(Cell.FLAG) == mines[:1]
    assert target.complete(mines)
    target.observe()
    assert window.content.game.phase is Phase.WON


@pytest.mark.parametrize(
    ("shown", "now", "card_before", "card_now", "uncovered"),
    [
        ("!!!\n!!!\n...", FINISHED, True, False, True),
        ("...\n...\n...", FINISHED, True, False, True),
        (FINISHED, FINISHED, False, False, False),
        ("!!!\n!!!\n...", "!!!\n!!!\n...", True, True, False),
        (FINISHED, "!!!\n!!!\n...", False, True, False),
        ("!!!\n!!!\n...", "##\n##", True, False, False),
    ],
    ids=["unread before", "misread before", "nothing", "still there", "laid over it", "another board"],
)
def test_a_click_that_took_away_what_lay_over_the_board_is_known(
    shown: str, now: str, card_before: bool, card_now: bool, uncovered: bool
) -> None:
    """Kivy takes a popup away at a click beside it, also at one on the button for the next game: that started
    none, and was never tried again."""
    clear: Image = np.full((48, 48, 3), 190, np.uint8)
    card: Image = clear.copy()
    card[:32] = 40
    frame, before = (card if there else clear for there in (card_now, card_before))
    controls: Any = SimpleNamespace(
        seen=lambda: (frame, SimpleNamespace(board=Board.parse(now))),
        observer=SimpleNamespace(view=SimpleNamespace(grid=Grid(0, 0, 16, 16, 3, 3))),
    )
    assert _has_uncovered(controls, clear, before, Board.parse(shown)) is uncovered
    # Where no picture is kept without the card, cells that can be read now tell it alone.
    was_unread = uncovered and "!" in shown
    assert _has_uncovered(controls, None, before, Board.parse(shown)) is was_unread
