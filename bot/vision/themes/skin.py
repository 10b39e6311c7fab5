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

from bot.board import SYMBOLS, Cell
from bot.vision.grid import Grid, Image
from bot.vision.themes.palette import Colour, Palette
from bot.vision.themes.schema import (
    CounterSpec,
    FaceSpec,
    GlyphSetSpec,
    Margins,
    Side,
    TextCounterSpec,
    TileSpec,
)

MARKED = (0, 0.07, 0.25, 0.5, 0.88, 0.94)
"""Where in a cell those pixels lie by which unopened ones are looked for, as parts of its width and height:
on its edges and inside."""

Bgr = tuple[int, int, int]
"""Blue, green, red."""

AnchorMarks = dict[Bgr, npt.NDArray[np.intp]]
"""By colour, pixels of a cell: shape (pixels, 2), x and y."""


@dataclass(frozen=True)
class GlyphSet:
    """The pictures of one size."""

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
    def unopened_alike(self) -> npt.NDArray[np.bool_]:
        """The pixels, shape (height, width), that covered, flagged and questioned cells share."""
        unopened = self.glyphs[np.isin(self.codes, (Cell.COVERED, Cell.FLAG, Cell.QUESTION))].astype(np.int16)
        alike: npt.NDArray[np.bool_] = (np.abs(unopened - self.glyph(Cell.COVERED)) <= 2).all(axis=(0, 3))
        return alike

    @cached_property
    def plain(self) -> npt.NDArray[np.bool_]:
        """The pixels, shape (height, width), of a covered cell that lie inside an area of one colour."""
        square = np.ones((3, 3), np.uint8)
        covered = self.glyph(Cell.COVERED)
        spread = cv2.dilate(covered, square).astype(np.int16) - cv2.erode(covered, square)
        inside: npt.NDArray[np.bool_] = spread.max(axis=2) <= 2
        return inside

    @cached_property
    def marks(self) -> tuple[AnchorMarks, AnchorMarks]:
        """A few pixels that all unopened cells share, for finding them in a picture: in cells of this size,
        and in others, where only pixels inside areas of one colour are sure."""
        width, height = self.cell
        covered = self.glyph(Cell.COVERED)
        exact: dict[Bgr, list[tuple[int, int]]] = {}
        others: dict[Bgr, list[tuple[int, int]]] = {}
        for y in sorted({int(part * height) for part in MARKED}):
            for x in sorted({int(part * width) for part in MARKED}):
                if not self.unopened_alike[y, x]:
                    continue
                blue, green, red = (int(value) for value in covered[y, x])
                exact.setdefault((blue, green, red), []).append((x, y))
                if self.plain[y, x]:
                    others.setdefault((blue, green, red), []).append((x, y))
        return _of_several(exact), _of_several(others)

    @cached_property
    def twins(self) -> tuple[float, int, int]:
        """The smallest mean colour difference of two glyphs that mean different things, and which two."""
        flat = self.glyphs.reshape(len(self.codes), -1).astype(np.int16)
        nearest = 255.0, 0, 0
        for index, glyph in enumerate(flat):
            others = np.flatnonzero(self.codes[:index] != self.codes[index])
            if len(others):
                apart = np.abs(flat[others] - glyph).mean(axis=1)
                nearest = min(nearest, (float(apart.min()), int(others[apart.argmin()]), index))
        return nearest

    @property
    def closest(self) -> float:
        """The smallest mean colour difference between two glyphs that mean different things."""
        return self.twins[0]


def _of_several(marks: dict[Bgr, list[tuple[int, int]]]) -> AnchorMarks:
    # One colour alone is everywhere.
    return {} if len(marks) < 2 else {colour: np.array(places) for colour, places in marks.items()}


@dataclass(frozen=True)
class Skin:
    """How one game looks. Lengths are pixels at cells of `cell_width`, unless it says otherwise."""

    name: str
    """That of its theme."""
    title: str
    """The name for people."""
    folder: Path
    """Where its theme is kept."""
    fingerprint: str
    """Changes with every change of a file of its theme: 16 hexadecimal digits."""
    margins: Margins
    """What belongs to the game around its grid."""
    border: Mapping[Side, Colour]
    """The colour of the pixels just outside each side of the grid."""
    border_width: int
    """How many pixels of that colour lie between the cells and anything else."""
    border_gap: int
    """How many pixels of any colour lie before those."""
    border_tolerance: int
    """How far the parts of those colours (0 to 255) may be from the ones given."""
    levels: tuple[tuple[int, int, int], ...]
    """Columns, rows and mines of the game's levels."""
    glyph_sets: tuple[GlyphSet, ...] = ()
    """The pictures of the cells, one set for each size; none where `palette` tells the cells."""
    palette: Palette | None = None
    inset: float = 0.0
    """The part of a cell's side, at each end, that is not compared: rims that depend on the neighbours."""
    limit: float = 12.0
    """The largest mean colour difference (0 to 255) at which a cell is still its nearest glyph."""
    face: FaceSpec | None = None
    counter: CounterSpec | None = None
    text_counter: TextCounterSpec | None = None
    tiles: TileSpec | None = None
    shaded: bool = False
    """Whether the ground of the cells changes over the board: each glyph comes in several shades."""
    learned: bool = False
    """Whether `minebot calibrate` made it: boards of it are found by their calibration."""

    def glyph_set_for(self, pitch: float) -> GlyphSet:
        """The glyphs that read cells of this width best: those of that size, else of the next larger one."""
        return min(self.glyph_sets, key=lambda one: (one.cell[0] < round(pitch), abs(one.cell[0] - pitch)))

    def scale(self, cell_width: float, magnification: float = 1) -> float:
        """What the lengths of `theme.toml` are multiplied by, for cells of this width; where they are tiles,
        only what magnifies the whole window counts."""
        if self.tiles is not None:
            return float(magnification)
        return cell_width / self.cell_width

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
