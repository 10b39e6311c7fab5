"""What games by other people do that no theme knows, each in a window of our own that does the same."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any, ClassVar

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from misbehaving import Wrapped, glyph, window_of
from playing import (
    INTERVAL_S,
    Told,
    guess_a_mine,
    no_record,
    screen_with,
    session,
    target_on,
    unknown_target,
)

from bot.board import Action, Board, Cell, Coordinate, FaultKind, Move, Phase, Result, Rules
from bot.cli.parts.board_search import find_all_boards, read_otherwise, with_unknown
from bot.errors import ThemeMisfit
from bot.geometry import Point, Rect
from bot.practice.session import PracticeSession
from bot.screen.virtual import VirtualScreen, VirtualWindow
from bot.screen.windows import Window
from bot.session import Play, run_games
from bot.strategy.base import Kind
from bot.strategy.partial import BESIDE, Partial
from bot.strategy.registry import strategy
from bot.targets.window import WindowTarget
from bot.targets.window.act.pointer import HOLDS_S, Pointer
from bot.targets.window.looks import LooksReader
from bot.targets.window.observe.observed_window import ObservedWindow
from bot.targets.window.play_settings import PlaySettings
from bot.targets.window.track.stopped_openings import StoppedOpenings
from bot.vision.grid import Image
from bot.vision.themes.theme import load_theme

pytestmark = pytest.mark.slow

GREEN, WHITE = (40, 130, 20), (250, 250, 250)
RIGHT = 3
"""The number of the right button of the mouse."""

MENU = Point(150, 220)
"""Width and height of a menu, in pixels."""


@dataclass
class Won(Wrapped):
    """Leaves the mines of a won game covered, or paints them, and opens a menu at a right click, which Escape
    closes."""

    content: PracticeSession
    is_painted: bool = False
    menu: Point | None = None
    keys: list[str] = field(default_factory=list)

    def image(self) -> Image:
        picture = self.content.image().copy()
        if self.content.game.phase is Phase.WON:
            for row, column in self.mines():
                self.draw(picture, (row, column), glyph(Cell.COVERED, self.content.layout.cell(0, 0).width))
                if self.is_painted:
                    place = self.content.layout.cell(row, column)
                    picture[place.y + 1 : place.bottom - 1, place.x + 1 : place.right - 1] = GREEN
        if self.menu is not None:
            picture[self.menu.y : self.menu.y + MENU.y, self.menu.x : self.menu.x + MENU.x] = WHITE
        shown: Image = picture
        return shown

    def mines(self) -> list[Coordinate]:
        truth = self.content.game.truth_for_simulators
        assert truth is not None
        return [(int(row), int(column)) for row, column in np.argwhere(truth.mines)]

    def draw(self, picture: Image, cell: Coordinate, drawn: Image) -> None:
        place = self.content.layout.cell(*cell)
        picture[place.y : place.bottom, place.x : place.right] = drawn

    def press(self, x: int, y: int, button: int) -> None:
        if button == RIGHT:
            self.menu = Point(x, y)
        elif self.menu is None:
            super().press(x, y, button)

    def release(self, x: int, y: int, button: int) -> None:
        if button != RIGHT:
            super().release(x, y, button)

    def key(self, name: str) -> None:
        self.keys.append(name)
        if name == "escape":
            self.menu = None
        super().key(name)


def won(window: Won, program: str = "practice") -> Told:
    return won_on(window, program)[1]


def won_on(window: Won, program: str = "practice") -> tuple[WindowTarget, Told]:
    """What played a game that was won, and what it said."""
    screen, told = VirtualScreen(), Told()
    screen.open(VirtualWindow(window, "Mines", Point(40, 40), program))
    target = unknown_target(screen, told)
    (line,) = run_games(target, strategy("best"), Play(), no_record, told)
    assert line.outcome is Result.WON, line.reason
    return target, told


def test_mines_that_are_drawn_anew_tell_a_win_and_are_not_flagged() -> None:
    window = Won(session(seed=2), is_painted=True)
    target, _ = won_on(window)
    assert (window.menu, window.keys) == (None, [])
    reader = target.observer.reader
    seen = [reader.read(target.observer.grab()).board for _ in range(2)][-1]
    assert seen.count(Cell.MINE) == 10, "what they look like is known in the next game"


def test_a_menu_that_a_right_click_opens_is_closed() -> None:
    window = Won(session(seed=2))
    told = won(window, "chromium")
    assert window.menu is None
    assert window.keys == ["escape"]
    assert "what a right click opened is closed by Escape" in told.texts


def test_no_program_but_a_browser_gets_escape_for_that() -> None:
    """A game in Kivy quits at Escape."""
    window = Won(session(seed=2))
    won(window)
    assert window.keys == []


@dataclass
class Revealing(Wrapped):
    """Opens the mines of a finished game as empty cells at F2, and starts the next one by N alone."""

    content: PracticeSession
    is_revealed: bool = False
    top: int = field(default_factory=lambda: session().layout.board.y)

    def image(self) -> Image:
        picture = self.content.image().copy()
        truth = self.content.game.truth_for_simulators
        if self.is_revealed and truth is not None and self.content.game.phase.over:
            for row, column in np.argwhere(truth.mines).tolist():
                place = self.content.layout.cell(row, column)
                picture[place.y : place.bottom, place.x : place.right] = glyph(0, place.width)
        shown: Image = picture
        return shown

    def press(self, x: int, y: int, button: int) -> None:
        if y >= self.top:
            super().press(x, y, button)

    def release(self, x: int, y: int, button: int) -> None:
        if y >= self.top:
            super().release(x, y, button)

    def key(self, name: str) -> None:
        self.is_revealed |= name == "f2"
        if name == "n":
            self.is_revealed = False
            self.content.key("F2")


def test_a_finished_board_that_cannot_be_lies_under_nothing() -> None:
    window, told = Revealing(session(seed=2)), Told()
    target = unknown_target(screen_with(window), told)
    lines = run_games(target, strategy("best"), Play(2), no_record, told)
    assert [line.outcome for line in lines].count(Result.FAILED) == 0, [line.reason for line in lines]
    assert "a new game is started by the key N" in told.texts
    assert not any("laid something over the board" in text for text in told.texts)


@dataclass
class DealsAgain(Wrapped):
    """Shows a new board at once where a mine is hit, and nothing of the old one."""

    content: PracticeSession
    lost: int = 0

    def release(self, x: int, y: int, button: int) -> None:
        super().release(x, y, button)
        if self.content.game.phase is Phase.LOST:
            self.lost += 1
            self.content.key("F2")


def test_a_new_board_right_after_a_guess_tells_that_it_has_lost() -> None:
    window, told = DealsAgain(session(seed=3)), Told()
    target = unknown_target(screen_with(window), told)
    guess_a_mine(target, window.content)
    seen = target.observe()
    assert seen.phase is Phase.LOST
    assert not seen.board.all_covered, "what is kept is the board of the game that was lost"
    assert window.lost == 1
    target.new_game()
    assert target.observe().board.all_covered
    assert window.lost == 1, "the board that is there is the next game"


@dataclass
class DealsLate(DealsAgain):
    """Shows nothing of a mine that is hit, and deals the next board with the click after that, which opens a
    cell of it."""

    shown: Image | None = None

    def image(self) -> Image:
        over = self.content.game.phase is Phase.LOST
        return self.shown if over and self.shown is not None else self.content.image()

    def press(self, x: int, y: int, button: int) -> None:
        if self.content.game.phase is Phase.LOST:
            self.lost += 1
            self.content.key("F2")
        self.shown = self.content.image().copy()
        self.content.press(x, y, button)

    def release(self, x: int, y: int, button: int) -> None:
        self.content.release(x, y, button)


def test_a_guess_that_is_made_again_on_the_next_board_has_lost() -> None:
    """A game in JavaFX: the click was made again before the new board was drawn, and that began a game which
    nobody was said to have begun but somebody else."""
    window = DealsLate(PracticeSession(Rules(9, 9, 40), 1.0, 5))
    target = unknown_target(screen_with(window), Told())
    target.observe()
    target.act([Move(Action.OPEN, 4, 4)])
    covered = target.observe().board.where(Cell.COVERED)
    truth = window.content.game.truth_for_simulators
    assert truth is not None
    target.act([Move(Action.OPEN, *next(cell for cell in covered if truth.mines[cell]))], certain=False)
    seen = target.observe()
    assert (seen.phase, window.lost) == (Phase.LOST, 1)


@dataclass
class DealsAfterWins(Wrapped):
    """Shows a new board at once where a game is won, and where any button opens a mine."""

    content: PracticeSession
    opens_by_any: bool = False
    dealt: int = 0

    def press(self, x: int, y: int, button: int) -> None:
        super().press(x, y, 1 if self.opens_by_any else button)

    def release(self, x: int, y: int, button: int) -> None:
        super().release(x, y, 1 if self.opens_by_any else button)
        phase = self.content.game.phase
        if phase is Phase.LOST or (phase is Phase.WON and (button == RIGHT or not self.opens_by_any)):
            self.dealt += 1
            self.content.key("F2")

    def image(self) -> Image:
        picture = self.content.image().copy()
        if self.content.game.phase is Phase.WON:
            for place in (self.content.layout.cell(*at) for at in np.argwhere(self.mines()).tolist()):
                covered = glyph(Cell.COVERED, place.width)
                picture[place.y : place.bottom, place.x : place.right] = covered
        shown: Image = picture
        return shown

    def mines(self) -> npt.NDArray[np.bool_]:
        truth = self.content.game.truth_for_simulators
        assert truth is not None
        return truth.mines


def test_a_new_board_right_after_the_last_clicks_tells_that_they_have_won() -> None:
    """A game in OpenGL: three games in a row were told as begun by somebody else, which ended the run."""
    window, told = DealsAfterWins(session(seed=2)), Told()
    target = unknown_target(screen_with(window), told)
    (line,) = run_games(target, strategy("best"), Play(), no_record, told)
    assert (line.outcome, window.dealt) == (Result.WON, 1), line.reason
    assert line.clicks > 5


def test_a_new_board_before_all_can_be_open_is_no_win() -> None:
    window = DealsAfterWins(session(seed=2))
    target = unknown_target(screen_with(window), Told())
    target.observe()
    target.act([Move(Action.OPEN, 4, 4)])
    covered = target.observe().board.where(Cell.COVERED)
    safe = [cell for cell in covered if not window.mines()[cell]]
    assert len(safe) > 5
    window.content.key("F2")
    target.act([Move(Action.OPEN, *safe[0])])
    assert target.observe().phase is Phase.READY


def test_what_asks_for_flags_may_open_a_mine_of_a_won_game() -> None:
    """A game in JavaFX takes any button for the left one."""
    window, told = DealsAfterWins(session(seed=2), opens_by_any=True), Told()
    target = unknown_target(screen_with(window), told)
    (line,) = run_games(target, strategy("best"), Play(), no_record, told)
    assert (line.outcome, window.dealt) == (Result.WON, 1), line.reason


@dataclass
class DealsByMines(DealsAfterWins):
    """Takes no key, and deals the next board where a mine is opened, also of a game that is won."""

    def press(self, x: int, y: int, button: int) -> None:
        if y >= self.content.layout.board.y:
            super().press(x, y, button)

    def release(self, x: int, y: int, button: int) -> None:
        was_won = self.content.game.phase is Phase.WON
        mines = np.argwhere(self.mines()).tolist() if was_won else []
        if y >= self.content.layout.board.y:
            Wrapped.release(self, x, y, button)
        mine = any(self.content.layout.cell(*at).contains(Point(x, y)) for at in mines)
        if self.content.game.phase is Phase.LOST or (mine and button != RIGHT):
            self.dealt += 1
            self.content.key("F2")

    def key(self, name: str) -> None:
        pass


def test_a_mine_is_opened_after_a_win_where_nothing_else_deals_the_next_board() -> None:
    window, told = DealsByMines(session(seed=2)), Told()
    target = unknown_target(screen_with(window), told)
    lines = run_games(target, strategy("best"), Play(2), no_record, told)
    assert [line.outcome for line in lines].count(Result.FAILED) == 0, [line.reason for line in lines]
    assert (lines[0].outcome, window.dealt >= 1) == (Result.WON, True)


@dataclass
class AsksForLevel(Wrapped):
    """Lays a menu over the board at F2, whose button Start begins the next game; nothing else does."""

    content: PracticeSession
    is_open: bool = False
    pressed: list[Point] = field(default_factory=list)

    BUTTON: ClassVar[Rect] = Rect(40, 110, 84, 26)

    def image(self) -> Image:
        picture = self.content.image().copy()
        if self.is_open:
            board, box = self.content.layout.board, self.BUTTON
            picture[board.y : board.bottom, board.x : board.right] = (60, 50, 40)
            picture[box.y : box.bottom, box.x : box.right] = (230, 190, 60)
            at = box.x + 8, box.bottom - 7
            cv2.putText(picture, "Start", at, cv2.FONT_HERSHEY_SIMPLEX, 0.7, (0, 0, 0), 2, cv2.LINE_AA)
        shown: Image = picture
        return shown

    def press(self, x: int, y: int, button: int) -> None:
        if self.is_open:
            self.pressed.append(Point(x, y))
        elif y >= self.content.layout.board.y:
            super().press(x, y, button)

    def release(self, x: int, y: int, button: int) -> None:
        if not self.is_open and y >= self.content.layout.board.y:
            super().release(x, y, button)
        elif self.is_open and self.BUTTON.contains(Point(x, y)):
            self.is_open = False
            self.content.key("F2")

    def key(self, name: str) -> None:
        self.is_open = (self.is_open or name == "f2") and name != "escape"


def test_a_menu_that_a_way_opens_is_gone_through() -> None:
    """Pages that ask for the level after New Game, or once they are loaded again, were not played on."""
    window, told = AsksForLevel(session(seed=2)), Told()
    target = unknown_target(screen_with(window), told)
    lines = run_games(target, strategy("best"), Play(2), no_record, told)
    assert [line.outcome for line in lines].count(Result.FAILED) == 0, [line.reason for line in lines]
    assert len(lines) == 2
    assert len(window.pressed) == 1
    assert "a new game is started by the key F2" in told.texts


@dataclass
class Hides(Wrapped):
    """Lays a picture over half of a finished game, under which nothing can be read: where it was not clicked
    last."""

    content: PracticeSession
    clicked_at: int = 0

    def press(self, x: int, y: int, button: int) -> None:
        self.clicked_at = y
        super().press(x, y, button)

    def image(self) -> Image:
        picture = self.content.image().copy()
        if self.content.game.phase.over:
            covered = glyph(Cell.COVERED, self.content.layout.cell(0, 0).width)
            for at in np.argwhere(self.content.game.board.codes > 8).tolist():
                place = self.content.layout.cell(*at)
                picture[place.y : place.bottom, place.x : place.right] = covered
            board = self.content.layout.board
            lower = self.clicked_at < board.center.y
            top, bottom = (board.center.y, board.bottom - 9) if lower else (board.y + 9, board.center.y)
            hidden = picture[top:bottom, board.x + 9 : board.right - 9]
            hidden[...] = np.random.default_rng(1).integers(0, 256, hidden.shape, np.uint8)
        shown: Image = picture
        return shown


def test_a_board_that_cannot_be_read_any_more_after_a_guess_has_lost() -> None:
    window, told = Hides(session(seed=3)), Told()
    settings = PlaySettings(look_limit_s=0.5)
    target = unknown_target(screen_with(window), told, settings)
    guess_a_mine(target, window.content)
    assert target.observe().phase is Phase.LOST


@dataclass
class LooksNowAndThen(Wrapped):
    """Takes a click only where the button was down for long enough."""

    content: PracticeSession
    screen: VirtualScreen
    held: list[float] = field(default_factory=list)

    def press(self, x: int, y: int, button: int) -> None:
        pass

    def release(self, x: int, y: int, button: int) -> None:
        self.held.append(self.screen.hold_s)
        if self.screen.hold_s >= HOLDS_S[2]:
            super().press(x, y, button)
            super().release(x, y, button)


def test_buttons_are_held_down_where_a_window_takes_no_shorter_clicks() -> None:
    """Games in pygame and ncurses look now and then whether a button is down."""
    screen, told = VirtualScreen(), Told()
    window = LooksNowAndThen(session(seed=2), screen)
    screen.open(window_of(window))
    (line,) = run_games(unknown_target(screen, told), strategy("best"), Play(), no_record, told)
    assert line.outcome is Result.WON, line.reason
    assert window.held[:3] == list(HOLDS_S[:3])
    assert min(window.held[-10:]) == HOLDS_S[2]


@dataclass
class OpensAnother(Wrapped):
    """Starts the next game in a window of its own, and leaves the finished one where it is."""

    content: PracticeSession
    screen: VirtualScreen
    keys: list[str] = field(default_factory=list)

    def press(self, x: int, y: int, button: int) -> None:
        if y >= self.content.layout.board.y:
            super().press(x, y, button)

    def release(self, x: int, y: int, button: int) -> None:
        if y >= self.content.layout.board.y:
            super().release(x, y, button)

    def key(self, name: str) -> None:
        self.keys.append(name)
        if name == "f2" and len(self.screen.stack) == 1:
            self.screen.open(VirtualWindow(session(seed=4), "Mines", Point(90, 120), program="practice"))


def test_a_game_that_goes_on_in_a_window_of_its_own_is_followed_there() -> None:
    """A game in Tk opens its next board in another window, which was to be closed as if it were a dialog."""
    screen, told = VirtualScreen(), Told()
    window = OpensAnother(session(seed=2), screen)
    screen.open(window_of(window))
    target = unknown_target(screen, told)
    lines = run_games(target, strategy("best"), Play(2), no_record, told)
    assert [line.outcome for line in lines].count(Result.FAILED) == 0, [line.reason for line in lines]
    assert len(lines) == 2
    assert "the next game is in 'Mines': playing on there" in told.texts
    assert window.keys == ["f2"], "nothing was typed to close the next game"


def test_a_window_of_the_same_process_belongs_to_the_game() -> None:
    """The messages of a game in Tk have another name than its window, and no owner."""
    game = Window(1, "Mines", Rect(0, 0, 300, 300), "tk #3", process=7)
    boom = Window(2, "Boom!", Rect(50, 50, 90, 60), "__tk__messagebox", process=7)
    assert boom.belongs_to(game)
    assert not replace(boom, process=8).belongs_to(game)
    assert not replace(boom, process=0).belongs_to(replace(game, process=0))
    assert replace(boom, process=0, owner=1).belongs_to(game)
    assert replace(boom, process=0, client=3).belongs_to(replace(game, client=3))
    assert not replace(boom, process=0, client=4).belongs_to(replace(game, client=3))


def test_a_name_that_two_windows_have_makes_them_those_of_a_game_unless_their_processes_are_two() -> None:
    """Windows without a name were all taken for those of one program."""
    game = Window(1, "Mines", Rect(0, 0, 300, 300), "python", process=7)
    other = Window(2, "Plot", Rect(50, 50, 90, 60), "python")
    assert other.belongs_to(game)
    assert other.belongs_to(replace(game, process=0))
    assert not replace(other, process=8).belongs_to(game)
    assert not replace(other, program="").belongs_to(replace(game, program=""))


@pytest.mark.parametrize("process", [7, 8])
def test_where_all_programs_have_one_number_their_windows_are_foreign(process: int) -> None:
    """Those in containers may: a click that starts a new game was made on another program's window."""
    game = Window(1, "Mines", Rect(0, 0, 300, 300), "mines", process=7)
    other = Window(2, "Editor", Rect(50, 50, 90, 60), "editor", process=process)
    dialog = Window(3, "Boom!", Rect(50, 50, 90, 60), "mines", process=7)
    listed = [game, other]
    sighting: Any = SimpleNamespace(behaviour=None, view=None, window=game, title="Mines")
    windows: Any = SimpleNamespace(windows=lambda: listed)
    capture: Any = SimpleNamespace()
    observed = ObservedWindow(sighting, capture, windows)
    listed[1:] = [replace(other, id=4), dialog]
    assert [one.id for one in observed.foreign_over(Point(60, 60))] == [4]
    assert [one.id for one in observed.opened_windows()] == [3]


