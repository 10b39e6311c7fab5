"""A bot and a person at one window: who does what, what is told, and that a hint never touches the mouse."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from misbehaving import Wrapped, glyph
from playing import header_of

from bot import assist
from bot.assist import Companion, Turn, WaitReason, Witness, chances_of
from bot.board import (
    LEVELS,
    Action,
    Board,
    Cell,
    Coordinate,
    FirstClick,
    Move,
    Observation,
    Phase,
    Result,
    Rules,
)
from bot.errors import Stopped, WindowError
from bot.game.game import Game
from bot.game_line import GameLine, Mode, SharedLine
from bot.game_loop import ANOTHER_GAME
from bot.geometry import Point, Rect
from bot.practice.session import PracticeSession
from bot.recording.format import BoardEvent, ClickEvent, PersonEvent
from bot.recording.read import load
from bot.recording.record import NullRecorder, Record
from bot.recording.replay import replay
from bot.recording.store import start
from bot.screen.virtual import VirtualScreen, VirtualWindow
from bot.session import Play, assist_games, hint_games
from bot.strategy.base import Decision, Kind
from bot.strategy.registry import strategy
from bot.targets.window import spectator
from bot.targets.window.act import pointer
from bot.targets.window.act.pointer import Pointer, wait_for_rest
from bot.targets.window.game_window import GameWindow
from bot.targets.window.locate.board_finder import choose, look_around
from bot.targets.window.locate.unknown_boards import look_for_unknown
from bot.targets.window.observe.observer import WindowObserver
from bot.targets.window.play_settings import PlaySettings
from bot.targets.window.spectator import Spectator
from bot.targets.window.track import settle_times
from bot.targets.window.window_target import WindowTarget
from bot.vision.cells.glyph_reader import GlyphReader
from bot.vision.grid import Image
from bot.vision.themes.theme import load_theme

pytestmark = pytest.mark.slow

Act = Callable[[], None]


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """People's times in a tenth: nobody waits here."""
    monkeypatch.setattr(assist, "LOOK_S", 0.001)
    monkeypatch.setattr(assist, "NEXT_S", 0.3)
    monkeypatch.setattr(pointer, "RELEASED_AFTER_S", 0.03)
    monkeypatch.setattr(spectator, "SUSPECT_S", spectator.SUSPECT_S / 8)
    monkeypatch.setattr(spectator, "TROUBLE_S", 0.15)
    for name in ("LOOKED_AT_S", "SLOW_S", "SHIMMER_S"):
        monkeypatch.setattr(settle_times, name, getattr(settle_times, name) / 8)


@dataclass
class Desk(VirtualScreen):
    """A screen with a person at it, who acts while it is looked at: one step at so many looks."""

    plan: list[Act] = field(default_factory=list)
    every: int = 12
    looks: int = 0
    bot_moved: int = 0
    """How often the pointer was moved or a button pressed by the bot."""
    person: bool = False

    def __post_init__(self) -> None:
        super().__init__()

    def grab(self, rect: Rect) -> Image:
        self.looks += 1
        if self.plan and self.looks % self.every == 0:
            self.person = True
            try:
                self.plan.pop(0)()
            finally:
                self.person = False
        return super().grab(rect)

    def move(self, point: Point) -> None:
        self.bot_moved += not self.person
        super().move(point)

    def release(self) -> None:
        self.bot_moved += not self.person
        super().release()

    def click_slowly(self, point: Point, button: Any) -> list[Act]:
        """The steps of a click as a person makes it: move, press, and let go, looked at in between."""
        return [
            lambda: self.move(point),
            lambda: self._press(point, button),
            lambda: self._let_go(point, button),
        ]


