"""Simulated games: what they are, and playing one by the loop or compiled, with the same moves."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from threading import Lock

from bot.board import Board, Coordinate, FirstClick, Move, Observation, Phase, Result, Rules
from bot.errors import BotError
from bot.game.game import Game
from bot.game.measures import bbbv
from bot.game.minefield import Minefield
from bot.game.protection import protect
from bot.game.rule_sets import rule_set
from bot.game_loop import play
from bot.lab.results import SIMULATED, GameResult, board_id, now
from bot.lab.stats import wilson
from bot.lab.whole import whole_games
from bot.solver.deduction.ladder import warm_up as warm_up_deduction
from bot.solver.jit.cache import SOURCES
from bot.strategy.base import Decision, Kind, StandsFor, Strategy
from bot.strategy.hinted import Hinted
from bot.strategy.registry import strategy as strategy_of
from bot.targets.in_process import InProcessTarget


@dataclass(frozen=True)
class Task:
    """One game to play: the same task gives the same game wherever and whenever it is played."""

    rules: Rules
    seed: int | None = None
    """What lays the mines of a generated game."""
    minefield: Minefield | None = None
    """The mines of a given game."""
    rule_set: str | None = None
    """The name of its rule set, where it has one (see `bot.game.rule_sets`)."""
    hints: bool = True
    """Whether the player may ask for the hints that the rule set gives."""

    def game(self) -> Game:
        """The game, before its first click."""
        if self.rule_set is None:
            return Game(self.rules, seed=self.seed, minefield=self.minefield)
        hints = None if self.hints else 0
        return rule_set(self.rule_set).game(self.rules, self.seed, self.minefield, hints)

    @property
    def target(self) -> str:
        """What the results call it."""
        if self.rule_set is None:
            return SIMULATED
        rules = rule_set(self.rule_set)
        return f"{rules.simulated}, no hints" if rules.hints and not self.hints else rules.simulated


def generated(
    rules: Rules, games: int, seed: int, *, rule_set: str | None = None, hints: bool = True
) -> Iterator[Task]:
    """Games laid by chance; game i of a seed is the same game, however many are played."""
    for index in range(games):
        yield Task(rules, seed=(seed << 32) + index, rule_set=rule_set, hints=hints)


def given(minefields: Iterable[Minefield], first_click: FirstClick) -> Iterator[Task]:
    """Games of known minefields, made by a first-click rule."""
    for minefield in minefields:
        rules = Rules(minefield.columns, minefield.rows, minefield.total, first_click)
        yield Task(rules, minefield=minefield)


@dataclass(frozen=True)
class OpensAt(StandsFor):
    """A strategy whose first click is given; for the rest of the game it is another strategy."""

    start: Coordinate

    def decide(self, observation: Observation, turn: int) -> Decision:
        """Open the given cell in turn 0; it is a guess where the rules do not protect it."""
        if turn > 0:
            return self.inner.decide(observation, turn)
        rules = observation.rules
        if rules.first_click is not FirstClick.ANY or rules.mines is None:
            return Decision(Kind.FIRST, "first click", (self.start,), reason="the given first click")
        survival = 1 - rules.mines / rules.cells
        return Decision(
            Kind.GUESS, "first click", (self.start,), survival=survival, reason="the given first click"
        )


@dataclass(frozen=True)
class Player:
    """Who plays."""

    strategy: str
    think: int = 1
    start: Coordinate | None = None
    """The first click of every game; None leaves it to the strategy."""
    asks: bool = False
    """Whether it asks for hints where a game gives any."""

    def made(self) -> Strategy:
        """The strategy; raises UsageError where there is none of that name, or none that thinks longer."""
        strategy = strategy_of(self.strategy, self.think)
        if self.asks:
            strategy = Hinted(strategy)
        return strategy if self.start is None else OpensAt(strategy, self.start)


@dataclass(frozen=True)
class Playout:
    """One game that was played."""

    result: Result
    clicks: tuple[Coordinate, ...]
    """The cells that were clicked, in order, without those where nothing happened."""
    guesses: tuple[float, ...]
    """The chance to survive that was given to each guess, in order."""
    minefield: Minefield | None
    """Where the mines were; None where they were never laid."""


class _Watched(InProcessTarget):
    """A game in memory, whose clicks are written down."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.clicks: list[Coordinate] = []

    def act(self, moves: Sequence[Move], *, certain: bool = True) -> int:
        self.clicks += [move.cell for move in moves if self.game.act(move)]
        return len(moves)


def play_loop(task: Task, strategy: Strategy) -> Playout:
    """Play a game by the loop that plays windows."""
    target = _Watched(task.game())
    report = play(target, strategy, chords=False)
    truth = target.game.truth_for_simulators
    return Playout(report.outcome.result, tuple(target.clicks), tuple(report.guesses), truth)


