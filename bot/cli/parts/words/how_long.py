"""How long `minebot run` plays, and how it is told to start a game: the words of these options."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bot.errors import UsageError

if TYPE_CHECKING:
    from bot.cli.parts.words.run_options import PlayOptions
    from bot.session import Play
    from bot.targets.window.sighting import Sighting
    from bot.vision.themes.behaviour import NewGameWay

ENDLESS = 1_000_000
"""So many games are more than anybody waits for."""

HELD_KEYS = ("ctrl", "shift", "alt")
"""The keys that `--restart` may hold down while another one is struck."""

NAMED_KEYS = (
    "enter",
    "space",
    "escape",
    "tab",
    "backspace",
    "delete",
    "insert",
    "home",
    "end",
    "pageup",
    "pagedown",
    "up",
    "down",
    "left",
    "right",
    *(f"f{number}" for number in range(1, 13)),
)
"""The keys with a name, besides letters and digits, as `Mouse.key` takes them."""

UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0}


def seconds_of(text: str) -> float:
    """A time as `90s`, `10m`, `2h` or a number of seconds. Raises UsageError for other words."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([smh]?)", text.strip().lower())
    if found is None or float(found[1]) <= 0:
        raise UsageError(f"--for takes a time, as 90s, 10m or 2h, and not {text!r}")
    return float(found[1]) * UNITS[found[2] or "s"]


def how_long(options: PlayOptions, *, flags: bool, new: bool) -> Play:
    """How many games are played, and for how long; `flags` and `new` are those of `Play`."""
    from bot.session import Play

    return Play(options.games, flags=flags, new=new, until_won=options.until_won, time_s=options.time_s)


def check_restart(text: str) -> tuple[int, int] | None:
    """The place that `--restart` names, in points from the top left of the window's inside; None for a key.

    Raises UsageError for what is neither, and for a key that there is not.
    """
    place = re.fullmatch(r"(\d{1,6}),(\d{1,6})", text)
    if place is not None:
        return int(place[1]), int(place[2])
    *held, key = text.lower().split("+")
    if re.fullmatch(r"[a-z0-9]", key) or key in NAMED_KEYS:
        if all(one in HELD_KEYS for one in held):
            return None
    elif not re.fullmatch(r"[a-z0-9]+", key):
        raise UsageError(
            f"--restart takes a key (f2, ctrl+n), a place X,Y in the window, or ask, and not {text!r}"
        )
    raise UsageError(
        f"--restart {text}: there is no such key: give a letter, a digit, f1 to f12 or one of"
        f" {', '.join(NAMED_KEYS[:-12])}, with {', '.join(HELD_KEYS)} and + before it if need be; X,Y in the"
        " window; or ask"
    )


def restart_way(text: str, sighting: Sighting) -> NewGameWay:
    """How a game is started in a window, as `--restart` says.

    Raises UsageError as `check_restart` does, and for a place that lies outside the window.
    """
    from bot.vision.themes.behaviour import NewGameWay

    place, scale = check_restart(text), sighting.view.scale
    if place is None:
        return NewGameWay("key", key=text.lower())
    inside = sighting.view.rect if sighting.window is None else sighting.window.rect
    if place[0] >= inside.width or place[1] >= inside.height:
        raise UsageError(
            f"--restart {text} lies outside the window {sighting.title!r}, which is"
            f" {inside.width}x{inside.height} points: give X,Y counted from its top left corner"
        )
    return NewGameWay("place", round(place[0] * scale), round(place[1] * scale))
