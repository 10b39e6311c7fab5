"""The contents of `theme.toml`; `ThemeSpec` is the whole file.

Lengths are pixels at the cell size of the theme's first set of glyphs; for a window at another scale they are
multiplied by `Skin.scale`.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from bot.board import FirstClick, Spread
from bot.geometry import Rect
from bot.vision.grid import Grid, round_half_up
from bot.vision.themes.palette import Colour, Ending, Palette

Mood = Literal["happy", "won", "lost"]
"""What a face expresses."""

Side = Literal["left", "top", "right", "bottom"]
"""A side of a grid."""

WinsBy = Literal["opened", "flagged"]
"""What wins: every cell without a mine opened, or every mine flagged as well."""

Chord = Literal["middle", "both", "left", "none"]
"""The buttons that open the cells around a number."""


class Source(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The origin of the pictures."""

    program: str
    licence: str
    made_by: str


class GlyphSetSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One set of glyphs, all of one size."""

    folder: str
    cell: tuple[int, int]
    """Width and height of a cell."""
    glyphs: dict[str, list[str]]
    """The files of the pictures by the symbol of `bot.board` that they mean."""
    hovered: list[str] = []
    """Files that mean this only at the end of a lost game: before it, a covered cell under the pointer."""
    faces: dict[Mood, str] = {}
    digits: dict[str, str] = {}
    """`0` to `9` and `-`."""


class FaceSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The control that starts a new game when it is clicked: the face, or a button beside the board."""

    above: int
    """The distance from the top of the face to the top of the grid; for a button, to its bottom."""
    size: tuple[int, int]
    """Width and height."""
    anchor: Literal["top", "bottom right"] = "top"
    """A face is centred above the board; a button lies to the right of the board's bottom right corner."""
    x: int = 0
    """The distance from the right edge of the grid to the left of the button."""
    moods: bool = True
    """Whether its picture tells how the game stands."""

    def rect(self, grid: Grid, scale: float = 1.0) -> Rect:
        """Its pixels in the picture of the grid; `scale` as `Skin.scale` has it."""
        width, height = round(self.size[0] * scale), round(self.size[1] * scale)
        right, bottom = int(grid.column_edges[-1]), int(grid.row_edges[-1])
        if self.anchor == "bottom right":
            return Rect(right + round(self.x * scale), bottom - round(self.above * scale), width, height)
        middle = grid.x + grid.pitch[0] * grid.columns / 2
        return Rect(
            round_half_up(middle - width / 2), round_half_up(grid.y - self.above * scale), width, height
        )


class CounterSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The display of the mines that are left, one picture a digit."""

    anchor: Literal["left", "right"]
    """The edge of the grid to which it keeps its distance."""
    x: int
    """The distance from that edge to the left of the first digit."""
    above: int
    """The distance from the top of the digits to the top of the grid."""
    digit: tuple[int, int]
    """Width and height of a digit."""
    pitch: int
    """The distance from the left of a digit to the left of the next one."""
    count: int = 3
    """The number of digits."""


class TextCounterSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A counter that is text beside the board: the flags, a slash and all mines, in any font."""

    x: int
    """The distance from the right edge of the grid to the left of the area in which the text lies."""
    below: int
    """The distance from the top of the grid to the top of that area."""
    size: tuple[int, int]
    """Width and height of that area, which may hold other text and pictures too."""
    background: Colour
    """The colour behind the text."""

    def rect(self, grid: Grid, scale: float = 1.0) -> Rect:
        """The area in the picture of the grid; `scale` as `Skin.scale` has it."""
        x = int(grid.column_edges[-1]) + round(self.x * scale)
        y = int(grid.row_edges[0]) + round(self.below * scale)
        return Rect(x, y, round(self.size[0] * scale), round(self.size[1] * scale))


DialogKind = Literal["name", "notice", "confirm"]


class DialogSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A window that the game opens over its board."""

    title: str
    """The beginning of the window's title."""
    kind: DialogKind
    """`name` asks for the player's name; `notice` need only be closed; `confirm` asks whether to abandon the
    present game, and its whole title is the one given."""
    accept: str = "enter"
    """The keys, one after the other, that close it: the name is entered, or the game abandoned."""
    dismiss: str = "escape"
    """The key that closes it and enters nothing."""
    tells: Literal["won", "lost"] | None = None
    """The outcome, for a dialog that opens only at the end of a game; closing it starts the next game."""


class Margins(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The parts of the game's window around its grid, header and frame: their widths at each side."""

    left: int
    top: int
    right: int
    bottom: int


class TileSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Cells that a toolkit lays out as tiles with gaps between them, in whole pixels and at any size.

    These lengths are in the toolkit's pixels (`Grid.magnification`) and do not grow with the cells.
    """

    background: Colour
    """The colour around and between the tiles."""
    gap: int
    """The distance from one tile to the next; half of it belongs to each cell."""
    frame: int
    """The width of the rim of a cell that keeps its size when the window scales its cells."""
    least: int = 0
    """The smallest width of a cell: a window with such cells may show only a part of its board."""


class PauseSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a game looks that hides its board while it is paused, which losing the focus may do."""

    colours: list[Colour]
    """The colours of what it lays over the board, with the focus and without."""
    resume: FaceSpec
    """The button that ends the pause."""


class Timing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How quickly the window takes clicks."""

    click_interval_ms: float = 4.0
    """The least time between two clicks: the window loses clicks that are closer together."""
    resend_after_ms: float = 120.0
    """The time after which a click is repeated if its cell is still covered."""
    new_game_interval_s: float = 0.0
    """The least time between the first clicks of two games: the game seeds its minefield by its clock, and
    closer ones give the same minefield twice."""
    rest_ms: float = 0.0
    """The time for which the cells must stay the same before they are read: the game animates its pieces."""


class ThemeSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of `theme.toml`."""

    schema: int
    title: str
    source: Source
    margins: Margins
    border: dict[Side, Colour]
    """The colour of the pixels just outside each side of the grid."""
    border_width: int
    """The pixels of that colour between the cells and anything else."""
    levels: list[tuple[int, int, int]] = msgspec.field(name="sizes")
    """Columns, rows and mines of the game's levels."""
    glyph_sets: list[GlyphSetSpec] = msgspec.field(default_factory=list, name="cuts")
    """The pictures of the cells; none for a game that is read by colour."""
    palette: Palette | None = msgspec.field(default=None, name="colours")
    ending: Ending | None = None
    border_gap: int = 0
    """The pixels of any colour between the cells and the border."""
    border_tolerance: int = 14
    """The largest difference (0 to 255) in any channel between a pixel of the border and its colour."""
    first_click: FirstClick = FirstClick.SAFE
    spread: Spread = Spread.EIGHT
    """The neighbours over which openings spread."""
    wins: WinsBy = "opened"
    learned: bool = False
    """Whether `minebot calibrate` made it: boards of it are found by their calibration."""
    inset: Annotated[float, msgspec.Meta(ge=0, le=0.35)] = 0.0
    """The part of a cell's side, at each end, that is not compared: rims that depend on the neighbours."""
    limit: float = 12.0
    """The largest mean colour difference (0 to 255) at which a cell is still its nearest glyph: larger where
    the glyphs are drawings and not cut from the game's own window."""
    chord: Chord = "middle"
    face: FaceSpec | None = None
    counter: CounterSpec | None = None
    text_counter: TextCounterSpec | None = msgspec.field(default=None, name="written")
    dialogs: list[DialogSpec] = []
    pause: PauseSpec | None = None
    opened_at_start: bool = False
    """Whether a new game begins with an opening already made."""
    tiles: TileSpec | None = None
    shaded: bool = False
    """Whether the background of the cells changes over the board: each glyph comes in several shades, and
    covered cells share no colour by which they could be searched."""
    timing: Timing = Timing()
