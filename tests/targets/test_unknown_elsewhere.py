"""Games that no theme knows, whose board lies elsewhere, is hidden in part, or seen in another size."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import pytest
from misbehaving import Plain, Wrapped, window_of
from playing import Told, no_record, screen_with, session, unknown_target
from test_unknown_game import Blotted

from bot.board import Action, Board, Cell, Move, Phase, Result
from bot.errors import WindowLost
from bot.geometry import Point
from bot.practice.session import PracticeSession
from bot.screen.virtual import VirtualScreen
from bot.session import Play, run_games
from bot.strategy.registry import strategy
from bot.targets.window import PlaySettings, WindowTarget, clicked_window
from bot.targets.window.locate import relocate
from bot.targets.window.locate.relocate import PARTS, Relocator, SearchResult
from bot.targets.window.sighting import Sighting
from bot.vision.grid import Image
from bot.vision.themes.behaviour import NewGameWay

pytestmark = pytest.mark.slow


@dataclass
class Zoomed(Wrapped):
    """Shows itself larger, cut to its window, once it is told to."""

    zooms: bool = False

    def image(self) -> Image:
        picture = self.content.image()
        if not self.zooms:
            return picture
        larger = cv2.resize(picture, None, fx=1.15, fy=1.15, interpolation=cv2.INTER_AREA)
        return np.asarray(larger[: picture.shape[0], : picture.shape[1]], np.uint8)


@pytest.mark.slow
@pytest.mark.parametrize("certain", [True, False], ids=["certain", "guess"])
def test_a_page_that_is_zoomed_after_a_click_tells_no_end(certain: bool) -> None:
    told, game = Told(), session(seed=3)
    window = Zoomed(game)
    target = unknown_target(screen_with(window), told, PlaySettings(look_limit_s=0.5))
    target.observe()
    for cell in ((4, 4), (0, 0), (8, 0)):
        target.act([Move(Action.OPEN, *cell)])
        board = target.observe().board
    target.act([Move(Action.OPEN, *board.where(Cell.COVERED)[0])], certain=certain)
    window.zooms = True
    with pytest.raises(WindowLost, match="shows another board than before"):
        target.observe()


@dataclass
class ZoomedOut(Wrapped):
    """Shows itself smaller, in a window of the same size, once it is told to; a click that is under way
    meanwhile is lost."""

    zooms: bool = False
    loses: bool = False

    def image(self) -> Image:
        picture = self.content.image()
        if not self.zooms:
            return picture
        smaller = cv2.resize(picture, None, fx=0.9, fy=0.9, interpolation=cv2.INTER_AREA)
        page = np.full_like(picture, 230)
        page[: smaller.shape[0], : smaller.shape[1]] = smaller
        return page

    def press(self, x: int, y: int, button: int) -> None:
        if not self.loses:
            self.content.press(*self._inside(x, y), button)

    def release(self, x: int, y: int, button: int) -> None:
        if not self.loses:
            self.content.release(*self._inside(x, y), button)

    def _inside(self, x: int, y: int) -> tuple[int, int]:
        return (round(x / 0.9), round(y / 0.9)) if self.zooms else (x, y)


@pytest.mark.slow
def test_a_page_that_is_zoomed_while_a_click_is_under_way_is_played_on() -> None:
    """On a busy machine the click landed on the cell that lay there by then; what it was meant for was held
    against the picture from before, refused eight times, and the game given up."""
    told, game = Told(), session(seed=3)
    game.game.open(4, 4)
    field = game.game.truth_for_simulators
    assert field is not None
    # Numbers look otherwise where a page is zoomed; what is blank hardly does.
    numbers = [(int(row), int(column)) for row, column in np.argwhere(field.counts > 0)]
    cell, *others = [one for one in numbers if not field.mines[one] and one != (4, 4)]
    for other in others[:10]:
        game.game.open(*other)
    window = ZoomedOut(game)
    target = unknown_target(screen_with(window), told)
    target.observe()
    window.loses = True
    target.act([Move(Action.OPEN, *cell)])
    window.zooms, window.loses = True, False
    seen = target.observe()
    assert any("the window moved; playing on" in text for text in told.texts), told.texts
    assert (seen.phase, seen.board[cell]) == (Phase.PLAYING, Cell.COVERED)
    target.act([Move(Action.OPEN, *cell)])
    seen = target.observe()
    assert seen.phase.over or seen.board[cell] <= 8


@dataclass
class Veiled(Wrapped):
    """Hides the upper rows of its board, as a message that fades away, once it is told how many."""

    content: PracticeSession
    rows: int = 0

    def image(self) -> Image:
        picture: Image = self.content.image().copy()
        board = self.content.layout.board
        bottom = board.y + self.rows * board.height // 9
        if self.rows:
            picture[board.y - 6 : bottom, board.x - 6 : board.right + 6] = (250, 245, 240)
        return picture


def opened_below_a_veil(seed: int) -> tuple[Veiled, WindowTarget, Board]:
    """A window that can be veiled, whose target has opened a cell, and the board that it saw then."""
    window = Veiled(session(seed=seed))
    target = unknown_target(screen_with(window), Told())
    target.observe()
    target.act([Move(Action.OPEN, 4, 4)])
    return window, target, target.observe().board


@pytest.mark.parametrize("beside", [-1, 0, 1])
def test_what_a_fading_message_leaves_of_the_next_board_is_no_board_of_its_own(
    beside: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where its edge is seen a pixel `beside` that of the whole board."""
    window, target, board = opened_below_a_veil(3)
    relocator = Relocator(target.observer)
    find = relocator._find

    def shifted() -> Sighting | None:
        seen = find()
        if seen is None or seen.view.grid.rows == 9:
            return seen
        grid = replace(seen.view.grid, x=target.observer.view.grid.x + beside)
        return replace(seen, view=replace(seen.view, grid=grid))

    monkeypatch.setattr(relocator, "_find", shifted)
    window.content.key("F2")
    window.rows = 3
    for _ in range(PARTS - 1):
        assert relocator.search(board, played=False) is SearchResult.NOTHING
    window.rows = 0
    assert relocator.search(board, played=False) is SearchResult.HERE
    window.rows = 3
    found = [relocator.search(board, played=False) for _ in range(PARTS)]
    assert found == [SearchResult.NOTHING] * (PARTS - 1) + [SearchResult.ANOTHER], (
        "a level may have fewer rows"
    )
    assert target.observer.view.grid.shape == (6, 9)


