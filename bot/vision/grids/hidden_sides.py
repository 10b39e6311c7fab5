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
    hidden: list[str] = []
    for side, colour in skin.border.items():
        border = _strip(rect, side, gap, width)
        if not picture.encloses(border):
            hidden.append(side)
            continue
        differences = _differences(image, border, colour)
        tolerance = np.full(differences.shape, skin.border_tolerance, np.float32)
        # Two pixels outside the border nothing of it is visible, wherever its lines fall.
        outside = _strip(rect, side, gap + width + 1, 1)
        if thin and picture.encloses(outside):
            # A line of one pixel that falls between two pixels has half of its strength in each.
            tolerance = np.maximum(tolerance, _differences(image, outside, colour) / 2)
        by_line = (differences <= tolerance).mean(axis=0 if side in ("left", "right") else 1)
        if (by_line.mean() if crisp else by_line.max()) < MIN_VISIBLE_BORDER:
            hidden.append(side)
    return tuple(hidden)


def _strip(rect: Rect, side: str, distance: int, width: int) -> Rect:
    """The pixels along one side of a rectangle, outside it: a strip of a width that begins at a distance."""
    if side in ("left", "right"):
        x = rect.x - distance - width if side == "left" else rect.right + distance
        return Rect(x, rect.y, width, rect.height)
    y = rect.y - distance - width if side == "top" else rect.bottom + distance
    return Rect(rect.x, y, rect.width, width)


def _differences(image: Image, part: Rect, colour: Colour) -> npt.NDArray[np.int16]:
    """The largest difference of any channel between each pixel of a part and a colour: (height, width)."""
    pixels = image[part.y : part.bottom, part.x : part.right].astype(np.int16)
    differences: npt.NDArray[np.int16] = np.abs(pixels - np.array(colour.bgr, np.int16)).max(axis=2)
    return differences
