"""Where the border of a board is not seen: it is cut there by the edge of the picture, or covered."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bot.geometry import Rect
from bot.vision.grid import Grid, Image
from bot.vision.themes.palette import Colour
from bot.vision.themes.skin import Skin

BEYOND = 2
"""So many pixels beyond the border nothing of it is seen, wherever its lines fall."""


def hidden_sides(image: Image, skin: Skin, grid: Grid) -> tuple[str, ...]:
    """The sides on which the pixels just outside the grid are not of the skin's colour."""
    rect = grid.rect
    # One line would not do: in some skins the cells themselves end in a line of that colour.
    width = max(1, round(skin.border_width * skin.scale_of(grid)))
    picture = Rect(0, 0, image.shape[1], image.shape[0])
    gap = round(skin.border_gap * skin.scale_of(grid))
    crisp = grid.pixel_aligned and (
        not skin.glyph_sets or any(cut.cell[0] == grid.cell_width for cut in skin.glyph_sets)
    )
    thin = not crisp and width == 1
    if not crisp:  # scaled: the pixels at the edge have something of both sides, and one clear line will do
        width += 1
    if skin.shaded:  # the line around the cells is one of those between them: half of it lies inside
        gap, width = gap - 1, width + 1
    lines = {
        "left": Rect(rect.x - gap - width, rect.y, width, rect.height),
        "top": Rect(rect.x, rect.y - gap - width, rect.width, width),
        "right": Rect(rect.right + gap, rect.y, width, rect.height),
        "bottom": Rect(rect.x, rect.bottom + gap, rect.width, width),
    }
    missing: list[str] = []
    for side, colour in skin.border.items():
        line = lines[side]
        if not picture.encloses(line):
            missing.append(side)
            continue
        away = _away(image, line, colour)
        tolerance = np.full(away.shape, skin.border_tolerance, np.float32)
        beyond = _beyond(line, side)
        if thin and picture.encloses(beyond):
            # A line that is no thicker than the two pixels that it falls between is half as strong in each.
            tolerance = np.maximum(tolerance, _away(image, beyond, colour) / 2)
        right_colour = away <= tolerance
        by_line = right_colour.mean(axis=0 if side in ("left", "right") else 1)
        if (by_line.mean() if crisp else by_line.max()) < 0.95:
            missing.append(side)
    return tuple(missing)


def _beyond(line: Rect, side: str) -> Rect:
    """The pixels one wide, along a border on a side of a grid, that lie farther out."""
    if side in ("left", "right"):
        x = line.x - BEYOND if side == "left" else line.right - 1 + BEYOND
        return Rect(x, line.y, 1, line.height)
    y = line.y - BEYOND if side == "top" else line.bottom - 1 + BEYOND
    return Rect(line.x, y, line.width, 1)


def _away(image: Image, part: Rect, colour: Colour) -> npt.NDArray[np.int16]:
    """How far each pixel of a part of a picture is from a colour: (height, width)."""
    pixels = image[part.y : part.bottom, part.x : part.right].astype(np.int16)
    away: npt.NDArray[np.int16] = np.abs(pixels - np.array(colour.bgr, np.int16)).max(axis=2)
    return away
