"""Learning a window from scratch, on the virtual screen, and playing it by what was learned."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
import pytest
from learning import AT, Pupil
from misbehaving import Eventful, Plain, Wrapped
from misbehaving import glyph as drawn_cell
from playing import INTERVAL_S, Told, session

from bot.board import Cell, Codes, FirstClick, Observation, Phase
from bot.calibrate import lesson
from bot.calibrate.save.corrections import correct_glyphs, known_glyphs
from bot.cli.parts.recording.played_window_keeping import window_keeper
from bot.errors import Stopped, WindowError
from bot.files import user_data
from bot.game_line import GameLine
from bot.geometry import Point
from bot.practice.session import PracticeSession
from bot.recording.record import NullRecorder
from bot.screen.virtual import Content, VirtualScreen, VirtualWindow
from bot.session import Play, run_games
from bot.strategy.base import Decision
from bot.strategy.partial import Partial
from bot.strategy.registry import strategy
from bot.targets.window.act.pointer import Pointer
from bot.targets.window.calibration import own_calibrations
from bot.targets.window.locate.board_finder import choose
from bot.targets.window.locate.calibrated import find_calibrated
from bot.targets.window.window_target import WindowTarget
from bot.vision.grid import Image
from bot.vision.themes.theme import load_theme

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _soon_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rare numbers are not waited for, and few first clicks are tried."""
    monkeypatch.setattr(lesson, "RARE", lesson.FREQUENT)
    monkeypatch.setattr(lesson, "MOST_FIRST_CLICKS", 2)


@dataclass
class Taught(Wrapped):
    """The built-in window as X11 names its keys."""

    content: PracticeSession

    def key(self, name: str) -> None:
        self.content.key({"f2": "F2"}.get(name, name))


class OddColours(Taught):
    """The same game with its colours turned about: the colour of a digit says nothing."""

    def image(self) -> Image:
        return np.ascontiguousarray(255 - self.content.image()[:, :, [1, 2, 0]])


class SlowEnd(Taught):
    """The mines of a lost game go off row by row, with pauses in which all seems to be at rest."""

    pause_s = 0.09
    calm: Image | None = None
    since: float | None = None

    def image(self) -> Image:
        picture, game, board = self.content.image(), self.content.game, self.content.layout.board
        if game.phase is not Phase.LOST or self.calm is None:
            self.calm, self.since = picture, None
            return picture
        now = time.perf_counter()
        self.since = self.since or now
        gone_off: Image = self.calm.copy()
        pitch, rows = self.content.layout.pitch, 3 * int((now - self.since) / self.pause_s)
        gone_off[: board.y + rows * pitch] = picture[: board.y + rows * pitch]
        for row, column in game.board.where(Cell.EXPLODED):
            x, y = board.x + column * pitch, board.y + row * pitch
            gone_off[y : y + pitch, x : x + pitch] = picture[y : y + pitch, x : x + pitch]
        return gone_off


class PlainFlags(Taught):
    """A window that draws a wrong flag as it draws any flag, also at the end of a lost game."""

    playing: Image | None = None

    def image(self) -> Image:
        picture: Image = self.content.image().copy()
        game = self.content.game
        if game.phase is not Phase.LOST or self.playing is None:
            self.playing = picture
            return picture
        for cell in game.board.where(Cell.WRONG_FLAG):
            rect = self.content.layout.cell(*cell)
            part = slice(rect.y, rect.bottom), slice(rect.x, rect.right)
            picture[part] = self.playing[part]
        return picture


class MinesAsFlags(Taught):
    """A window that shows all of a lost game: its mines as flags, an empty cell where a flag was wrong."""

    hit_as = Cell.FLAG
    """What the mine that was opened is drawn as."""

    def image(self) -> Image:
        picture: Image = self.content.image().copy()
        game, layout = self.content.game, self.content.layout
        if game.phase is not Phase.LOST:
            return picture
        drawn = {int(Cell.MINE): Cell.FLAG, int(Cell.EXPLODED): self.hit_as, int(Cell.WRONG_FLAG): 0}
        for row, column in np.ndindex(game.board.codes.shape):
            code = game.board[row, column]
            shown = int(game.minefield.counts[row, column]) if code == Cell.COVERED else drawn.get(code, code)
            rect = layout.cell(row, column)
            picture[rect.y : rect.bottom, rect.x : rect.right] = drawn_cell(shown, layout.pitch)
        return picture