@dataclass
class OtherDigits(Wrapped):
    """Our own window, but its numbers are written in another font."""

    content: PracticeSession

    def image(self) -> Image:
        picture, board = self.content.image().copy(), self.content.game.board
        for row, column in np.argwhere((board.codes >= 1) & (board.codes <= 8)).tolist():
            place, number = self.content.layout.cell(row, column), int(board[row, column])
            picture[place.y : place.bottom, place.x : place.right] = glyph(0, place.width)
            at = place.x + place.width // 4, place.bottom - place.height // 4
            scale = place.width / 40
            cv2.putText(
                picture, str(number), at, cv2.FONT_HERSHEY_SIMPLEX, scale, (30, 30, 60), 2, cv2.LINE_AA
            )
        shown: Image = picture
        return shown


def test_a_window_that_only_looks_like_a_known_game_is_read_without_its_theme() -> None:
    """A page with the covered cells of the classic look had numbers of its own, and was given up."""
    screen, told = screen_with(OtherDigits(session(seed=3, scale=1.5))), Told()
    target = target_on(screen, load_theme("practice"), told)
    with pytest.raises(ThemeMisfit) as raised:
        run_games(target, strategy("best"), Play(), no_record, told)
    assert [line.outcome for line in told.lines] == [Result.STOPPED]
    sighting = read_otherwise(target, raised.value)
    assert (sighting.skin, sighting.view.grid.shape) == (None, (9, 9))
    other = WindowTarget(sighting, screen, screen, Pointer(screen, INTERVAL_S), tell=told.texts.append)
    (line,) = run_games(other, strategy("best"), Play(), no_record, Told())
    assert line.outcome in (Result.WON, Result.LOST), line.reason


