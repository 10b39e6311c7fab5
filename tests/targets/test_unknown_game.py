"""A window whose game no theme knows is played by what all Minesweepers share."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from click.testing import CliRunner
from misbehaving import Late, Wrapped
from playing import INTERVAL_S, Told, no_record, screen_with, session, unknown_target

from bot.board import Action, Cell, Codes, FirstClick, Move, Phase, Result, Rules
from bot.calibrate.save import played_window
from bot.calibrate.save.played_window import PlayedWindow
from bot.cli.calibrate import command as calibrate
from bot.cli.parts.live_play import begins_new
from bot.cli.parts.words.run_options import PlayOptions
from bot.errors import BotError, UnreadableBoard, WindowError
from bot.game_line import GameLine
from bot.geometry import Point
from bot.practice.session import PracticeSession
from bot.screen.virtual import VirtualScreen, VirtualWindow
from bot.session import Play, run_games
from bot.strategy.registry import strategy
from bot.targets.board_changes import is_one_opening
from bot.targets.window import PlaySettings, WindowTarget
from bot.targets.window.act.pointer import Pointer
from bot.targets.window.calibration import calibration_path, read_calibration
from bot.targets.window.events import restart_search
from bot.targets.window.locate import find_calibrated
from bot.targets.window.locate.unknown_boards import look_for_unknown
from bot.targets.window.looks import reader as looks_reader
from bot.targets.window.sighting import Sighting, View
from bot.vision.general.digit_colours import Inks
from bot.vision.general.general_grid_reader import read_cells
from bot.vision.grid import Grid, Image
from bot.vision.grid_readers import reader_for
from bot.vision.grids import find_grids
from bot.vision.reading import Reading
from bot.vision.themes.behaviour import NewGameWay
from bot.vision.themes.theme import load_theme, theme_folders

pytestmark = pytest.mark.slow


def played(seed: int) -> tuple[GameLine, Told]:
    """One beginner game in our own window, without its theme."""
    screen, told = screen_with(session(seed=seed)), Told()
    (window,) = screen.windows()
    picture = screen.grab(window.rect)
    grid = find_grids(picture)[0].grid
    reading = reader_for(None, grid).read(picture, header=True)
    sighting = Sighting(View(window.rect, grid), reading, window)
    pointer = Pointer(screen, INTERVAL_S)
    target = WindowTarget(sighting, screen, screen, pointer, PlaySettings(mines=10), tell=told.texts.append)
    run_games(target, strategy("best"), Play(), no_record, told)
    (line,) = told.lines
    return line, told


def test_cells_beyond_the_picture_are_not_read() -> None:
    screen = screen_with(session())
    (window,) = screen.windows()
    picture = screen.grab(window.rect)
    grid = find_grids(picture)[0].grid
    wider = replace(grid, columns=grid.columns + 4)
    board = reader_for(None, wider).read(picture).board
    beyond = [cell for cell in board.where(Cell.UNREAD) if wider.center(cell).x >= picture.shape[1]]
    assert len(beyond) == 3 * grid.rows
    assert board.where(Cell.COVERED)


def test_a_game_without_a_theme_is_played_to_its_end() -> None:
    lines = [played(seed)[0] for seed in range(3)]
    assert {line.theme for line in lines} == {None}
    assert all(line.outcome in (Result.WON, Result.LOST) for line in lines), [line.reason for line in lines]
    assert all(line.guesses for line in lines if line.outcome is Result.LOST)
    assert any(line.outcome is Result.WON for line in lines)


@dataclass
class Stubborn(Wrapped):
    """Takes no clicks above its board, and only some keys."""

    keys: tuple[str, ...] = ()
    struck: list[str] = field(default_factory=list)
    top: int = field(default_factory=lambda: session().layout.board.y)

    def press(self, x: int, y: int, button: int) -> None:
        if y >= self.top:
            self.content.press(x, y, button)

    def release(self, x: int, y: int, button: int) -> None:
        if y >= self.top:
            self.content.release(x, y, button)

    def key(self, name: str) -> None:
        self.struck.append(name)
        if name in self.keys:
            self.content.key("F2")


def test_a_board_is_found_without_its_theme() -> None:
    (sighting,) = look_for_unknown(screen_with(session()), screen_with(session()))
    assert (sighting.skin, sighting.problem) == (None, "")
    assert sighting.view.grid.shape == (9, 9)


def test_games_follow_each_other_by_the_way_that_was_found() -> None:
    told, screen = Told(), screen_with(session(seed=3))
    target = unknown_target(screen, told)
    lines = run_games(target, strategy("best"), Play(3), no_record, told)
    assert [line.outcome for line in lines].count(Result.FAILED) == 0, [line.reason for line in lines]
    ways = [text for text in told.texts if text.startswith("a new game is started by")]
    assert len(ways) == 1, told.texts
    assert all(line.bbbv is not None for line in lines)
    if [line.outcome for line in lines[:-1]] == [Result.WON, Result.WON]:
        assert lines[-1].mines == 10, "two games that were won have shown how many mines there are"


@pytest.mark.slow
def test_a_key_is_found_where_no_click_starts_a_game() -> None:
    told, window = Told(), Stubborn(session(seed=3), keys=("ctrl+n",))
    target = unknown_target(screen_with(window), told)
    lines = run_games(target, strategy("best"), Play(2), no_record, told)
    assert len(lines) == 2
    assert "a new game is started by the key CTRL+N" in told.texts
    assert window.struck[:2] == ["f2", "ctrl+n"]
    assert "enter" not in window.struck, "what is less harmless is not tried once a way is found"


@pytest.mark.slow
def test_without_a_way_it_waits_for_somebody_to_start_the_next_game() -> None:
    game = session(seed=3)
    window = Stubborn(game)
    told = Told()

    def hear(text: str) -> None:
        told.texts.append(text)
        if "no way was found to start a new game" in text:
            game.key("F2")  # somebody does

    screen = screen_with(window)
    (sighting,) = look_for_unknown(screen, screen)
    target = WindowTarget(sighting, screen, screen, Pointer(screen, INTERVAL_S), tell=hear)
    lines = run_games(target, strategy("best"), Play(2), no_record, told)
    assert [line.outcome in (Result.WON, Result.LOST) for line in lines] == [True, True]
    assert any("no way was found" in text for text in told.texts)
    assert len(window.struck) == len(set(window.struck)), "nothing that does nothing is tried twice"


def test_without_a_way_after_a_contradiction_other_rules_are_told_and_nobody_is_waited_for() -> None:
    told = Told()
    target = unknown_target(screen_with(Stubborn(session(seed=3))), told)
    run_games(target, strategy("best"), Play(), no_record, told)
    target.observer.contradicted = True
    with pytest.raises(WindowError, match=r"no way was found .* has other rules than Minesweeper"):
        target.new_game()


@dataclass
class Deaf(Stubborn):
    """Loses the first keys that are struck, as a window that a dialog has just left."""

    lost: int = 2

    def key(self, name: str) -> None:
        if len(self.struck) < self.lost:
            self.struck.append(name)
        else:
            super().key(name)


def test_a_way_that_has_worked_before_is_tried_again_before_others() -> None:
    told, window = Told(), Deaf(session(seed=3), keys=("ctrl+n",))
    target = unknown_target(screen_with(window), told, PlaySettings(wait_s=0))
    target.observer.behaviour = replace(target.observer.behaviour, new_game=NewGameWay("key", key="ctrl+n"))
    lines = run_games(target, strategy("best"), Play(2), no_record, told)
    assert [line.outcome in (Result.WON, Result.LOST) for line in lines] == [True, True]
    assert window.struck == ["ctrl+n"] * 3
    assert not target.observer.useless


@dataclass
class Page(Stubborn):
    """Loses the first clicks above its board, as a page that takes none right after the end of a game; a
    game starts too when it is loaded again."""

    keys: tuple[str, ...] = ("f5",)
    lost: int = 1

    def press(self, x: int, y: int, button: int) -> None:
        if self.lost:
            super().press(x, y, button)
        else:
            self.content.press(x, y, button)

    def release(self, x: int, y: int, button: int) -> None:
        if self.lost:
            self.lost -= y < self.top
            super().release(x, y, button)
        else:
            self.content.release(x, y, button)


@pytest.mark.slow
@pytest.mark.parametrize(("lost", "started_by"), [(1, "the button at"), (9, "the key F5")])
def test_a_page_is_loaded_again_once_what_did_nothing_was_clicked_twice(
    monkeypatch: pytest.MonkeyPatch, lost: int, started_by: str
) -> None:
    monkeypatch.setattr(restart_search, "TAKES_S", 0.3)
    told, window = Told(), Page(session(seed=3), lost=lost)
    screen = VirtualScreen()
    screen.open(VirtualWindow(window, "a page", Point(40, 40), program="chromium"))
    lines = run_games(unknown_target(screen, told), strategy("best"), Play(2), no_record, told)
    assert [line.outcome in (Result.WON, Result.LOST) for line in lines] == [True, True]
    assert any(text.startswith(f"a new game is started by {started_by}") for text in told.texts), told.texts
    assert window.struck.count("f5") == (lost > 1)


@pytest.mark.slow
def test_a_new_board_is_waited_for_as_long_as_the_window_takes_to_show_a_click(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On a busy machine the next way was tried while the board of the one before was being drawn."""
    monkeypatch.setattr(restart_search, "TAKES_S", 0.3)
    told = Told()
    target = unknown_target(screen_with(Late(session(seed=3), delay_s=0.6)), told)
    lines = run_games(target, strategy("best"), Play(2), no_record, told)
    assert [line.outcome in (Result.WON, Result.LOST) for line in lines] == [True, True]
    assert target.observer.useless == [], told.texts


