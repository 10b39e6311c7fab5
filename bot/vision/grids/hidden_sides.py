"""On which sides the border of a board is hidden: cropped by the edge of the picture, or covered."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bot.geometry import Rect
from bot.vision.grid import Grid, Image
from bot.vision.themes.palette import Colour
from bot.vision.themes.skin import Skin

MIN_VISIBLE_BORDER = 0.95
"""Minimum part of the pixels of a border that must have its colour."""

CLEAR_OF_BORDER = 2
"""At this distance outside the border, in pixels, nothing of it is visible, wherever its lines fall."""


def hidden_sides(image: Image, skin: Skin, grid: Grid) -> tuple[str, ...]:
    """The sides (left, top, right, bottom) on which the border of a skin is not visible around a grid.

    All of `skin.border_width` is compared: in some skins the cells themselves end in a line of its colour.
    """
    rect = grid.rect
    width = max(1, round(skin.border_width * skin.scale_of(grid)))
    picture = Rect(0, 0, image.shape[1], image.shape[0])
    gap = round(skin.border_gap * skin.scale_of(grid))
    crisp = grid.pixel_aligned and (
        not skin.glyph_sets or any(one.cell[0] == grid.cell_width for one in skin.glyph_sets)
    )
    thin = not crisp and width == 1
    if not crisp:  # in a scaled picture the pixels at an edge mix both sides, so one clear line is enough
        width += 1
    if skin.shaded:  # the line around the cells is one of those between them: half of it lies inside the grid
        gap, width = gap - 1, width + 1
    borders = {
        "left": Rect(rect.x - gap - width, rect.y, width, rect.height),
        "top": Rect(rect.x, rect.y - gap - width, rect.width, width),
        "right": Rect(rect.right + gap, rect.y, width, rect.height),
        "bottom": Rect(rect.x, rect.bottom + gap, rect.width, width),
    }
    hidden: list[str] = []
    for side, colour in skin.border.items():
        border = borders[side]
        if not picture.encloses(border):
            hidden.append(side)
            continue
        differences = _differences(image, border, colour)
        tolerance = np.full(differences.shape, skin.border_tolerance, np.float32)
        outside = _line_outside(border, side)
        if thin and picture.encloses(outside):
            # A line of one pixel that falls between two pixels has half of its strength in each.
            tolerance = np.maximum(tolerance, _differences(image, outside, colour) / 2)
        by_line = (differences <= tolerance).mean(axis=0 if side in ("left", "right") else 1)
        if (by_line.mean() if crisp else by_line.max()) < MIN_VISIBLE_BORDER:
            hidden.append(side)
    return tuple(hidden)


def _line_outside(border: Rect, side: str) -> Rect:
    """The line of pixels along a border, `CLEAR_OF_BORDER` outside it."""
    if side in ("left", "right"):
        x = border.x - CLEAR_OF_BORDER if side == "left" else border.right - 1 + CLEAR_OF_BORDER
        return Rect(x, border.y, 1, border.height)
    y = border.y - CLEAR_OF_BORDER if side == "top" else border.bottom - 1 + CLEAR_OF_BORDER
    return Rect(border.x, y, border.width, 1)


def _differences(image: Image, part: Rect, colour: Colour) -> npt.NDArray[np.int16]:
    """The largest difference of any channel between each pixel of a part and a colour: (height, width)."""
    pixels = image[part.y : part.bottom, part.x : part.right].astype(np.int16)
    differences: npt.NDArray[np.int16] = np.abs(pixels - np.array(colour.bgr, np.int16)).max(axis=2)
    return differences
