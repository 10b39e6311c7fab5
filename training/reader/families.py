"""The families of looks that no training may see, with their members, by which readers are judged."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


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


def pool(kind: str, names: Iterable[str], family: str) -> tuple[str, ...]:
    """Which of `names` may be drawn: the members of `kind` for pictures of that family, else all others."""
    held_out = frozenset(FAMILIES[kind].members)
    return tuple(name for name in names if (name in held_out) == (kind == family))
