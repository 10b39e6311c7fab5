"""Where the cells of a board lie in a picture.

In: a picture. Out: `Grid`s. Any lattice is found by its periodicity alone:

    periodicity    the parts of the picture that repeat, and with which pitch
    pitch          the exact pitch and phase of the lines along one direction
    borders        which borders between cells are visible
    lattice        how far the board reaches
    grid_search    all grids of the picture

The boards of known skins are found by their colours and marks: `anchor_pixels`, `tiles` and `smoothed_tiles`,
`checkerboard`, `colour_mask`. `align` fits a grid exactly to the cells of a skin, and `hidden_sides` names
the sides on which the border of a board is not visible.

The constants were tuned on the painted samples (tests/vision/variety.py) and checked on ../shared/screens;
`python -m tests.pin check --only samples --only scaled --only screens` shows what another value changes.
"""

from bot.vision.grids.grid_search import FoundGrid, find_grids, grid_batches

__all__ = ["FoundGrid", "find_grids", "grid_batches"]
