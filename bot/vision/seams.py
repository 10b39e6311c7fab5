"""Where the border of a board is not seen: it is cut there by the edge of the picture, or covered."""

from __future__ import annotations

import numpy as np

from bot.geometry import Rect
from bot.vision.grid import Grid, Image
from bot.vision.theme import Theme


def seams(image: Image, theme: Theme, grid: Grid) -> tuple[str, ...]:
    """The sides on which the pixels just outside the grid are not of the theme's colour."""
    rect = grid.rect
    # One line would not do: in some skins the cells themselves end in a line of that colour.
    width = max(1, round(theme.spec.border_width * theme.scale_of(grid)))
    picture = Rect(0, 0, image.shape[1], image.shape[0])
    gap = round(theme.spec.border_gap * theme.scale_of(grid))
    if not grid.whole:  # the pixels at the edge have something of both sides: one clear line will do
        width += 1
    if theme.spec.shaded:  # the line around the cells is one of those between them: half of it lies inside
        gap, width = gap - 1, width + 1
    lines = {
        "left": Rect(rect.x - gap - width, rect.y, width, rect.height),
        "top": Rect(rect.x, rect.y - gap - width, rect.width, width),
        "right": Rect(rect.right + gap, rect.y, width, rect.height),
        "bottom": Rect(rect.x, rect.bottom + gap, rect.width, width),
    }
    missing: list[str] = []
    for side, colour in theme.spec.border.items():
        line = lines[side]
        if not picture.encloses(line):
            missing.append(side)
            continue
        pixels = image[line.y : line.bottom, line.x : line.right].astype(np.int16)
        right_colour = np.abs(pixels - np.array(colour[::-1])).max(axis=2) <= theme.spec.border_tolerance
        by_line = right_colour.mean(axis=0 if side in ("left", "right") else 1)
        if (by_line.mean() if grid.whole else by_line.max()) < 0.95:
            missing.append(side)
    return tuple(missing)