def test_nobody_is_waited_for_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(restart_search, "MOST_WAYS", 0)
    told, screen = Told(), screen_with(Stubborn(session(seed=3)))
    lines = run_games(
        unknown_target(screen, told, PlaySettings(wait_s=0.3)), strategy("best"), Play(2), no_record, told
    )
    assert lines[-1].outcome is Result.FAILED
    assert "nobody did within 0.005 minutes: start one, then minebot again" in lines[-1].reason


@dataclass
class Undrawn(Wrapped):
    """Shows nothing above its board at the end of a game until a key was struck, as a window that a dialog
    has just left; no key starts a game."""

    content: PracticeSession
    struck: list[str] = field(default_factory=list)

    def image(self) -> Image:
        picture = self.content.image()
        if self.content.game.phase.over and not self.struck:
            picture = picture.copy()
            picture[: self.content.layout.board.y - 4] = picture[2, 2]
        return picture

    def key(self, name: str) -> None:
        self.struck.append(name)


@pytest.mark.slow
def test_a_button_that_is_drawn_late_is_found() -> None:
    told, window = Told(), Undrawn(session(seed=3))
    target = unknown_target(screen_with(window), told)
    lines = run_games(target, strategy("best"), Play(2), no_record, told)
    assert len(lines) == 2
    assert any("started by the button at" in text for text in told.texts), told.texts
    assert window.struck == ["f2"], "it is clicked as soon as it is seen"


