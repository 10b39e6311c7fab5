"""Two strategies on the same boards: whose games are pairs, and which of the two wins more of them."""

from __future__ import annotations

import random
import re
import shlex
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Annotated, NamedTuple

import msgspec

from bot.board import LEVELS, Coordinate, FirstClick, Rules
from bot.errors import BotError, UsageError
from bot.game.minefield import Minefield, most_mines
from bot.game.protection import protect
from bot.game.rule_sets import RULE_SETS
from bot.lab.report import Count, Player, Size
from bot.lab.results import SIMULATED, Results, board_id, default_path
from bot.lab.stats import Paired, paired

MOST_CELLS = 2000
"""The first click of a game on a larger board is not looked for: it takes a second."""


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
    words = [_word(first), _word(second)]
    one, other = (_player(results, *pair) for pair in (words, words[::-1]))
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
        how = _to_pair(results, words[0], words[1], target)
        raise BotError(f"{one} and {other} have no board in common: {how}")
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


class _Seeded(msgspec.Struct, frozen=True):
    """The first of the simulated games of one seed and kind, and how many of them there are."""

    id: int
    columns: Size
    rows: Size
    mines: Count
    first_click: FirstClick
    seed: Annotated[str, msgspec.Meta(pattern="^[0-9]{1,4300}:[0-9]{1,10}$")]
    """As long as a number that Python reads: `simulate --seed` takes any."""
    board: str
    games: Count

    @property
    def level(self) -> str:
        """The options that ask for its size and mines."""
        wanted = (self.columns, self.rows, self.mines)
        names = [name for name, level in LEVELS.items() if level == wanted]
        size = f"--size {self.columns}x{self.rows} --mines {self.mines}"
        return f"--level {names[0]}" if names else size


class _Word(NamedTuple):
    """A player as it was named."""

    text: str
    target: str | None
    name: str
    version: int | None
    think: int


def _word(text: str) -> _Word:
    match = re.fullmatch(r"(?:([^@:/]+)/)?([^@:/]+)(?:@([0-9]{1,9}))?(?::([0-9]{1,9}))?", text)
    if match is None:
        raise UsageError(
            f"{text!r} is no player: give NAME, NAME@VERSION or NAME@VERSION:THINK, as in best@2,"
            " or TARGET/NAME, as in winmine/best"
        )
    return _Word(text, match[1], match[2], None if match[3] is None else int(match[3]), int(match[4] or 1))


def _player(results: Results, word: _Word, other: _Word) -> Player:
    """The player that a word names, which is to be compared with another one."""
    found = [
        row.strategy_version
        for row in results.rows(
            _Version,
            "SELECT min(id) AS id, strategy_version FROM games"
            " WHERE strategy = ? AND think = ? AND (? IS NULL OR target = ?) AND board IS NOT NULL"
            " GROUP BY strategy_version ORDER BY strategy_version",
            (word.name, word.think, word.target, word.target),
        )
    ]
    if word.version in found:
        return Player(word.name, word.version or 0, word.think, word.target)
    if word.version is None and found:
        return Player(word.name, found[-1], word.think, word.target)
    missing = f"{word.text} has no game on a known board in {results.path}"
    if found:
        versions = ", ".join(map(str, found))
        raise BotError(f"{missing}: of {word.name} there are versions {versions}: name one of these")
    raise BotError(f"{missing}: {_to_play(results, word, other)}")


def _to_play(results: Results, word: _Word, other: _Word) -> str:
    """What gives a player games that can be paired with those of another one, for an error message."""
    from bot.strategy.registry import names  # the solver with it, which takes a while to load

    if word.name not in names():
        return f"no strategy is called {word.name!r}: name one of {', '.join(names())}"
    think = "" if word.think == 1 else f" --think {word.think}"
    player = f"--strategy {shlex.quote(word.name)}{think}"
    if word.target in (None, SIMULATED):
        seeded = _most_seeded(results, other)
        if seeded is None:
            return f"play some with `minebot simulate {player}{_db(results)}`"
        how = f"`minebot simulate {player} {_again(seeded)}{_db(results)}`"
        return f"have it play the boards of {other.name} too: {how}"
    assert word.target is not None
    simulated, _, no_hints = word.target.partition(", ")
    rules = next((name for name, rules in RULE_SETS.items() if rules.simulated == simulated), None)
    if rules is not None:
        hints = " --no-hints" if no_hints else ""
        return f"play some with `minebot simulate --rules {rules}{hints} {player}{_db(results)}`"
    window = "--practice" if word.target == "practice" else f"--target {shlex.quote(word.target)}"
    return f"play some with `minebot run {window} {player}{_db(results)}` (a lost game shows its board)"


def _to_pair(results: Results, first: _Word, second: _Word, target: str | None) -> str:
    """What gives two players with games a board in common, for an error message."""
    targets = {word.target or target for word in (first, second)} - {None, SIMULATED}
    if targets:
        return (
            "write the boards of one by `minebot replay RECORDING --boards boards.txt`, and play them with"
            f" `minebot simulate --boards boards.txt --strategy {shlex.quote(second.name)}`"
        )
    for one, other in ((first, second), (second, first)):
        if _most_seeded(results, other) is not None:
            return _to_play(results, one, other)
    return "simulate both on the same --boards, or with the same --seed and --start"


def _most_seeded(results: Results, word: _Word) -> _Seeded | None:
    """Of the simulated games of a player those of the kind and seed with the most games; None without any."""
    found = results.rows(
        _Seeded,
        "SELECT min(id) AS id, columns, rows, mines, first_click, seed, board,"
        " max(CAST(substr(seed, instr(seed, ':') + 1) AS INTEGER)) + 1 AS games FROM games"
        " WHERE target = ? AND strategy = ? AND think = ? AND seed IS NOT NULL AND board IS NOT NULL"
        " AND mines IS NOT NULL"
        " GROUP BY columns, rows, mines, first_click, substr(seed, 1, instr(seed, ':') - 1)"
        " ORDER BY games DESC, id LIMIT 1",
        (SIMULATED, word.name, word.think),
    )
    return next(iter(found), None)


def _again(seeded: _Seeded) -> str:
    """The options of `minebot simulate` that give the same boards."""
    seed = seeded.seed.split(":")[0]
    start = _start(seeded)
    first = "" if start is None else f" --start {start[0]},{start[1]}"
    rule = seeded.first_click.value
    return f"{seeded.level} --first-click {rule} --games {seeded.games} --seed {seed}{first}"


def _start(seeded: _Seeded) -> Coordinate | None:
    """The first click of a game that was laid by chance: the one after which it has the board that is kept.
    None if there is none, as after an update that lays games in another way."""
    rules = Rules(seeded.columns, seeded.rows, seeded.mines, seeded.first_click)
    if rules.cells > MOST_CELLS or seeded.mines > most_mines(rules.columns, rules.rows, rules.first_click):
        return None
    high, low = map(int, seeded.seed.split(":"))
    for row in range(rules.rows):
        for column in range(rules.columns):
            laid = Minefield.generate(rules, (row, column), random.Random((high << 32) + low))
            if board_id(protect(laid, (row, column), rules.first_click), (row, column)) == seeded.board:
                return row, column
    return None


def _db(results: Results) -> str:
    return "" if results.path == default_path() else f" --db {shlex.quote(str(results.path))}"


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
