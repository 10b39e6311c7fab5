"""What the cells of a grid show, for a known skin.

In: a `Grid`, a `Skin`, picture after picture. Out: a `Reading` of each, by the glyphs of the skin
(`GlyphReader`) or by its palette (`ColourReader`).
"""

from bot.vision.cells.colour_reader import ColourReader
from bot.vision.cells.glyph_reader import GlyphReader
from bot.vision.cells.grid_reader import GridReader

__all__ = ["ColourReader", "GlyphReader", "GridReader"]