def test_the_user_says_how_a_game_is_started() -> None:
    told, window = Told(), Stubborn(session(seed=3), keys=("q",))
    settings = PlaySettings(restart=NewGameWay("key", key="q"))
    target = unknown_target(screen_with(window), told, settings)
    assert len(run_games(target, strategy("best"), Play(2), no_record, told)) == 2
    assert set(window.struck) == {"q"}


@pytest.mark.slow
def test_a_half_played_game_that_cannot_be_thrown_away_is_played_on() -> None:
    told, game = Told(), session(seed=3)
    window = Stubborn(game)
    target = unknown_target(screen_with(window), told)
    first = target.observe()
    corner = first.board.rows - 1, first.board.columns - 1
    target.act([Move(Action.OPEN, *corner)])
    lines = run_games(target, strategy("best"), Play(new=True), no_record, told)
    assert [line.outcome in (Result.WON, Result.LOST) for line in lines] == [True]
    assert any("it is played on" in text for text in told.texts), told.texts


@dataclass
class Keeping(Wrapped):
    """Starts a game only once the one before is over, as a window that asks, and keeps it, before that."""

    content: PracticeSession

    def release(self, x: int, y: int, button: int) -> None:
        if y > self.content.layout.board.y or self.content.game.phase.over:
            self.content.release(x, y, button)

    def key(self, name: str) -> None:
        pass