@dataclass
class OpensToTheSides(Wrapped):
    """Its openings go on to the sides alone, and leave cells that touch an empty one at a corner covered."""

    content: PracticeSession
    shown: set[Coordinate] = field(default_factory=set)

    def image(self) -> Image:
        picture, layout = self.content.image().copy(), self.content.layout
        for row, column in np.ndindex(self.content.game.board.codes.shape):
            if (row, column) not in self.shown and self.content.game.phase is not Phase.LOST:
                place = layout.cell(row, column)
                covered = glyph(Cell.COVERED, place.width)
                picture[place.y : place.bottom, place.x : place.right] = covered
        shown: Image = picture
        return shown

    def release(self, x: int, y: int, button: int) -> None:
        super().release(x, y, button)
        layout, board = self.content.layout, self.content.game.board
        waiting = [
            (row, column)
            for row, column in np.ndindex(board.codes.shape)
            if layout.cell(row, column).contains(Point(x, y))
        ]
        while waiting:
            row, column = waiting.pop()
            if (row, column) in self.shown or board[row, column] > 8:
                continue
            self.shown.add((row, column))
            sides = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
            beside = [one for one in sides if one in board.neighbours(row, column)]
            waiting += beside if board[row, column] == Cell.EMPTY else []


def test_openings_that_go_on_to_the_sides_alone_are_played_on() -> None:
    """As those of a game in React: empty cells stay beside covered ones, and look as all others."""
    window, told = OpensToTheSides(session(seed=2)), Told()
    target = unknown_target(screen_with(window), told)
    (line,) = run_games(target, strategy("best"), Play(), no_record, told)
    assert line.outcome is Result.WON, line.reason
    assert len(window.shown) == 71


