"""What `theme.toml` says of a theme.

Lengths are pixels at the size at which the theme's first cut was made; a window at another scale is read by
scaling.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from bot.board import FirstClick, Spread
from bot.geometry import Rect
from bot.vision.grid import Grid, round_half_up
from bot.vision.themes.palette import Ending, Palette

Mood = Literal["happy", "won", "lost"]
"""What a face shows."""

Side = Literal["left", "top", "right", "bottom"]
"""A side of a grid."""

WinsBy = Literal["opened", "flagged"]
"""What wins: every cell without a mine opened, or every mine flagged as well."""

Chord = Literal["middle", "both", "left", "none"]
"""The buttons that open the cells around a number."""


class Source(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the pictures come from."""

    program: str
    licence: str
    made_by: str


class GlyphSetSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
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
        return Rect(
            round_half_up(middle - width / 2), round_half_up(grid.y - self.above * scale), width, height
        )


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


class TextCounterSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
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
    tells: Literal["won", "lost"] | None = None
    """How the game ended, where the dialog opens only then; closing it starts the next game."""


class Margins(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What belongs to the game around its grid: the header with counter and face, the frame."""

    left: int
    top: int
    right: int
    bottom: int


class TileSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Cells that a toolkit lays out as tiles with gaps between them, in whole pixels and of any size.

    The lengths are pixels at any size of the cells, as the toolkit counts them.
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
    border: dict[Side, tuple[int, int, int]]
    """The colour (red, green, blue) of the pixels just outside each side of the grid."""
    border_width: int
    """So many pixels of that colour lie between the cells and anything else."""
    sizes: list[tuple[int, int, int]]
    """Columns, rows and mines of the game's levels."""
    cuts: list[GlyphSetSpec] = []
    """The pictures of the cells; none where `colours` tells the cells."""
    colours: Palette | None = None
    ending: Ending | None = None
    border_gap: int = 0
    """Before those lie so many pixels of any colour."""
    border_tolerance: int = 14
    """How far the parts of those colours (0 to 255) may be from the ones given."""
    first_click: FirstClick = FirstClick.SAFE
    spread: Spread = Spread.EIGHT
    """Over which neighbours openings spread."""
    wins: WinsBy = "opened"
    """What wins: every cell without a mine opened, or every mine flagged as well."""
    learned: bool = False
    """Whether `minebot calibrate` made it: boards of it are found by their calibration."""
    inset: Annotated[float, msgspec.Meta(ge=0, le=0.35)] = 0.0
    """The part of a cell's side, at each end, that is not compared: rims that depend on the neighbours."""
    limit: float = 12.0
    """The largest mean colour difference (0 to 255) at which a cell is still its nearest glyph: larger where
    the glyphs are drawn and not cut."""
    chord: Chord = "middle"
    face: FaceSpec | None = None
    counter: CounterSpec | None = None
    written: TextCounterSpec | None = None
    dialogs: list[DialogSpec] = []
    pause: PauseSpec | None = None
    opened_at_start: bool = False
    """Whether a new game begins with an opening already made."""
    tiles: TileSpec | None = None
    shaded: bool = False
    """Whether the ground of the cells changes over the board: each look comes in several shades, and covered
    cells have no colour in common by which they could be looked for."""
    timing: Timing = Timing()