@pytest.mark.slow
def test_what_keeps_a_half_played_game_may_start_the_next_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The button of gnome-mines that starts over is the one that plays again at the end."""
    monkeypatch.setattr(restart_search, "TAKES_S", 0.3)
    told, game = Told(), session(seed=3)
    target = unknown_target(screen_with(Keeping(game)), told, PlaySettings(wait_s=0.3))
    first = target.observe()
    target.act([Move(Action.OPEN, first.board.rows - 1, first.board.columns - 1)])
    lines = run_games(target, strategy("best"), Play(2, new=True), no_record, told)
    assert [line.outcome in (Result.WON, Result.LOST) for line in lines] == [True, True], told.texts
    assert any("it is played on" in text for text in told.texts), told.texts


@dataclass
class BeginsOpen(Wrapped):
    """Begins each game with an opening, as xdemineur does."""

    content: PracticeSession

    def __post_init__(self) -> None:
        self._open_corner()

    def release(self, x: int, y: int, button: int) -> None:
        game = self.content.game
        self.content.release(x, y, button)
        if self.content.game is not game:
            self._open_corner()

    def key(self, name: str) -> None:
        pass

    def _open_corner(self) -> None:
        corner = self.content.layout.cell(0, 0).center
        self.content.press(corner.x, corner.y, 1)
        self.content.release(corner.x, corner.y, 1)


def test_that_games_begin_with_an_opening_is_learned_and_kept() -> None:
    rules, told = Rules(9, 9, 10, FirstClick.ZERO), Told()
    screen = screen_with(BeginsOpen(PracticeSession(rules, 1.0, 3)))
    target = unknown_target(screen, told)
    lines = run_games(target, strategy("best"), Play(5), no_record, told)
    assert [line.outcome for line in lines[:-1]].count(Result.WON) >= 2, "another seed"
    assert target.behaviour.opened_at_start
    assert lines[-1].mines == 10, "what two won games have shown counts for the games after them"
    PlayedWindow(target.observer, "opens").keep()
    assert load_theme("opens").behaviour.opened_at_start


def test_a_board_with_one_opening_is_played_on_unasked() -> None:
    """Some games begin so, and of any other one as little is lost."""
    told, asked = Told(), PlayOptions()
    for clicks in (1, 2):
        game = session(seed=3)
        target = unknown_target(screen_with(Stubborn(game)), told)
        for cell in [(8, 8), (4, 0)][:clicks]:
            target.observe()
            target.act([Move(Action.OPEN, *cell)])
        shown = target.observe().board
        assert is_one_opening(shown) == (clicks == 1), shown
        if clicks == 1:
            assert not begins_new(target, asked, told)  # type: ignore[arg-type]
        else:
            with pytest.raises(WindowError, match="a half-played game is open"):
                begins_new(target, asked, told)  # type: ignore[arg-type]


def test_new_on_an_untouched_board_does_nothing() -> None:
    told, window = Told(), Stubborn(session(seed=3))
    target = unknown_target(screen_with(window), told)
    run_games(target, strategy("best"), Play(new=True), no_record, told)
    assert not window.struck


def test_an_opened_cell_that_is_read_otherwise_later_keeps_no_click_from_being_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told, screen = Told(), screen_with(session(seed=3))
    target = unknown_target(screen, told)
    target.observe()
    target.act([Move(Action.OPEN, 0, 0)])
    board = target.observe().board
    reader, one, other = target.observer.reader, (0, 0), 3 if board[0, 0] == 2 else 2
    read = reader.read

    def otherwise(image: Image, *, header: bool = False) -> Reading:
        reading = read(image, header=header)
        return replace(reading, board=reading.board.replaced([one], other))

    monkeypatch.setattr(reader, "read", otherwise)
    board = target.observe().board
    assert board[one] != other, "it is kept as it was"
    assert target.act([Move(Action.OPEN, *board.where(Cell.COVERED)[0])]) == 1


@dataclass
class Blotted(Wrapped):
    """Shows, once it is told to, a blot over the lower part of its board."""

    blots: bool = False
    part: float = 0.5
    """How much of it lies under the blot."""

    def image(self) -> Image:
        picture: Image = self.content.image().copy()
        if self.blots:
            noise, cells = np.random.default_rng(1), session().layout.board
            top = round(cells.bottom - self.part * cells.height)
            lower = picture[top : cells.bottom, cells.x : cells.right]
            lower[:] = noise.integers(0, 255, lower.shape, np.uint8)
        return picture


class Wiped(Blotted):
    """Hides all of its board once the game is over."""

    content: PracticeSession

    def image(self) -> Image:
        picture: Image = self.content.image().copy()
        if self.content.game.phase.over:
            picture[session().layout.board.y :] = (120, 160, 90)
        return picture


@pytest.mark.slow
def test_an_end_that_hides_the_board_is_told_however_long_the_searches_take() -> None:
    """The board is looked for three times before that, for longer than a busy machine's patience."""
    told = Told()
    target = unknown_target(screen_with(Wiped(session(seed=3))), told, PlaySettings(look_limit_s=0.3))
    (line,) = run_games(target, strategy("best"), Play(), no_record, told)
    assert line.outcome in (Result.WON, Result.LOST), line.reason