def test_what_is_seen_of_the_present_game_is_no_board_of_its_own() -> None:
    """Columns of a game in Perl/Tk became half as wide once they were opened: the others were played as a
    board of their own, and a mine was opened for certain."""
    window, target, board = opened_below_a_veil(2)
    window.rows = 3
    relocator = Relocator(target.observer)
    assert relocator._find() is not None
    found = [relocator.search(board, played=True) for _ in range(PARTS + 1)]
    assert found == [SearchResult.NOTHING] * (PARTS + 1)


def test_a_part_of_a_board_is_none_of_a_smaller_one_that_counted_last() -> None:
    """Another level had been chosen, and something came over its board before that counted: an error ended
    the run."""
    window, target, board = opened_below_a_veil(2)
    window.rows = 3
    relocator = Relocator(target.observer)
    smaller = Board(board.codes[:4, :4])
    assert relocator.search(smaller, played=True) is SearchResult.NOTHING


@dataclass
class Beside(Wrapped):
    """Shows its board so many pixels further right and down, as a page does beside and below a text."""

    content: PracticeSession
    right: int = 0
    down: int = 0

    def image(self) -> Image:
        content = self.content.image()
        height, width = content.shape[:2]
        picture: Image = np.full((height + 60, width + 60, 3), 240, np.uint8)
        picture[self.down : self.down + height, self.right : self.right + width] = content
        return picture

    def press(self, x: int, y: int, button: int) -> None:
        super().press(x - self.right, y - self.down, button)

    def release(self, x: int, y: int, button: int) -> None:
        super().release(x - self.right, y - self.down, button)