def play_compiled(task: Task, strategy: Strategy) -> Playout | None:
    """Play the same game compiled, move by move as the loop plays it; None where only the loop can."""
    plain = strategy.inner if isinstance(strategy, OpensAt) else strategy
    if task.rules.first_click in (FirstClick.MOVED, FirstClick.SHIFTED):
        return None  # compiled games take all layouts for equally likely
    if whole_games(plain, task.rules) is None:
        return None
    first = _first_decision(strategy, task.rules)
    if len(first.safe) != 1:
        return None  # with no mines at all every cell is certain
    (cell,) = first.safe
    minefield = task.minefield
    if minefield is None:
        minefield = Minefield.generate(task.rules, cell, random.Random(task.seed))
    minefield = protect(minefield, cell, task.rules.first_click)
    # Asked for by its total: the arrays it works in are shared with those of another one.
    whole = whole_games(plain, replace(task.rules, mines=minefield.total))
    if whole is None:
        return None
    game = whole(minefield, cell, first.survival if first.kind is Kind.GUESS else None)
    if game is None:
        return None
    return Playout(Result.WON if game.won else Result.LOST, game.clicks, game.guesses, minefield)


@lru_cache(maxsize=256)
def _first_decision(strategy: Strategy, rules: Rules) -> Decision:
    board = Board.covered(rules.columns, rules.rows)
    return strategy.decide(Observation(board, Phase.READY, rules), 0)


@dataclass
class Tally:
    """What came of games that were played."""

    wins: list[bool] = field(default_factory=list)
    """Game by game, in their order; a game that the strategy gave up is not won."""
    guesses: int = 0
    core_seconds: float = 0.0
    """CPU seconds spent on playing."""
    earlier: int = 0
    """How many of the games were played before, by the study that this one goes on with."""
    played: list[GameResult] = field(default_factory=list)
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
        """What `minebot simulate --json` prints, given the wall-clock seconds. No games have no rate.

        The speeds are of the games that were played now.
        """
        games = len(self.wins)
        now_played = games - self.earlier
        low, high = wilson(self.won, games)
        return {
            "games": games,
            "won": self.won,
            "rate": self.won / games if games else None,
            "low": low,
            "high": high,
            "guesses": self.guesses,
            "seconds": round(seconds, 3),
            "games_per_second": now_played / seconds if seconds > 0 else None,
            "games_per_core_second": now_played / self.core_seconds if self.core_seconds > 0 else None,
        }


@dataclass(frozen=True)
class Batch:
    """Some games for one process, and who plays them."""

    tasks: tuple[Task, ...]
    player: Player
    keep: bool = False
    """Whether to say of each game what the results keep."""
    sources: str = SOURCES
    """Of the solver that is meant to play them."""


def warm_up(player: Player) -> None:
    """Compile what the player's games need, or load it from its cache; once in a process."""
    _warmed(player.strategy, player.think)


@lru_cache(maxsize=8)
def _warmed(strategy: str, think: int) -> None:
    warm_up_deduction()
    made = Player(strategy, think).made()
    # One by the loop as well: it takes over where a compiled game cannot go on.
    for task in generated(Rules(4, 4, 3), 3, 0):
        play_loop(task, made)
        play_compiled(task, made)


_one_at_a_time = Lock()
"""The arrays of a player serve one game at a time, and a worker of a cluster may have many threads."""


def play_batch(batch: Batch) -> Tally:
    """Play the games of a batch. The compiling of the solver is not counted, nor what the results need.

    Raises BotError where the solver here is another one than the batch is for.
    """
    if batch.sources != SOURCES:
        raise BotError("a worker has another version of minebot: install the same one on every machine")
    with _one_at_a_time:
        return _play_batch(batch)


def _play_batch(batch: Batch) -> Tally:
    warm_up(batch.player)
    strategy = batch.player.made()
    tally = Tally()
    for task in batch.tasks:
        begun, core_begun = time.perf_counter(), time.process_time()
        playout = play_compiled(task, strategy) or play_loop(task, strategy)
        seconds = time.perf_counter() - begun
        tally.core_seconds += time.process_time() - core_begun
        tally.wins.append(playout.result is Result.WON)
        tally.guesses += len(playout.guesses)
        if batch.keep:
            tally.played.append(_kept(task, playout, batch.player, strategy, seconds))
    return tally


def _kept(task: Task, playout: Playout, player: Player, strategy: Strategy, seconds: float) -> GameResult:
    minefield = playout.minefield
    first = playout.clicks[0] if playout.clicks else None
    return GameResult(
        target=task.target,
        columns=task.rules.columns,
        rows=task.rules.rows,
        mines=task.rules.mines,
        first_click=task.rules.first_click,
        strategy=strategy.name,
        strategy_version=strategy.version,
        outcome=playout.result,
        gave_up=playout.result is Result.STOPPED,
        guesses=playout.guesses,
        seconds=round(seconds, 6),
        clicks=len(playout.clicks),
        bbbv=bbbv(minefield) if minefield is not None else None,
        think=player.think,
        seed=f"{task.seed >> 32}:{task.seed & 0xFFFFFFFF}" if task.seed is not None else None,
        board=board_id(minefield, first) if minefield is not None and first is not None else None,
        played_at=now(),
    )