def test_a_flag_is_waited_for_as_long_as_the_window_takes_to_show_a_click() -> None:
    """A game that wants its mines flagged was told as won: on a busy machine its page shows a flag late."""
    target = unknown_target(screen_with(Late(session(seed=3), delay_s=1.0)), Told())
    target.observe()
    target.act([Move(Action.OPEN, 0, 0)])
    board = target.observe().board
    assert target.complete(board.where(Cell.COVERED)[-1:])
    assert target.behaviour.wins == "flagged"


@dataclass
class LosesFlags(Wrapped):
    """Loses the first presses of the right button."""

    lost: int = 1
    flags: int = 0

    def press(self, x: int, y: int, button: int) -> None:
        self.flags += button == 3
        if button != 3 or self.flags > self.lost:
            self.content.press(x, y, button)


@pytest.mark.parametrize(("lost", "wins"), [(1, "flagged"), (9, "opened")])
def test_a_flag_that_is_lost_is_asked_once_more(lost: int, wins: str) -> None:
    """A page that wants its mines flagged was told as won: it had lost the click that asked."""
    window = LosesFlags(session(seed=3), lost=lost)
    target = unknown_target(screen_with(window), Told())
    target.observe()
    target.act([Move(Action.OPEN, 0, 0)])
    board = target.observe().board
    assert target.complete(board.where(Cell.COVERED)[-1:])
    assert (target.behaviour.wins, window.flags) == (wins, 2)


