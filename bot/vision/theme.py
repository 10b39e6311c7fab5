"""Themes: what the cells, the counter and the face of one game look like, read from a folder of pictures.

A theme is data: `theme.toml` and PNG pictures. Lengths are pixels at the size at which its first cut was
made; a window at another scale is read by scaling.
"""

from __future__ import annotations

import hashlib
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from bot.board import SYMBOLS, Cell, FirstClick, Spread
from bot.errors import FormatError, UsageError
from bot.files import shipped, user_data
from bot.geometry import Rect
from bot.vision.grid import Grid, Image, nearest
from bot.vision.palette import Ending, Palette, fault

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SCHEMA = 1

ALIKE = 0.25
"""Glyphs with another meaning must differ by more in colour (0 to 255) on average: screens are not exact."""

Mood = Literal["happy", "won", "lost"]
"""What a face shows."""


class Source(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the pictures come from."""

    program: str
    licence: str
    made_by: str


class CutSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One set of glyphs, all of one size."""

    folder: str
    cell: tuple[int, int]
    """Width and height of a cell."""
    glyphs: dict[str, list[str]]
    """The letter of the board's words and its pictures."""
    hovered: list[str] = []
    """Those of the pictures that mean what they mean only at the end of a lost game: before it they are a
    covered cell under the pointer."""
    faces: dict[Mood, str] = {}
    digits: dict[str, str] = {}
    """`0` to `9` and `-`."""


class FaceSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What starts a new game when it is clicked: the face, or a button at the side of the board."""

    above: int
    """From the top of the face to the top of the grid; of a button, to the bottom of the grid."""
    size: tuple[int, int]
    anchor: Literal["top", "bottom right"] = "top"
    """A face has its middle over the middle of the board; a button lies right of its bottom right corner."""
    x: int = 0
    """From the right edge of the grid to the left of the button."""
    moods: bool = True
    """Whether it shows how the game stands."""

    def rect(self, grid: Grid, scale: float = 1.0) -> Rect:
        """Where it lies, for a grid of a scale."""
        width, height = round(self.size[0] * scale), round(self.size[1] * scale)
        right, bottom = int(grid.column_edges[-1]), int(grid.row_edges[-1])
        if self.anchor == "bottom right":
            return Rect(right + round(self.x * scale), bottom - round(self.above * scale), width, height)
        middle = grid.x + grid.pitch[0] * grid.columns / 2
        return Rect(nearest(middle - width / 2), nearest(grid.y - self.above * scale), width, height)


class CounterSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The display of the mines that are left."""

    anchor: Literal["left", "right"]
    """The edge of the grid that it keeps its distance from."""
    x: int
    """From that edge to the left of the first digit."""
    above: int
    """From the top of the digits to the top of the grid."""
    digit: tuple[int, int]
    """Width and height of a digit; the next one follows after `pitch`."""
    pitch: int
    count: int = 3


class WrittenSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A counter that is written as text beside the board: the flags, a stroke, all mines, in any font."""

    x: int
    """From the right edge of the grid to the left of the area in which it lies."""
    below: int
    """From the top of the grid to the top of that area."""
    size: tuple[int, int]
    """Width and height of that area; other text and pictures in it do not matter."""
    background: tuple[int, int, int]
    """The colour (red, green, blue) behind it."""

    def rect(self, grid: Grid, scale: float = 1.0) -> Rect:
        """Where it is looked for, for a grid of a scale."""
        x = int(grid.column_edges[-1]) + round(self.x * scale)
        y = int(grid.row_edges[0]) + round(self.below * scale)
        return Rect(x, y, round(self.size[0] * scale), round(self.size[1] * scale))


class DialogSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A window that the game opens over its board."""

    title: str
    """How the window's title begins."""
    kind: Literal["name", "notice", "confirm"]
    """`name` asks for the player's name; a `notice` is closed; `confirm` asks whether to throw the present
    game away, and has no other title than the one given."""
    accept: str = "enter"
    """The keys, one after the other, that close it, the name entered, or the game thrown away."""
    dismiss: str = "escape"
    """The key that closes it and enters nothing."""


class Margins(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What belongs to the game around its grid: the header with counter and face, the frame."""

    left: int
    top: int
    right: int
    bottom: int


class TileSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Cells that a toolkit lays out as tiles with gaps between them, in whole pixels and of any size.

    The lengths are pixels at any size of the cells.
    """

    background: tuple[int, int, int]
    """The colour (red, green, blue) around and between the tiles."""
    gap: int
    """From one tile to the next; half of it belongs to each cell."""
    frame: int
    """So many pixels around a cell keep their size when the window scales its cells."""
    least: int = 0
    """Cells are not made smaller than this: where they are so small, the window may show only a part."""


class PauseSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game that hides its board when it loses the focus, or is told to."""

    colours: list[tuple[int, int, int]]
    """What it lays over the board: its colours (red, green, blue) with the focus and without."""
    resume: FaceSpec
    """The button that lets it go on."""


class Timing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the window takes clicks."""

    click_interval_ms: float = 4.0
    """Clicks closer together get lost."""
    resend_after_ms: float = 120.0
    """A cell that is still covered so long after its click is clicked again."""
    new_game_interval_s: float = 0.0
    """First clicks closer together in time give the very same minefield: the game's seed is its clock."""
    rest_ms: float = 0.0
    """For so long the cells must stay the same before they count: the game moves its pieces about."""


class ThemeSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of `theme.toml`."""

    schema: int
    title: str
    source: Source
    margins: Margins
    border: dict[Literal["left", "top", "right", "bottom"], tuple[int, int, int]]
    """The colour (red, green, blue) of the pixels just outside each side of the grid."""
    border_width: int
    """So many pixels of that colour lie between the cells and anything else."""
    sizes: list[tuple[int, int, int]]
    """Columns, rows and mines of the game's levels."""
    cuts: list[CutSpec] = []
    """The pictures of the cells; none where `colours` tells the cells."""
    colours: Palette | None = None
    ending: Ending | None = None
    border_gap: int = 0
    """Before those lie so many pixels of any colour."""
    first_click: FirstClick = FirstClick.SAFE
    spread: Spread = Spread.EIGHT
    """Over which neighbours openings spread."""
    wins: Literal["opened", "flagged"] = "opened"
    """What wins: every cell without a mine opened, or every mine flagged as well."""
    learned: bool = False
    """Whether `minebot calibrate` made it: boards of it are found by their calibration."""
    inset: Annotated[float, msgspec.Meta(ge=0, le=0.35)] = 0.0
    """The part of a cell's side, at each end, that is not compared: rims that depend on the neighbours."""
    chord: Literal["middle", "both", "left", "none"] = "middle"
    face: FaceSpec | None = None
    counter: CounterSpec | None = None
    written: WrittenSpec | None = None
    dialogs: list[DialogSpec] = []
    pause: PauseSpec | None = None
    opened_at_start: bool = False
    """Whether a new game begins with an opening already made."""
    tiles: TileSpec | None = None
    timing: Timing = Timing()


@dataclass(frozen=True)
class Cut:
    """The pictures of one size."""

    spec: CutSpec
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


@dataclass(frozen=True)
class Theme:
    """One skin of one game."""

    name: str
    folder: Path
    spec: ThemeSpec
    cuts: tuple[Cut, ...]
    fingerprint: str
    """Changes with every change of a file of the theme: 16 hexadecimal digits."""

    @property
    def title(self) -> str:
        """The name for people."""
        return self.spec.title

    def cut_for(self, pitch: float) -> Cut:
        """The cut that reads cells of this width best: the one of that size, else the next larger one."""
        return min(self.cuts, key=lambda cut: (cut.cell[0] < round(pitch), abs(cut.cell[0] - pitch)))

    def scale(self, cell_width: float) -> float:
        """What the lengths of `theme.toml` are multiplied by, for cells of this width."""
        if self.spec.tiles is not None:
            return 1.0
        return cell_width / self.cell_width

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
    try:
        data = tomllib.loads(raw.decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise FormatError(f"{path} is no TOML: {error}") from None
    schema = data.get("schema")
    if isinstance(schema, int) and schema > SCHEMA:
        raise FormatError(f"{path} has schema {schema}, this minebot knows {SCHEMA}: update minebot")
    try:
        spec = msgspec.convert(data, ThemeSpec, strict=True)
    except msgspec.ValidationError as error:
        raise FormatError(f"{path}: {error}") from None
    if (spec.colours is None) == (not spec.cuts):
        raise FormatError(f"{path}: a theme tells its cells either by cuts or by colours: give one of them")
    if spec.ending is not None and spec.colours is None:
        raise FormatError(f"{path}: an ending is known only of games whose cells are told by colours")
    if spec.colours is not None and (wrong := fault(spec.colours)) is not None:
        raise FormatError(f"{path}: {wrong}")
    return spec


def _load_cut(folder: Path, spec: CutSpec, digest: hashlib.blake2b, *, learned: bool) -> Cut:
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
    cut = Cut(spec, np.array(codes, dtype=np.int8), np.stack(glyphs), faces, digits, np.array(hovered))
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
