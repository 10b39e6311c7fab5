"""The reader that fits a skin: by pictures of its cells, by their colours, or by what all skins share."""

from __future__ import annotations

from bot.vision.cells.colour_reader import ColourReader
from bot.vision.cells.glyph_reader import GlyphReader
from bot.vision.cells.grid_reader import GridReader
from bot.vision.general.general_grid_reader import GeneralGridReader
from bot.vision.grid import Grid
from bot.vision.themes.skin import Skin


def reader_for(skin: Skin | None, grid: Grid) -> GridReader:
    """A reader of one grid, as the skin shows its cells; None for a skin that nobody knows."""
    if skin is None:
        return GeneralGridReader(grid)
    return GlyphReader(skin, grid) if skin.palette is None else ColourReader(skin, grid)