def test_a_question_mark_is_no_flag_in_a_game_that_wants_its_mines_flagged() -> None:
    """A page was told as won: of its flags one had turned into a question mark, by a click that came late."""
    content = PracticeSession(Rules(9, 9, 10), 1.0, 3, marks=True)
    target = unknown_target(screen_with(content), Told())
    target.observe()
    target.act([Move(Action.OPEN, 4, 4)])
    truth = content.game.truth_for_simulators
    assert truth is not None
    board = target.observe().board
    # One safe cell stays covered, and counts as a mine here: this window needs no flags to be won.
    safe = [cell for cell in board.where(Cell.COVERED) if not truth.mines[cell]]
    empty = {cell for cell in safe if not any(truth.mines[near] for near in board.neighbours(*cell))}
    kept = next(cell for cell in safe if cell not in empty and empty.isdisjoint(board.neighbours(*cell)))
    target.act([Move(Action.OPEN, *cell) for cell in safe if cell != kept])
    mines = target.observe().board.where(Cell.COVERED)
    target.observer.take_wins("flagged")

    assert target.complete(mines)
    assert target.observe().board.where(Cell.FLAG) == mines
    target.act([Move(Action.FLAG, *mines[0])])
    marked = target.observe()
    assert marked.board.where(Cell.QUESTION) == [mines[0]]
    for _ in range(2):
        assert not marked.phase.over
        assert target.complete(mines)
        marked = target.observe()
    assert marked.board.where(Cell.FLAG) == mines
    assert marked.phase is Phase.WON


def test_numbers_that_contradict_each_other_are_read_again_before_any_is_doubted() -> None:
    """A number that was kept of an earlier picture was wrong; all that was read of the present one was right,
    and the one of them that was read least often could never be read again."""
    target = unknown_target(screen_with(session(seed=3)), Told())
    target.observe()
    target.act([Move(Action.OPEN, 0, 0)])
    right = target.observe().board
    number = next(cell for cell in np.ndindex(9, 9) if 1 <= right[cell] <= 8)
    wrong = right.replaced([number], right[number] % 8 + 1)
    assert target._tracker.last is not None
    target._tracker.last = replace(target._tracker.last, board=wrong)
    assert target.observe().board == wrong, "what is opened is what it was"
    target.reject("the 5 and the 1 cannot all be right")
    assert target.observe().board == right
    target.reject("the 5 and the 1 cannot all be right")
    assert target.observe().board.count(Cell.UNREAD), "it is no reading of an earlier picture"


@pytest.mark.parametrize(
    ("contradicted", "goes_on"), [("", True), ("before", True), ("before", False), ("by reader", True)]
)
def test_rules_are_said_to_be_others_where_numbers_contradict_each_other_and_are_unread(
    monkeypatch: pytest.MonkeyPatch, contradicted: str, goes_on: bool
) -> None:
    told, window = Told(), Blotted(session(seed=3))
    target = unknown_target(screen_with(window), told, PlaySettings(look_limit_s=0.5))
    target.observe()
    if contradicted == "by reader":
        monkeypatch.setattr(looks_reader.LooksReader, "contradicts", lambda *_: True)
    if contradicted == "before":
        target.reject("the 5 and the 1 cannot all be right")
    if goes_on:
        target.observe()
        target.act([Move(Action.OPEN, 0, 0)])
        target.observe()
    window.blots = True
    with pytest.raises(UnreadableBoard, match="could not be read") as raised:
        target.observe()
    assert ("has other rules than Minesweeper" in str(raised.value)) is bool(contradicted)
    assert "a flag beside it" not in str(raised.value)


@pytest.mark.parametrize(("part", "said"), [(2 / 9, "cannot be read any more"), (6 / 9, "could not be read")])
def test_cells_that_turn_unread_with_a_click_say_what_to_do(part: float, said: str) -> None:
    """Of a page with several mines in a cell only the empty cells were unread, of one whose openings have no
    numbers around them a whole large opening: nothing said why."""
    window = Blotted(session(seed=3), part=part)
    target = unknown_target(screen_with(window), Told(), PlaySettings(look_limit_s=0.5))
    target.observe()
    target.act([Move(Action.OPEN, 0, 0)])
    window.blots = True
    with pytest.raises(UnreadableBoard, match=said) as raised:
        target.observe()
    assert "has other rules than Minesweeper" in str(raised.value)
    assert "let `minebot calibrate` learn it" in str(raised.value)


