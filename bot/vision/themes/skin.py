"""What the cells, the counter and the face of one game look like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import SYMBOLS, UNOPENED, Cell
from bot.vision.grid import Grid, Image
from bot.vision.themes.palette import Bgr, Colour, Palette
from bot.vision.themes.schema import (
    CounterSpec,
    FaceSpec,
    GlyphSetSpec,
    Margins,
    Side,
    TextCounterSpec,
    TileSpec,
)

ANCHOR_PLACES = (0, 0.07, 0.25, 0.5, 0.88, 0.94)
"""Where the anchor pixels of a cell may lie, as parts of its width and height: on its edges and inside."""

SAME_COLOUR = 2
"""The largest difference (0 to 255) in any channel between pixels that count as of one colour."""

Anchors = dict[Bgr, npt.NDArray[np.intp]]
"""A few pixels of a cell by which it is searched in a picture: (x, y) of each, (pixels, 2), by colour."""


@dataclass(frozen=True)
class GlyphSet:
    """The pictures of cells, faces and digits at one size."""

    spec: GlyphSetSpec
    codes: np.ndarray[Any, np.dtype[np.int8]]
    """The code of `Cell` of each glyph, shape (glyphs,)."""
    glyphs: Image
    """The glyphs, shape (glyphs, height, width, 3)."""
    faces: dict[str, Image]
    digits: dict[str, Image]
    hovered: npt.NDArray[np.bool_]
    """Which glyphs mean a covered cell under the pointer until the game is lost, shape (glyphs,)."""

    @property
    def cell(self) -> tuple[int, int]:
        """Width and height of a cell in pixels."""
        return self.spec.cell

    def glyph(self, code: int) -> Image:
        """The first picture of a cell; raises KeyError where the theme has none."""
        where = np.flatnonzero(self.codes == code)
        if not len(where):
            raise KeyError(SYMBOLS[code])
        picture: Image = self.glyphs[where[0]]
        return picture

    @cached_property
    def anchors(self) -> Anchors:
        """A few pixels that all unopened cells share, by which cells of this size are searched in a picture;
        empty where they have fewer than two colours: one alone is everywhere."""
        return self._anchors(np.ones(self.glyphs.shape[1:3], bool))

    @cached_property
    def scaled_anchors(self) -> Anchors:
        """The same for cells of other sizes: scaling preserves only pixels inside areas of one colour."""
        square, covered = np.ones((3, 3), np.uint8), self.glyph(Cell.COVERED)
        ranges = cv2.dilate(covered, square).astype(np.int16) - cv2.erode(covered, square)
        return self._anchors(ranges.max(axis=2) <= SAME_COLOUR)

    def _anchors(self, usable: npt.NDArray[np.bool_]) -> Anchors:
        """The anchors among the usable pixels, (height, width)."""
        width, height = self.cell
        covered = self.glyph(Cell.COVERED)
        unopened = self.glyphs[np.isin(self.codes, UNOPENED)].astype(np.int16)
        usable = usable & (np.abs(unopened - covered) <= SAME_COLOUR).all(axis=(0, 3))
        pixels: dict[Bgr, list[tuple[int, int]]] = {}
        for y in sorted({int(part * height) for part in ANCHOR_PLACES}):
            for x in sorted({int(part * width) for part in ANCHOR_PLACES}):
                if usable[y, x]:
                    blue, green, red = (int(value) for value in covered[y, x])
                    pixels.setdefault((blue, green, red), []).append((x, y))
        return {} if len(pixels) < 2 else {colour: np.array(places) for colour, places in pixels.items()}

    @cached_property
    def closest_pair(self) -> tuple[float, int, int]:
        """The two glyphs of different meaning that are most alike: their mean colour difference, 0 to 255,
        and their indices."""
        flat = self.glyphs.reshape(len(self.codes), -1).astype(np.int16)
        closest = 255.0, 0, 0
        for index, glyph in enumerate(flat):
            others = np.flatnonzero(self.codes[:index] != self.codes[index])
            if len(others):
                differences = np.abs(flat[others] - glyph).mean(axis=1)
                nearest = int(differences.argmin())
                closest = min(closest, (float(differences[nearest]), int(others[nearest]), index))
        return closest


@dataclass(frozen=True, eq=False)
class Skin:
    """How one game looks; fields without a text are those of `ThemeSpec`. Lengths are pixels at cells of
    `cell_width`, unless a field says otherwise.

    Two skins of the same files are equal, though one of them may have been loaded later.
    """

    name: str
    """The name of its theme."""
    title: str
    """The name for people."""
    folder: Path
    """The folder of its theme."""
    fingerprint: str
    """A digest of all files of its theme: 16 hexadecimal digits."""
    margins: Margins
    """What belongs to the game around its grid."""
    border: Mapping[Side, Colour]
    border_width: int
    border_gap: int
    border_tolerance: int
    levels: tuple[tuple[int, int, int], ...]
    """Columns, rows and mines of the game's levels."""
    glyph_sets: tuple[GlyphSet, ...] = ()
    """The pictures of the cells, one set for each size; none for a game that is read by colour."""
    palette: Palette | None = None
    """The colours of the cells; None for a game that is read by glyphs."""
    inset: float = 0.0
    limit: float = 12.0
    face: FaceSpec | None = None
    counter: CounterSpec | None = None
    text_counter: TextCounterSpec | None = None
    tiles: TileSpec | None = None
    shaded: bool = False
    learned: bool = False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Skin) and (self.name, self.fingerprint) == (other.name, other.fingerprint)

    def __hash__(self) -> int:
        return hash((self.name, self.fingerprint))

    def glyph_set_for(self, pitch: float) -> GlyphSet:
        """The glyphs for cells of this width in pixels: those of that size, else of the next larger one."""
        return min(self.glyph_sets, key=lambda one: (one.cell[0] < round(pitch), abs(one.cell[0] - pitch)))

    def scale(self, cell_width: float, magnification: float = 1) -> float:
        """The factor from lengths of the theme to pixels of the picture, for cells of this width; the header
        of a window with tiles keeps its size when the cells grow, so there only `magnification` counts."""
        return cell_width / self.cell_width if self.tiles is None else float(magnification)

    def scale_of(self, grid: Grid) -> float:
        """The same for the cells of a grid."""
        return self.scale(grid.cell_width, grid.magnification)

    @property
    def cell_width(self) -> int:
        """The width of a cell, in pixels, that the lengths of `theme.toml` belong to."""
        return self.palette.cell if self.palette is not None else self.glyph_sets[0].cell[0]

    @property
    def has_counter(self) -> bool:
        """Whether the game shows how many mines there are."""
        return self.counter is not None or self.text_counter is not None

    def usual_mines(self, columns: int, rows: int) -> int | None:
        """The mines of the game's level of this size; None where it has no such level."""
        return next((mines for c, r, mines in self.levels if (c, r) == (columns, rows)), None)
