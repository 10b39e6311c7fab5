"""What is told of a game when it has ended: a line, and what is known besides."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from math import prod
from typing import Protocol

import msgspec

from bot.board import Coordinate, FirstClick, Outcome, Result, Rules
from bot.game.measures import bbbv, minefield_of_board
from bot.game.minefield import Minefield
from bot.game_loop import GameReport
from bot.recording.record import Record

NO_THEME = "unknown"
"""The name of a window whose game no theme knows."""


class GameLine(msgspec.Struct, frozen=True):
    """What `minebot run --json` prints of a game."""

    target: str
    theme: str | None
    """None for a game that no theme knows."""
    columns: int
    rows: int
    mines: int | None
    first_click: FirstClick
    outcome: Result
    seconds: float | None
    """From the first click to the end seen; null where nothing was clicked."""
    clicks: int
    """All that were sent in the game, repeats included."""
    guesses: int
    survival: float
    bbbv: int | None
    recording: str | None
    reason: str


class Mode(str, Enum):
    """Who makes the moves."""

    ALONE = "alone"
    """The bot makes all of them."""
    ASSIST = "assist"
    """The bot makes those that are certain, a person the others."""
    HINT = "hint"
    """A person makes all of them, and the bot tells what is certain."""


class SharedLine(GameLine, frozen=True):
    """The same of a game with a person in it. Its guesses are theirs; `clicks` are the bot's alone."""

    mode: Mode
    person_moves: int
    """How many clicks of the person the board told of: openings, flags and chords."""


@dataclass(frozen=True)
class Ended:
    """What is known of a game at its end besides its line."""

    line: GameLine
    guesses: tuple[float, ...]
    """The chance given to each guess, in order."""
    gave_up: bool
    """Whether it was stopped because the strategy had no move."""
    minefield: Minefield | None = None
    """Where the mines were; None where the end of the game does not tell."""
    first: Coordinate | None = None
    """The first click; None where the game was begun before, or its first moves were several."""


class GameHost(Protocol):
    """What is asked of a window whose games are told, played or only looked at."""

    record: Record
    clicks: int
    started: float | None
    ended: float | None

    @property
    def name(self) -> str:
        """That of the theme of its game."""
        ...

    @property
    def rules(self) -> Rules:
        """The size and the mines of its game."""
        ...

    def begin_game(self) -> None:
        """Another game is told from here."""
        ...

    def let_go(self) -> None:
        """Leave no button down."""
        ...

    def record_by(self, begin: Callable[[], Record]) -> None:
        """Record the game, in a recording that is begun so; and begun again if its board is another one."""
        ...

    def close_record(self) -> None:
        """Close the recording of the game."""
        ...


def minefield_of(report: GameReport | None) -> Minefield | None:
    """Where the mines of a game were, as its end tells it; None where it does not."""
    if report is None or not report.observation.phase.over:
        return None
    return minefield_of_board(report.observation.board, report.observation.rules)


def line_of(
    window: GameHost,
    guesses: Sequence[float],
    report: GameReport | None,
    outcome: Outcome,
    minefield: Minefield | None,
) -> GameLine:
    """What is told of the game in a window at its end; `report` is None where it was interrupted."""
    rules = window.rules if report is None else report.observation.rules
    end = window.ended if window.ended is not None else time.perf_counter()
    folder = window.record.folder
    return GameLine(
        target=window.name,
        theme=None if window.name == NO_THEME else window.name,
        columns=rules.columns,
        rows=rules.rows,
        mines=rules.mines,
        first_click=rules.first_click,
        outcome=outcome.result,
        seconds=round(end - window.started, 4) if window.started is not None else None,
        clicks=window.clicks,
        guesses=len(guesses),
        survival=prod(guesses, start=1.0),
        bbbv=bbbv(minefield) if minefield is not None else None,
        recording=str(folder) if folder is not None else None,
        reason=outcome.reason,
    )