class SenselessEnd(MinesAsFlags):
    """The same, which shows an empty cell for the mine that was opened too."""

    hit_as = Cell(0)


class NoFace(Taught):
    """A window whose button does nothing: only F2 starts a new game."""

    def press(self, x: int, y: int, button: int) -> None:
        if y >= self.content.layout.board.y:
            self.content.press(x, y, button)


class OneGame(NoFace):
    """A window that starts no other game."""

    def key(self, name: str) -> None:
        pass


class Dead(Taught):
    """A window that reacts to nothing: a picture of a board."""

    presses = 0

    def press(self, x: int, y: int, button: int) -> None:
        self.presses += 1

    def key(self, name: str) -> None:
        pass


class Checker:
    """Counts cells that were read as something else than the game has."""

    def __init__(self, played: PracticeSession) -> None:
        self.played = played
        self.wrong: list[tuple[int, int]] = []
        self.looked = 0

    def game_starts(self, number: int) -> None:
        pass

    def decided(self, observation: Observation, decision: Decision, clicks: int, seconds: float) -> None:
        truth: Codes = self.played.game.board.codes
        read = observation.board.codes
        self.looked += 1
        self.wrong += [(int(r), int(c)) for r, c in np.argwhere((read != truth) & (read != Cell.UNREAD))]

    def game_over(self, line: GameLine) -> None:
        assert line.outcome.value in ("won", "lost"), line.reason


def played_on(content: Content, played: PracticeSession, name: str, games: int) -> Checker:
    screen = VirtualScreen()
    screen.open(VirtualWindow(content, "a game", Point(300, 200)))
    sighting = choose(find_calibrated(screen, screen, {name: own_calibrations()[name]}), None)
    target = WindowTarget(sighting, screen, screen, Pointer(screen, INTERVAL_S))
    checker, told = Checker(played), Told()
    ended = window_keeper(target, told.texts.append, None)
    how = Play(games=games, new=True)
    lines = run_games(target, Partial(strategy("exact")), how, lambda _: NullRecorder(), checker, ended)
    assert len(lines) == games
    return checker


@pytest.mark.parametrize("kind", [Taught, OddColours])
def test_learns_a_window_and_plays_it(kind: type[Taught]) -> None:
    content = session(seed=3)
    learned = Pupil(kind(content)).learn()
    assert content.game.board.all_covered, "a new game is left behind"
    codes = {look.code for look in learned.looks}
    assert {0, 1, 2, 3, Cell.COVERED, Cell.MINE, Cell.EXPLODED, Cell.FLAG} <= codes
    assert learned.mines == 10
    assert learned.new_game is not None
    assert learned.new_game.kind == "place"
    assert learned.flags_to_win is False
    other = session(seed=77)
    checker = played_on(kind(other), other, "mine", 6)
    assert checker.looked > 6
    assert not checker.wrong


def test_first_clicks_are_tried_until_it_is_plain_what_protects_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lesson, "MOST_FIRST_CLICKS", 40)
    learned = Pupil(Taught(session(seed=3)), budget_s=300.0).learn()
    assert learned.first_click is FirstClick.SAFE, "as the built-in window protects them"
    assert (learned.first_clicks >= 20, learned.first_lost) == (True, 0)
    assert load_theme("mine").behaviour.first_click is FirstClick.SAFE


def test_a_wrong_flag_that_is_drawn_as_any_flag_stays_a_flag() -> None:
    learned = Pupil(PlainFlags(session(seed=3))).learn()
    codes = [look.code for look in learned.looks]
    assert int(Cell.FLAG) in codes
    assert int(Cell.WRONG_FLAG) not in codes


def test_a_lost_game_whose_mines_look_like_flags_is_known_as_lost() -> None:
    """As that of xbomb: its last game failed, and was left behind so that it could not be played."""
    content = session(seed=3)
    pupil = Pupil(MinesAsFlags(content))
    assert pupil.learn().notes == []
    assert any(" lost; " in text for text in pupil.told.texts)
    assert content.game.board.all_covered


def test_a_game_that_failed_is_told_and_a_new_one_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.targets.window.window_target.UNKNOWN_PATIENCE", 1)
    content = session(seed=3)
    learned = Pupil(SenselessEnd(content)).learn()
    assert [note[:31] for note in learned.notes] == ["not all of it was learned: no p"]
    assert content.game.board.all_covered


