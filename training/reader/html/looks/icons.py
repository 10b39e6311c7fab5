"""Flags, mines and digits out of unpacked `@iconify-json` packages of emoji and icons, if there are any."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache

from training.reader.families import FAMILIES
from training.reader.html.packages import ICONS

EMOJI_SETS = (
    "openmoji",
    "fluent-emoji-flat",
    "noto-v1",
    "noto",
    "fluent-emoji",
    "fxemoji",
    "twemoji",
    "emojione",
    "streamline-emojis",
)
"""The packages of coloured emoji."""

EMOJI_NAMES = {
    "flag": (
        "triangular-flag",
        "triangular-flag-on-post",
        "flag-in-hole",
        "chequered-flag",
        "black-flag",
        "round-pushpin",
    ),
    "mine": ("bomb", "skull-and-crossbones", "skull"),
    "explosion": ("collision", "fire", "bomb"),
    "cross": ("cross-mark",),
    "question": ("red-question-mark", "white-question-mark", "question-mark", "black-question-mark-ornament"),
}

KEYCAPS = ("one", "two", "three", "four", "five", "six", "seven", "eight")

FLAG = re.compile(
    r"(flag|flag-(fill|filled|solid|outline|line|bold|thin|light|duotone|sharp|rounded|linear|bold-duotone|\d+)"
    r"|flag-(pennant|banner|triangle|variant|banner-fold|triangle-right|triangle-left)(-\w+)?"
    r"|flag-[1-4]-\w+|triangular-flag-\w+|triangle-flag|white-flag-solid|corner-flag|flying-flag|golf-flag"
    r"|flag-objective|level-end-flag|ios-flag|md-flag|flag-checkered(-\w+)?|flag-(16|24)(-solid)?)"
)
MINE = re.compile(
    r"(bomb|bomb-(fill|filled|line|outline|rounded|sharp|bold|light|thin|duotone|linear|minimalistic-\w+|line-duotone)"
    r"|mine|land-mine(-on)?|skull-crossbones(-outline)?|naval-mine|rolling-bomb|virus(-(fill|bold|outline|filled))?"
    r"|radioactive(-(fill|bold|circle))?)"
)
EXPLOSION = re.compile(
    r"(explosion|boom(-filled|-fill)?|burst|mine-explosion|bright-explosion|explosion-rays)(-\w+)?"
)
OFF = re.compile(r".*(off|minus|plus|remove|virus-lab|variant-off).*")
MORE = {
    "flag": re.compile(
        r"((baseline|round|sharp|twotone|outline|outlined)-)?(\w+-)?(flag|pennant)"
        r"(-(alt|alternate|solid|remix|flat|outlined|finish|start|straight|twotone|duotone|triangle|remove|o|b|f|one))*"
        r"(-(\d|fill|filled|solid|remix|flat|line|light|bold|outline))*"
        r"|flagalt|flagtriangle|raceflag|racing-flag|interface-essential-flag"
    ),
    "mine": re.compile(
        r"(bomb|dynamite|grenade|hand-grenade|cartoon-bomb-with-lit-fuse|virus|corona|coronavirus|biohazard"
        r"|biohazard-symbol|skull|radioactive|spherical-virus|entertainment-events-hobbies-bomb"
        r"|interface-essential-skull)(-(\d|\w|fill|filled|solid|remix|flat|line|light|bold|outline|alt|twotone|crossbones))*"
    ),
}
"""What else shows a flag or a mine, in packages that no family of left-out looks has: those stay what they
are."""

HELD_OUT = frozenset(
    member.removeprefix("icons ")
    for family in ("flags", "mines")
    for member in FAMILIES[family].members
    if member.startswith("icons ")
)
"""The packages of icons that families of left-out looks have."""


@dataclass(frozen=True)
class Icon:
    """A drawing: what an `<svg>` with this box holds; `currentColor` is the colour of the text."""

    name: str
    """Its package and its name in it."""
    body: str
    width: float
    height: float

    @property
    def one_colour(self) -> bool:
        """Whether the cell's text colour colours it."""
        return "currentColor" in self.body

    def svg(self, style: str = "") -> str:
        """The drawing as an element."""
        return f'<svg viewBox="0 0 {self.width:g} {self.height:g}" style="{style}">{self.body}</svg>'


@cache
def packages() -> tuple[str, ...]:
    """The packages that are there."""
    return tuple(sorted(path.parent.name for path in ICONS.glob("*/icons.json")))


@cache
def _package(name: str) -> dict[str, Icon]:
    path = ICONS / name / "icons.json"
    if not path.exists():
        return {}
    data = json.loads(path.read_text())
    width, height = data.get("width", 16), data.get("height", 16)
    wanted = {one for names in EMOJI_NAMES.values() for one in names}
    wanted |= {f"keycap-{digit}" for digit in range(1, 9)} | {f"keycap-digit-{word}" for word in KEYCAPS}
    return {
        key: Icon(f"{name} {key}", value["body"], value.get("width", width), value.get("height", height))
        for key, value in data["icons"].items()
        if key in wanted or any(shows(name, key, what) for what in ("flag", "mine", "explosion"))
    }


def shows(package: str, name: str, what: str) -> bool:
    """Whether the icon of that name in a package shows a "flag", a "mine" or an "explosion"."""
    pattern = {"flag": FLAG, "mine": MINE, "explosion": EXPLOSION}[what]
    more = MORE.get(what) if package not in HELD_OUT else None
    is_so = pattern.fullmatch(name) or (more is not None and more.fullmatch(name))
    return bool(is_so) and not OFF.fullmatch(name)


def emoji(package: str, what: str) -> list[Icon]:
    """The pictures of a set of emoji for a key of `EMOJI_NAMES`."""
    found = _package(package)
    return [found[name] for name in EMOJI_NAMES[what] if name in found]


def keycaps(package: str) -> list[Icon]:
    """The emoji of the digits 1 to 8; none if the set lacks some."""
    found = _package(package)
    icons = [
        found.get(f"keycap-{digit}") or found.get(f"keycap-digit-{word}")
        for digit, word in enumerate(KEYCAPS, 1)
    ]
    return [icon for icon in icons if icon is not None] if all(icons) else []


def icons(package: str, what: str) -> list[Icon]:
    """The icons of a package that show a "flag", a "mine" or an "explosion"."""
    return [icon for name, icon in _package(package).items() if shows(package, name, what)]


def icon_packages(what: str) -> list[str]:
    """The packages of icons, not of emoji, that have any for `icons`."""
    # Sets that are drawn after emoji of a held-out family are left out.
    return [
        name for name in packages() if not name.startswith(("emojione", *EMOJI_SETS)) and icons(name, what)
    ]
