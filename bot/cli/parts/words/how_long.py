"""How long `minebot run` plays, and how it is told to start a game: the words of these options."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from bot.errors import UsageError

if TYPE_CHECKING:
    from bot.session import Play
    from bot.vision.themes.behaviour import NewGameWay

ENDLESS = 1_000_000
"""So many games are more than anybody waits for."""

UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0}


def seconds_of(text: str) -> float:
    """A time as `90s`, `10m`, `2h` or a number of seconds. Raises UsageError for other words."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([smh]?)", text.strip().lower())
    if found is None or float(found[1]) <= 0:
        raise UsageError(f"--for takes a time, as 90s, 10m or 2h, and not {text!r}")
    return float(found[1]) * UNITS[found[2] or "s"]


def how_long(words: dict[str, Any], *, flags: bool, new: bool) -> Play:
    """How games are played, by the options of `minebot run`."""
    from bot.session import Play

    return Play(words["games"], flags=flags, new=new, until_won=words["until_won"], time_s=words["time_s"])


def restart_way(text: str, scale: float) -> NewGameWay:
    """How a game is started, as `--restart` says: a key, or a place in points from the top left of the
    window's inside; `scale` is pixels a point. Raises UsageError for what is neither."""
    from bot.vision.themes.behaviour import NewGameWay

    place = re.fullmatch(r"(\d+),(\d+)", text)
    if place is not None:
        return NewGameWay("place", round(int(place[1]) * scale), round(int(place[2]) * scale))
    if not re.fullmatch(r"[a-z0-9]+(\+[a-z0-9]+)*", text.lower()):
        raise UsageError(
            f"--restart takes a key (f2, ctrl+n), a place X,Y in the window, or ask, and not {text!r}"
        )
    return NewGameWay("key", key=text.lower())
