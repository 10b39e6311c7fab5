"""What every reader of a grid does, however it tells what the cells show."""

from __future__ import annotations

from typing import Protocol

from bot.geometry import Rect
from bot.vision.grid import Grid, Image
from bot.vision.reading import Reading


class GridReader(Protocol):
    """Reads picture after picture of one grid."""

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
        """Where the face lies in the picture; None where the skin has none."""
        ...

    def face(self, image: Image) -> str | None:
        """The mood of the face; None where it is not made out."""
        ...

    @property
    def has_faces(self) -> bool:
        """Whether the moods of the face are known."""
        ...
