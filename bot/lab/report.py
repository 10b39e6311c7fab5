"""What the results say: win rates by group, and the honesty of the chances that were given to guesses."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Annotated, Literal, NamedTuple

import msgspec

from bot.errors import BotError
from bot.game.measures import bbbv_per_second, efficiency
from bot.lab.results import SIMULATED, Results
from bot.lab.stats import wilson

Count = Annotated[int, msgspec.Meta(ge=0)]
Size = Annotated[int, msgspec.Meta(ge=1, le=100_000)]


class Key(NamedTuple):
    """What the games of a group have in common."""

    target: str
    columns: int
    rows: int
    mines: int | None
    first_click: str
    strategy: str
    strategy_version: int
    think: int

    @property
    def size(self) -> str:
        """Columns and rows, as `--size` takes them."""
        return f"{self.columns}x{self.rows}"

    @property
    def player(self) -> str:
        """The strategy, its version, and its multiple of thought where that is not 1."""
        return str(Player(self.strategy, self.strategy_version, self.think))


@dataclass
class Tally:
    """Games that count, and those of them that were won."""

    games: int = 0
    won: int = 0

    def add(self, games: int, won: int) -> None:
        """Count more games."""
        self.games += games
        self.won += won

    @property
    def rate(self) -> float:
        """The win rate."""
        return self.won / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the win rate (Wilson)."""
        return wilson(self.won, self.games)


def _numbers() -> array[float]:
    return array("d")


