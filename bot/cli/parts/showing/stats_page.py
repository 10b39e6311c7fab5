"""The win rates of what was played as a page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from bot.lab.report import Group, calibration
from bot.show.page import page


def stats_page(groups: Sequence[Group]) -> str:
    """The page of these groups, which need their guesses."""
    games = sum(group.games for group in groups)
    return page("stats", f"{games:,} games of minebot", {"games": games, **stats_data(groups)})


def stats_data(groups: Sequence[Group]) -> dict[str, Any]:
    """What the page is given: the groups, and for each player how often guesses of a given chance held."""
    guesses: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    for group in groups:
        guesses[group.key.player] += group.guesses
    players = sorted((name for name in guesses if guesses[name]), key=lambda name: -len(guesses[name]))
    return {
        "groups": [group.as_json() | {"player": group.key.player} for group in groups],
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
