"""What the cells of a grid show, for a skin that is known.

In: a `Grid`, a skin, picture after picture. Out: a `Reading` of each: by pictures of the cells
(`glyph_reader`), or by their colours (`colour_reader`).
"""

from bot.vision.cells.colour_reader import ColourReader
from bot.vision.cells.glyph_reader import GlyphReader
from bot.vision.cells.grid_reader import GridReader

__all__ = ["ColourReader", "GlyphReader", "GridReader"]
