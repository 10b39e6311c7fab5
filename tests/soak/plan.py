"""The plan of a soak: parts, each of which plays a few games on one window, in an order that a seed gives."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from random import Random
from typing import Any

LINUX = ("x11", "openbox", "sway", "mutter")
"""X11 without a window manager and with openbox, and two of Wayland."""

DESKTOPS = (*LINUX, "windows")
"""Those, and the one of Wine, where minebot runs under Windows' Python."""

WINDOWS: dict[str, tuple[str, ...]] = {
    "winmine": ("x11", "openbox", "windows"),
    "gnome-mines": LINUX,
    "xdemineur": ("x11", "openbox"),
    "kmines": ("x11", "openbox"),
    "sgt-mines": ("x11", "openbox"),
    "xbomb": ("x11", "openbox"),
    "google": ("x11", "openbox"),
    "page": ("x11", "openbox"),
    "practice": ("x11", "openbox", "windows"),
}
"""The windows, each with the desktops that it is played on."""

KNOWN = ("winmine", "gnome-mines", "xdemineur", "google", "practice")
"""The windows whose game a theme knows: what happens to a window is tried in these."""

ON_X11 = ("x11", "openbox")

FAULTS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "moved": (KNOWN, (*ON_X11, "sway")),
    "covered": (KNOWN, ON_X11),
    "minimised": (KNOWN, ("openbox",)),
    "closed": (KNOWN, LINUX),
    "resized": (("gnome-mines",), (*ON_X11, "sway")),
    "level": (("winmine",), ON_X11),
    "theme": (("gnome-mines",), LINUX),
    "focus": (KNOWN, ON_X11),
    "dialog": (KNOWN, ("openbox",)),
    "pointer": (KNOWN, ON_X11),
    "click lost": (KNOWN, LINUX),
    "click doubled": (KNOWN, LINUX),
    "busy": (KNOWN, LINUX),
    "display gone": (KNOWN, LINUX),
}
"""What happens to a window, each with the windows and the desktops that it is tried on."""

ENDING = ("closed", "minimised", "pointer", "display gone", "covered", "dialog")
"""After these no further game may be played."""

EACH = 20
"""How often each of these happens, at least."""

UNDER_WINDOWS = 2
"""How many parts are played in each window under Windows' Python."""

WITH_FAULT, WITHOUT, LONG = 2, 10, 200
"""The games of a part: with a fault, without one, and of the part in which the memory is measured."""


@dataclass(frozen=True)
class Part:
    """Games that are played one after the other in one window."""

    number: int
    window: str
    desktop: str
    games: int
    fault: str = ""
    """What happens in them; empty if nothing does; `memory` measures that of minebot."""
    seed: int = 0

    @property
    def expected(self) -> int:
        """How many of them are played at least."""
        return 1 if self.fault in ENDING else self.games

    @property
    def kind(self) -> tuple[str, str, int, str]:
        """What it has in common with parts that can stand for it."""
        return self.window, self.desktop, self.games, self.fault

    def words(self) -> dict[str, Any]:
        """Its fields, as JSON has them."""
        return asdict(self)


def plan(games: int = 1000, seed: int = 0) -> list[Part]:
    """The parts of a soak of at least so many games: every fault `EACH` times, one long part, some under
    Windows' Python, and the rest without a fault, in every other window on every desktop in turn."""
    rng = Random(seed)
    drafts: list[tuple[str, str, int, str]] = []
    for fault, (windows, desktops) in FAULTS.items():
        places = [
            (window, desktop) for window in windows for desktop in WINDOWS[window] if desktop in desktops
        ]
        Random(f"{seed} {fault}").shuffle(places)
        drafts += [(*places[turn % len(places)], WITH_FAULT, fault) for turn in range(EACH)]
    drafts.append(("practice", "x11", LONG, "memory"))
    places = [(window, desktop) for window, desktops in WINDOWS.items() for desktop in desktops]
    drafts += [(*place, WITHOUT, "") for place in places if place[1] == "windows"] * UNDER_WINDOWS
    places = [place for place in places if place[1] != "windows"]
    turn = 0
    while sum(Part(0, *draft).expected for draft in drafts) < games:
        drafts.append((*places[turn % len(places)], WITHOUT, ""))
        turn += 1
    rng.shuffle(drafts)
    return [Part(number, *draft, seed * 100_000 + number) for number, draft in enumerate(drafts)]
