"""The face beside a board, or the button in its place: where it lies, and what it says of the game."""

from __future__ import annotations

from bot.geometry import Rect
from bot.vision.grid import Grid, Image
from bot.vision.header.picture_match import PictureMatcher
from bot.vision.themes.skin import Skin


class FaceReader:
    """The face of one grid in one skin; a skin that is not known has none."""

    def __init__(self, skin: Skin | None, grid: Grid) -> None:
        self.rect: Rect | None = None
        """The pixels of the face; None for a skin without one."""
        self._moods = PictureMatcher({}, exact=True)
        if skin is not None and skin.palette is None:
            glyph_set = skin.glyph_set_for(grid.cell_width)
            self._moods = PictureMatcher(glyph_set.faces, exact=glyph_set.cell[0] == grid.cell_width)
            self.rect = None if skin.face is None else skin.face.rect(grid, skin.scale_of(grid))

    @property
    def has_moods(self) -> bool:
        """Whether there are pictures of its moods."""
        return len(self._moods) > 0

    def mood(self, image: Image) -> str | None:
        """`happy`, `won` or `lost`, as an image (height, width, 3) shows it; None if not recognised."""
        return None if self.rect is None else self._moods.match(image, self.rect)
