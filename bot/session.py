"""Several games in a row in one window: recorded, counted, and told line by line."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Protocol

import msgspec

from bot.board import Action, FirstClick, Move, Observation, Outcome, Result
from bot.errors import BotError, Stopped
from bot.game.measures import bbbv_of_board
from bot.play import GameReport, play
from bot.recording.record import Record
from bot.strategy.base import Decision, Kind, Strategy
from bot.target.window import WindowTarget


class GameLine(msgspec.Struct, frozen=True):
    """What `minebot run --json` prints of a game."""

    target: str
    theme: str
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


@dataclass(frozen=True)
class Ended:
    """What is known of a game at its end besides its line."""

    line: GameLine
    guesses: tuple[float, ...]
    """The chance given to each guess, in order."""
    gave_up: bool
    """Whether it was stopped because the strategy had no move."""


class Reporter(Protocol):
    """Somebody who tells the user what goes on."""

    def game_starts(self, number: int) -> None:
        """Game `number`, from 1, is about to be played."""
        ...

    def decided(self, observation: Observation, decision: Decision, clicks: int, seconds: float) -> None:
        """A decision was made; so many clicks were sent in this game so far, in so many seconds."""
        ...

    def game_over(self, line: GameLine) -> None:
        """A game ended."""
        ...


@dataclass(frozen=True)
class Play:
    """How games are played."""

    games: int = 1
    flags: bool = False
    chords: bool = True
    new: bool = False
    """Whether to start with a new game even where one is half played."""


class _Watch:
    """Passes what the loop tells on to the recording and to the reporter."""

    def __init__(self, target: WindowTarget, reporter: Reporter) -> None:
        self._target = target
        self._reporter = reporter
        self.guesses: list[float] = []

    def decided(self, observation: Observation, decision: Decision, moves: Sequence[Move], turn: int) -> None:
        target = self._target
        target.record.decision(turn, decision)
        if decision.kind is Kind.GUESS and any(move.action is Action.OPEN for move in moves):
            self.guesses.append(decision.survival)
        seconds = time.perf_counter() - target.started if target.started is not None else 0.0
        self._reporter.decided(observation, decision, target.clicks, seconds)


def run_games(
    target: WindowTarget,
    strategy: Strategy,
    how: Play,
    record: Callable[[WindowTarget], Record],
    reporter: Reporter,
    ended: Callable[[Ended], None] | None = None,
) -> list[GameLine]:
    """Play the games; the lines of those that ended, the last of them perhaps stopped or failed.

    A game that fails ends the run: its line says why. Stopped and KeyboardInterrupt are let through
    once the line of the game that they interrupt is told and its recording closed. `ended` is called
    with each game after its line was told.
    """
    lines: list[GameLine] = []
    for number in range(1, how.games + 1):
        reporter.game_starts(number)
        line = _one_game(target, strategy, how, number, record, reporter, ended)
        lines.append(line)
        if line.outcome is Result.FAILED:
            break
    return lines


def _one_game(
    target: WindowTarget,
    strategy: Strategy,
    how: Play,
    number: int,
    record: Callable[[WindowTarget], Record],
    reporter: Reporter,
    ended: Callable[[Ended], None] | None,
) -> GameLine:
    watch = _Watch(target, reporter)
    report: GameReport | None = None
    interruption: BaseException | None = None
    target.begin_game()
    try:
        if number > 1 or how.new or target.observe().phase.over:
            target.new_game()
        target.record = record(target)
        report = play(target, strategy, listener=watch, flags=how.flags, chords=how.chords and target.chords)
        outcome = report.outcome
        if outcome.result is Result.WON:
            target.answer_dialogs()
    except (Stopped, KeyboardInterrupt, SystemExit) as error:
        interruption = error
        outcome = Outcome(Result.STOPPED, str(error) or "stopped by the user")
    except BotError as error:
        outcome = Outcome(Result.FAILED, str(error))
    finally:
        target.let_go()
    guesses = report.guesses if report is not None else watch.guesses
    line = _line(target, guesses, report, outcome)
    target.record.outcome(
        outcome,
        seconds=line.seconds,
        clicks=line.clicks,
        guesses=line.guesses,
        survival=line.survival,
        bbbv=line.bbbv,
    )
    target.close_record()
    reporter.game_over(line)
    if ended is not None:
        gave_up = report is not None and outcome.result is Result.STOPPED
        ended(Ended(line, tuple(guesses), gave_up))
    if interruption is not None:
        raise interruption
    return line


def _line(
    target: WindowTarget, guesses: Sequence[float], report: GameReport | None, outcome: Outcome
) -> GameLine:
    rules = target.rules
    board = report.observation.board if report is not None and report.observation.phase.over else None
    end = target.ended if target.ended is not None else time.perf_counter()
    folder = target.record.folder
    return GameLine(
        target=target.theme.name,
        theme=target.theme.name,
        columns=rules.columns,
        rows=rules.rows,
        mines=rules.mines,
        first_click=rules.first_click,
        outcome=outcome.result,
        seconds=round(end - target.started, 4) if target.started is not None else None,
        clicks=target.clicks,
        guesses=len(guesses),
        survival=prod(guesses, start=1.0),
        bbbv=bbbv_of_board(board, rules) if board is not None else None,
        recording=str(folder) if folder is not None else None,
        reason=outcome.reason,
    )