class Person:
    """Told what the bot sees; clicks as the test says when it is their turn."""

    def __init__(
        self, desk: Desk, content: PracticeSession, choose: Callable[[Person, Turn], Sequence[Move]]
    ) -> None:
        self.desk, self.content, self._choose = desk, content, choose
        self.turns: list[Turn] = []
        self.waited: list[tuple[WaitReason, str]] = []
        self.moves: list[Move] = []
        self.lines: list[GameLine] = []
        self.decisions: list[Decision] = []
        self.texts: list[str] = []
        self.started = 0

    def game_starts(self, number: int) -> None:
        self.started = number

    def decided(self, observation: Observation, decision: Decision, clicks: int, seconds: float) -> None:
        assert decision.kind is Kind.CERTAIN, "the bot plays only what is certain"
        self.decisions.append(decision)

    def game_over(self, line: GameLine) -> None:
        self.lines.append(line)

    def shown(self, turn: Turn) -> None:
        self.turns.append(turn)

    def waits(self, why: WaitReason, text: str) -> None:
        self.waited.append((why, text))
        if why is WaitReason.CHOICE:
            self.does(*self._choose(self, self.turns[-1]))

    def does(self, *moves: Move) -> None:
        for move in moves:
            button = {Action.OPEN: "left", Action.FLAG: "right", Action.CHORD: "middle"}[move.action]
            self.desk.plan += self.desk.click_slowly(self.place(move.cell), button)

    def place(self, cell: Coordinate) -> Point:
        at, inside = self.desk.stack[0].at, self.content.layout.cell(*cell).center
        return Point(at.x + inside.x, at.y + inside.y)

    def press_face(self) -> None:
        at, inside = self.desk.stack[0].at, self.content.layout.face.center
        self.desk.plan += self.desk.click_slowly(Point(at.x + inside.x, at.y + inside.y), "left")

    def person_moved(self, moves: Sequence[Move]) -> None:
        self.moves += moves

    @property
    def mines(self) -> Any:
        truth = self.content.game.truth_for_simulators
        return None if truth is None else truth.mines

    def a_safe_cell(self) -> Coordinate:
        """A covered cell with no mine: the person has luck."""
        mines = self.mines
        board = self.content.game.board
        return next(cell for cell in board.where(Cell.COVERED, Cell.FLAG) if mines is None or not mines[cell])

    def a_mine(self, turn: Turn | None = None) -> Coordinate:
        """A mine, and not one that is certain to be one."""
        certain = () if turn is None else turn.mines
        cells = [(int(row), int(column)) for row, column in np.argwhere(self.mines)]
        return next(cell for cell in cells if cell not in certain)


def lucky(person: Person, turn: Turn) -> Sequence[Move]:
    return [Move(Action.OPEN, *person.a_safe_cell())]


def unlucky(person: Person, turn: Turn) -> Sequence[Move]:
    """Opens a safe cell first, then a mine."""
    cell = person.a_safe_cell() if person.mines is None else person.a_mine(turn)
    return [Move(Action.OPEN, *cell)]


def sit(choice: Callable[[Person, Turn], Sequence[Move]], level: str = "beginner", seed: int = 0) -> Person:
    columns, rows, mines = LEVELS[level]
    content = PracticeSession(Rules(columns, rows, mines), 1.0, seed)
    desk = Desk()
    desk.open(VirtualWindow(content, "minebot practice", Point(40, 40), program="practice"))
    return Person(desk, content, choice)


def recorded(folder: Path | None) -> Callable[[WindowTarget | Spectator], Record]:
    return lambda seen: NullRecorder() if folder is None else start(folder, header_of(seen, "exact"))


def assisted(
    person: Person, folder: Path | None = None, *, how: Play | None = None, unknown: bool = False
) -> list[GameLine]:
    desk = person.desk
    found = look_for_unknown(desk, desk) if unknown else look_around(desk, desk, [load_theme("practice")])
    sighting = choose(found, None)
    takeover = wait_for_rest(desk, lambda: person.waits(WaitReason.REST, ""))
    target = WindowTarget(
        sighting,
        desk,
        desk,
        Pointer(desk, 0.0005, takeover),
        PlaySettings(look_limit_s=0.6),
        tell=person.texts.append,
    )
    try:
        return assist_games(target, strategy("exact"), how or Play(), recorded(folder), person)
    finally:
        assert not desk.held


def hinted(person: Person, folder: Path | None = None, *, how: Play | None = None) -> list[GameLine]:
    return hint_games(onlooker(person), strategy("exact"), how or Play(), recorded(folder), person)


def onlooker(person: Person) -> Spectator:
    desk = person.desk
    sighting = choose(look_around(desk, desk, [load_theme("practice")]), None)
    return Spectator(WindowObserver(sighting, desk, desk), person.texts.append)


