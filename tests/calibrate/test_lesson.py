"""Learning a window from scratch, on the virtual screen, and playing it by what was learned."""

from __future__ import annotations

import random
import shutil
import time
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from learning import grid_of, lesson, session
from misbehaving import Eventful, Plain, Wrapped
from painting import painted

from bot.board import Board, Cell, Codes, FirstClick, Observation, Phase, Rules, Spread
from bot.calibrate.infer.findings import Findings
from bot.calibrate.infer.knowledge import Knowledge
from bot.calibrate.infer.rule_inference import first_click_rule, spread_of
from bot.calibrate.late_learning import LateLearner
from bot.calibrate.probe import live_window, new_game_search
from bot.calibrate.probe.behaviour_probe import BehaviourProbe
from bot.calibrate.probe.new_game_search import NewGameSearch
from bot.calibrate.probe.throwaway_games import ThrowawayGames, anywhere
from bot.calibrate.probe.window_choice import choose_window
from bot.calibrate.save.theme_writer import save_findings
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
from bot.vision.grid import Grid, Image
from bot.vision.themes.skin import Skin
from bot.vision.themes.theme import load_theme

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A window in memory reacts at once: nothing is gained by waiting for it as for a real one."""
    for name, seconds in (("QUIET_S", 0.01), ("END_QUIET_S", 0.05), ("REACTION_S", 0.05)):
        monkeypatch.setattr(live_window, name, seconds)
    monkeypatch.setattr(new_game_search, "WAIT_S", 0.3)
    monkeypatch.setattr(new_game_search, "ANSWER_S", 0.5)


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


class NoFace(Taught):
    """A window whose button does nothing: only F2 starts a new game."""

    def press(self, x: int, y: int, button: int) -> None:
        if y >= self.content.layout.board.y:
            self.content.press(x, y, button)


class Dead(Taught):
    """A window that reacts to nothing: a picture of a board."""

    def press(self, x: int, y: int, button: int) -> None:
        pass

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
    target = WindowTarget(sighting, screen, screen, Pointer(screen, 0.0005), glyph_learner=LateLearner())
    checker = Checker(played)
    lines = run_games(
        target, Partial(strategy("exact")), Play(games=games, new=True), lambda _: NullRecorder(), checker
    )
    assert len(lines) == games
    return checker


def learn(content: Content, grid: Grid, name: str, budget_s: float = 48.0) -> Findings:
    teacher, screen = lesson(content, grid, budget_s=budget_s)
    learned = teacher.learn()
    save_findings(name, learned, teacher.live, screen)
    assert not screen.held
    return learned


@pytest.mark.parametrize("kind", [Taught, OddColours])
def test_learns_a_window_and_plays_it(kind: type[Taught]) -> None:
    played = session()
    learned = learn(kind(played), grid_of(played), "mine")
    codes = {label.code for label in learned.labels.values()}
    assert {0, 1, 2, 3, Cell.COVERED, Cell.MINE, Cell.EXPLODED, Cell.FLAG} <= codes
    assert learned.mines == 10
    assert learned.new_game is not None
    assert learned.new_game.way.kind == "place"
    other = session(seed=77)
    checker = played_on(kind(other), other, "mine", 6)
    assert checker.looked > 6
    assert not checker.wrong


def test_a_wrong_flag_that_is_drawn_as_any_flag_stays_a_flag() -> None:
    """Also where nothing was inferred since the flag was learned."""
    played, rng = session(), random.Random(1)
    live = lesson(PlainFlags(played), grid_of(played))[0].live
    known = Knowledge(live.view.grid)
    games = ThrowawayGames(live, known, rng)
    probe = BehaviourProbe(games, NewGameSearch(live, known.is_new_board), known, rng, lambda: 48.0)
    frame = live.grab()
    for _ in range(6):
        game = games.play(anywhere(rng), frame)
        assert game is not None
        known.infer()
        frame = probe.next_game(game)
    frame = probe.learn_marks(frame)
    flag = known.marks[Cell.FLAG]
    for _ in range(3):
        frame = probe.learn_wrong_flag(frame)
    assert known.marks[Cell.FLAG] == flag
    assert Cell.WRONG_FLAG not in known.marks


def test_a_window_whose_end_pauses_longer_than_its_play_is_learned() -> None:
    """As that of a page in a busy browser does."""
    played = session()
    learned = learn(SlowEnd(played), grid_of(played), "mine")
    assert {0, 1, 2} <= {label.code for label in learned.labels.values()}
    assert learned.mines == 10


def test_a_grid_that_is_off_by_a_pixel_is_put_right() -> None:
    played = session()
    right = grid_of(played)
    learned = learn(Taught(played), right.moved(-0.6, 0.7), "off")
    assert (learned.clusters.grid.x, learned.clusters.grid.y) == (right.x, right.y)


def test_a_window_without_a_button_is_started_anew_by_its_key() -> None:
    played = session()
    learned = learn(NoFace(played), grid_of(played), "keys")
    assert learned.new_game is not None
    assert (learned.new_game.way.kind, learned.new_game.way.key) == ("key", "f2")
    other = session(seed=5)
    assert not played_on(NoFace(other), other, "keys", 3).wrong


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

    played = session()
    learned = learn(Busy(played), grid_of(played), "late")
    assert learned.new_game is not None
    assert learned.new_game.way.kind == "place"


def test_a_picture_of_a_board_is_said_to_be_none_soon() -> None:
    played = session()
    teacher, _ = lesson(Dead(played), grid_of(played))
    with pytest.raises(WindowError, match=r"changed nothing|no new game could be started"):
        teacher.learn()
    assert teacher.live.clicks < 30  # each is waited for
    assert not (user_data() / "templates").exists()


def test_a_person_who_takes_the_mouse_stops_it_and_nothing_is_kept() -> None:
    played = session()

    class Pushed(Taught):
        presses = 0

        def press(self, x: int, y: int, button: int) -> None:
            super().press(x, y, button)
            Pushed.presses += 1
            if Pushed.presses == 6:
                screen.pointer = Point(900, 900)

    teacher, screen = lesson(Pushed(played), grid_of(played))
    with pytest.raises(Stopped):
        teacher.learn()
    assert not screen.held
    assert not (user_data() / "templates").exists()


@pytest.mark.parametrize(
    ("happens", "message"),
    [
        ("moved", "'a game' was moved or resized: leave it alone"),
        ("covered", "'a note' has come over 'a game': move it away"),
        ("closed", "'a game' was closed: open it"),
    ],
)
def test_no_click_goes_to_where_the_window_is_not(happens: str, message: str) -> None:
    played = session()
    note = VirtualWindow(Plain(200, 200), "a note", Point(40, 40), "else")

    def trouble() -> None:
        if happens == "moved":
            screen.stack[-1].at = Point(56, 40)  # by a cell: it looks as before
        elif happens == "covered":
            screen.open(note)
        else:
            screen.stack.clear()

    game = Eventful(Taught(played), 3, trouble)
    teacher, screen = lesson(game, grid_of(played))
    screen.open(VirtualWindow(below := Plain(600, 600), "below", Point(0, 0), "else"))
    screen.stack.reverse()
    with pytest.raises(WindowError, match=message):
        teacher.learn()
    assert (game.clicks, below.clicks) == (3, 0)
    assert isinstance(note.content, Plain)
    assert not note.content.clicks


def test_a_board_that_is_covered_in_part_is_not_learned() -> None:
    screen = VirtualScreen()
    screen.open(VirtualWindow(session("expert"), "a game", Point(40, 40)))
    screen.open(VirtualWindow(Plain(600, 800), "a note", Point(290, 0), "else"))
    with pytest.raises(WindowError, match="cannot be learned: it is covered by 'a note': move that away"):
        choose_window(screen, screen, "a game")


def test_what_was_never_met_is_learned_when_logic_forces_it() -> None:
    from bot.calibrate.save.corrections import correct_glyphs, glyph_letters

    played = session()
    learn(Taught(played), grid_of(played), "mine")
    for file, letter in glyph_letters("mine"):
        if letter in "345678":
            correct_glyphs("mine", [f"{file}=-"])
    assert not {letter for _, letter in glyph_letters("mine")} & set("345678")
    other = session(seed=77)
    checker = played_on(Taught(other), other, "mine", 12)
    assert not checker.wrong
    assert "3" in {letter for _, letter in glyph_letters("mine")}


def without_high_numbers(folder: Path) -> Skin:
    """Our own theme as if it had been learned in games that showed no 5 to 8."""
    shutil.copytree(load_theme("practice").folder, folder / "mine")
    skin = load_theme(folder / "mine").skin
    cut = skin.glyph_sets[0]
    met = (cut.codes <= 4) | (cut.codes > 8)
    cut = replace(cut, codes=cut.codes[met], glyphs=cut.glyphs[met], hovered=cut.hovered[met])
    return replace(skin, glyph_sets=(cut,), learned=True)


@pytest.mark.parametrize("drawn", [True, False])
def test_a_cell_that_is_only_pressed_is_no_number_that_was_never_met(tmp_path: Path, drawn: bool) -> None:
    """A busy gnome-mines shows pressed cells long enough that one was kept as the picture of a 5."""
    board = Board.parse("###1.\n#521.\n#2...\n11...\n.....")
    skin = without_high_numbers(tmp_path)
    width, height = skin.glyph_sets[0].cell
    frame = painted(board, load_theme("practice").skin)
    if not drawn:
        empty = frame[3 * height : 4 * height, 3 * width : 4 * width]
        frame[height : 2 * height, width : 2 * width] = empty - np.uint8(8)
    seen = board.replaced([(1, 1)], Cell.UNREAD)
    learned = LateLearner().meet(skin, Grid(0, 0, width, height, 5, 5), frame, seen, None, Rules(5, 5, 5))
    assert learned.text == ("learned what a 5 looks like" if drawn else "")
    assert learned.opened == {(1, 1)}


def test_a_game_that_has_changed_its_looks_teaches_nothing(tmp_path: Path) -> None:
    """Other digits on the same ground: logic alone would take the 3 here for a 5, the one number that fits
    of those that were never met."""
    rows = [line.ljust(30, "#") for line in ("......1", "11211.1", "####1.1", "####311")]
    board = Board.parse("\n".join([*rows, *["#" * 30] * 12]))
    skin = without_high_numbers(tmp_path)
    cut = skin.glyph_sets[0]
    frame = painted(board, skin)
    frame[np.ptp(frame, axis=2) > 40] = (200, 0, 200)
    digits = (board.codes >= 1) & (board.codes <= 3)
    seen = Board(np.where(digits, np.int8(Cell.UNREAD), board.codes))
    grid = Grid(0, 0, cut.cell[0], cut.cell[1], 30, 16)
    learned = LateLearner().meet(skin, grid, frame, seen, None, Rules(30, 16, 99))
    assert (learned.skin, learned.text) == (None, "")


def test_first_clicks_are_believed_only_when_many_were_seen() -> None:
    density = 0.12
    assert first_click_rule([], density) is FirstClick.ANY
    assert first_click_rule([1] * 5, density) is FirstClick.ANY
    assert first_click_rule([1, 0] * 15, density) is FirstClick.SAFE
    assert first_click_rule([0] * 30, density) is FirstClick.ZERO
    # The eight cells around each of them were safe as well.
    assert first_click_rule([0] * 4, density) is FirstClick.ZERO
    assert first_click_rule([0] * 2, density) is FirstClick.ANY
    assert first_click_rule([0] * 3 + [1], density) is FirstClick.ANY
    assert first_click_rule([0] * 30 + [int(Cell.MINE)], density) is FirstClick.ANY


def test_one_zero_beside_a_covered_cell_does_not_prove_that_openings_do_not_spread() -> None:
    whole, drawn_late = Board.parse("..1#\n..1#\n111#\n####"), Board.parse("..1#\n..1#\n11.#\n####")
    alone, in_four = Board.parse("####\n#.##\n####\n##.#"), Board.parse("#1..1\n1..1#\n...1#")
    assert spread_of([whole] * 5 + [drawn_late]) is Spread.EIGHT
    assert spread_of([alone] * 5 + [whole]) is Spread.NONE
    assert spread_of([in_four] * 5 + [whole] * 2) is Spread.FOUR
    assert spread_of([Board.covered(4, 4)]) is Spread.EIGHT
