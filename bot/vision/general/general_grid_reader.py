"""Reads one grid, picture after picture, whose skin nobody knows."""

from __future__ import annotations

import numpy as np

from bot.board import UNOPENED, Board, Cell, Codes
from bot.vision.general.cell_reader import CellReader, without_cut_cells
from bot.vision.general.digit_colours import Inks, without_other_colours
from bot.vision.general.labelling import label_cells
from bot.vision.grid import Grid, Image, part, same_pixels
from bot.vision.grids.grid_search import without_dithering
from bot.vision.grids.two_tones import untouched_in_two_tones
from bot.vision.header.counter import counter_reader
from bot.vision.header.face import FaceReader
from bot.vision.reading import Reading


class GeneralGridReader:
    """Labels the cells in each picture, (height, width, 3), in which they have changed."""

    by_likeness = False

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
        cells = part(image, self.grid.rect)
        if self._board is not None and self._cells is not None and same_pixels(cells, self._cells):
            self.changed = 0
        else:
            before, self._board = self._board, Board(read_cells(image, self.grid))
            self._cells = cells.copy()
            different = before is None or np.count_nonzero(before.codes != self._board.codes)
            self.changed = int(different) or self._board.codes.size
        distances = np.zeros(self._board.codes.shape, np.float32)
        counter = self._counter.read(image, self._board) if header else None
        return Reading(self._board, distances, counter=counter)

    def forget(self) -> None:
        """Read the next picture from scratch."""
        self._cells = self._board = None


def read_cells(image: Image, grid: Grid, inks: Inks | None = None) -> Codes:
    """What the cells of a grid show, (rows, columns), in a picture (height, width, 3). `inks`: the colours
    that numbers are known to have.

    What is beyond its edges is unread. Nothing is kept from the picture before: what surrounds a cell counts
    too, and an opened cell that was pressed there was surrounded by covered ones.
    """
    rows, columns = grid.in_sight(image)
    codes: Codes = np.full(grid.shape, Cell.UNREAD, np.int8)
    if codes[rows, columns].size:
        calm, seen = without_dithering(image), grid.lines(rows, columns)
        told = CellReader().read(calm, seen, is_board=True)
        labelled = label_cells(told, is_one_of_many=True).codes
        codes[rows, columns] = without_other_colours(labelled, told.scores, calm, seen, inks)
        codes = _with_two_tones(codes, calm, grid)
    return without_cut_cells(codes, grid, image)


def _with_two_tones(codes: Codes, image: Image, grid: Grid) -> Codes:
    """The cells (rows, columns) of a grid in a picture (height, width, 3); where none is opened, those are
    covered that could not be read and that the two tones of the board tell."""
    if not (codes == Cell.UNREAD).any() or not np.isin(codes, (*UNOPENED, Cell.UNREAD)).all():
        return codes
    untouched = untouched_in_two_tones(image, grid)
    if untouched is None:
        return codes
    told: Codes = np.where(codes == Cell.UNREAD, untouched, codes)
    return told
