"""Reads one grid, picture after picture, whose skin nobody knows."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bot.board import Board, Cell
from bot.geometry import Rect
from bot.vision.general.clusters import cluster_cells
from bot.vision.general.labelling import label_clusters
from bot.vision.general.partial_cells import read_partial_cells
from bot.vision.general.patches import cut_patches
from bot.vision.grid import Grid, Image, same_pixels
from bot.vision.grids.grid_search import without_dithering
from bot.vision.header.counter import counter_reader
from bot.vision.header.face import FaceReader
from bot.vision.reading import Reading


class GeneralGridReader:
    """Labels the clusters of cells in each picture, (height, width, 3), in which they have changed."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.face = FaceReader(None, grid)
        self._counter = counter_reader(None, grid)
        self._cells: Image | None = None
        """The pixels of the grid in the last picture."""
        self._board: Board | None = None
        self.changed = 0
        """How many cells read otherwise than in the picture before, in the last `read`; all where any pixel
        changed and no cell reads otherwise."""

    def read(self, image: Image, *, header: bool = False) -> Reading:
        """Read every cell; with `header`, a red display of the mines left too."""
        rect = self.grid.rect.clipped(Rect(0, 0, image.shape[1], image.shape[0]))
        cells = image[rect.y : rect.bottom, rect.x : rect.right]
        if self._board is not None and self._cells is not None and same_pixels(cells, self._cells):
            self.changed = 0
        else:
            before, self._board = self._board, self._read(image)
            self._cells = cells.copy()
            different = before is None or np.count_nonzero(before.codes != self._board.codes)
            self.changed = int(different) or self._board.codes.size
        distances = np.zeros(self._board.codes.shape, np.float32)
        counter = self._counter.read(image, self._board) if header else None
        return Reading(self._board, distances, counter=counter)

    def _read(self, image: Image) -> Board:
        calm = without_dithering(image)
        patches = cut_patches(calm, self.grid)
        labelled = label_clusters(cluster_cells(patches)).codes
        codes = read_partial_cells(labelled, patches, self.grid, image.shape[:2])
        # Patches repeat the edge of the picture: what they show beyond it was never seen.
        codes[~self._in_sight(image)] = Cell.UNREAD
        return Board(codes)

    def _in_sight(self, image: Image) -> npt.NDArray[np.bool_]:
        """Which cells have their middle in a picture, shape (rows, columns)."""
        height, width = image.shape[:2]
        rows, columns = self.grid.exact_rows, self.grid.exact_columns
        y, x = (rows[:-1] + rows[1:]) / 2, (columns[:-1] + columns[1:]) / 2
        return np.outer((y >= 0) & (y < height), (x >= 0) & (x < width))

    def forget(self) -> None:
        """Read the next picture from scratch."""
        self._cells = self._board = None
