"""Chooses the reader for a skin: by glyphs, by colours, or the general one."""

from __future__ import annotations

from bot.vision.cells.colour_reader import ColourReader
from bot.vision.cells.glyph_reader import GlyphReader
from bot.vision.cells.grid_reader import GridReader
from bot.vision.general.general_grid_reader import GeneralGridReader
from bot.vision.grid import Grid
from bot.vision.themes.skin import Skin


def reader_for(skin: Skin | None, grid: Grid) -> GridReader:
    """A reader of one grid whose cells have this skin; None for an unknown skin."""
    if skin is None:
        return GeneralGridReader(grid)
    return GlyphReader(skin, grid) if skin.palette is None else ColourReader(skin, grid)
