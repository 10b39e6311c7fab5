"""What people and desktops do to a game that is being played: none of it may lead to a wrong click."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec
import numpy as np
import pytest
from misbehaving import Belated, Eventful, Magnified, Plain, Wrapped, window_of
from playing import Moving, Told, impatient, no_record, run, screen_with, session, target_on

from bot.board import LEVELS, Board, Cell, FirstClick, Phase, Result, Rules, Spread
from bot.errors import ScreenError, UnreadableBoard
from bot.game_line import GameLine
from bot.game_loop import ANOTHER_GAME, play
from bot.geometry import Point, Rect
from bot.practice.session import PracticeSession
from bot.screen.virtual import VirtualScreen, VirtualWindow
from bot.session import Play, run_games
from bot.strategy.registry import strategy
from bot.targets.window.events import dialogs
from bot.vision.grid import Image
from bot.vision.themes.theme import Theme

pytestmark = pytest.mark.slow

PLAYED = {Result.WON, Result.LOST}


@pytest.fixture(scope="module")
def theme() -> Theme:
    return impatient()


@dataclass
class Interrupted:
    """A game that somebody starts anew after so many clicks; every click until the bot has decided again
    was meant for the old one."""

    content: PracticeSession
    after: int
    told: Told
    clicks: int = 0
    misplaced: int = 0
    decided_before: int | None = None
    happens: Callable[[], None] = field(default=lambda: None)

    def image(self) -> Image:
        return self.content.image()

    def press(self, x: int, y: int, button: int) -> None:
        if len(self.told.decisions) == self.decided_before:
            self.misplaced += 1
        self.content.press(x, y, button)

    def release(self, x: int, y: int, button: int) -> None:
        self.content.release(x, y, button)
        self.clicks += 1
        if self.clicks == self.after:
            self.happens()

    def new_game(self) -> None:
        self.content.new_game()
        self.decided_before = len(self.told.decisions)

    def move(self, x: int, y: int) -> None:
        self.content.move(x, y)

    def key(self, name: str) -> None:
        self.content.key(name)


def test_a_wrong_mine_total_that_was_given_is_named(theme: Theme) -> None:
    target = target_on(screen_with(session(seed=3)), theme, Told(), look_limit_s=0.3, mines=5)
    with pytest.raises(UnreadableBoard, match="--mines 5 says how many there are: leave it out"):
        play(target, strategy("best"))


def check_two_games(told: Told) -> None:
    """The game that was thrown away is told apart from the one that was played in its place."""
    thrown, played = told.lines
    assert (thrown.outcome, thrown.reason) == (Result.STOPPED, ANOTHER_GAME)
    assert played.outcome in PLAYED
    assert thrown.clicks > 0
    assert played.clicks > 0


@pytest.mark.parametrize("flags", [False, True])
@pytest.mark.parametrize("after", [5, 9, 14])
def test_a_game_that_is_started_anew_by_a_key_gets_no_click_of_the_old_one(
    theme: Theme, after: int, flags: bool
) -> None:
    told, screen = Told(), VirtualScreen()
    content = Interrupted(session("intermediate", 8), after, told)
    content.happens = content.new_game
    screen.open(window_of(content))
    run_games(target_on(screen, theme, told), strategy("best"), Play(flags=flags), no_record, told)
    assert content.decided_before is not None
    assert content.misplaced == 0
    check_two_games(told)


@pytest.mark.parametrize("flags", [False, True])
@pytest.mark.parametrize("after", [5, 9, 14])
def test_a_game_that_is_started_anew_by_the_person_with_the_mouse_gets_no_click_of_the_old_one(
    theme: Theme, after: int, flags: bool
) -> None:
    told, screen = Told(), VirtualScreen()
    content = Interrupted(session("intermediate", 8), after, told)

    def push() -> None:
        screen.pointer = Point(700, 600)

    def go_on(_: Callable[[], bool]) -> None:
        content.new_game()

    content.happens = push
    screen.open(window_of(content))
    target = target_on(screen, theme, told, takeover=go_on)
    run_games(target, strategy("best"), Play(flags=flags), no_record, told)
    assert content.decided_before is not None
    assert content.misplaced == 0
    check_two_games(told)


@pytest.mark.parametrize("seed", [1, 5])
def test_a_counter_that_still_shows_the_game_before_is_not_believed(theme: Theme, seed: int) -> None:
    content = session(seed=seed)
    told = run(screen_with(Belated(content, content.layout.board.y - 5)), theme, how=Play(games=4))
    assert Result.WON in {line.outcome for line in told.lines[:-1]}
    assert {line.mines for line in told.lines} == {10}


def test_a_dialog_that_does_not_close_stops_the_bot(theme: Theme, monkeypatch: pytest.MonkeyPatch) -> None:
    from test_window_target import with_dialog

    monkeypatch.setattr(dialogs, "STAYS_S", 0.2)
    screen, dialog = VirtualScreen(), Plain(120, 80)
    window = VirtualWindow(dialog, "Congratulations!", Point(50, 90), program="practice")
    screen.open(window_of(Eventful(session(seed=2), 3, lambda: screen.stack.append(window))))
    told = run(screen, with_dialog(theme))
    assert told.lines[0].outcome is Result.FAILED
    assert "'Congratulations!' does not close" in told.lines[0].reason
    assert dialog.keys.count("enter") == 3
    assert dialog.clicks == 2


@pytest.mark.parametrize(("before", "after"), [("beginner", "expert"), ("expert", "beginner")])
def test_a_level_that_is_changed_between_two_games_is_played(theme: Theme, before: str, after: str) -> None:
    content, backdrop, screen = session(before, 4), Plain(1280, 1024), VirtualScreen()
    columns, rows, mines = LEVELS[after]

    class Changing(Told):
        def game_over(self, line: GameLine) -> None:
            super().game_over(line)
            content.new_game(Rules(columns, rows, mines))

    told = Changing()
    screen.open(VirtualWindow(backdrop, "the desktop", Point(0, 0)))
    screen.open(window_of(content))
    run_games(target_on(screen, theme, told), strategy("best"), Play(games=2), no_record, told)
    assert {line.outcome for line in told.lines} <= PLAYED
    assert (told.lines[1].columns, told.lines[1].rows, told.lines[1].mines) == LEVELS[after]
    assert backdrop.clicks == 0


def test_a_face_of_unknown_looks_is_not_clicked_where_its_window_was(theme: Theme) -> None:
    face = theme.skin.face
    assert face is not None
    faceless = tuple(replace(one, faces={}) for one in theme.skin.glyph_sets)
    moodless = msgspec.structs.replace(face, moods=False)
    plain = replace(theme, skin=replace(theme.skin, face=moodless, glyph_sets=faceless))
    backdrop, screen = Plain(1280, 1024), VirtualScreen()

    screen.open(VirtualWindow(backdrop, "the desktop", Point(0, 0)))
    told = Moving(window=screen.open(window_of(session(seed=1))), across=Point(600, 300))
    run_games(target_on(screen, plain, told), strategy("best"), Play(games=3), no_record, told)
    assert [line.outcome in PLAYED for line in told.lines] == [True] * 3, told.lines[-1].reason
    assert backdrop.clicks == 0


def test_a_covered_face_is_not_clicked(theme: Theme) -> None:
    content, cover, screen = session(seed=1), Plain(200, 45), VirtualScreen()

    class Covering(Told):
        def game_over(self, line: GameLine) -> None:
            super().game_over(line)
            screen.open(VirtualWindow(cover, "a note", Point(40, 40)))

    told = Covering()
    screen.open(window_of(content))
    run_games(target_on(screen, theme, told), strategy("best"), Play(games=2), no_record, told)
    assert told.lines[1].outcome is Result.FAILED
    assert "the face" in told.lines[1].reason
    assert cover.clicks == 0


@pytest.mark.parametrize(
    ("scale", "origin", "at"),
    [
        (1, Point(-1280, -200), Point(80, 80)),
        (2, Point(0, 0), Point(80, 80)),
        (2, Point(-1280, -200), Point(81, 83)),
        (3, Point(0, 0), Point(80, 80)),
    ],
)
def test_other_pixels_a_point_and_monitors_left_of_the_first_one(
    theme: Theme, scale: int, origin: Point, at: Point
) -> None:
    content, backdrop = session("beginner", 3, float(scale)), Plain(420 * scale, 400 * scale)
    screen = Magnified(scale, origin)
    screen.open(VirtualWindow(backdrop, "the desktop", Point(0, 0)))
    screen.open(VirtualWindow(content, "minebot practice", at))
    told = run(screen, theme, how=Play(games=2, flags=True))
    assert {line.outcome for line in told.lines} <= PLAYED
    assert backdrop.clicks == 0


def test_small_cells_on_a_screen_of_two_pixels_a_point(theme: Theme) -> None:
    """A window that knows nothing of the scale is drawn at its own size."""
    screen = Magnified(2, Point(0, 0))
    screen.open(VirtualWindow(session("beginner", 3), "minebot practice", Point(81, 83)))
    assert run(screen, theme, how=Play(games=2)).lines[1].outcome in PLAYED


def mines_of(content: PracticeSession) -> Any:
    truth = content.game.truth_for_simulators
    assert truth is not None
    return truth.mines


@pytest.mark.parametrize("mines", [10, 20])
@pytest.mark.parametrize("ends", [Phase.WON, Phase.LOST])
def test_a_game_that_is_over_at_the_start_makes_room_for_a_new_one(
    theme: Theme, ends: Phase, mines: int
) -> None:
    content = PracticeSession(Rules(9, 9, mines), 1.0, 4)
    game = content.game
    game.open(0, 0)
    for row, column in np.argwhere(mines_of(content) == (ends is Phase.LOST)).tolist():
        game.open(row, column)
    assert game.phase is ends
    told = run(screen_with(content), theme)
    assert told.lines[0].outcome in PLAYED
    assert told.lines[0].mines == mines


@pytest.mark.parametrize("seed", range(4))
def test_a_wrong_flag_of_a_person_is_played_right_or_told(theme: Theme, seed: int) -> None:
    content = session("intermediate", seed)
    game = content.game
    game.open(8, 8)
    rng = np.random.default_rng(seed)
    covered = [cell for cell in game.board.where(Cell.COVERED) if not mines_of(content)[cell]]
    for index in rng.choice(len(covered), 4, replace=False):
        game.flag(*covered[index])
    told = run(screen_with(content), theme)
    line = told.lines[0]
    assert line.outcome in PLAYED or (line.outcome is Result.FAILED and "flag" in line.reason), line.reason


def test_another_number_of_mines_than_usual_that_no_counter_tells(theme: Theme) -> None:
    uncounted = replace(theme, skin=replace(theme.skin, counter=None))
    told = run(screen_with(PracticeSession(Rules(9, 9, 1), 1.0, 3)), uncounted)
    line = told.lines[0]
    assert line.outcome is Result.FAILED
    assert "say --mines N where this game has another one" in line.reason, line.reason


@pytest.mark.parametrize("flags", [False, True])
def test_question_marks(theme: Theme, flags: bool) -> None:
    content = PracticeSession(Rules(16, 16, 40), 1.0, 3, marks=True)
    game = content.game
    game.open(8, 8)
    for cell in game.board.where(Cell.COVERED)[::7]:
        game.flag(*cell)
        game.flag(*cell)
    assert game.board.count(Cell.QUESTION)
    told = run(screen_with(content), theme, how=Play(games=2, flags=flags))
    assert {line.outcome for line in told.lines} <= PLAYED


def test_the_first_click_of_an_unprotected_game_is_a_guess(theme: Theme) -> None:
    told = Told()
    screen = screen_with(PracticeSession(Rules(9, 9, 10, FirstClick.ANY, Spread.EIGHT), 1.0, 1))
    target = target_on(screen, theme, told, first_click=FirstClick.ANY)
    run_games(target, strategy("best"), Play(games=12), no_record, told)
    assert all(line.guesses >= 1 for line in told.lines)
    assert {line.outcome for line in told.lines} <= PLAYED


@pytest.mark.parametrize("press", [1, 4, 9])
def test_ctrl_c_between_press_and_release_leaves_no_button_down(theme: Theme, press: int) -> None:
    content, screen, told, pressed = session("intermediate", 8), VirtualScreen(), Told(), 0
    real = content.press

    def interrupted(x: int, y: int, button: int) -> None:
        nonlocal pressed
        pressed += 1
        real(x, y, button)
        if pressed == press:
            raise KeyboardInterrupt

    content.press = interrupted  # type: ignore[method-assign]
    screen.open(window_of(content))
    with pytest.raises(KeyboardInterrupt):
        run_games(target_on(screen, theme, told), strategy("best"), Play(), no_record, told)
    assert not screen.held
    assert pressed == press
    assert told.lines[0].outcome is Result.STOPPED


@pytest.mark.parametrize("after", [1, 60, 90])
def test_a_screen_that_can_no_longer_be_captured_fails_with_one_line(theme: Theme, after: int) -> None:
    class Failing(VirtualScreen):
        looks = -1

        def grab(self, rect: Rect) -> Image:
            if self.looks >= 0:
                self.looks += 1
                if self.looks > after:
                    raise ScreenError("the screen cannot be captured: run `minebot doctor`")
            return super().grab(rect)

    screen, told = Failing(), Told()
    screen.open(window_of(session("intermediate", 8)))
    target = target_on(screen, theme, told)
    screen.looks = 0
    run_games(target, strategy("best"), Play(), no_record, told)
    assert told.lines[0].outcome is Result.FAILED
    assert told.lines[0].reason == "the screen cannot be captured: run `minebot doctor`"
    assert not screen.held


def test_a_picture_that_cannot_be_kept_is_no_traceback(theme: Theme, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("bot.targets.window.observe.trouble.write_whole", full)
    screen, cover = VirtualScreen(), Plain(60, 60)
    note = VirtualWindow(cover, "a note", Point(60, 100))
    screen.open(window_of(Eventful(session("beginner", 2), 2, lambda: screen.stack.append(note))))
    reason = run(screen, theme).lines[0].reason
    assert "could not be kept, No space left" in reason


@dataclass
class Stalled:
    """After so many clicks, a piece that flies over an opened cell stops there for a while, as if covered."""

    content: PracticeSession
    after: int
    for_s: float = 0.5
    clicks: int = 0
    hidden: int = 0
    _until: float = 0.0
    _cell: tuple[int, int] | None = None

    def image(self) -> Image:
        picture: Image = self.content.image()
        if self._cell is None or time.perf_counter() > self._until:
            return picture
        self.hidden += 1
        shown: Image = picture.copy()
        shown[self._part(self._cell)] = picture[self._part(self.content.game.board.where(Cell.COVERED)[0])]
        return shown

    def _part(self, cell: tuple[int, int]) -> tuple[slice, slice]:
        place = self.content.layout.cell(*cell)
        return slice(place.y, place.bottom), slice(place.x, place.right)

    def press(self, x: int, y: int, button: int) -> None:
        self.content.press(x, y, button)

    def release(self, x: int, y: int, button: int) -> None:
        self.content.release(x, y, button)
        self.clicks += 1
        board: Board = self.content.game.board
        # Beside a zero nobody would believe it.
        cells = [
            cell
            for cell in board.where(*range(1, 9))
            if all(board[near] != 0 for near in board.neighbours(*cell))
        ]
        if self.clicks >= self.after and self._cell is None and cells and board.where(Cell.COVERED):
            self._cell, self._until = cells[0], time.perf_counter() + self.for_s

    def move(self, x: int, y: int) -> None:
        self.content.move(x, y)

    def key(self, name: str) -> None:
        self.content.key(name)


def test_a_game_that_somebody_else_began_is_seen_while_its_clock_goes_on(theme: Theme) -> None:
    """A game that moves its pieces about must rest for long before it counts as another one."""
    timing = msgspec.structs.replace(theme.behaviour.timing, rest_ms=60.0)
    moving = replace(theme, behaviour=replace(theme.behaviour, timing=timing))

    class Ticking(Eventful):
        def image(self) -> Image:
            picture: Image = self.content.image().copy()
            picture[played.layout.board.y - 4, 5:8] = int(time.perf_counter() * 2) % 200
            return picture

    def begin_another() -> None:
        played.new_game()
        played.game.open(3, 3)

    played = session("intermediate", 8)
    thrown, other = run(screen_with(Ticking(played, 8, begin_another)), moving).lines
    assert (thrown.outcome, thrown.reason) == (Result.STOPPED, ANOTHER_GAME)
    assert other.outcome in PLAYED


def test_what_moves_all_the_time_beside_the_cells_keeps_nothing_from_being_played(
    theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.targets.window.track.settle_times.BESIDE_S", 0.3)
    played = session("beginner", 8)

    class Blinking(Wrapped):
        looks = 0

        def image(self) -> Image:
            picture: Image = self.content.image().copy()
            self.looks += 1
            picture[played.layout.board.y - 4, 5:8] = self.looks % 200
            return picture

    told = run(screen_with(Blinking(played)), theme, how=Play(games=2))
    assert [line.outcome in PLAYED for line in told.lines] == [True] * 2


@pytest.mark.parametrize("seed", [1, 3, 8])
def test_a_piece_that_stalls_over_an_opened_cell_is_no_other_game(theme: Theme, seed: int) -> None:
    timing = msgspec.structs.replace(theme.behaviour.timing, rest_ms=60.0)
    moving = replace(theme, behaviour=replace(theme.behaviour, timing=timing))
    content = Stalled(session("intermediate", seed), 6)
    told = run(screen_with(content), moving)
    assert content.hidden > 2
    assert [line.outcome in PLAYED for line in told.lines] == [True]
