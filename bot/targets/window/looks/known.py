"""The looks of cells that are known of a window before it is played, and their size."""

from __future__ import annotations

import numpy as np

from bot.targets.window.looks.memory import Looks
from bot.vision.cells.sampling import Sampling
from bot.vision.grid import Grid
from bot.vision.themes.skin import Skin

KEPT = 10
"""What was kept of a look counts as so many readings: a person may have corrected it."""


def cell_size(grid: Grid) -> tuple[int, int]:
    """Width and height, in pixels, of the largest cell of a grid."""
    return int(np.diff(grid.column_edges).max()), int(np.diff(grid.row_edges).max())


def look_size(grid: Grid) -> tuple[int, int]:
    """Width and height, in pixels, at which cells of a grid are compared: where edges lie inside pixels, as
    on a page that is zoomed, they come out smaller."""
    return Sampling(grid, cell_size(grid)).size


def looks_of(skin: Skin, grid: Grid) -> Looks:
    """The looks of cells that a learned skin has kept."""
    looks = Looks(look_size(grid))
    for glyph_set in skin.glyph_sets:
        if tuple(glyph_set.cell) == looks.size:
            for code, picture in zip(glyph_set.codes.tolist(), glyph_set.glyphs, strict=True):
                looks.add(picture.ravel(), [code] * KEPT)
    return looks