def line_of(lines: Sequence[GameLine]) -> SharedLine:
    (line,) = lines
    assert isinstance(line, SharedLine)
    return line


@pytest.mark.parametrize("flags", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_a_lucky_person_wins_with_the_bot(
    seed: int, flags: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What looks on writes into the recording, too: nobody may begin it again.
    monkeypatch.delattr(GameWindow, "record_by")
    person = sit(lucky, "intermediate", seed)
    line = line_of(assisted(person, tmp_path, how=Play(flags=flags)))
    assert (line.outcome, line.mode, line.clicks > 0) == (Result.WON, Mode.ASSIST, True)
    turns = [turn for turn in person.turns if turn.decision.kind is not Kind.CERTAIN]
    assert line.person_moves == len(person.moves) == len(turns)
    assert line.seconds is not None
    recording = load(next(tmp_path.iterdir()))
    assert sum(isinstance(event, PersonEvent) for event in recording.events) == line.person_moves
    assert sum(isinstance(event, ClickEvent) for event in recording.events) == line.clicks
    reader_on = partial(GlyphReader, load_theme("practice").skin)
    assert not replay(recording, reader_on, strategy("exact")).differences


def test_a_game_is_won_with_a_person_too_where_its_dialog_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    def stays(_: WindowTarget) -> bool:
        raise WindowError("it does not close")

    person = sit(lucky)
    monkeypatch.setattr(WindowTarget, "answer_dialogs", stays)
    line = line_of(assisted(person))
    assert (line.outcome, line.reason) == (Result.WON, "")
    assert "it does not close" in person.texts


def test_the_first_click_and_every_guess_are_the_person_s() -> None:
    person = sit(lucky, "expert", 3)
    assisted(person)
    assert person.turns[0].decision.kind is Kind.FIRST
    assert person.waited[0][0] is WaitReason.CHOICE
    assert person.moves[0].action is Action.OPEN


def test_a_game_lost_by_the_person_s_guess_is_told_as_such() -> None:
    person = sit(unlucky, "expert", 5)
    line = line_of(assisted(person))
    assert line.outcome is Result.LOST
    assert line.reason.startswith("lost by the person's guess on row"), line.reason
    assert line.guesses == 1
    assert 0 < line.survival < 1
    risk = person.turns[-1].chances[person.moves[-1].cell]
    assert line.survival == pytest.approx(1 - risk)


def test_a_click_on_a_certain_mine_is_told_as_such() -> None:
    def certain(person: Person, turn: Turn) -> Sequence[Move]:
        return [Move(Action.OPEN, *(turn.mines or (person.a_safe_cell(),))[0])]

    for seed in range(8):
        person = sit(certain, "intermediate", seed)
        line = line_of(assisted(person))
        if line.outcome is Result.LOST:
            assert "which was certain to be a mine" in line.reason
            assert line.survival == 0
            return
    pytest.fail("no position with a certain mine came up")


def test_flags_and_chords_of_the_person_are_seen() -> None:
    """Flags on mines and a chord, in a game that the bot only looks at."""
    person = sit(lucky)
    game = person.content.game
    game.open(4, 4)
    numbers = [(int(r), int(c)) for r, c in np.argwhere((game.board.codes > 0) & (game.board.codes <= 8))]

    def covered(cell: Coordinate) -> int:
        return sum(game.board[near] == Cell.COVERED for near in game.board.neighbours(*cell))

    number = next(cell for cell in numbers if covered(cell) > game.board[cell] + 1)
    mines = [near for near in game.board.neighbours(*number) if person.mines[near]]
    done = [Move(Action.FLAG, *mine) for mine in mines] + [Move(Action.CHORD, *number)]
    others = [(int(r), int(c)) for r, c in np.argwhere(person.mines)]
    person.does(*done, Move(Action.OPEN, *next(cell for cell in others if cell not in mines)))
    line = line_of(hinted(person))
    assert [str(move) for move in person.moves[: len(done)]] == [str(move) for move in done]
    assert line.outcome is Result.LOST
    assert line.person_moves == len(done) + 1


@pytest.mark.parametrize("seed", range(3))
def test_a_hint_never_touches_the_mouse(seed: int, tmp_path: Path) -> None:
    person = sit(lucky, "beginner", seed)
    shown = person.shown

    def plays(turn: Turn) -> None:
        shown(turn)
        board = turn.observation.board
        assert (
            all(not person.mines[cell] for cell in turn.safe) if person.mines is not None else not turn.safe
        )
        cell = turn.safe[0] if turn.safe else person.a_safe_cell()
        assert board[cell] > 8
        person.does(Move(Action.OPEN, *cell))

    person.shown = plays  # type: ignore[method-assign]
    line = line_of(hinted(person, tmp_path))
    assert (line.outcome, line.mode, line.clicks) == (Result.WON, Mode.HINT, 0)
    assert line.person_moves == len(person.moves) > 0
    assert person.desk.bot_moved == 0
    recording = load(next(tmp_path.iterdir()))
    reader_on = partial(GlyphReader, load_theme("practice").skin)
    assert not replay(recording, reader_on, strategy("exact")).differences
    assert not any(isinstance(event, ClickEvent) for event in recording.events)


@pytest.mark.parametrize("how", ["assist", "hint"])
def test_another_game_by_the_face_is_told_and_played(how: str, tmp_path: Path) -> None:
    person = sit(lucky, "expert" if how == "assist" else "beginner", 3)
    again: list[Turn] = []

    def anew(one: Person, turn: Turn) -> Sequence[Move]:
        if len(person.turns) > 1 and not again:
            again.append(turn)
            person.press_face()
            return []
        return lucky(one, turn)

    person._choose = anew
    if how == "hint":
        shown = person.shown

        def plays(turn: Turn) -> None:
            shown(turn)
            if turn.safe and again:
                person.does(Move(Action.OPEN, *turn.safe[0]))
            else:
                person.does(*anew(person, turn))

        person.shown = plays  # type: ignore[method-assign]
    thrown, played = (assisted if how == "assist" else hinted)(person, tmp_path)
    assert (thrown.outcome, thrown.reason) == (Result.STOPPED, ANOTHER_GAME)
    assert played.outcome is Result.WON
    for folder in tmp_path.iterdir():
        recording = load(folder)
        reader_on = partial(GlyphReader, load_theme("practice").skin)
        assert not replay(recording, reader_on, strategy("exact")).differences


@pytest.mark.parametrize("how", ["assist", "hint"])
def test_another_level_is_another_game(how: str, tmp_path: Path) -> None:
    person = sit(lucky, "beginner", 1)
    levels: list[Turn] = []

    def change(one: Person, turn: Turn) -> Sequence[Move]:
        if len(person.turns) > 1 and not levels:
            levels.append(turn)
            person.desk.plan.append(lambda: person.content.new_game(Rules(16, 9, 20)))
            return []
        return lucky(one, turn)

    person._choose = change
    if how == "hint":
        shown = person.shown

        def plays(turn: Turn) -> None:
            shown(turn)
            if turn.safe and levels:
                person.does(Move(Action.OPEN, *turn.safe[0]))
            else:
                person.does(*change(person, turn))

        person.shown = plays  # type: ignore[method-assign]
    lines = (assisted if how == "assist" else hinted)(person, tmp_path)
    thrown, played = lines
    assert (thrown.outcome, thrown.columns) == (Result.STOPPED, 9)
    assert (played.outcome, played.columns, played.mines) == (Result.WON, 16, 20)
    for folder in tmp_path.iterdir():
        load(folder)


def test_games_in_a_row_begin_by_themselves_or_by_the_person() -> None:
    person = sit(lucky, "beginner", 4)
    over = person.game_over

    def next_one(line: GameLine) -> None:
        over(line)
        if len(person.lines) == 2:
            person.press_face()

    person.game_over = next_one  # type: ignore[method-assign]
    lines = assisted(person, how=Play(games=3))
    assert [line.outcome for line in lines] == [Result.WON] * 3
    assert [why for why, _ in person.waited].count(WaitReason.NEXT) == 2


def test_a_hint_waits_for_the_next_game(tmp_path: Path) -> None:
    person = sit(lucky, "beginner", 4)
    shown, over = person.shown, person.game_over

    def plays(turn: Turn) -> None:
        shown(turn)
        person.does(Move(Action.OPEN, *(turn.safe[0] if turn.safe else person.a_safe_cell())))

    def next_one(line: GameLine) -> None:
        over(line)
        person.press_face()

    person.shown, person.game_over = plays, next_one  # type: ignore[method-assign]
    lines = hinted(person, tmp_path, how=Play(games=2))
    assert [line.outcome for line in lines] == [Result.WON] * 2
    assert person.desk.bot_moved == 0
    for line, folder in zip(lines, sorted(tmp_path.iterdir()), strict=True):
        recording = load(folder)
        boards = [event for event in recording.events if isinstance(event, BoardEvent)]
        assert boards[0].cells == ["#" * 9] * 9, "the board that the game began with"
        assert line.seconds is not None
        assert 0 < line.seconds <= recording.events[-1].t


def test_a_covered_board_is_waited_for() -> None:
    class Note:
        def image(self) -> Image:
            return np.full((60, 60, 3), 200, np.uint8)

        def press(self, x: int, y: int, button: int) -> None:
            raise AssertionError("the note was clicked")

        release = press

        def move(self, x: int, y: int) -> None:
            pass

        def key(self, name: str) -> None:
            raise AssertionError("the note got a key")

    person = sit(lucky, "intermediate", 2)
    covered: list[VirtualWindow] = []

    def cover(one: Person, turn: Turn) -> Sequence[Move]:
        if not covered:
            covered.append(person.desk.open(VirtualWindow(Note(), "a note", Point(60, 120))))
            return []
        return lucky(one, turn)

    person._choose = cover
    waits = person.waits

    def take_away() -> None:
        if covered[0] in person.desk.stack:
            person.desk.stack.remove(covered[0])

    def uncover(why: WaitReason, text: str) -> None:
        waits(why, text)
        if why is WaitReason.TROUBLE:
            person.desk.plan.append(take_away)

    person.waits = uncover  # type: ignore[method-assign]
    line = line_of(assisted(person))
    assert line.outcome is Result.WON
    assert ("trouble", "the board is covered by 'a note': move it away") in person.waited


def test_a_wrong_flag_is_told_and_waited_for() -> None:
    person = sit(lucky, "intermediate", 2)
    wrong: list[Coordinate] = []

    def flag(one: Person, turn: Turn) -> Sequence[Move]:
        game = person.content.game
        if not wrong and person.mines is not None:
            board = game.board
            cell, number = next(
                (cell, near)
                for cell in board.where(Cell.COVERED)
                for near in board.neighbours(*cell)
                if board[near] == 1 and not person.mines[cell]
            )
            mine = next(near for near in board.neighbours(*number) if person.mines[near])
            wrong.append(cell)
            return [Move(Action.FLAG, *cell), Move(Action.FLAG, *mine)]
        return lucky(one, turn)

    person._choose = flag
    waits = person.waits

    def mended(why: WaitReason, text: str) -> None:
        waits(why, text)
        if wrong and why is WaitReason.TROUBLE and "flag beside it" in text:
            person.does(Move(Action.FLAG, *wrong[0]))

    person.waits = mended  # type: ignore[method-assign]
    line = line_of(assisted(person))
    assert line.outcome is Result.WON
    assert any(why is WaitReason.TROUBLE and "flag" in text for why, text in person.waited), person.waited


@pytest.mark.parametrize("end", ["1X\n##", "X#\n##"])
def test_a_game_that_is_over_at_the_next_look_began_before_that_look(end: str) -> None:
    """A busy machine looks seldom: between two looks a person may begin a game and lose it."""
    person = sit(lucky)
    game = onlooker(person)
    witness = Witness(game, cast(Companion, person))
    rules = Rules(2, 2, 1)
    witness.saw(Observation(Board.covered(2, 2), Phase.READY, rules))
    looked_at = time.perf_counter()
    witness.saw(Observation(Board.parse(end), Phase.LOST, rules))
    assert game.started is not None
    assert game.started <= looked_at


def witnessed(*seen: Observation) -> Witness:
    """What was seen of a game, board by board."""
    game = cast(WindowTarget, SimpleNamespace(started=0.0))
    witness = Witness(game, cast(Companion, SimpleNamespace(person_moved=lambda moves: None)))
    for one in seen:
        assert witness.saw(one)
    return witness


def after_opening(cells: Sequence[Coordinate], first_click: FirstClick = FirstClick.ANY) -> Observation:
    """What a game of seed 12 shows after these cells were opened."""
    game = Game(Rules(9, 9, 10, first_click), 12)
    for cell in cells:
        game.open(*cell)
    return Observation(game.board, game.phase, game.rules)


def test_each_of_two_moves_between_two_looks_is_judged_by_what_the_other_one_opened() -> None:
    """The second cell was certain by the number of the first: a guess of 50 % was counted."""
    begun = after_opening([(4, 4)])
    opened = after_opening([(4, 4), (5, 2)])
    both = after_opening([(4, 4), (5, 2), (6, 1)])
    assert chances_of(begun)[6, 1] > 0 == chances_of(opened).get((6, 1), 0.0)
    assert witnessed(begun, opened, both).guesses == witnessed(begun, both).guesses == []


def test_a_guess_right_after_a_protected_first_click_is_one() -> None:
    untouched = after_opening([], FirstClick.SAFE)
    first = after_opening([(0, 0)], FirstClick.SAFE)
    game = Game(Rules(9, 9, 10, FirstClick.SAFE), 12)
    game.open(0, 0)
    truth = game.truth_for_simulators
    assert truth is not None
    mine = next(cell for cell, chance in chances_of(first).items() if truth.mines[cell] and chance < 1)
    lost = after_opening([(0, 0), mine], FirstClick.SAFE)
    together = witnessed(untouched, lost)
    assert together.guesses == witnessed(untouched, first, lost).guesses
    assert len(together.guesses) == 1
    assert "guess" in together.blame


def test_a_closed_window_ends_it_with_a_line() -> None:
    def close(one: Person, turn: Turn) -> Sequence[Move]:
        person.desk.plan.append(person.desk.stack.clear)
        return []

    person = sit(close)
    line = line_of(assisted(person))
    assert line.outcome is Result.FAILED
    assert "was closed" in line.reason


def test_a_window_that_is_closed_after_our_clicks_ends_it_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was looked for again and again, without a word."""
    person, act = sit(lucky, "intermediate", 1), WindowTarget.act
    acted: list[int] = []

    def close(target: WindowTarget, moves: Sequence[Move], **words: bool) -> int:
        acted.append(act(target, moves, **words))
        if len(acted) == 2:
            person.desk.stack.clear()
        return acted[-1]

    monkeypatch.setattr(WindowTarget, "act", close)
    line = line_of(assisted(person))
    assert line.outcome is Result.FAILED
    assert "was closed" in line.reason


@dataclass
class AllShown(Wrapped):
    """Shows all of its cells once its game is lost."""

    content: PracticeSession

    def image(self) -> Image:
        picture: Image = self.content.image()
        game = self.content.game
        if game.phase is not Phase.LOST:
            return picture
        truth = game.truth_for_simulators
        shown: Image = picture.copy()
        assert truth is not None
        for row, column in np.argwhere(game.board.codes == Cell.COVERED).tolist():
            place = self.content.layout.cell(row, column)
            code = Cell.MINE if truth.mines[row, column] else int(truth.counts[row, column])
            shown[place.y : place.bottom, place.x : place.right] = glyph(code, place.width)
        return shown


@pytest.mark.parametrize("shows_all", [False, True])
def test_a_person_loses_a_game_without_a_theme_after_the_bot_has_clicked(shows_all: bool) -> None:
    """Its end was judged by the last clicks of the bot, which were certain: it was told as won where nothing
    was covered, and else never seen."""

    def later(one: Person, turn: Turn) -> Sequence[Move]:
        return [Move(Action.OPEN, *(one.a_mine(turn) if one.decisions else one.a_safe_cell()))]

    person = sit(later, "intermediate", 1)
    if shows_all:
        person.desk.stack[0].content = AllShown(person.content)
    line = line_of(assisted(person, unknown=True))
    assert person.decisions
    assert person.content.game.phase is Phase.LOST
    assert line.outcome is Result.LOST


def test_a_moved_window_is_followed() -> None:
    moved: list[Turn] = []

    def move(one: Person, turn: Turn) -> Sequence[Move]:
        if len(person.turns) > 1 and not moved:
            moved.append(turn)

            def away() -> None:
                person.desk.stack[0].at = Point(301, 222)

            person.desk.plan.append(away)
        # Planned by the place that it has when the click is made.
        person.desk.plan.append(lambda: person.does(*lucky(one, turn)))
        return []

    person = sit(move, "intermediate", 2)
    line = line_of(assisted(person))
    assert line.outcome is Result.WON
    assert moved


def test_the_bot_waits_while_the_person_moves_the_mouse() -> None:
    """Until the pointer rests nothing is clicked, although something is certain."""
    person = sit(lucky, "intermediate", 1)
    clicks: list[int] = []

    def wiggles() -> Iterator[Act]:
        for step in range(40):
            yield lambda step=step: setattr(person.desk, "pointer", Point(600 + step, 500))  # type: ignore[misc]
        yield lambda: clicks.append(len(person.decisions))

    def first(one: Person, turn: Turn) -> Sequence[Move]:
        if len(person.turns) == 1:
            person.does(*lucky(one, turn))
            person.desk.plan += wiggles()
            return []
        return lucky(one, turn)

    person._choose = first
    person.desk.every = 4
    assert line_of(assisted(person)).outcome is Result.WON
    assert clicks == [0]


def test_the_fail_safe_corner_stops_while_the_bot_waits() -> None:
    def slam(one: Person, turn: Turn) -> Sequence[Move]:
        person.desk.pointer = Point(0, 0)
        return []

    person = sit(slam)
    with pytest.raises(Stopped, match="fail-safe"):
        assisted(person)
    assert person.lines[0].outcome is Result.STOPPED


def test_ctrl_c_while_it_waits_leaves_a_line() -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    def stop(one: Person, turn: Turn) -> Sequence[Move]:
        person.desk.plan.append(interrupt)
        return []

    person = sit(stop)
    with pytest.raises(KeyboardInterrupt):
        assisted(person)
    assert person.lines[0].outcome is Result.STOPPED


def test_a_turn_names_what_is_certain_and_the_chances() -> None:
    seen = Observation(Board.parse("1#2##\n12###\n#####"), Phase.PLAYING, Rules(5, 3, 4))
    turn = Turn(seen, strategy("exact").decide(seen, 3))
    assert turn.safe == ((2, 0), (2, 1))
    assert turn.choice is None
    assert turn.candidates[0] == (1.0, ((2, 0), (2, 1)))
    assert all(turn.chances[cell] == 1 for cell in turn.mines)


@dataclass
class Restless(Desk):
    """A screen on which one cell changes with every look: its pixels a little, or what it shows."""

    content: PracticeSession | None = None
    flags: bool = False
    """Whether it is flagged and freed again; else its pixels shimmer."""
    view: Rect | None = None
    """What is looked at."""

    def grab(self, rect: Rect) -> Image:
        picture = super().grab(rect)
        if self.content is None or rect != self.view:
            return picture
        if self.flags:
            self.content.game.flag(0, 0)
            return picture
        at, cell = self.stack[0].at, self.content.layout.cell(0, 0)
        x, y = at.x + cell.center.x - rect.x, at.y + cell.center.y - rect.y
        picture = np.array(picture, np.uint8)
        picture[y, x] = np.clip(picture[y, x].astype(int) + 3 * (self.looks % 5 - 2), 0, 255)
        return picture


def restless(flags: bool) -> Spectator:
    content = PracticeSession(Rules(9, 9, 10), 1.0, 0)
    desk = Restless(flags=flags)
    desk.open(VirtualWindow(content, "minebot practice", Point(40, 40), program="practice"))
    sighting = choose(look_around(desk, desk, [load_theme("practice")]), None)
    desk.content, desk.view = content, sighting.view.rect
    return Spectator(WindowObserver(sighting, desk, desk))


def looked_at(seen: Spectator, until: Callable[[Observation | None], bool]) -> Observation | None:
    """The look at which it is so; fails where that does not come."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        now = seen.look()
        if until(now):
            return now
        time.sleep(0.001)
    pytest.fail("it waits, and says nothing")


def test_cells_that_shimmer_are_read_and_not_waited_for_for_ever() -> None:
    now = looked_at(restless(flags=False), lambda now: now is not None)
    assert now is not None
    assert now.phase is Phase.READY


def test_a_board_that_never_comes_to_rest_is_told() -> None:
    seen = restless(flags=True)
    looked_at(seen, lambda now: bool(seen.trouble))
    assert seen.trouble == spectator.RESTLESS