def test_a_window_whose_end_pauses_longer_than_its_play_is_learned() -> None:
    """As that of a page in a busy browser does."""
    learned = Pupil(SlowEnd(session(seed=3))).learn()
    assert {0, 1, 2} <= {look.code for look in learned.looks}
    assert learned.mines == 10


def test_a_window_without_a_button_is_started_anew_by_its_key() -> None:
    learned = Pupil(NoFace(session(seed=3)), "keys").learn()
    assert learned.new_game is not None
    assert (learned.new_game.kind, learned.new_game.key) == ("key", "f2")
    other = session(seed=5)
    assert not played_on(NoFace(other), other, "keys", 3).wrong


def test_a_window_that_starts_no_other_game_is_learned_by_one() -> None:
    learned = Pupil(OneGame(session(seed=3)), "one").learn()
    assert (learned.games, learned.new_game) == (1, None)
    assert "no way was found to start a new game" in learned.notes[0]
    assert own_calibrations()["one"].new_game is None


def test_a_new_game_that_comes_late_is_that_of_the_button_pressed() -> None:
    """A busy machine: cells open at once, the new board shows only after a while. Another click meanwhile
    is as one on a button that leads elsewhere."""

    class Busy(Taught):
        pressed: float | None = None
        elsewhere = False

        def image(self) -> Image:
            if self.pressed is not None and time.perf_counter() > self.pressed + 0.2:
                self.content.new_game()
                self.pressed = None
            return np.zeros_like(self.content.image()) if self.elsewhere else self.content.image()

        def press(self, x: int, y: int, button: int) -> None:
            if y >= self.content.layout.board.y:
                self.content.press(x, y, button)
            else:
                self.elsewhere |= self.pressed is not None
                self.pressed = time.perf_counter()

    learned = Pupil(Busy(session(seed=3)), "late").learn()
    assert learned.new_game is not None
    assert learned.new_game.kind == "place"


def test_a_picture_of_a_board_is_said_to_be_none_soon() -> None:
    dead = Dead(session())
    pupil = Pupil(dead)
    with pytest.raises(WindowError, match=r"clicks on row \d, column \d did nothing"):
        pupil.learn()
    assert dead.presses < 30, "each is waited for"
    assert not (user_data() / "templates").exists()


def test_a_person_who_takes_the_mouse_stops_it_and_nothing_is_kept() -> None:
    class Pushed(Taught):
        presses = 0

        def press(self, x: int, y: int, button: int) -> None:
            super().press(x, y, button)
            self.presses += 1
            if self.presses == 6:
                pupil.screen.pointer = Point(900, 900)

    pupil = Pupil(Pushed(session(seed=3)))
    with pytest.raises(Stopped):
        pupil.learn()
    assert not pupil.screen.held
    assert not (user_data() / "templates").exists()


@pytest.mark.parametrize("happens", ["covered", "closed"])
def test_no_click_goes_to_where_the_window_is_not(happens: str) -> None:
    def trouble() -> None:
        if happens == "covered":
            pupil.screen.open(note)
        else:
            pupil.screen.stack.remove(window)

    game = Eventful(Taught(session(seed=3)), 3, trouble)
    pupil = Pupil(game)
    (window,) = pupil.screen.stack
    note = VirtualWindow(Plain(200, 200), "a note", AT, "else")
    below = Plain(600, 600)
    pupil.screen.stack.insert(0, VirtualWindow(below, "below", Point(0, 0), "else"))
    with pytest.raises(WindowError, match=r"a note|was closed"):
        pupil.learn()
    assert (game.clicks, below.clicks) == (3, 0)
    assert isinstance(note.content, Plain)
    assert not note.content.clicks


def test_what_was_forgotten_is_learned_again_when_it_is_met() -> None:
    Pupil(Taught(session(seed=3))).learn()
    for glyph in known_glyphs("mine"):
        if glyph.letter in "345678":
            correct_glyphs("mine", [f"{glyph.file}=-"])
    assert not {glyph.letter for glyph in known_glyphs("mine")} & set("345678")
    other = session(seed=77)
    assert not played_on(Taught(other), other, "mine", 6).wrong
    assert "3" in {glyph.letter for glyph in known_glyphs("mine")}
