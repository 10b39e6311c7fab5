"""Another level in the middle of a game: a part of the new board looks like the old one; it is not played."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from misbehaving import Deaf, Eventful, Redrawn, Wrapped, window_of
from playing import INTERVAL_S, Told, impatient, no_record, recorder_in, screen_with, session, target_on

from bot.board import LEVELS, Cell, Observation, Result
from bot.game_loop import ANOTHER_GAME
from bot.geometry import Point
from bot.practice.session import PracticeSession
from bot.recording.read import load
from bot.recording.replay import replay
from bot.screen.virtual import Content, VirtualScreen
from bot.screen.windows import NoWindows
from bot.session import Play, run_games
from bot.strategy.base import Decision
from bot.strategy.registry import strategy
from bot.targets.window.act.pointer import Pointer
from bot.targets.window.locate.board_finder import choose, look_around
from bot.targets.window.observe.observer import WindowObserver
from bot.targets.window.play_settings import PlaySettings
from bot.targets.window.spectator import Spectator
from bot.targets.window.window_target import WindowTarget
from bot.vision.cells.glyph_reader import GlyphReader
from bot.vision.grid import Image
from bot.vision.header.face import FaceReader
from bot.vision.themes.theme import Theme

pytestmark = pytest.mark.slow

PLAYED = {Result.WON, Result.LOST}


@pytest.fixture(scope="module")
def theme() -> Theme:
    return impatient()


@dataclass(kw_only=True)
class Witness(Told):
    """Sees that every decision is made on the board that the window has."""

    played: PracticeSession

    def decided(self, observation: Observation, decision: Decision, clicks: int, seconds: float) -> None:
        super().decided(observation, decision, clicks, seconds)
        seen, there = observation.board.codes, self.played.game.board.codes
        assert seen.shape == there.shape, "not the board there is"
        # Cells that are in flight are unread.
        known = seen != Cell.UNREAD if observation.early else np.ones(seen.shape, bool)
        assert np.array_equal(seen[known], there[known]), "not the board there is"


@dataclass(kw_only=True)
class Levels(Deaf):
    """A game of which somebody chooses another level when a click comes, so that the click is lost."""

    at: int
    key_name: str
    loses: Callable[[int], bool] = field(init=False)

    def __post_init__(self) -> None:
        self.loses = lambda press: press == self.at

    def press(self, x: int, y: int, button: int) -> None:
        super().press(x, y, button)
        if self.presses == self.at:
            self.content.key(self.key_name)


class Page(Redrawn):
    """A window that keeps its size whatever level it shows, its game in the top left corner."""

    def drawn(self, inside: Image) -> Image:
        page = np.full((480, 760, 3), 230, np.uint8)
        page[: inside.shape[0], : inside.shape[1]] = inside
        return page


@pytest.mark.parametrize("page", [False, True], ids=["window", "page"])
@pytest.mark.parametrize("at", [1, 2, 9])
@pytest.mark.parametrize(
    ("begins", "key", "size"), [("intermediate", "3", (30, 16)), ("expert", "1", (9, 9))]
)
def test_another_level_is_played_with_its_own_size(
    theme: Theme, tmp_path: Path, page: bool, at: int, begins: str, key: str, size: tuple[int, int]
) -> None:
    played = session(begins, 8)
    content = Levels(content=played, at=at, key_name=key)
    told = Witness(played=played)
    screen = screen_with(Page(content) if page else content)
    run_games(target_on(screen, theme, told), strategy("best"), Play(), recorder_in(tmp_path), told)
    thrown, other = told.lines
    assert (thrown.outcome, thrown.reason) == (Result.STOPPED, ANOTHER_GAME)
    assert (thrown.columns, thrown.rows, thrown.mines) == LEVELS[begins]
    assert other.outcome in PLAYED
    assert (other.columns, other.rows) == size
    assert any("shows another board now" in text for text in told.texts)
    for line in told.lines:
        assert line.recording is not None
        recording = load(Path(line.recording))
        reader_on = partial(GlyphReader, theme.skin)
        assert not replay(recording, reader_on, strategy("best")).differences


@dataclass(kw_only=True)
class BetweenGames(Wrapped):
    """A game of which somebody chooses another level as the next one is to be started: that click is lost."""

    content: PracticeSession
    key_name: str
    chosen: bool = False
    decided: list[Decision]
    decided_before: int = -1
    blind: int = 0
    """Clicks that came after that, before anything was decided, and not on the face."""

    def press(self, x: int, y: int, button: int) -> None:
        if self.content.game.phase.over and not self.chosen:
            self.chosen, self.decided_before = True, len(self.decided)
            self.content.key(self.key_name)
            return
        if len(self.decided) == self.decided_before:
            self.blind += not self.content.layout.face.contains(Point(x, y))
        self.content.press(x, y, button)


@pytest.mark.parametrize("moods", [True, False], ids=["face seen", "face not known"])
@pytest.mark.parametrize("page", [False, True], ids=["window", "page"])
@pytest.mark.parametrize(("begins", "key", "size"), [("beginner", "3", (30, 16)), ("expert", "1", (9, 9))])
def test_another_level_between_two_games(
    monkeypatch: pytest.MonkeyPatch,
    theme: Theme,
    moods: bool,
    page: bool,
    begins: str,
    key: str,
    size: tuple[int, int],
) -> None:
    if not moods:
        monkeypatch.setattr(FaceReader, "has_moods", False)
    played = session(begins, 8)
    told = Witness(played=played)
    content = BetweenGames(content=played, key_name=key, decided=told.decisions)
    screen = screen_with(Page(content) if page else content)
    run_games(target_on(screen, theme, told), strategy("best"), Play(2), no_record, told)
    first, second = told.lines
    assert (first.columns, first.rows, first.mines) == LEVELS[begins]
    assert first.outcome in PLAYED
    assert second.outcome in PLAYED, second.reason
    assert (second.columns, second.rows) == size
    assert content.chosen
    assert content.blind == 0


@pytest.mark.parametrize("moves", [False, True], ids=["once", "always"])
def test_what_changes_beside_a_board_keeps_nobody_from_playing_it(
    monkeypatch: pytest.MonkeyPatch, theme: Theme, moves: bool
) -> None:
    monkeypatch.setattr("bot.targets.window.track.settle_times.BESIDE_S", 0.2)
    played = session("beginner", 2)
    told, shades = Witness(played=played), set()

    class Blinking(Wrapped):
        def image(self) -> Image:
            picture: Image = self.content.image().copy()
            board = played.layout.board
            shade = int(time.perf_counter() * 100) % 2 if moves else bool(told.lines)
            shades.add(shade)
            picture[board.y + 20 : board.y + 30, board.right + 1 : board.right + 3] = 100 if shade else 90
            return picture

    run_games(
        target_on(screen_with(Blinking(played)), theme, told), strategy("best"), Play(3), no_record, told
    )
    assert [line.outcome in PLAYED for line in told.lines] == [True] * 3
    assert len(shades) == 2


def test_a_larger_board_that_does_not_fit_on_the_screen_is_not_played(theme: Theme) -> None:
    played = session("intermediate", 8)
    content, told = Levels(content=played, at=1, key_name="3"), Witness(played=played)
    screen = VirtualScreen(500, 600)
    screen.open(window_of(content))
    run_games(target_on(screen, theme, told), strategy("best"), Play(), no_record, told)
    (line,) = told.lines
    assert line.outcome is Result.FAILED
    assert "was moved or resized, and its board is not to be seen there: show all of it" in line.reason
    assert len(told.decisions) == 1
    assert content.presses == 1


def page_with(content: Content, width: int = 760) -> VirtualScreen:
    """A page that shows a game, in a window so many pixels wide."""

    class Narrow(Page):
        def image(self) -> Image:
            return super().image()[:, :width]

    return screen_with(Narrow(content))


def check_refused(screen: VirtualScreen, told: Witness, theme: Theme) -> None:
    """Nothing is decided on a part of a larger board; the line says why nothing is played."""
    run_games(target_on(screen, theme, told), strategy("best"), Play(), no_record, told)
    assert told.lines[-1].outcome is Result.FAILED
    assert "shows another board than before, and its board is not to be seen there" in told.lines[-1].reason


def test_a_larger_board_that_the_page_does_not_show_whole_is_not_played(theme: Theme) -> None:
    played = session("intermediate", 8)
    content, told = Levels(content=played, at=1, key_name="3"), Witness(played=played)
    check_refused(page_with(content, width=400), told, theme)
    assert content.presses == 1


def test_where_nothing_is_known_of_windows_a_page_that_grew_is_told_too(theme: Theme) -> None:
    played = session("intermediate", 8)
    told = Witness(played=played)
    screen = page_with(Levels(content=played, at=3, key_name="3"))
    sighting = choose(look_around(screen, NoWindows(), [theme]), None)
    assert sighting.window is None
    target = WindowTarget(
        sighting,
        screen,
        NoWindows(),
        Pointer(screen, INTERVAL_S),
        PlaySettings(look_limit_s=1.0),
        tell=told.texts.append,
    )
    run_games(target, strategy("best"), Play(), no_record, told)
    assert [line.outcome in PLAYED for line in told.lines] == [False, True]
    assert told.lines[-1].columns == 30


@pytest.mark.parametrize("at", [1, 4])
@pytest.mark.parametrize("cell", [(5, 5), (8, 20), (14, 28), (0, 15)])
def test_a_new_level_that_a_person_has_begun_already_is_played_with_its_own_size(
    theme: Theme, at: int, cell: tuple[int, int]
) -> None:
    played = session("intermediate", 8)

    class Begun(Levels):
        def press(self, x: int, y: int, button: int) -> None:
            super().press(x, y, button)
            if self.presses == self.at:
                played.game.open(*cell)

    told = Witness(played=played)
    screen = page_with(Begun(content=played, at=at, key_name="3"))
    run_games(target_on(screen, theme, told), strategy("best"), Play(), no_record, told)
    assert told.lines[-1].outcome in PLAYED
    assert told.lines[-1].columns == 30


def test_a_half_played_game_that_the_bot_joined(theme: Theme) -> None:
    played = session("intermediate", 8)
    played.game.open(3, 3)
    told = Witness(played=played)
    screen = page_with(Levels(content=played, at=3, key_name="3"))
    run_games(target_on(screen, theme, told), strategy("best"), Play(), no_record, told)
    assert [(line.columns, line.outcome in PLAYED) for line in told.lines] == [(16, False), (30, True)]


def test_a_page_whose_window_was_moved_before(theme: Theme) -> None:
    played = session("intermediate", 8)

    class Moved(Levels):
        def release(self, x: int, y: int, button: int) -> None:
            super().release(x, y, button)
            if self.presses == 4:
                screen.stack[0].at = Point(310, 200)

    told = Witness(played=played)
    screen = page_with(Moved(content=played, at=9, key_name="3"))
    run_games(target_on(screen, theme, told), strategy("best"), Play(), no_record, told)
    told_place = next(text for text in told.texts if "the window moved" in text)
    assert re.search(r"playing on with \d+x\d+ cells of \d+ pixels at -?\d+,-?\d+$", told_place), told_place
    assert [(line.columns, line.outcome in PLAYED) for line in told.lines] == [(16, False), (30, True)]


@dataclass(kw_only=True)
class Menu(Wrapped):
    """Once it is opened a menu lies over the cells for a while, and then another level is shown."""

    content: PracticeSession
    for_s: float
    until: float = 0.0

    def open(self) -> None:
        self.until = time.perf_counter() + self.for_s

    def image(self) -> Image:
        now = time.perf_counter()
        if self.until and now > self.until:
            self.until = 0.0
            self.content.key("3")
        picture = self.content.image()
        if self.until:
            picture = picture.copy()
            board = self.content.layout.board
            picture[board.y + 40 : board.y + 140, board.x + 30 : board.x + 130] = 140
        return picture


@pytest.mark.parametrize("for_s", [0.2, 0.6, 1.2])
def test_a_menu_over_the_cells_before_it(theme: Theme, for_s: float) -> None:
    played = session("intermediate", 8)
    told = Witness(played=played)
    menu = Menu(content=played, for_s=for_s)
    screen = page_with(Eventful(menu, 6, menu.open))
    target = target_on(screen, theme, told, look_limit_s=3.0)
    run_games(target, strategy("best"), Play(), no_record, told)
    assert [(line.columns, line.outcome in PLAYED) for line in told.lines] == [(16, False), (30, True)]


@pytest.mark.parametrize("for_s", [0.0, 0.4, 2.0])
@pytest.mark.parametrize("begun", [False, True])
def test_an_onlooker_sees_no_part_of_another_level(theme: Theme, for_s: float, begun: bool) -> None:
    played = session("intermediate", 8)
    if begun:
        played.game.open(3, 3)
    menu = Menu(content=played, for_s=for_s)
    screen = page_with(menu)
    sighting = choose(look_around(screen, screen, [theme]), None)
    spectator = Spectator(WindowObserver(sighting, screen, screen))

    def watch(for_s: float) -> list[Observation]:
        until, seen = time.perf_counter() + for_s, []
        while time.perf_counter() < until:
            level = played.rules
            if (observation := spectator.look()) is not None and played.rules == level and not menu.until:
                seen.append(observation)
            time.sleep(0.01)
        return seen

    assert watch(0.6)
    menu.open()
    seen = watch(for_s + 1.5) or watch(10)  # a busy machine takes longer
    assert spectator.another
    assert seen
    assert all(observation.board == played.game.board for observation in seen)
    assert played.game.board.codes.shape == (16, 30)


def test_a_window_that_grows_around_its_board_is_played_on(theme: Theme) -> None:
    """Also where a part of it that is none of the board lies off the screen then."""
    played = session("beginner", 2)
    told = Witness(played=played)

    class Grows(Wrapped):
        def image(self) -> Image:
            inner = self.content.image()
            if told.lines:
                return inner
            height, width = inner.shape[:2]
            page = np.full((height, 3000 if len(told.decisions) > 1 else width, 3), 230, np.uint8)
            page[:, :width] = inner
            return page

    run_games(target_on(screen_with(Grows(played)), theme, told), strategy("best"), Play(), no_record, told)
    assert [line.outcome in PLAYED for line in told.lines] == [True]
