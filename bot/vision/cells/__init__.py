"""What the cells of a grid show, for a skin that is known.

In: a `Grid`, a theme, picture after picture. Out: a `Reading` of each. `grid_reader` chooses how: by pictures
of the cells (`glyph_reader`), or by their colours (`colour_reader`).
"""

from bot.vision.cells.grid_reader import GridReader, reader_for

__all__ = ["GridReader", "reader_for"]
