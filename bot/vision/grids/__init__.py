"""Where the cells of a board lie in a picture.

In: a picture. Out: `Grid`s. Any lattice is found by its periodicity alone: `periodicity` (what repeats, and
by which step), `pitch` (the exact step and place along one axis), `borders` (which borders between cells are
seen), `lattice` (how far the board reaches), `grid_search` (all grids of a picture). The boards of known
skins are found by what is known of them: `anchor_pixels`, `tiles` and `smoothed_tiles`, `checkerboard`,
`shade_presence`; `align` lays a grid exactly over the cells of a skin, and `hidden_sides` says where the
border of a board cannot be seen.
"""

from bot.vision.grids.grid_search import FoundGrid, find_grids, grids_in_turn

__all__ = ["FoundGrid", "find_grids", "grids_in_turn"]
