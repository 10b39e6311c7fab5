"""The families of looks that no training may see, with their members, by which readers are judged.

`python -m training.reader.families --seed 167 --pictures 84 --out held` draws boards of all of them, each
family in a folder of its own; pictures that are there are not drawn again. Then
`python -m training.reader.checks.boards held/* --only-general` says how they are read.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Family:
    """A class of looks that is kept from training."""

    painter: str
    """The module of `training.reader` that draws it."""
    shows: str
    """What the pictures of the family have in common."""
    members: tuple[str, ...] = ()
    """The names of what is drawn only for this family; empty if the painter as a whole is."""


FAMILIES = {
    "fonts": Family(
        "html_pages",
        "digits in font families of all kinds, in all their weights",
        (
            "Poppins",
            "Montserrat",
            "Oswald",
            "Teko",
            "Lobster",
            "Caveat",
            "Gloria Hallelujah",
            "Merriweather",
            "Abril Fatface",
            "Alfa Slab One",
            "Space Mono",
            "Courier Prime",
            "Orbitron",
            "Luckiest Guy",
            "Comfortaa",
            "Cinzel",
        ),
    ),
    "pixel-fonts": Family(
        "html_pages",
        "digits in fonts that are drawn pixel by pixel",
        (
            "VT323",
            "Silkscreen",
            "DotGothic16",
            "Sixtyfour",
            "Jersey 10",
            "Jersey 15",
            "Jersey 20",
            "Jersey 25",
        ),
    ),
    "palettes": Family(
        "html_pages",
        "all colours of a board from one palette",
        (
            "solarized",
            "nord",
            "dracula",
            "gruvbox",
            "catppuccin",
            "everforest",
            "harbour",
            "orchard",
            "ember",
        ),
    ),
    "cells": Family(
        "html_pages",
        "cells of a kind that training does not have",
        ("neumorphic", "dashed", "dotted", "octagon", "striped", "double", "glass", "corner", "leaf"),
    ),
    "flags": Family(
        "html_pages",
        "flags of other designs and glyphs",
        (
            "swallowtail",
            "golf",
            "pin",
            "two-stripes",
            "glyph ⚐",
            "glyph ►",
            "glyph ◣",
            "glyph M",
            "glyph ✓",
            "icons ph",
            "icons mingcute",
            "icons pixelarticons",
            "icons ion",
            "icons game-icons",
            "icons octicon",
        ),
    ),
    "mines": Family(
        "html_pages",
        "mines of other designs and glyphs",
        (
            "naval",
            "target",
            "bomb-square",
            "spark",
            "glyph ☠",
            "glyph ✺",
            "glyph ◉",
            "glyph ☢",
            "icons ph",
            "icons mingcute",
            "icons solar",
            "icons game-icons",
            "icons pixelarticons",
        ),
    ),
    "emoji": Family(
        "html_pages",
        "flags, mines and at times digits from other sets of emoji",
        ("twemoji", "emojione", "streamline-emojis"),
    ),
    "tk": Family("widgets", "Tk's buttons, labels, ttk buttons and canvas items, from a screen"),
    "qt": Family("widgets", "Qt's buttons, labels, tables, scenes and painted widgets, off screen"),
    "opencv": Family("widgets", "OpenCV's shapes and its own fonts (4: Hershey's strokes, 5: another one)"),
    "terminal": Family("widgets", "text in a terminal window, from a screen"),
    "scaled": Family("widgets", "other pictures after filters and compression that training does not have"),
}
"""Every family by its name. A picture of a family has a look of its kind and is random in all else."""

RESCALED = "scaled"
"""The family that is made of pictures of others."""


def pool(kind: str, names: Iterable[str], family: str) -> tuple[str, ...]:
    """Which of `names` may be drawn: the members of `kind` for pictures of that family, else all others."""
    held_out = frozenset(FAMILIES[kind].members)
    return tuple(name for name in names if (name in held_out) == (kind == family))


def painter_command(family: str, pictures: int, seed: int, out: Path) -> list[str]:
    """The command that draws the pictures of a family into its folder in `out`."""
    one = FAMILIES[family]
    command = [sys.executable, "-m", f"training.reader.{one.painter}", "--family", family]
    command += ["--pictures", str(pictures), "--seed", str(seed), "--out", str(out / family)]
    if family == RESCALED:
        for other in FAMILIES:
            command += ["--source", str(out / other)] if FAMILIES[other].painter == "html_pages" else []
    return command


def drawn(family: str, pictures: int, seed: int, out: Path) -> bool:
    """Draw the pictures of a family; whether all of them are there."""
    ended = subprocess.run(
        painter_command(family, pictures, seed, out), check=False, capture_output=True, text=True
    )
    count = len([*(out / family).glob(f"*-{seed}-*.json")])
    print(f"{family}: {count} of {pictures} pictures", file=sys.stderr, flush=True)
    if ended.returncode:
        last = (ended.stderr.strip().splitlines() or ["no reason was given"])[-1]
        print(f"{family}: {last}", file=sys.stderr, flush=True)
    return ended.returncode == 0


def main() -> int:
    """Draw boards of all families; exit status 1 if some could not be drawn."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pictures", type=int, default=84, help="boards of each family")
    parser.add_argument("--seed", type=int, required=True, help="of the looks and of the games")
    parser.add_argument("--out", type=Path, required=True, help="the folder of the families' folders")
    parser.add_argument("--jobs", type=int, default=2, help="families that are drawn side by side")
    options = parser.parse_args()
    # What is rescaled are boards of the other families.
    first = [family for family in FAMILIES if family != RESCALED]
    try:
        with ThreadPoolExecutor(max(1, options.jobs)) as pool:
            results = [
                *pool.map(lambda one: drawn(one, options.pictures, options.seed, options.out), first),
                drawn(RESCALED, options.pictures, options.seed, options.out),
            ]
    except KeyboardInterrupt:
        print("stopped; the same command goes on", file=sys.stderr)
        return 130
    return int(not all(results))


if __name__ == "__main__":
    sys.exit(main())
