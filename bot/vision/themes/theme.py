"""Themes: what the cells, the counter and the face of one game look like, read from a folder of pictures.

A theme is data: `theme.toml` (`bot.vision.themes.schema`) and PNG pictures.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import SYMBOLS, Cell
from bot.errors import FormatError, UsageError
from bot.files import shipped, user_data
from bot.tables import read_table
from bot.vision.grid import Grid, Image
from bot.vision.themes.palette import palette_fault
from bot.vision.themes.schema import GlyphSetSpec, ThemeSpec

SCHEMA = 1

ALIKE = 0.25
"""Glyphs with another meaning must differ by more in colour (0 to 255) on average: screens are not exact."""


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
class Theme:
    """One skin of one game."""

    name: str
    folder: Path
    spec: ThemeSpec
    cuts: tuple[GlyphSet, ...]
    fingerprint: str
    """Changes with every change of a file of the theme: 16 hexadecimal digits."""

    @property
    def title(self) -> str:
        """The name for people."""
        return self.spec.title

    def glyph_set_for(self, pitch: float) -> GlyphSet:
        """The cut that reads cells of this width best: the one of that size, else the next larger one."""
        return min(self.cuts, key=lambda cut: (cut.cell[0] < round(pitch), abs(cut.cell[0] - pitch)))

    def scale(self, cell_width: float, magnified: float = 1) -> float:
        """What the lengths of `theme.toml` are multiplied by, for cells of this width; where they are tiles,
        only what magnifies the whole window counts."""
        if self.spec.tiles is not None:
            return float(magnified)
        return cell_width / self.cell_width

    def scale_of(self, grid: Grid) -> float:
        """The same for the cells of a grid."""
        return self.scale(grid.cell_width, grid.magnification)

    @property
    def cell_width(self) -> int:
        """The width of a cell, in pixels, that the lengths of `theme.toml` belong to."""
        return self.spec.colours.cell if self.spec.colours is not None else self.cuts[0].cell[0]

    @property
    def has_counter(self) -> bool:
        """Whether the game shows how many mines there are."""
        return self.spec.counter is not None or self.spec.written is not None

    def usual_mines(self, columns: int, rows: int) -> int | None:
        """The mines of the game's level of this size; None where it has no such level."""
        return next((mines for c, r, mines in self.spec.sizes if (c, r) == (columns, rows)), None)


def theme_folders() -> dict[str, Path]:
    """Every theme there is by its name: the shipped ones, and the user's own, which win over them."""
    found: dict[str, Path] = {}
    for place in (shipped("templates"), user_data() / "templates"):
        if place.is_dir():
            found |= {folder.parent.name: folder.parent for folder in sorted(place.glob("*/theme.toml"))}
    return found


def load_themes(name: str | None = None) -> list[Theme]:
    """The theme of that name, or all of them."""
    if name is not None:
        return [load_theme(name)]
    return [load_theme(folder) for folder in theme_folders().values()]


def load_theme(name_or_folder: str | Path) -> Theme:
    """Load a theme by name or from its folder.

    Raises UsageError for a name that there is not, FormatError for a folder that is no good theme: a
    newer schema, an unknown key, a picture that is missing, unreadable or of another size, two glyphs
    that cannot be told apart.
    """
    if isinstance(name_or_folder, Path):
        folder = name_or_folder
    else:
        folders = theme_folders()
        if name_or_folder not in folders:
            raise UsageError(f"there is no theme {name_or_folder!r}: there are {', '.join(sorted(folders))}")
        folder = folders[name_or_folder]
    try:
        return _loaded(folder)
    except FormatError as error:
        if folder.parent != user_data() / "templates":
            raise
        raise FormatError(f"{error} (a theme of your own: mend it, or remove {folder})") from None


def _loaded(folder: Path) -> Theme:
    path = folder / "theme.toml"
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise FormatError(f"{path} cannot be read: {error.strerror}") from None
    spec = _parse(path, raw)
    digest = hashlib.blake2b(raw, digest_size=8)
    cuts = tuple(_load_cut(folder, cut, digest, learned=spec.learned) for cut in spec.cuts)
    return Theme(folder.name, folder, spec, cuts, digest.hexdigest())


def _parse(path: Path, raw: bytes) -> ThemeSpec:
    spec = read_table(path, raw, ThemeSpec, SCHEMA)
    if (spec.colours is None) == (not spec.cuts):
        raise FormatError(f"{path}: a theme tells its cells either by cuts or by colours: give one of them")
    if spec.ending is not None and spec.colours is None:
        raise FormatError(f"{path}: an ending is known only of games whose cells are told by colours")
    if spec.colours is not None and (wrong := palette_fault(spec.colours)) is not None:
        raise FormatError(f"{path}: {wrong}")
    return spec


def _load_cut(folder: Path, spec: GlyphSetSpec, digest: hashlib.blake2b, *, learned: bool) -> GlyphSet:
    place = folder / spec.folder
    codes: list[int] = []
    glyphs: list[Image] = []
    hovered: list[bool] = []
    for symbol, names in spec.glyphs.items():
        for name in names:
            codes.append(Cell.from_symbol(symbol))
            hovered.append(name in spec.hovered)
            glyphs.append(_load_picture(place / name, digest, spec.cell))
    if Cell.COVERED not in codes:
        raise FormatError(f"{folder / 'theme.toml'}: cut {spec.folder} has no glyph for a covered cell (#)")
    faces = {str(mood): _load_picture(place / name, digest) for mood, name in spec.faces.items()}
    digits = {digit: _load_picture(place / name, digest) for digit, name in spec.digits.items()}
    cut = GlyphSet(spec, np.array(codes, dtype=np.int8), np.stack(glyphs), faces, digits, np.array(hovered))
    apart, one, other = cut.twins
    if apart <= (0 if learned else ALIKE):
        pair = f"{SYMBOLS[cut.codes[one]]} and {SYMBOLS[cut.codes[other]]}"
        raise FormatError(f"{place}: {pair} look the same: cut the theme again")
    return cut


def _load_picture(path: Path, digest: hashlib.blake2b, size: tuple[int, int] | None = None) -> Image:
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise FormatError(f"{path} cannot be read: {error.strerror}") from None
    digest.update(raw)
    picture = cv2.imdecode(np.frombuffer(raw, np.uint8), cv2.IMREAD_COLOR) if raw else None
    if picture is None:
        raise FormatError(f"{path} is no picture, or is cut short: cut the theme again")
    if size is not None and picture.shape[:2] != (size[1], size[0]):
        height, width = picture.shape[:2]
        raise FormatError(f"{path} is {width}x{height}, its cut says {size[0]}x{size[1]}")
    return np.asarray(picture, dtype=np.uint8)
