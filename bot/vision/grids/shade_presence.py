"""Whether a picture may show a board of a skin whose covered cells change their colour over the board.

Such cells share no pixels by which they could be looked for. But their colours are known, and a board has
much of them: where it has not, nothing else is looked at.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import Cell
from bot.geometry import Rect
from bot.vision.grid import Image
from bot.vision.themes.skin import GlyphSet, Skin

COARSE = 4
"""Every so manyth pixel is looked at."""

TOLERANCE = 20
"""How far a pixel's colours (0 to 255) may be from those of a shade: they differ within a cell."""

LEAST = 6
"""So many cells of the smallest size must have such colours."""


def shades_present(image: Image, skin: Skin, smallest: float, beside: Sequence[Rect] = ()) -> bool:
    """Whether so much of a picture, beside some parts of it, has the colours of a skin's covered cells as
    the least of its boards would have. `smallest` is the least width of a cell, in pixels."""
    coarse = np.ascontiguousarray(image[::COARSE, ::COARSE])
    mask = np.zeros(coarse.shape[:2], np.uint8)
    for colour in _shades(skin.glyph_sets[0]):
        low, high = np.clip(colour - TOLERANCE, 0, 255), np.clip(colour + TOLERANCE, 0, 255)
        cv2.bitwise_or(mask, np.asarray(cv2.inRange(coarse, low, high), np.uint8), mask)
    for rect in beside:
        left, top = max(0, rect.x) // COARSE, max(0, rect.y) // COARSE
        mask[top : -(-rect.bottom // COARSE), left : -(-rect.right // COARSE)] = 0
    return cv2.countNonZero(mask) >= LEAST * (smallest / COARSE) ** 2


def _shades(cut: GlyphSet) -> npt.NDArray[np.float32]:
    """The colours in the middle of covered cells: (shades, 3), blue, green, red."""
    covered = cut.glyphs[cut.codes == Cell.COVERED]
    height, width = covered.shape[1:3]
    inner = covered[:, height // 4 : height - height // 4, width // 4 : width - width // 4]
    colours: npt.NDArray[np.float32] = np.median(inner.reshape(len(covered), -1, 3), axis=1)
    return colours.astype(np.float32)
