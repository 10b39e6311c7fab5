"""Playing many games with no window: the same loop and the same strategies as on a screen."""

from __future__ import annotations

import multiprocessing
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeVar

from bot.board import Action, Coordinate, FirstClick, Move, Observation, Result, Rules
from bot.game.game import Game
from bot.game.measures import bbbv
from bot.game.minefield import Minefield
from bot.lab.results import SIMULATED, PlayedGame, board_id, now
from bot.lab.stats import wilson
from bot.play import GameReport, play
from bot.solver.deduction import warm_up
from bot.strategy.base import Decision, Kind, Strategy
from bot.strategy.registry import strategy as strategy_of
from bot.target.game import GameTarget

BATCH = 20
"""Games that a process plays before it reports: a fraction of a second of them."""

Item = TypeVar("Item")


@dataclass(frozen=True)
class Task:
    """One game to play: the same task gives the same game wherever and whenever it is played."""

    rules: Rules
    seed: int | None = None
    """What lays the mines of a generated game."""
    minefield: Minefield | None = None
    """The mines of a given game."""

    def game(self) -> Game:
        """The game, before its first click."""
        return Game(self.rules, seed=self.seed, minefield=self.minefield)


def generated(rules: Rules, games: int, seed: int) -> Iterator[Task]:
    """Games laid by chance; game i of a seed is the same game, however many are played."""
    for index in range(games):
        yield Task(rules, seed=(seed << 32) + index)


def given(minefields: Iterable[Minefield], first_click: FirstClick) -> Iterator[Task]:
    """Games of known minefields, made by a first-click rule."""
    for minefield in minefields:
        rules = Rules(minefield.columns, minefield.rows, minefield.total, first_click)
        yield Task(rules, minefield=minefield)


@dataclass(frozen=True)
class OpensAt:
    """A strategy whose first click is given; for the rest of the game it is another strategy."""

    strategy: Strategy
    start: Coordinate

    @property
    def name(self) -> str:
        """That of the other strategy."""
        return self.strategy.name

    @property
    def version(self) -> int:
        """That of the other strategy."""
        return self.strategy.version

    def decide(self, observation: Observation, turn: int) -> Decision:
        """Open the given cell in turn 0; it is a guess where the rules do not protect it."""
        if turn > 0:
            return self.strategy.decide(observation, turn)
        rules = observation.rules
        if rules.first_click is not FirstClick.ANY or rules.mines is None:
            return Decision(Kind.FIRST, "first click", (self.start,), reason="the given first click")
        survival = 1 - rules.mines / rules.cells
        return Decision(
            Kind.GUESS, "first click", (self.start,), survival=survival, reason="the given first click"
        )


@dataclass
class Tally:
    """What came of games that were played."""

    wins: list[bool] = field(default_factory=list)
    """Game by game, in their order; a game that the strategy gave up is not won."""
    guesses: int = 0
    core_seconds: float = 0.0
    """CPU seconds spent on playing."""
    played: list[PlayedGame] = field(default_factory=list)
    """The same games for the results, where they were asked for. `add` leaves them out."""

    def add(self, other: Tally) -> None:
        """Append the games of another tally; what is for the results is handed on, not gathered."""
        self.wins += other.wins
        self.guesses += other.guesses
        self.core_seconds += other.core_seconds

    @property
    def won(self) -> int:
        """The number of games won."""
        return sum(self.wins)

    def summary(self, seconds: float) -> dict[str, float | int | None]:
        """What `minebot simulate --json` prints, given the wall-clock seconds. No games have no rate."""
        games = len(self.wins)
        low, high = wilson(self.won, games)
        return {
            "games": games,
            "won": self.won,
            "rate": self.won / games if games else None,
            "low": low,
            "high": high,
            "guesses": self.guesses,
            "seconds": round(seconds, 3),
            "games_per_second": games / seconds if seconds > 0 else None,
            "games_per_core_second": games / self.core_seconds if self.core_seconds > 0 else None,
        }


