"""The reader that a theme asks for: it compares cells with pictures, or tells them by their colours."""

from __future__ import annotations

from typing import Protocol

from bot.geometry import Rect
from bot.vision.cells.colour_reader import ColourReader
from bot.vision.cells.glyph_reader import GlyphReader
from bot.vision.grid import Grid, Image
from bot.vision.reading import Reading
from bot.vision.themes.theme import Theme


class GridReader(Protocol):
    """Reads picture after picture of one grid."""

    theme: Theme
    grid: Grid
    changed: int
    """How many cells differed from the picture before, in the last `read`."""

    def read(self, image: Image, *, header: bool = False) -> Reading:
        """Read every cell; with `header`, the face and the counter too."""
        ...

    def forget(self) -> None:
        """Read the next picture from scratch."""
        ...

    def face_rect(self) -> Rect | None:
        """Where the face lies in the picture; None where the theme has none."""
        ...

    def face(self, image: Image) -> str | None:
        """The mood of the face; None where it is not made out."""
        ...

    @property
    def has_faces(self) -> bool:
        """Whether the moods of the face are known."""
        ...


def reader_for(theme: Theme, grid: Grid) -> GridReader:
    """A reader of one grid, as the theme tells its cells."""
    return ColourReader(theme, grid) if theme.spec.colours is not None else GlyphReader(theme, grid)
