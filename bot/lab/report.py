"""What the results say: win rates by group, two strategies on the same boards, the honesty of chances."""

from __future__ import annotations

import json
import re
from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from sqlite3 import Row
from statistics import median
from typing import NamedTuple

from bot.errors import BotError, UsageError
from bot.game.measures import bbbv_per_second, efficiency
from bot.lab.results import SIMULATED, Results
from bot.lab.stats import Paired, paired, wilson


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
    """The groups of games, those of the same kind side by side; `guesses` asks for each guess too.

    A simulated game that was played again is the same game, and counts once: else a study that is run
    twice would look twice as sure as it is. Raises BotError where no game fits.
    """
    found: dict[Key, Group] = {}
    seen: set[int] = set()
    for row in _games(results, target, strategy):
        key = Key(*row[: len(Key._fields)])
        group = found.get(key)
        if group is None:
            group = found[key] = Group(key)
        if key.target == SIMULATED and (row["seed"] or row["board"]):
            game = hash((key, row["seed"], row["board"]))
            if game in seen:
                group.repeats += 1
                continue
            seen.add(game)
        _count(group, row, guesses)
    if not found:
        raise BotError(_nothing(results, target, strategy))
    return [found[key] for key in sorted(found, key=lambda key: tuple((part is None, part) for part in key))]


def _games(results: Results, target: str | None, strategy: str | None) -> Iterator[Row]:
    # The latest first: of a game that was played again, that one counts.
    return results.query(
        f"SELECT {', '.join(Key._fields)}, seed, board, outcome, gave_up, guesses, seconds, clicks, bbbv"
        " FROM games WHERE (:target IS NULL OR target = :target)"
        " AND (:strategy IS NULL OR strategy = :strategy) ORDER BY id DESC",
        {"target": target, "strategy": strategy},
    )


def _count(group: Group, row: Row, guesses: bool) -> None:
    outcome, seconds, clicks, bbbv = row["outcome"], row["seconds"], row["clicks"], row["bbbv"]
    if outcome == "stopped":
        if row["gave_up"]:
            group.gave_up += 1
        else:
            group.stopped += 1
            return
    elif outcome == "failed":
        group.failed += 1
        return
    else:
        won = outcome == "won"
        group.won += won
        group.lost += not won
        group.clicks.append(clicks)
        if seconds is not None:
            group.seconds.append(seconds)
        if won:
            _append(group.efficiency, efficiency(bbbv, clicks))
            _append(group.speed, bbbv_per_second(bbbv, seconds))
    if guesses and row["guesses"] != "[]":
        chances = json.loads(row["guesses"])
        held = [True] * len(chances)
        held[-1] = outcome != "lost"
        group.guesses += zip(chances, held, strict=True)


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


class Kind(NamedTuple):
    """A game that can be played again: where, how large, by which rule of the first click."""

    target: str
    columns: int
    rows: int
    mines: int | None
    first_click: str


@dataclass(frozen=True)
class Comparison:
    """Two players on the same boards, after the same first clicks."""

    kind: Kind
    first: Player
    second: Player
    first_won: int
    second_won: int
    paired: Paired

    def as_json(self) -> dict[str, object]:
        """What `minebot stats --compare --json` prints."""
        pairs = self.paired
        return {
            **self.kind._asdict(),
            "first": str(self.first),
            "second": str(self.second),
            "games": pairs.games,
            "first_won": self.first_won,
            "second_won": self.second_won,
            "only_first": pairs.only_first,
            "only_second": pairs.only_second,
            "difference": pairs.difference,
            "low": pairs.low,
            "high": pairs.high,
            "p_value": pairs.p_value,
        }