def _full(*_: object) -> None:
    raise OSError(28, "No space left on device")


def test_what_was_learned_is_kept_and_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    told, screen = Told(), screen_with(session(seed=3))
    target = unknown_target(screen, told)
    kept = PlayedWindow(target.observer)
    run_games(target, strategy("best"), Play(2), no_record, told)
    with monkeypatch.context() as patch:
        patch.setattr(played_window, "write_calibration", _full)
        with pytest.raises(BotError, match="No space left on device"):
            kept.keep()
    text = kept.keep()
    assert kept.name in text, "room was made meanwhile"
    assert kept.keep() == "", "nothing new is written again"

    asked = 0

    def count(image: Image, grid: Grid, inks: Inks) -> Codes:
        nonlocal asked
        asked += 1
        return read_cells(image, grid, inks)

    monkeypatch.setattr(looks_reader, "read_cells", count)
    again = screen_with(session(seed=3))
    (sighting,) = find_calibrated(again, again, {kept.name: read_calibration(calibration_path(kept.name))})
    assert sighting.problem == ""
    assert sighting.behaviour.new_game == target.observer.behaviour.new_game
    target = WindowTarget(sighting, again, again, Pointer(again, INTERVAL_S), tell=told.texts.append)
    board = target.observe().board
    assert board.all_covered
    assert asked == 0, "its covered cells are known"

    listed = CliRunner().invoke(calibrate, ["--list", "--json"])
    (line,) = (json.loads(text) for text in listed.stdout.splitlines())
    assert (line["name"], line["columns"], line["rows"]) == (kept.name, 9, 9)
    forgotten = CliRunner().invoke(calibrate, [kept.name, "--forget"])
    assert forgotten.exit_code == 0
    assert not calibration_path(kept.name).exists()
    assert kept.name not in theme_folders()


@pytest.mark.parametrize("games", [1, 2])
def test_a_total_that_was_given_is_not_kept_for_later_games(games: int) -> None:
    """A mistyped one made later games lose on clicks that were called certain."""
    told = Told()
    target = unknown_target(screen_with(session(seed=3)), told, PlaySettings(mines=10))
    kept = PlayedWindow(target.observer, "told")
    lines = run_games(target, strategy("best"), Play(games), no_record, told, kept.add)
    assert [line.outcome for line in lines] == [Result.WON] * games, "another seed"
    kept.keep()
    shown = None if games == 1 else 10  # two games that were won have shown it
    assert read_calibration(calibration_path("told")).mines == shown
    assert load_theme("told").skin.levels == (() if shown is None else ((9, 9, shown),))


def test_a_total_that_was_given_to_learn_by_is_kept() -> None:
    target = unknown_target(screen_with(session(seed=3)), Told(), PlaySettings(mines=10))
    assert PlayedWindow(target.observer).mines is None
    assert PlayedWindow(target.observer, keeps_given_mines=True).mines == 10


@pytest.mark.parametrize("given", [None, 10])
def test_a_total_that_an_earlier_run_has_kept_is_doubted(
    monkeypatch: pytest.MonkeyPatch, given: int | None
) -> None:
    told, screen = Told(), screen_with(session(seed=3))
    monkeypatch.setattr(PlayedWindow, "mines", 10)
    target = unknown_target(screen, told)
    run_games(target, strategy("best"), Play(), no_record, told)
    PlayedWindow(target.observer, "kept").keep()
    again = screen_with(session(seed=3))
    (sighting,) = find_calibrated(again, again, {"kept": read_calibration(calibration_path("kept"))})
    settings, tell = PlaySettings(mines=given), told.texts.append
    target = WindowTarget(sighting, again, again, Pointer(again, INTERVAL_S), settings, tell=tell)
    assert target.observe().rules.mines == 10
    target.reject("the 5 and the 1 cannot all be right")
    assert target.rules.mines == given
    assert target.observe().rules.mines == given, "it does not come back"
    assert ("the number of mines that was learned may be wrong: playing without it" in told.texts) is (
        given is None
    )
