"""Two strategies on the same boards: whose games are pairs, and which of the two wins more of them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import msgspec

from bot.errors import BotError, UsageError
from bot.lab.report import Count, Player, Size
from bot.lab.results import Results
from bot.lab.stats import Paired, paired


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
    found = _paired(one, other, *games)
    if not found:
        raise BotError(
            f"{one} and {other} have no board in common: simulate both on the same --boards,"
            " or with the same --seed and --start"
        )
    return found


def every_pair(results: Results, players: Sequence[Player], *, target: str | None = None) -> list[Comparison]:
    """A comparison of each two of these players that played the same boards, for each kind of game."""
    games = [_won_by_board(results, player, player.target or target) for player in players]
    return [
        comparison
        for (one, first), (other, second) in combinations(zip(players, games, strict=True), 2)
        for comparison in _paired(one, other, first, second)
    ]


def _paired(
    one: Player, other: Player, first: dict[tuple[Kind, str], bool], second: dict[tuple[Kind, str], bool]
) -> list[Comparison]:
    """The comparisons of two players, by the boards that both won or lost; none without such a board."""
    wins: dict[Kind, tuple[list[bool], list[bool]]] = defaultdict(lambda: ([], []))
    for (kind, board), won in first.items():
        if (kind, board) in second:
            wins[kind][0].append(won)
            wins[kind][1].append(second[kind, board])
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


class _Version(msgspec.Struct, frozen=True):
    """A version of a strategy, and a game that it played."""

    id: int
    strategy_version: Count


class _Pairable(msgspec.Struct, frozen=True):
    """A game that can be paired with another one."""

    id: int
    target: str
    columns: Size
    rows: Size
    mines: Count | None
    first_click: str
    board: str
    outcome: str


def _player(results: Results, word: str) -> Player:
    match = re.fullmatch(r"(?:([^@:/]+)/)?([^@:/]+)(?:@([0-9]{1,9}))?(?::([0-9]{1,9}))?", word)
    if match is None:
        raise UsageError(
            f"{word!r} is no player: give NAME, NAME@VERSION or NAME@VERSION:THINK, as in best@2,"
            " or TARGET/NAME, as in winmine/best"
        )
    target, name, version, think = match[1], match[2], match[3], int(match[4] or 1)
    found = [
        row.strategy_version
        for row in results.rows(
            _Version,
            "SELECT min(id) AS id, strategy_version FROM games"
            " WHERE strategy = ? AND think = ? AND (? IS NULL OR target = ?) AND board IS NOT NULL"
            " GROUP BY strategy_version ORDER BY strategy_version",
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
    games = results.rows(
        _Pairable,
        f"SELECT {', '.join(_Pairable.__struct_fields__)} FROM games"
        " WHERE strategy = ? AND strategy_version = ? AND think = ? AND board IS NOT NULL"
        " AND (? IS NULL OR target = ?) AND (outcome IN ('won', 'lost') OR gave_up) ORDER BY id",
        (*player[:3], target, target),
    )
    return {
        (Kind(game.target, game.columns, game.rows, game.mines, game.first_click), game.board): game.outcome
        == "won"
        for game in games
    }