def compare(results: Results, first: str, second: str, *, target: str | None = None) -> list[Comparison]:
    """Pair the games that two players played on the same boards, a comparison for each kind of game.

    A player is `NAME`, `NAME@VERSION`, `NAME:THINK` or `NAME@VERSION:THINK`; without a version it is the
    newest that was stored. `TARGET/` before it takes its games of that target alone: then games of two
    targets are pairs too, a window's and simulated ones; else those of one target. Each board counts once,
    its latest game. Raises UsageError for what is no player, and BotError where one played no known board
    or the two have no board in common.
    """
    one, other = (_player(results, word) for word in (first, second))
    if one == other:
        raise UsageError(f"{one} cannot be compared with itself: name another version, as in best@1")
    games = [_won_by_board(results, player, player.target or target) for player in (one, other)]
    if one.target != other.target:
        both = f"{one.target or target or 'any'}, {other.target or target or 'any'}"
        games = [
            {(kind._replace(target=both), board): won for (kind, board), won in some.items()}
            for some in games
        ]
    wins: dict[Kind, tuple[list[bool], list[bool]]] = defaultdict(lambda: ([], []))
    for (kind, board), won in games[0].items():
        if (kind, board) in games[1]:
            wins[kind][0].append(won)
            wins[kind][1].append(games[1][kind, board])
    if not wins:
        raise BotError(
            f"{one} and {other} have no board in common: simulate both on the same --boards,"
            " or with the same --seed and --start"
        )
    order = sorted(wins, key=lambda kind: tuple((part is None, part) for part in kind))
    return [
        Comparison(kind, one, other, sum(wins[kind][0]), sum(wins[kind][1]), paired(*wins[kind]))
        for kind in order
    ]


def together(comparisons: Sequence[Comparison]) -> Paired:
    """All comparisons as one, of all their games."""
    pairs = [comparison.paired for comparison in comparisons]
    only_first, only_second = sum(p.only_first for p in pairs), sum(p.only_second for p in pairs)
    both = sum(p.games for p in pairs) - only_first - only_second
    # What both won or both lost weighs the same.
    first = [True] * only_first + [False] * only_second + [True] * both
    second = [False] * only_first + [True] * only_second + [True] * both
    return paired(first, second)


def _player(results: Results, word: str) -> Player:
    match = re.fullmatch(r"(?:([^@:/]+)/)?([^@:/]+)(?:@([0-9]{1,9}))?(?::([0-9]{1,9}))?", word)
    if match is None:
        raise UsageError(
            f"{word!r} is no player: give NAME, NAME@VERSION or NAME@VERSION:THINK, as in best@2,"
            " or TARGET/NAME, as in winmine/best"
        )
    target, name, version, think = match[1], match[2], match[3], int(match[4] or 1)
    found = [
        int(row[0])
        for row in results.query(
            "SELECT DISTINCT strategy_version FROM games"
            " WHERE strategy = ? AND think = ? AND (? IS NULL OR target = ?) AND board IS NOT NULL"
            " ORDER BY 1",
            (name, think, target, target),
        )
    ]
    if version is not None and int(version) in found:
        return Player(name, int(version), think, target)
    if version is None and found:
        return Player(name, found[-1], think, target)
    raise BotError(
        f"{word} has no game on a known board in {results.path}"
        + (f": of {name} there are versions {', '.join(map(str, found))}" if found else "")
        + f": play some with `minebot simulate --strategy {name}`"
    )


def _won_by_board(results: Results, player: Player, target: str | None) -> dict[tuple[Kind, str], bool]:
    """Whether each board was won: the kind of game and the board's id, and the latest outcome."""
    rows = results.query(
        "SELECT target, columns, rows, mines, first_click, board, outcome FROM games"
        " WHERE strategy = ? AND strategy_version = ? AND think = ? AND board IS NOT NULL"
        " AND (? IS NULL OR target = ?) AND (outcome IN ('won', 'lost') OR gave_up) ORDER BY id",
        (*player[:3], target, target),
    )
    return {(Kind(*row[:5]), row["board"]): row["outcome"] == "won" for row in rows}


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
