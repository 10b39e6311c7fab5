"""The win rates of what was played as a page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from bot.lab.pairing import Comparison, every_pair
from bot.lab.report import Group, Player, Tally, calibration
from bot.lab.results import Results
from bot.show.page import page

MOST_PAIRED = 8
"""Maximum number of players that are paired with each other: those with the most games."""

MOST_POINTS = 40
"""Maximum number of points of a curve by date; days side by side are joined beyond it."""

MOST_GUESSES = 8
"""Games with this many guesses and more are counted together."""

SPREAD = (0.05, 0.25, 0.5, 0.75, 0.95)
"""The quantiles of the time of a game that are drawn."""


def pairs_of(results: Results, groups: Sequence[Group], target: str | None) -> list[Comparison]:
    """The players of these groups, each paired with each on the boards that both played."""
    games: dict[Player, int] = defaultdict(int)
    for group in groups:
        key = group.key
        games[Player(key.strategy, key.strategy_version, key.think)] += group.games
    most = sorted(games, key=lambda player: (-games[player], player[:3]))[:MOST_PAIRED]
    return every_pair(results, most, target=target)


def stats_page(groups: Sequence[Group], pairs: Sequence[Comparison] = ()) -> str:
    """The page of these groups, which need their guesses."""
    games = sum(group.games for group in groups)
    return page("stats", f"{games:,} games of minebot", {"games": games, **stats_data(groups, pairs)})


def stats_data(groups: Sequence[Group], pairs: Sequence[Comparison] = ()) -> dict[str, Any]:
    """What the page is given: the groups, how often guesses of a given chance held, and the pairs."""
    guesses: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    for group in groups:
        guesses[group.key.player] += group.guesses
    players = sorted((name for name in guesses if guesses[name]), key=lambda name: -len(guesses[name]))
    return {
        "groups": [_group(group) for group in groups],
        "pairs": [each.as_json() for each in pairs],
        "honesty": [
            {
                "player": player,
                "guesses": len(guesses[player]),
                "bins": [
                    {
                        "given": bin.given,
                        "rate": bin.rate,
                        "low": bin.interval[0],
                        "high": bin.interval[1],
                        "guesses": bin.guesses,
                    }
                    for bin in calibration(guesses[player])
                ],
            }
            for player in players
        ],
    }


def _group(group: Group) -> dict[str, Any]:
    times = sorted(group.seconds)
    counts: dict[int, Tally] = defaultdict(Tally)
    for number, tally in group.by_guesses.items():
        counts[min(number, MOST_GUESSES)].add(tally.games, tally.won)
    return group.as_json() | {
        "player": group.key.player,
        "days": by_date(group.by_day.items()),
        "spread": [times[round(share * (len(times) - 1))] for share in SPREAD] if times else None,
        "guesses": [
            {
                "guesses": f"{number} and more" if number == MOST_GUESSES else str(number),
                **_told(tally),
            }
            for number, tally in sorted(counts.items())
        ],
    }


def by_date(days: Iterable[tuple[str, Tally]]) -> list[dict[str, Any]]:
    """The win rate by date: a point a day, or one for several days side by side where there are many."""
    found = sorted(days)
    step = -(-len(found) // MOST_POINTS)
    points = []
    for first in range(0, len(found), max(1, step)):
        some = found[first : first + step]
        tally = Tally()
        for _, day in some:
            tally.add(day.games, day.won)
        points.append({"from": some[0][0], "to": some[-1][0], **_told(tally)})
    return points


def _told(tally: Tally) -> dict[str, Any]:
    low, high = tally.interval
    return {"games": tally.games, "rate": tally.rate, "low": low, "high": high}
