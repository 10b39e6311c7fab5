"""Where the cells of a board lie in a picture.

In: a picture. Out: `Grid`s. `grid_search` finds the grids of boards of any look, in order, by what `lattices`
says: by the interiors of cells, or by periodicity alone. The extent of a candidate is decided by what is
visible, or by a function that tells cells: `best_extent(found.reach, is_cell)`. Where none is a board, one
of the `related_grids` may be: of half a cell, or two.

The boards of known skins are found by their colours and marks: `anchor_pixels`, `tiles` and `smoothed_tiles`,
`checkerboard`, `colour_mask`. `align` fits a grid exactly to the cells of a skin, and `hidden_sides` names
the sides on which the border of a board is not visible.

The constants were tuned on the painted samples (tests/vision/variety.py) and checked on ../shared/screens;
`python -m tests.pin check --only samples --only scaled --only screens` shows what another value changes.
Those of `lattices/seen_grids` and of what it uses were tuned on pictures of `training/reader`;
`python -m training.reader.checks.grids FOLDER` says how many of their boards are found.
"""

from bot.vision.grids.grid_search import FoundGrid, find_grids, grid_batches
from bot.vision.grids.lattices.extent import best_extent

__all__ = ["FoundGrid", "best_extent", "find_grids", "grid_batches"]