@pytest.mark.parametrize(("right", "down"), [(7, 0), (0, 33), (16, 16)])
def test_a_board_that_a_text_moves_is_followed_by_what_it_showed(
    right: int, down: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page moved its board by seven pixels as its number of flags lost a digit, and no grid was found."""
    window = Beside(session(seed=2))
    target = unknown_target(screen_with(window), Told())
    target.observe()
    relocator = target._relocator
    monkeypatch.setattr(relocator, "_find", lambda: None)
    target.act([Move(Action.OPEN, 4, 4)])
    board, lay = target.observe().board, target.view.grid
    assert relocator.search(board, played=False, shown=target._tracker.shown) is SearchResult.NOTHING
    window.right, window.down = right, down
    assert relocator.search(board, played=False, shown=target._tracker.shown) is SearchResult.MOVED
    assert (target.view.grid.x, target.view.grid.y) == (lay.x + right, lay.y + down)
    assert target.observe().board.codes.tolist() == board.codes.tolist()


def opened_once() -> tuple[VirtualScreen, PracticeSession, WindowTarget, Board]:
    """A screen with a game, whose target has opened a cell, and the board that it saw then."""
    told, game = Told(), session(seed=3)
    screen = screen_with(game)
    target = unknown_target(screen, told)
    target.observe()
    target.act([Move(Action.OPEN, 4, 4)])
    return screen, game, target, target.observe().board


def test_a_window_that_moves_while_its_cells_are_compared_is_not_clicked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    screen, game, target, board = opened_once()

    def moves(*pictures: object) -> float:
        screen.stack[0].at = Point(56, 40)
        return 0.0

    monkeypatch.setattr(clicked_window, "opened_cells_changed", moves)
    target.act([Move(Action.OPEN, *board.where(Cell.COVERED)[0])])
    assert game.game.board == board, "the click landed on the cell beside its own"


def test_a_window_that_moves_after_the_last_look_gets_no_click(monkeypatch: pytest.MonkeyPatch) -> None:
    """The mouse is told which window is meant, and where it lies."""
    screen, game, target, board = opened_once()

    def moves(*_: object) -> bool:
        screen.stack[0].at = Point(56, 40)
        return True

    monkeypatch.setattr(clicked_window.ClickedWindow, "_is_in_place", moves)
    assert target.act([Move(Action.OPEN, *board.where(Cell.COVERED)[0])]) == 0
    assert game.game.board == board, "the click landed on the cell beside its own"


class Cleared(Blotted):
    """Shows its next game without the blot."""

    def key(self, name: str) -> None:
        self.blots = False
        self.content.key(name)


@pytest.mark.slow
def test_a_new_game_is_started_where_the_end_of_another_shows_what_cannot_be_a_board() -> None:
    told, window = Told(), Cleared(session(seed=3))
    settings = PlaySettings(look_limit_s=0.3, restart=NewGameWay("key", key="F2"))
    target = unknown_target(screen_with(window), told, settings)
    window.blots = True
    (line,) = run_games(target, strategy("best"), Play(new=True), no_record, told)
    assert line.outcome in (Result.WON, Result.LOST), line.reason


@dataclass
class Growing(Wrapped):
    """Makes its window wider on the right, as one that fits its labels, once it is told to."""

    wider: int = 0

    def image(self) -> Image:
        picture = self.content.image()
        beside = np.full((picture.shape[0], self.wider, 3), 217, np.uint8)
        return np.concatenate([picture, beside], axis=1)


@pytest.mark.parametrize(("wider", "across"), [(9, 0), (0, 70), (9, 70)])
def test_a_window_that_grew_or_went_is_played_on_where_its_board_cannot_be_found_anew(
    monkeypatch: pytest.MonkeyPatch, wider: int, across: int
) -> None:
    """Of a whole screen no board is read that has marks of a strange skin on it; in its own game they are
    known."""
    told, window = Told(), Growing(session(seed=3))
    screen = screen_with(window)
    target = unknown_target(screen, told)
    target.observe()
    for cell in ((4, 4), (0, 0), (8, 0)):
        target.act([Move(Action.OPEN, *cell)])
        target.observe()
    monkeypatch.setattr(relocate, "look_for_unknown", lambda *_, **__: [])
    window.wider = wider
    screen.stack[0].at = Point(screen.stack[0].at.x + across, screen.stack[0].at.y)
    lines = run_games(target, strategy("best"), Play(), no_record, told)
    assert [line.outcome in (Result.WON, Result.LOST) for line in lines] == [True], lines


def test_a_window_that_went_and_shows_another_board_is_not_gone_along_with() -> None:
    told, window = Told(), Growing(session(seed=3))
    screen = screen_with(window)
    target = unknown_target(screen, told)
    target.observe()
    target.act([Move(Action.OPEN, 4, 4)])
    last = target.observe().board
    relocator = Relocator(target.observer)
    screen.stack[0].at = Point(screen.stack[0].at.x + 70, screen.stack[0].at.y)
    window.content.key("F2")
    assert relocator._gone_along(last) is None
    assert relocator._gone_along(None) is None


def test_a_window_that_moves_while_its_hidden_board_is_sought_is_not_waited_for_without_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One search had been in vain, none was made after it, and the run waited for the rest of them."""
    screen, game = VirtualScreen(), session(seed=2)
    window = screen.open(window_of(game))
    target = unknown_target(screen, Told(), PlaySettings(look_limit_s=0.3))
    target.observe()
    target.act([Move(Action.OPEN, 4, 4)])
    target.observe()
    follow = target._follow

    def followed() -> bool:
        found = follow()
        window.at = Point(300, 300)
        return found

    monkeypatch.setattr(target, "_follow", followed)
    height, width = game.image().shape[:2]
    window.content = Plain(width, height)
    with pytest.raises(WindowLost, match="its board is not to be seen there"):
        target.observe()
