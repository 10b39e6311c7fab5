"""What the cutter has collected: glyphs by their meaning, and what groups of equal cells can mean."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from bot.board import SYMBOLS, Cell, Coordinate
from bot.errors import BotError
from bot.vision.grid import Grid, Image


@dataclass
class CollectedGlyphs:
    """The pictures found so far. Cells are compared by their bytes: a window draws them exactly alike."""

    glyphs: dict[int, dict[bytes, Image]] = field(default_factory=dict)
    """By code of `Cell`, then by the bytes of the cell."""
    faces: dict[str, Image] = field(default_factory=dict)
    """By mood."""
    digits: dict[str, Image] = field(default_factory=dict)
    hovered: set[bytes] = field(default_factory=set)
    """Covered cells under the pointer; at the end of a lost game opened ones may look like that."""

    def add(self, code: int, picture: Image) -> None:
        """Keep a glyph. Raises BotError where an equal one already means something else."""
        content = picture.tobytes()
        for other, known in self.glyphs.items():
            if other != code and content in known:
                raise BotError(
                    f"one look means {SYMBOLS[other]!r} and {SYMBOLS[code]!r}: was it still moving?"
                )
        self.glyphs.setdefault(code, {})[content] = picture.copy()

    @property
    def codes(self) -> dict[bytes, int]:
        """The code of `Cell` of each glyph, by its bytes."""
        return {content: code for code, pictures in self.glyphs.items() for content in pictures}

    def fits(self, found: Iterable[tuple[int, Image]]) -> bool:
        """Whether no picture that was found means something else, among them or among the known glyphs."""
        codes = self.codes
        return all(codes.setdefault(picture.tobytes(), code) == code for code, picture in found)

    def join(self, other: CollectedGlyphs) -> None:
        """Take in the glyphs of another skin of the same size. Raises BotError as `add` does."""
        for code, pictures in other.glyphs.items():
            for picture in pictures.values():
                self.add(code, picture)
        self.faces = other.faces | self.faces
        self.digits = other.digits | self.digits
        self.hovered |= other.hovered

    def missing(self) -> list[str]:
        """The letters that have no glyph yet."""
        return [symbol for code, symbol in enumerate(SYMBOLS) if code not in self.glyphs and symbol != "!"]


@dataclass(frozen=True)
class Group:
    """Cells of a lost game that were equal before its end, and are equal after it."""

    code: int
    """What they showed before: a code of `Cell`."""
    content: bytes
    """The bytes of each of them after it."""
    cells: list[Coordinate]


def grouped(code: int, cells: Iterable[tuple[Coordinate, Image]]) -> list[Group]:
    """Cells that showed `code` before the end of a game, grouped by their pictures after it."""
    by_content: dict[bytes, list[Coordinate]] = {}
    for cell, picture in cells:
        by_content.setdefault(picture.tobytes(), []).append(cell)
    return [Group(code, content, members) for content, members in by_content.items()]


def mined_groups(groups: Sequence[Group], codes: dict[bytes, int], mines: int) -> tuple[bool, ...] | None:
    """Which of the groups are mines, by their number; None where that is not certain.

    `codes` are those of the known glyphs, `mines` how many mines there are besides the one that was hit.
    """
    ways = []  # what each group may be
    for group in groups:
        known = codes.get(group.content) if group.code == Cell.COVERED else None
        ways.append((False,) if known == Cell.COVERED else (True,) if known == Cell.MINE else (False, True))
    sizes = [len(group.cells) for group in groups]
    possible = [way for way in itertools.product(*ways) if np.dot(sizes, way) == mines]
    return possible[0] if len(possible) == 1 else None


def border_colours(frame: Image, grid: Grid, gap: int) -> dict[str, tuple[int, int, int]]:
    """The colours (red, green, blue) of pixels outside each side of the grid, beyond `gap` pixels."""
    rect = grid.rect
    middle = rect.center
    places = {
        "left": (middle.y, rect.x - 1 - gap),
        "top": (rect.y - 1 - gap, middle.x),
        "right": (middle.y, rect.right + gap),
        "bottom": (rect.bottom + gap, middle.x),
    }
    pixels = {side: frame[place].tolist() for side, place in places.items()}
    return {side: (red, green, blue) for side, (blue, green, red) in pixels.items()}
