"""Playing on the virtual screen: what the tests of the target share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec
from misbehaving import window_of

from bot.board import LEVELS, Action, Cell, FirstClick, Move, Observation, Result, Rules
from bot.game_line import GameLine
from bot.geometry import Point
from bot.practice.session import PracticeSession
from bot.recording.format import Header
from bot.recording.record import NullRecorder, Record
from bot.recording.store import start
from bot.screen.virtual import Content, VirtualScreen, VirtualWindow
from bot.session import Play, run_games
from bot.strategy.base import Decision, Kind, Strategy
from bot.strategy.registry import strategy
from bot.targets.window.act.pointer import MIN_INTERVAL_S, Pointer, Takeover, stop_at_takeover
from bot.targets.window.game_window import GameWindow
from bot.targets.window.locate.board_finder import choose, look_around
from bot.targets.window.locate.unknown_boards import look_for_unknown
from bot.targets.window.play_settings import PlaySettings
from bot.targets.window.window_target import WindowTarget
from bot.vision.themes.theme import Theme, load_theme

INTERVAL_S = 0.0005


def impatient() -> Theme:
    """The practice theme with a shorter wait before a lost click is sent again: the tests lose many."""
    theme = load_theme("practice")
    timing = msgspec.structs.replace(theme.behaviour.timing, resend_after_ms=25.0)
    return replace(theme, behaviour=replace(theme.behaviour, timing=timing))


@dataclass
class Told:
    """Collects what the loop says, and holds it to its word."""

    decisions: list[Decision] = field(default_factory=list)
    lines: list[GameLine] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    def game_starts(self, number: int) -> None:
        pass

    def decided(self, observation: Observation, decision: Decision, clicks: int, seconds: float) -> None:
        self.decisions.append(decision)

    def game_over(self, line: GameLine) -> None:
        self.lines.append(line)
        if line.outcome is Result.LOST:
            assert self.decisions[-1].kind is Kind.GUESS, "lost on a move that was not called a guess"


def unknown_target(screen: VirtualScreen, told: Told, settings: PlaySettings | None = None) -> WindowTarget:
    """What plays the one board on the screen without its theme."""
    (sighting,) = look_for_unknown(screen, screen)
    return WindowTarget(
        sighting, screen, screen, Pointer(screen, INTERVAL_S), settings, tell=told.texts.append
    )


def guess_a_mine(target: WindowTarget, content: PracticeSession) -> None:
    """Open a cell in the middle, and then a mine on a guess."""
    target.observe()
    target.act([Move(Action.OPEN, 4, 4)])
    covered = target.observe().board.where(Cell.COVERED)
    truth = content.game.truth_for_simulators
    assert truth is not None
    mine = next(cell for cell in covered if truth.mines[cell])
    target.act([Move(Action.OPEN, *mine)], certain=False)


@dataclass(kw_only=True)
class Moving(Told):
    """Moves a window to and fro between two games, to the other side of half of `across`."""

    window: VirtualWindow
    across: Point

    def game_over(self, line: GameLine) -> None:
        super().game_over(line)
        self.window.at = Point(self.across.x - self.window.at.x, self.across.y)


def session(level: str = "beginner", seed: int = 0, scale: float = 1.0) -> PracticeSession:
    columns, rows, mines = LEVELS[level]
    return PracticeSession(Rules(columns, rows, mines), scale, seed)


def screen_with(content: Content) -> VirtualScreen:
    screen = VirtualScreen()
    screen.open(window_of(content))
    return screen


def target_on(
    screen: VirtualScreen,
    theme: Theme,
    told: Told,
    *,
    takeover: Takeover = stop_at_takeover,
    look_limit_s: float = 1.0,
    first_click: FirstClick | None = None,
    mines: int | None = None,
    interval_s: float = INTERVAL_S,
    min_interval_s: float = MIN_INTERVAL_S,
) -> WindowTarget:
    sighting = choose(look_around(screen, screen, [theme]), None)
    pointer = Pointer(screen, interval_s, takeover, min_interval_s=min_interval_s)
    return WindowTarget(
        sighting,
        screen,
        screen,
        pointer,
        PlaySettings(look_limit_s=look_limit_s, first_click=first_click, mines=mines),
        tell=told.texts.append,
    )


def no_record(_: WindowTarget) -> Record:
    return NullRecorder()


def run(
    screen: VirtualScreen,
    theme: Theme,
    *,
    how: Play | None = None,
    record: Callable[[WindowTarget], Record] = no_record,
    takeover: Takeover = stop_at_takeover,
    player: Strategy | None = None,
) -> Told:
    """Play, and check what must hold whatever happens."""
    told = Told()
    target = target_on(screen, theme, told, takeover=takeover)
    try:
        run_games(target, player or strategy("best"), how or Play(), record, told)
    finally:
        assert not screen.held, "a mouse button was left down"
    return told


def header_of(window: GameWindow, player: str) -> Header:
    """The header of a recording of our own window, played by a strategy of this name."""
    return Header.of(
        target="practice",
        theme=window.name,
        theme_fingerprint="" if window.skin is None else window.skin.fingerprint,
        grid=window.view.grid,
        rules=window.rules,
        strategy=strategy(player),
        options={},
        origin=Point(window.view.rect.x, window.view.rect.y),
    )


def recorder_in(folder: Path) -> Callable[[WindowTarget], Record]:
    def record(target: WindowTarget) -> Record:
        return start(folder, header_of(target, "best"))

    return record
