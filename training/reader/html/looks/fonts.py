"""The fonts that digits are drawn in: those of this machine, and those of unpacked `@fontsource` packages."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from training.reader.families import FAMILIES
from training.reader.html.packages import WEB_FONTS
from training.reader.paint.fonts import listed_fonts

Rng = np.random.Generator

PIXEL = frozenset(
    (
        "press-start-2p",
        "vt323",
        "silkscreen",
        "pixelify-sans",
        "dotgothic16",
        "jersey-10",
        "jersey-15",
        "jersey-20",
        "jersey-25",
        "jacquard-12",
        "jacquard-24",
        "bitcount-single",
        "micro-5",
        "tiny5",
        "handjet",
        "workbench",
        "sixtyfour",
        "Terminus",
        "Unifont",
    )
)
"""The fonts that are drawn pixel by pixel."""

NO_HEIGHT = frozenset(
    (
        "Courgette",
        "Medievalsharp",
        "Rye",
        "Sancreek",
        "Unifrakturcook",
        "Special Elite",
        "Cookie",
        "Handlee",
    )
)
"""Fonts whose files have a wrong height of capitals, by which their size cannot be chosen."""

NO_DIGITS = frozenset(
    (
        "D050000L",
        "Linux Libertine Initials O",
        "Linux Biolinum Keyboard O",
        "Noto Color Emoji",
        "noto-emoji",
        "Standard Symbols PS",
        "Unifont-JP",
        "Symbola",
    )
)
"""Fonts whose digits are symbols or nobody's choice for digits."""

USUAL = ("Liberation Sans", "DejaVu Sans", "Roboto", "Open Sans", "Inter")
"""The fonts that most pages have."""

NAMES = {
    "press-start-2p": "Press Start 2P",
    "vt323": "VT323",
    "dotgothic16": "DotGothic16",
    "dm-sans": "DM Sans",
}
"""The names of packages whose words are not just capitalised."""

VARIANT = "\ufe0f"
"""Asks for the coloured form of the character before it; no font needs to have it."""

FILE = re.compile(r".*-latin-(\d+)-(normal|italic)\.woff2$")


@dataclass(frozen=True)
class Font:
    """A font family."""

    name: str
    """As its family is called: that of a package with spaces and capitals."""
    files: tuple[Path, ...] = ()
    """The files of a package; empty if the machine has the font installed."""
    pixel: bool = False

    @property
    def family(self) -> str:
        """As CSS names it; fonts of packages have names of their own, lest an installed one is taken."""
        return f"web {self.name}" if self.files else self.name

    @property
    def weights(self) -> tuple[int, ...]:
        """The weights that there are files for; installed fonts have at least these."""
        found = {int(match[1]) for path in self.files if (match := FILE.match(path.name))}
        return tuple(sorted(found)) if found else (400, 700)

    def faces(self) -> str:
        """The rules that load the font into a page; empty if it is installed."""
        rules = []
        for path in self.files:
            match = FILE.match(path.name)
            assert match is not None
            rules.append(
                f"@font-face{{font-family:'{self.family}';font-weight:{match[1]};font-style:{match[2]};"
                f"src:url('{path.as_uri()}')}}"
            )
        return "\n".join(rules)


@cache
def _characters() -> frozenset[int]:
    """The characters that the fonts of this machine have between them; fontconfig lists them, and without it
    none is known."""
    found: set[int] = set()
    for part in set(listed_fonts("%{charset}\n").split()):
        first, _, last = part.partition("-")
        found.update(range(int(first, 16), int(last or first, 16) + 1))
    return frozenset(found)


def is_drawn(text: str) -> bool:
    """Whether fonts of this machine have all characters of a text: a browser draws boxes for the others."""
    return all(ord(character) in _characters() for character in text if character != VARIANT)


def drawn(texts: Iterable[str]) -> tuple[str, ...]:
    """Those of some texts that are drawn here; all of them where none is."""
    texts = tuple(texts)
    return tuple(text for text in texts if is_drawn(text)) or texts


@cache
def all_fonts() -> dict[str, Font]:
    """All fonts with digits, by name."""
    listed = subprocess.run(
        ["fc-list", ":charset=30 31 32 33 34 35 36 37 38", "family"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    names = {line.split(",")[0].strip().replace("\\", "") for line in listed.splitlines()}
    fonts = {}
    for name in sorted(names - NO_DIGITS):
        # The fonts of single scripts repeat the digits of the family that they belong to.
        if name.startswith("Noto ") and name not in ("Noto Sans", "Noto Serif", "Noto Sans Mono"):
            continue
        fonts[name] = Font(name, pixel=name in PIXEL)
    packages = sorted(WEB_FONTS.iterdir()) if WEB_FONTS.is_dir() else []
    for folder in packages:
        if folder.name in NO_DIGITS:
            continue
        files = tuple(sorted(path for path in (folder / "files").glob("*.woff2") if FILE.match(path.name)))
        name = NAMES.get(folder.name, folder.name.replace("-", " ").title())
        if files:
            fonts[name] = Font(name, files, folder.name in PIXEL)
    return fonts


def random_font(rng: Rng, family: str) -> Font:
    """A font for the digits of a picture of a family (empty: for training)."""
    fonts = all_fonts()
    held_out = {name for kind in ("fonts", "pixel-fonts") for name in FAMILIES[kind].members}
    allowed = set(FAMILIES[family].members) if family in ("fonts", "pixel-fonts") else set(fonts) - held_out
    names = [name for name in fonts if name in allowed]
    # Every fourth board has what most pages have: a plain sans-serif.
    usual = [name for name in USUAL if name in names]
    if usual and rng.random() < 0.25:
        names = usual
    elif (pixels := [name for name in names if fonts[name].pixel]) and rng.random() < 0.12:
        names = pixels
    if not names:
        raise FileNotFoundError(f"no font of the family {family!r} is on this machine")
    return fonts[str(rng.choice(names))]
