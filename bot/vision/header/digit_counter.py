"""Reads a mine counter whose digits the theme has pictures of."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from bot.board import Board
from bot.geometry import Rect
from bot.vision.grid import Grid, Image, round_half_up
from bot.vision.header.digits import number_of
from bot.vision.header.picture_match import PictureMatcher
from bot.vision.themes.schema import CounterSpec
from bot.vision.themes.skin import Skin


class DigitCounterReader:
    """Compares each digit of the counter of one grid with the pictures of a skin."""

    def __init__(self, skin: Skin, grid: Grid, counter: CounterSpec) -> None:
        glyph_set = skin.glyph_set_for(grid.cell_width)
        exact = glyph_set.cell[0] == grid.cell_width
        self._digits = PictureMatcher(_with_background(glyph_set.digits), exact=exact)
        self._counter = counter
        self._scale = skin.scale_of(grid)
        self._left = grid.x + (grid.columns * grid.cell_width if counter.anchor == "right" else 0)
        self._top = round_half_up(grid.y - counter.above * self._scale)

    def read(self, image: Image, board: Board) -> int | None:
        """The number in an image (height, width, 3); None if a digit is not recognised."""
        count = self._counter.count
        # A larger counter, for a thousand mines and more, has one more digit at its free end.
        if self._digit(image, count if self._counter.anchor == "left" else -1) is not None:
            return None
        return number_of(self._digit(image, index) for index in range(count))

    def _digit(self, image: Image, index: int) -> str | None:
        """A digit, counted from the left; None where none is lit or recognised."""
        x = round_half_up(self._left + (self._counter.x + index * self._counter.pitch) * self._scale)
        width, height = (round(length * self._scale) for length in self._counter.digit)
        return self._digits.match(image, Rect(x, self._top, width, height)) or None


def _with_background(digits: Mapping[str, Image]) -> dict[str, Image]:
    """The pictures of digits, and as "" one of the plain background of the display, where no digit is lit."""
    first, *_ = pictures = [*digits.values()]
    pixels = np.concatenate([picture.reshape(-1, 3) for picture in pictures])
    return {**digits, "": np.full_like(first, np.median(pixels, axis=0).astype(np.uint8))}
