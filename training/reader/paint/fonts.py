"""The fonts of this machine that have digits that can be told apart."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections import defaultdict
from functools import cache, lru_cache

import numpy as np
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from training.reader.families import FAMILIES

DIGITS = "12345678"
DIGIT_CODES = "31 32 33 34 35 36 37 38"
"""The digits, as fontconfig names characters."""
TEXT_CODES = DIGIT_CODES + " 21 2a 3a 3f 40 41 42 46 4d 50 61 65 67 6e 73"
"""Some letters and signs more: fonts of other scripts often have digits, but none of these."""

UNFIT = ("Keyboard", "Initials", "Emoji", "Nushu", "D050000L", "Symbols PS", "Blank")
"""Parts of names of families whose digits are pictures of something else."""

DEBIAN_PACKAGES = {
    "Cantarell": "fonts-cantarell",
    "Carlito": "fonts-crosextra-carlito",
    "Comic Neue": "fonts-comic-neue",
    "FreeSans": "fonts-freefont-ttf",
    "Hack": "fonts-hack",
    "Inconsolata": "fonts-inconsolata",
    "Lato": "fonts-lato",
    "Liberation Sans": "fonts-liberation",
    "Noto Color Emoji": "fonts-noto-color-emoji",
    "Noto Sans": "fonts-noto-core",
    "Quicksand": "fonts-quicksand",
    "Roboto": "fonts-roboto-unhinted",
    "Symbola": "fonts-symbola",
}
"""The families of fonts that the boards of docs/reading.md were drawn with, and their packages of Debian."""


def listed_fonts(form: str, *pattern: str) -> str:
    """What fontconfig (`fc-list`) says, as `form` has it, of the fonts of this machine that fit a pattern, or
    of all; empty without fontconfig."""
    if shutil.which("fc-list") is None:
        return ""
    words = ["fc-list", *pattern, "--format", form]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def name_missing_fonts() -> None:
    """Say on stderr which of `DEBIAN_PACKAGES` this machine lacks. Boards look otherwise without them: 19,000
    were once drawn, and learned from, of which none had a coloured emoji."""
    there = {name for line in listed_fonts("%{family}\n").splitlines() for name in line.split(",")}
    if missing := [package for family, package in DEBIAN_PACKAGES.items() if family not in there]:
        print(
            "boards will look otherwise than those of docs/reading.md, for fonts are missing:"
            f" apt-get install {' '.join(missing)}",
            file=sys.stderr,
        )


@cache
def font_families(codes: str = DIGIT_CODES) -> dict[str, list[str]]:
    """The files of each family that has some characters, sorted; fontconfig finds them.

    Those that no training may see are left out. Without fontconfig, or without a font, it is empty:
    digits are then drawn by hand-made designs only.
    """
    listed = listed_fonts("%{family[0]}\t%{file}\n", f":charset={codes}")
    held_out = {name for kind in ("fonts", "pixel-fonts") for name in FAMILIES[kind].members}
    families: defaultdict[str, list[str]] = defaultdict(list)
    for line in sorted(set(listed.splitlines())):
        family, _, path = line.partition("\t")
        if path.lower().endswith((".ttf", ".otf", ".ttc")) and not any(
            word in family for word in (*UNFIT, *held_out)
        ):
            families[family].append(path)
    return dict(families)


@cache
def emoji_font() -> str | None:
    """The file of a font of colour pictures (Noto Color Emoji); None where it is not installed."""
    return next(iter(listed_fonts("%{file}\n", "Noto Color Emoji").splitlines()), None)


@lru_cache(maxsize=512)
def font(path: str, size: int) -> ImageFont.FreeTypeFont:
    """A font at a size in pixels."""
    return ImageFont.truetype(path, size)


@cache
def extent(path: str) -> tuple[float, float, float]:
    """Top and bottom of the digits from the base line, and the greatest width, for a font of size 1."""
    sized = font(path, 100)
    boxes = [sized.getbbox(digit, anchor="ls") for digit in DIGITS]
    top, bottom = min(box[1] for box in boxes), max(box[3] for box in boxes)
    return top / 100, bottom / 100, max(box[2] - box[0] for box in boxes) / 100


@cache
def is_readable(path: str) -> bool:
    """Whether the digits of a font are all there and differ."""
    top, bottom, _ = extent(path)
    if bottom - top < 0.3:
        return False
    shapes = []
    for digit in DIGITS:
        picture = Pillow.new("L", (80, 80))
        ImageDraw.Draw(picture).text((40, 60), digit, fill=255, font=font(path, 60), anchor="ms")
        shapes.append(np.asarray(picture, float) / 255)
    pairs = [(a, b) for place, a in enumerate(shapes) for b in shapes[:place]]
    return all(np.minimum(a, b).sum() < 0.93 * np.maximum(a, b).sum() for a, b in pairs)