@dataclass
class Group:
    """Games of one kind, counted."""

    key: Key
    won: int = 0
    lost: int = 0
    gave_up: int = 0
    """Games in which the strategy had no move: played and not won."""
    stopped: int = 0
    """Games that the user stopped: they say nothing of the strategy and are not in the rate."""
    failed: int = 0
    """Games in which something went wrong: not in the rate either."""
    repeats: int = 0
    """Simulated games that were played before, with the same board and player: counted once."""
    seconds: array[float] = field(default_factory=_numbers)
    """Of the games that were won or lost."""
    clicks: array[float] = field(default_factory=_numbers)
    """Of the games that were won or lost."""
    efficiency: array[float] = field(default_factory=_numbers)
    """3BV over clicks, of the games that were won."""
    speed: array[float] = field(default_factory=_numbers)
    """3BV a second, of the games that were won."""
    guesses: list[tuple[float, bool]] = field(default_factory=list)
    """Each guess: the chance that was given to it, and whether it held; only where they were asked for."""
    by_day: dict[str, Tally] = field(default_factory=dict)
    """Games by the day on which they ended (UTC, as 2026-11-23), with the guesses only."""
    by_guesses: dict[int, Tally] = field(default_factory=dict)
    """Games by how many guesses they needed, with the guesses only."""

    @property
    def games(self) -> int:
        """The games that count: won, lost or given up."""
        return self.won + self.lost + self.gave_up

    @property
    def rate(self) -> float | None:
        """The win rate; None where no game counts."""
        return self.won / self.games if self.games else None

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the win rate (Wilson)."""
        return wilson(self.won, self.games)

    def as_json(self) -> dict[str, object]:
        """What `minebot stats --json` prints."""
        key = self.key
        return {
            **{name: getattr(key, name) for name in key._fields[:6]},
            "games": self.games,
            "won": self.won,
            "rate": self.rate,
            "low": self.interval[0],
            "high": self.interval[1],
            "median_seconds": _median(self.seconds),
            "strategy_version": key.strategy_version,
            "think": key.think,
            "gave_up": self.gave_up,
            "stopped": self.stopped,
            "failed": self.failed,
            "repeats": self.repeats,
            "median_clicks": _median(self.clicks),
            "median_efficiency": _median(self.efficiency),
            "median_bbbv_per_second": _median(self.speed),
        }


def groups(
    results: Results, *, target: str | None = None, strategy: str | None = None, guesses: bool = False
) -> list[Group]:
    """The groups of games, those of the same kind side by side.

    `guesses` asks for each guess too, for the days, and for the numbers of guesses.

    A simulated game that was played again is the same game, and counts once: else a study that is run
    twice would look twice as sure as it is. Raises BotError where no game fits.
    """
    found: dict[Key, Group] = {}
    seen: set[int] = set()
    for row in _games(results, target, strategy):
        key = Key(*(getattr(row, name) for name in Key._fields))
        group = found.get(key)
        if group is None:
            group = found[key] = Group(key)
        # Only simulated games have a seed, those of a rule set too, whose target is its own; but on given
        # boards they have none, and live games have a board as well.
        if row.seed or (key.target == SIMULATED and row.board):
            game = hash((key, row.seed, row.board))
            if game in seen:
                group.repeats += 1
                continue
            seen.add(game)
        _count(group, row, results, guesses)
    if not found:
        raise BotError(_nothing(results, target, strategy))
    return [found[key] for key in sorted(found, key=lambda key: tuple((part is None, part) for part in key))]


class _Row(msgspec.Struct, frozen=True):
    """What is read of a game. SQLite keeps anything in a column, whatever its type: it is checked here."""

    id: int
    target: str
    columns: Size
    rows: Size
    mines: Count | None
    first_click: str
    strategy: str
    strategy_version: Count
    think: Count
    seed: str | None
    board: str | None
    outcome: Literal["won", "lost", "stopped", "failed"]
    gave_up: int
    guesses: str
    seconds: Annotated[float, msgspec.Meta(ge=0, le=1e9)] | None
    clicks: Count
    bbbv: Count | None
    played_at: Annotated[str, msgspec.Meta(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}")]


_chances = msgspec.json.Decoder(list[Annotated[float, msgspec.Meta(ge=0, le=1)]])


def _games(results: Results, target: str | None, strategy: str | None) -> Iterator[_Row]:
    # The latest first: of a game that was played again, that one counts.
    return results.rows(
        _Row,
        f"SELECT {', '.join(_Row.__struct_fields__)}"
        " FROM games WHERE (:target IS NULL OR target = :target)"
        " AND (:strategy IS NULL OR strategy = :strategy) ORDER BY id DESC",
        {"target": target, "strategy": strategy},
    )


def _count(group: Group, row: _Row, results: Results, guesses: bool) -> None:
    seconds, clicks, bbbv = row.seconds, row.clicks, row.bbbv
    if row.outcome == "stopped":
        if row.gave_up:
            group.gave_up += 1
        else:
            group.stopped += 1
            return
    elif row.outcome == "failed":
        group.failed += 1
        return
    else:
        won = row.outcome == "won"
        group.won += won
        group.lost += not won
        group.clicks.append(clicks)
        if seconds is not None:
            group.seconds.append(seconds)
        if won:
            _append(group.efficiency, efficiency(bbbv, clicks))
            _append(group.speed, bbbv_per_second(bbbv, seconds))
    if guesses:
        _count_guesses(group, row, results)


def _count_guesses(group: Group, row: _Row, results: Results) -> None:
    """Count the guesses of a game; where it counts, its day and how many there were as well."""
    try:
        chances = _chances.decode(row.guesses) if row.guesses != "[]" else []
    except (msgspec.DecodeError, RecursionError) as error:
        raise results.damaged(row.id, f"guesses: {error}") from None
    held = [True] * len(chances)
    held[-1:] = [row.outcome != "lost"]
    group.guesses += zip(chances, held[: len(chances)], strict=True)
    if row.outcome != "failed":
        won = row.outcome == "won"
        group.by_day.setdefault(row.played_at[:10], Tally()).add(1, won)
        group.by_guesses.setdefault(len(chances), Tally()).add(1, won)


def _append(numbers: array[float], number: float | None) -> None:
    if number is not None:
        numbers.append(number)


def _median(numbers: Sequence[float]) -> float | None:
    return median(numbers) if numbers else None


def _nothing(results: Results, target: str | None, strategy: str | None) -> str:
    for name, value in (("target", target), ("strategy", strategy)):
        there = [str(row[0]) for row in results.query(f"SELECT DISTINCT {name} FROM games ORDER BY 1")]
        if there and value is not None and value not in there:
            return f"no game of the {name} {value!r} is in {results.path}: there are {', '.join(there)}"
    if target is not None and strategy is not None:
        return f"{strategy!r} played no game of {target!r} in {results.path}"
    return f"there is no game in {results.path} yet: play with `minebot run` or `minebot simulate`"


class Player(NamedTuple):
    """A strategy of one version, with a multiple of thought; perhaps only its games of one target."""

    strategy: str
    version: int
    think: int = 1
    target: str | None = None

    def __str__(self) -> str:
        where = f"{self.target}/" if self.target is not None else ""
        return f"{where}{self.strategy}@{self.version}" + (f":{self.think}" if self.think != 1 else "")


@dataclass(frozen=True)
class Bin:
    """Guesses to which about the same chance was given."""

    given: float
    """The mean of the chances."""
    held: int
    guesses: int

    @property
    def rate(self) -> float:
        """How many of them held."""
        return self.held / self.guesses

    @property
    def interval(self) -> tuple[float, float]:
        """Its 95 % interval (Wilson)."""
        return wilson(self.held, self.guesses)


def calibration(guesses: Sequence[tuple[float, bool]], width: float = 0.05) -> list[Bin]:
    """What became of guesses, by the chance that they were given, in bins of this width."""
    bins: dict[int, list[tuple[float, bool]]] = defaultdict(list)
    last = round(1 / width) - 1
    for chance, held in guesses:
        # A hair above the edge is the edge: 0.15 / 0.05 is below 3.
        bins[min(int(chance / width + 1e-9), last)].append((chance, held))
    return [
        Bin(sum(chance for chance, _ in some) / len(some), sum(held for _, held in some), len(some))
        for _, some in sorted(bins.items())
    ]
