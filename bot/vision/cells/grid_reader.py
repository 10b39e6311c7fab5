"""The interface of every reader of a grid."""

from __future__ import annotations

from typing import Protocol

from bot.vision.grid import Grid, Image
from bot.vision.header.face import FaceReader
from bot.vision.reading import Reading


class GridReader(Protocol):
    """Reads picture after picture of one grid."""

    grid: Grid
    face: FaceReader
    changed: int
    """How many cells the last `read` found different from the picture before."""

    @property
    def by_likeness(self) -> bool:
        """Whether it reads cells by other cells, of other pictures too, where no glyph is clear."""
        ...

    def read(self, image: Image, *, header: bool = False) -> Reading:
        """Read every cell of an image (height, width, 3); with `header`, the face and the counter too."""
        ...

    def forget(self) -> None:
        """Read the next picture from scratch."""
        ...
