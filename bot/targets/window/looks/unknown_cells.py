"""Reads the cells of one grid whose skin nobody knows, by the rules and by the trained network."""

from __future__ import annotations

import numpy as np

from bot.board import Cell, Codes
from bot.vision.general.general_grid_reader import GeneralGridReader
from bot.vision.grid import Grid, Image
from bot.vision.grids.grid_search import without_dithering
from bot.vision.trained.cell_reader import CellReader
from bot.vision.trained.labelling import label_looks
from bot.vision.unknown_skins import SHOWN_AT_END, filled, not_doubted, whole_cells


def read_unknown_cells(image: Image, grid: Grid, cells: CellReader) -> Codes:
    """What the cells of a grid that is known show, (rows, columns), in a picture (height, width, 3).

    `cells` remembers looks from one picture of a window to the next.
    """
    scores = cells.read(without_dithering(image), grid)
    trained = label_looks(scores.scores, scores.looks, scores.features).codes
    codes = filled(GeneralGridReader(grid).read(image).board.codes, trained)
    asked = whole_cells(grid, image) & (codes != trained)
    codes = not_doubted(codes, np.where(asked[..., None], scores.scores, 0))
    if not np.isin(codes, SHOWN_AT_END).any():
        mines = (codes == Cell.MINE) & (trained == Cell.MINE)
        codes = np.where(mines, np.int8(Cell.UNREAD), codes)
    return codes