def test_an_empty_cell_that_no_others_confirm_is_no_reason_to_play_on() -> None:
    window, told = OpensToTheSides(session(seed=2)), Told()
    target = unknown_target(screen_with(window), told)
    target.observe()
    reader = target.observer.reader
    assert isinstance(reader, LooksReader)
    assert not reader.are_empty([(0, 0)])


def test_a_total_of_mines_that_does_not_fit_the_numbers_is_given_up_before_they_are() -> None:
    """A game in React deals each cell a mine by chance: the total of the game before was wrong."""
    told = Told()
    target = unknown_target(screen_with(session(seed=2)), told)
    target.observe()
    won = np.zeros((9, 9), np.int8)
    won[0, 0], won[0, 1], won[1, :2] = Cell.MINE, 1, 1
    assert target.observer.totals.learn(Board(won))
    assert target.observer.totals.learn(Board(won))
    target.observer.rules = replace(target.observer.rules, mines=1)
    target.reject("they cannot all be right")
    assert target.rules.mines is None
    assert told.texts == ["the number of mines that was learned may be wrong: playing without it"]
    target.reject("they cannot all be right")
    assert told.texts[1:] == ["looking again: they cannot all be right"]


def test_a_window_that_changes_as_a_whole_has_not_drawn_its_mines_anew() -> None:
    window = Won(session(seed=2), is_painted=True)
    target, _ = won_on(window)
    before = target._clicked
    assert before is not None
    assert target._are_drawn_anew(window.mines(), before)
    assert not target._are_drawn_anew(window.mines(), replace(before, frame=before.frame // 2))


@dataclass
class Cut(Wrapped):
    """Shows its upper part alone, as a page does that is not scrolled down."""

    content: PracticeSession
    height: int

    def image(self) -> Image:
        return self.content.image()[: self.height]


@pytest.mark.parametrize("rows", [7.0, 7.5, 8.0])
def test_a_board_that_is_cut_off_is_not_played_as_a_smaller_one(rows: float) -> None:
    content = session(seed=2, scale=1.5)
    layout = content.layout
    screen = screen_with(Cut(content, int(layout.board.y + rows * layout.cell(0, 0).height)))
    themes = [load_theme("practice")]
    known = find_all_boards(screen, screen, themes, {})
    assert [bool(one.problem) for one in known] == [True]
    assert with_unknown(known, screen, screen, None) == known


@dataclass
class Shrinks(Wrapped):
    """Once it is told, its outer cells look as empty ones do, as the page does around a smaller board."""

    content: PracticeSession
    is_smaller: bool = False

    def image(self) -> Image:
        picture, layout = self.content.image().copy(), self.content.layout
        for row, column in np.ndindex(9, 9):
            if self.is_smaller and (row in (0, 1, 8) or column in (0, 1, 8)):
                place = layout.cell(row, column)
                picture[place.y : place.bottom, place.x : place.right] = glyph(0, place.width)
        shown: Image = picture
        return shown


def test_what_lies_around_a_smaller_board_is_not_taken_for_empty_cells() -> None:
    """A page deals boards of other sizes, and its opened cells have its own white: 28 cells were certain."""
    window, told = Shrinks(session(seed=2)), Told()
    target = unknown_target(screen_with(window), told)
    run_games(target, strategy("best"), Play(), no_record, told)
    window.content.key("F2")
    window.is_smaller = True
    observer = target.observer
    reader = observer.reader
    assert isinstance(reader, LooksReader)
    for _ in range(4):
        board = reader.read(observer.grab()).board
        time.sleep(0.1)
    faults = [one for one in board.faults(Rules(9, 9)) if one.kind is FaultKind.ZERO_BESIDE_COVERED]
    assert len(faults) > 20
    assert reader.are_empty([one.cell for one in faults if one.cell])
    observer.take_stopped_openings(True)
    assert StoppedOpenings(observer).unproven(board, None, [], faults, rests_s=9.0) is None


@dataclass
class OpensOne(OpensToTheSides):
    """Its openings open a single cell."""

    def release(self, x: int, y: int, button: int) -> None:
        before = set(self.shown)
        super().release(x, y, button)
        layout = self.content.layout
        self.shown = before | {cell for cell in self.shown if layout.cell(*cell).contains(Point(x, y))}


@dataclass
class OpensNoNumbers(OpensToTheSides):
    """Its openings open empty cells alone, and a number only where it is clicked; opened cells are pale."""

    def image(self) -> Image:
        picture = super().image().copy()
        for row, column in self.shown:
            if self.content.game.board[row, column] == Cell.EMPTY:
                place = self.content.layout.cell(row, column)
                picture[place.y + 1 : place.bottom, place.x + 1 : place.right] = WHITE
        shown: Image = picture
        return shown

    def release(self, x: int, y: int, button: int) -> None:
        before, layout, board = set(self.shown), self.content.layout, self.content.game.board
        super().release(x, y, button)
        clicked = {cell for cell in self.shown if layout.cell(*cell).contains(Point(x, y))}
        empty = {cell for cell in self.shown if board[cell] == Cell.EMPTY}
        self.shown = before | clicked | empty


def test_openings_of_empty_cells_alone_are_played_on() -> None:
    window, told = OpensNoNumbers(session(seed=2)), Told()
    target = unknown_target(screen_with(window), told)
    (line,) = run_games(target, Partial(strategy("best")), Play(), no_record, told)
    assert line.outcome is Result.WON, line.reason
    assert len(window.shown) == 71


def test_openings_of_one_cell_are_played_on() -> None:
    """As those of pages by beginners: guesses beside empty cells prove what these look like."""
    window, told = OpensOne(session(seed=2)), Told()
    target = unknown_target(screen_with(window), told)
    (line,) = run_games(target, Partial(strategy("best")), Play(), no_record, told)
    assert line.outcome is Result.WON, line.reason
    assert len(window.shown) == 71
    guesses = [one.rung for one in told.decisions if one.kind is Kind.GUESS]
    assert BESIDE in guesses
    assert len(guesses) < 20
