"""The families of looks that no training may see, with their members, by which readers are judged.

`python -m training.reader.families --seed 167 --pictures 84 --out held` draws boards of all of them, each
family in a folder of its own; pictures that are there are not drawn again. Then
`python -m training.reader.checks.boards held/* --only-general` says how they are read.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from bot.process import children
from bot.process.interrupts import stop_like_ctrl_c, stop_status


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

POLL_S = 0.2
"""Seconds from one look at the painters to the next."""


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


class Painters:
    """Draws the pictures of families, some families side by side."""

    def __init__(self, pictures: int, seed: int, out: Path) -> None:
        self._pictures, self._seed, self._out = pictures, seed, out
        self._running: dict[str, tuple[subprocess.Popen[bytes], IO[bytes]]] = {}
        """The painter of each family that is being drawn, and what it says."""

    def draw(self, families: Sequence[str], jobs: int) -> bool:
        """Draw some families, so many at a time; whether all could be drawn. The painters end with us."""
        waiting, is_drawn = deque(families), True
        while waiting or self._running:
            while waiting and len(self._running) < jobs:
                self._start(waiting.popleft())
            for family, (process, said) in [*self._running.items()]:
                if process.poll() is not None:
                    del self._running[family]
                    is_drawn &= self._tell(family, process.returncode, said)
            time.sleep(POLL_S)
        return is_drawn

    def _start(self, family: str) -> None:
        said = tempfile.TemporaryFile()  # noqa: SIM115 (closed when it is told)
        command = painter_command(family, self._pictures, self._seed, self._out)
        self._running[family] = children.start(command, stdout=subprocess.DEVNULL, stderr=said), said

    def _tell(self, family: str, status: int, said: IO[bytes]) -> bool:
        """Say how many pictures of a family there are, and why not all; whether all could be drawn."""
        count = len([*(self._out / family).glob(f"*-{self._seed}-*.json")])
        print(f"{family}: {count} of {self._pictures} pictures", file=sys.stderr, flush=True)
        with said:
            said.seek(0)
            lines = said.read().decode(errors="replace").strip().splitlines()
        if status:
            print(f"{family}: {lines[-1] if lines else 'no reason was given'}", file=sys.stderr, flush=True)
        return status == 0


def main() -> int:
    """Draw boards of all families; exit status 1 if some could not be drawn."""
    from training.reader.paint.fonts import name_missing_fonts  # which needs to know the families

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pictures", type=int, default=84, help="boards of each family")
    parser.add_argument("--seed", type=int, required=True, help="of the looks and of the games")
    parser.add_argument("--out", type=Path, required=True, help="the folder of the families' folders")
    parser.add_argument("--jobs", type=int, default=2, help="families that are drawn side by side")
    options = parser.parse_args()
    stop_like_ctrl_c()
    name_missing_fonts()
    painters, jobs = Painters(options.pictures, options.seed, options.out), max(1, options.jobs)
    try:
        is_drawn = painters.draw([family for family in FAMILIES if family != RESCALED], jobs)
        # What is rescaled are boards of the other families.
        return int(not (painters.draw([RESCALED], jobs) and is_drawn))
    except KeyboardInterrupt:
        print("stopped; the same command goes on", file=sys.stderr)
        return stop_status()


if __name__ == "__main__":
    sys.exit(main())
