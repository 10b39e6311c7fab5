"""Several games in a row in one window: recorded, counted, and told line by line."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import Protocol, TypeVar

from msgspec import structs

from bot.assist import Assisted, Turn, WaitReason, Witness, begun, follow, next_game
from bot.board import Action, Cell, Coordinate, Move, Observation, Outcome, Result
from bot.errors import BotError, Stopped, ThemeMisfit, UnreadableBoard
from bot.game_line import Ended, GameHost, GameLine, Mode, SharedLine, line_of, minefield_of
from bot.game_loop import ANOTHER_GAME, GameReport, play
from bot.process.interrupts import uninterrupted
from bot.recording.record import Record
from bot.strategy.base import Decision, Strategy
from bot.targets.window.spectator import Spectator
from bot.targets.window.window_target import WindowTarget

OTHER_GAMES = 3
"""Alone, so many games in a row are given up for others that somebody seems to have begun: where the end of
a game is misread, it looks like another one for ever."""

TOO_MANY = (
    f"{ANOTHER_GAME}, {OTHER_GAMES} times in a row: leave the window alone while minebot plays; if nobody"
    " touched it, the end of its games is misread: `minebot calibrate` learns how it looks"
)
"""Why it ends then."""


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


class CompanionReporter(Reporter, Protocol):
    """The same, who also talks with the person who plays."""

    def shown(self, turn: Turn) -> None:
        """Another position was seen."""
        ...

    def waits(self, why: WaitReason, text: str) -> None:
        """The bot waits; called each time when the reason changes."""
        ...

    def person_moved(self, moves: Sequence[Move]) -> None:
        """The person made these moves."""
        ...


@dataclass(frozen=True)
class Play:
    """How games are played."""

    games: int = 1
    """How many to play to their end; one that somebody throws away for another does not count."""
    flags: bool = False
    chords: bool = True
    new: bool = False
    """Whether to start with a new game even where one is half played."""
    until_won: bool = False
    """Whether to stop after the first that is won."""
    time_s: float | None = None
    """For how many seconds games are begun; None for no limit."""

    def goes_on(self, lines: Sequence[GameLine], since_s: float) -> bool:
        """Whether another game is to be begun after these, so many seconds after the first one began."""
        if self.until_won and any(line.outcome is Result.WON for line in lines):
            return False
        return self.time_s is None or not lines or since_s < self.time_s


class _Start(Enum):
    """How a game comes about."""

    FIRST = 1
    NEXT = 2
    GOING_ON = 3
    """Somebody has begun it already, in the middle of the one before."""


class _Watch:
    """Passes what the loop tells on to the recording and to the reporter."""

    def __init__(self, window: GameHost, reporter: Reporter) -> None:
        self._window = window
        self._reporter = reporter
        self.guesses: list[float] = []
        """The chance of each guess that was made, for a game that is interrupted."""
        self.first: Coordinate | None = None
        """The first click, once it is decided on a board that is all covered."""

    def decided(self, observation: Observation, decision: Decision, moves: Sequence[Move], turn: int) -> None:
        window = self._window
        window.record.decision(turn, decision)
        if observation.board.count(Cell.COVERED) == observation.rules.cells:
            alone = len(moves) == 1 and moves[0].action is Action.OPEN
            self.first = moves[0].cell if alone else None
        seconds = time.perf_counter() - window.started if window.started is not None else 0.0
        self._reporter.decided(observation, decision, window.clicks, seconds)


class _SharedWatch(_Watch):
    """The same for a game with a person in it."""

    def __init__(self, window: WindowTarget | Spectator, reporter: CompanionReporter) -> None:
        super().__init__(window, reporter)
        self._companion = reporter
        self.witness = Witness(window, self)
        self.guesses = self.witness.guesses

    def shown(self, turn: Turn, number: int) -> None:
        self._window.record.decision(number, turn.decision)
        self._companion.shown(turn)

    def waits(self, why: WaitReason, text: str = "") -> None:
        if why is WaitReason.TROUBLE:
            self._window.record.note(f"waiting: {text}")
        self._companion.waits(why, text)

    def person_moved(self, moves: Sequence[Move]) -> None:
        for move in moves:
            self._window.record.person(move)
        self._companion.person_moved(moves)


AnyWindow = TypeVar("AnyWindow", bound=GameHost)
AnyWatch = TypeVar("AnyWatch", bound=_Watch)


def run_games(
    target: WindowTarget,
    strategy: Strategy,
    how: Play,
    record: Callable[[WindowTarget], Record],
    reporter: Reporter,
    ended: Callable[[Ended], None] | None = None,
) -> list[GameLine]:
    """Play the games; the lines of those that ended, the last of them perhaps stopped or failed.

    A game that fails ends the run: its line says why. ThemeMisfit of the first game is let through, told as
    stopped: it can be played on without its theme. Stopped and KeyboardInterrupt are let through
    once the line of the game that they interrupt is told and its recording closed. `ended` is called
    with each game after its line was told. Where somebody begins another game in the middle of one, that
    one is told as stopped, does not count, and the other one is played; `OTHER_GAMES` of them in a row fail.
    """

    def begin(start: _Start, _: _Watch) -> None:
        if start is _Start.GOING_ON:
            target.find_again()
        new = how.new if start is _Start.FIRST else start is _Start.NEXT
        if new and start is _Start.FIRST and target.is_unknown:
            # Nobody knows yet how this game is started: a board that is untouched is as good as a new one.
            with suppress(UnreadableBoard):  # the end of a game may show what cannot be a board
                target.observe()
            new = not target.fresh
        if new or target.observe().phase.over:
            target.new_game()

    def game(watch: _Watch) -> GameReport:
        flags = how.flags or target.behaviour.wins == "flagged"
        chords = how.chords and target.chords
        return play(
            target,
            strategy,
            listener=watch,
            flags=flags,
            chords=chords,
            eager=True,
            openings_first=True,
            guesses=watch.guesses,
        )

    return _games(
        target,
        how,
        begin,
        game,
        record,
        lambda: _Watch(target, reporter),
        reporter,
        Mode.ALONE,
        target.after_win,
        ended,
    )


def assist_games(
    target: WindowTarget,
    strategy: Strategy,
    how: Play,
    record: Callable[[WindowTarget], Record],
    reporter: CompanionReporter,
) -> list[GameLine]:
    """The same with a person, who makes every choice: see `bot.assist.Assisted`."""

    def begin(start: _Start, watch: _SharedWatch) -> None:
        if start is _Start.FIRST and (how.new or target.observe().phase.over):
            target.new_game()
        if start is _Start.NEXT:
            next_game(target, watch)
        if start is not _Start.FIRST:
            target.find_again()

    def game(watch: _SharedWatch) -> GameReport:
        shared = Assisted(
            target, strategy, watch, watch.witness, flags=how.flags, chords=how.chords and target.chords
        )
        return shared.play()

    return _games(
        target,
        how,
        begin,
        game,
        record,
        lambda: _SharedWatch(target, reporter),
        reporter,
        Mode.ASSIST,
        target.after_win,
    )


def hint_games(
    spectator: Spectator,
    strategy: Strategy,
    how: Play,
    record: Callable[[Spectator], Record],
    reporter: CompanionReporter,
) -> list[GameLine]:
    """Watch a person play the games, and tell what is certain: see `bot.assist.follow`."""

    def begin(_: _Start, watch: _SharedWatch) -> None:
        begun(spectator, watch)

    def game(watch: _SharedWatch) -> GameReport:
        return follow(spectator, strategy, watch, watch.witness)

    return _games(
        spectator,
        how,
        begin,
        game,
        record,
        lambda: _SharedWatch(spectator, reporter),
        reporter,
        Mode.HINT,
    )


def _games(
    window: AnyWindow,
    how: Play,
    begin: Callable[[_Start, AnyWatch], None],
    game: Callable[[AnyWatch], GameReport],
    record: Callable[[AnyWindow], Record],
    watched: Callable[[], AnyWatch],
    reporter: Reporter,
    mode: Mode,
    after_win: Callable[[Observation], Observation] = lambda seen: seen,
    ended: Callable[[Ended], None] | None = None,
) -> list[GameLine]:
    lines: list[GameLine] = []
    start, number, others = _Start.FIRST, 1, 0
    began = time.perf_counter()
    between: BaseException | None = None
    """What stopped the bot after the game before was over: it stops the next one, which is told as any."""
    while number <= how.games and how.goes_on(lines, time.perf_counter() - began):
        reporter.game_starts(number)
        watch = watched()
        report: GameReport | None = None
        interruption: BaseException | None = None
        window.begin_game()
        try:
            if between is not None:
                raise between
            begin(start, watch)
            if mode is Mode.ALONE:
                window.record_by(partial(record, window))
            else:  # others write into it, too
                window.record = record(window)
            report = game(watch)
            others = others + 1 if report.abandoned else 0
            outcome = report.outcome
            if mode is Mode.ALONE and others == OTHER_GAMES:
                outcome = Outcome(Result.FAILED, TOO_MANY)
            if outcome.result is Result.WON:
                report.observation = after_win(report.observation)
        except (Stopped, KeyboardInterrupt, SystemExit) as error:
            if report is not None:  # it is over, and ended as it did: the next one is stopped
                between, outcome = error, report.outcome
            else:
                interruption = error
                outcome = Outcome(Result.STOPPED, str(error) or "stopped by the user")
        except BotError as error:
            is_misfit = isinstance(error, ThemeMisfit) and not lines
            interruption = error if is_misfit else None
            outcome = Outcome(Result.STOPPED if is_misfit else Result.FAILED, str(error))
        finally:
            window.let_go()
        try:
            with uninterrupted():  # a game that is over is told, recorded and counted
                lines.append(_closed(window, watch, report, outcome, mode, reporter, ended))
        except KeyboardInterrupt as error:
            between = error
        if interruption is not None:
            raise interruption
        if outcome.result is Result.FAILED:
            break
        abandoned = report is not None and report.abandoned
        start = _Start.GOING_ON if abandoned else _Start.NEXT
        number += not abandoned
    if between is not None:
        raise between
    return lines


def _closed(
    window: AnyWindow,
    watch: AnyWatch,
    report: GameReport | None,
    outcome: Outcome,
    mode: Mode,
    reporter: Reporter,
    ended: Callable[[Ended], None] | None,
) -> GameLine:
    """Close the recording of a game that is over, tell it, and count it; gives its line."""
    guesses = watch.guesses if report is None else report.guesses
    minefield = minefield_of(report)
    line = line_of(window, guesses, report, outcome, minefield)
    if isinstance(watch, _SharedWatch):
        line = SharedLine(**structs.asdict(line), mode=mode, person_moves=watch.witness.moves)
    window.record.outcome(
        outcome,
        seconds=line.seconds,
        clicks=line.clicks,
        guesses=line.guesses,
        survival=line.survival,
        bbbv=line.bbbv,
    )
    window.close_record()
    reporter.game_over(line)
    if ended is not None:
        abandoned = report is not None and report.abandoned
        gave_up = report is not None and outcome.result is Result.STOPPED and not abandoned
        ended(Ended(line, tuple(guesses), gave_up, minefield, watch.first))
    return line
