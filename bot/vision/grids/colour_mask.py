"""Where a picture has given colours, and whether it may show a board of a shaded skin at all.

The covered cells of a shaded skin change their colour over the board, so they share no anchor pixels. But the
shades are known, and a board has many pixels of them: a picture that has too few is not examined further.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import Cell
from bot.geometry import Rect
from bot.vision.grid import Image, Plane
from bot.vision.themes.skin import GlyphSet, Skin

STRIDE = 4
"""Every fourth pixel of every fourth row is examined."""

SHADE_TOLERANCE = 20
"""Maximum difference, in any channel (0 to 255), between a pixel and a shade, which varies within a cell."""

MIN_SHADED_CELLS = 6
"""Minimum area that has the colour of a shade, in cells of the smallest size."""


def colour_mask(image: Image, colour: npt.ArrayLike, tolerance: float) -> Plane:
    """255 where each channel differs by at most a tolerance from a colour (blue, green, red), else 0."""
    middle = np.asarray(colour, np.float32)
    low, high = np.clip(middle - tolerance, 0, 255), np.clip(middle + tolerance, 0, 255)
    return np.asarray(cv2.inRange(image, low, high), np.uint8)


def may_show_shades(image: Image, skin: Skin, min_cell: float, excluded: Sequence[Rect] = ()) -> bool:
    """Whether a picture (height, width, 3) has as many pixels of the skin's shades as a small board.

    `min_cell` is the minimum width of a cell in pixels; pixels in the `excluded` rectangles do not count.
    """
    sampled = np.ascontiguousarray(image[::STRIDE, ::STRIDE])
    mask = np.zeros(sampled.shape[:2], np.uint8)
    for shade in _shades(skin.glyph_sets[0]):
        cv2.bitwise_or(mask, colour_mask(sampled, shade, SHADE_TOLERANCE), mask)
    for rect in excluded:
        left, top = max(0, rect.x) // STRIDE, max(0, rect.y) // STRIDE
        mask[top : -(-rect.bottom // STRIDE), left : -(-rect.right // STRIDE)] = 0
    return cv2.countNonZero(mask) >= MIN_SHADED_CELLS * (min_cell / STRIDE) ** 2


def _shades(glyph_set: GlyphSet) -> npt.NDArray[np.float32]:
    """The colours in the middle of covered cells: (shades, 3), blue, green, red."""
    covered = glyph_set.glyphs[glyph_set.codes == Cell.COVERED]
    height, width = covered.shape[1:3]
    inner = covered[:, height // 4 : height - height // 4, width // 4 : width - width // 4]
    colours: npt.NDArray[np.float32] = np.median(inner.reshape(len(covered), -1, 3), axis=1)
    return colours.astype(np.float32)
