"""What the cutter has collected: looks by their meaning, and what groups of equal looks can mean."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from bot.board import SYMBOLS, Cell, Coordinate
from bot.errors import BotError
from bot.geometry import Rect
from bot.vision.grid import Grid, Image


@dataclass
class Looks:
    """The pictures found so far, by what they mean."""

    glyphs: dict[int, dict[bytes, Image]] = field(default_factory=dict)
    faces: dict[str, Image] = field(default_factory=dict)
    digits: dict[str, Image] = field(default_factory=dict)
    hovered: set[bytes] = field(default_factory=set)
    """How covered cells look under the pointer; at the end of a lost game opened ones may look like that."""

    def add(self, code: int, picture: Image) -> None:
        """Keep a look. Raises BotError where the same look already means something else."""
        look = picture.tobytes()
        for other, known in self.glyphs.items():
            if other != code and look in known:
                raise BotError(
                    f"one look means {SYMBOLS[other]!r} and {SYMBOLS[code]!r}: was it still moving?"
                )
        self.glyphs.setdefault(code, {})[look] = picture.copy()

    @property
    def meanings(self) -> dict[bytes, int]:
        """What each look means, a code of `Cell`."""
        return {look: code for code, pictures in self.glyphs.items() for look in pictures}

    def fits(self, found: Iterable[tuple[int, Image]]) -> bool:
        """Whether no look that was found means something else, among them or among the known ones."""
        meanings = self.meanings
        return all(meanings.setdefault(picture.tobytes(), code) == code for code, picture in found)

    def join(self, other: Looks) -> None:
        """Take in the looks of another skin of the same size; raises BotError as `add` does."""
        for code, pictures in other.glyphs.items():
            for picture in pictures.values():
                self.add(code, picture)
        self.faces = other.faces | self.faces
        self.digits = other.digits | self.digits
        self.hovered |= other.hovered

    def missing(self) -> list[str]:
        """The letters that have no picture yet."""
        return [symbol for code, symbol in enumerate(SYMBOLS) if code not in self.glyphs and symbol != "!"]


@dataclass(frozen=True)
class Group:
    """Cells of a lost game that were the same before its end, and look the same after it."""

    code: int
    """What they showed before: a code of `Cell`."""
    look: bytes
    cells: list[Coordinate]


def alike(code: int, cells: Iterable[tuple[Coordinate, Image]]) -> list[Group]:
    """Cells that showed the same before the end of a game, in groups by what they look like after it."""
    by_look: dict[bytes, list[Coordinate]] = {}
    for cell, picture in cells:
        by_look.setdefault(picture.tobytes(), []).append(cell)
    return [Group(code, look, together) for look, together in by_look.items()]


def mined(groups: Sequence[Group], known: dict[bytes, int], mines: int) -> tuple[bool, ...] | None:
    """Which groups of cells that look alike are mines, by their number; None where that is not sure.

    `known` is what looks mean, `mines` how many there are besides the one that was hit.
    """
    possible: list[tuple[bool, ...]] = []
    for choice in itertools.product((False, True), repeat=len(groups)):
        if sum(len(group.cells) for group, mine in zip(groups, choice, strict=True) if mine) != mines:
            continue
        told = [
            known.get(group.look) == (Cell.COVERED if mine else Cell.MINE)
            for group, mine in zip(groups, choice, strict=True)
            if group.code == Cell.COVERED
        ]
        if not any(told):
            possible.append(choice)
    return possible[0] if len(possible) == 1 else None


def part_of(frame: Image, rect: Rect) -> Image:
    """A part of a picture, as a picture of its own."""
    return np.ascontiguousarray(frame[rect.y : rect.bottom, rect.x : rect.right])


def border_colours(frame: Image, grid: Grid, gap: int) -> dict[str, tuple[int, int, int]]:
    """The colour (red, green, blue) of the line of pixels outside each side of the grid, behind a gap."""
    rect = grid.rect
    middle_x, middle_y = rect.center.x, rect.center.y
    places = {
        "left": (middle_y, rect.x - 1 - gap),
        "top": (rect.y - 1 - gap, middle_x),
        "right": (middle_y, rect.right + gap),
        "bottom": (rect.bottom + gap, middle_x),
    }
    colours: dict[str, tuple[int, int, int]] = {}
    for side, place in places.items():
        blue, green, red = (int(value) for value in frame[place])
        colours[side] = (red, green, blue)
    return colours