@dataclass(frozen=True)
class Batch:
    """Some games for one process, and who plays them."""

    tasks: tuple[Task, ...]
    strategy: str
    start: Coordinate | None
    keep: bool = False
    """Whether to say of each game what the results keep."""


class _Watched(GameTarget):
    """A game in memory, whose clicks are counted."""

    clicks = 0
    """Those that changed something."""
    first: Coordinate | None = None
    """The first cell that was opened."""

    def act(self, moves: Sequence[Move]) -> int:
        for move in moves:
            if self.game.act(move):
                self.clicks += 1
                if self.first is None and move.action is Action.OPEN:
                    self.first = move.cell
        return len(moves)


def play_batch(batch: Batch) -> Tally:
    """Play the games of a batch. The compiling of the solver is not counted, nor what the results need."""
    warm_up()
    strategy = strategy_of(batch.strategy)
    if batch.start is not None:
        strategy = OpensAt(strategy, batch.start)
    tally = Tally()
    for task in batch.tasks:
        begun, core_begun = time.perf_counter(), time.process_time()
        target = _Watched(task.game())
        report = play(target, strategy, chords=False)
        seconds = time.perf_counter() - begun
        tally.core_seconds += time.process_time() - core_begun
        tally.wins.append(report.outcome.result is Result.WON)
        tally.guesses += len(report.guesses)
        if batch.keep:
            tally.played.append(_played(task, target, report, strategy, seconds))
    return tally


def _played(
    task: Task, target: _Watched, report: GameReport, strategy: Strategy, seconds: float
) -> PlayedGame:
    minefield = target.game.truth_for_simulators
    return PlayedGame(
        target=SIMULATED,
        columns=task.rules.columns,
        rows=task.rules.rows,
        mines=task.rules.mines,
        first_click=task.rules.first_click,
        strategy=strategy.name,
        strategy_version=strategy.version,
        outcome=report.outcome.result,
        gave_up=report.outcome.result is Result.STOPPED,
        guesses=tuple(report.guesses),
        seconds=round(seconds, 6),
        clicks=target.clicks,
        bbbv=bbbv(minefield) if minefield is not None else None,
        seed=f"{task.seed >> 32}:{task.seed & 0xFFFFFFFF}" if task.seed is not None else None,
        board=board_id(minefield, target.first) if minefield is not None and target.first else None,
        played_at=now(),
    )


def simulate(
    tasks: Iterable[Task],
    strategy: str,
    *,
    start: Coordinate | None = None,
    jobs: int = 1,
    keep: bool = False,
    played: Callable[[Tally], None],
) -> None:
    """Play the games in as many processes; the results are the same for any number.

    `played` is called with the games in their order, some at a time, and with what the results keep of each
    where `keep` is set. Ctrl-C comes out as
    KeyboardInterrupt once the games in hand are over; what was played until then was handed over. Raises
    UsageError for a strategy that does not exist, and what reading the tasks raises.
    """
    strategy_of(strategy)
    batches = (Batch(tuple(some), strategy, start, keep) for some in _batched(tasks, BATCH))
    if jobs == 1:
        for batch in batches:
            played(play_batch(batch))
        return
    # Spawned, not forked: the same everywhere, and no thread of ours is copied in the middle of its work.
    executor = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), initializer=_ignore_ctrl_c)
    try:
        with _ctrl_c_ignored():  # by the processes that start here, too, before they can say so themselves
            waiting = [executor.submit(play_batch, batch) for batch in islice(batches, 2 * jobs)]
        while waiting:
            played(waiting.pop(0).result())
            waiting += [executor.submit(play_batch, batch) for batch in islice(batches, 1)]
    finally:
        executor.shutdown(cancel_futures=True)


def _ignore_ctrl_c() -> None:
    """In a process of the pool: Ctrl-C reaches every process of the terminal, and only ours answers it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _ctrl_c_ignored() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _batched(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch
