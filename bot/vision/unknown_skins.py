"""Reads boards whose skin is unknown by the rules that were set by hand and by the trained network, joined.

Of looks that neither was made for, each reads some falsely, and seldom the same: where both read a board and
differ in a cell, that cell is left unread; likewise where the rules alone read it, and the network is sure of
something else. The rules are to go when the network alone is better on all
families of looks (docs/reading.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import tee

import numpy as np

from bot.board import Board, Cell, Codes
from bot.vision.general.general_reader import read_any_boards
from bot.vision.grid import Grid, Image
from bot.vision.grids.grid_search import FoundGrid, grid_batches, without_dithering
from bot.vision.trained.cell_reader import CellReader
from bot.vision.trained.cell_windows import Floats
from bot.vision.trained.trained_reader import TrainedReading, read_trained_boards

MIN_CELL_CHANCE = 0.5
"""A board that the rules alone read is none if the network says of its cells that they are less likely those
of a board than this. The calendars and falling digits of training/reader/no_boards come to 0.004."""

DOUBT = 4.0
"""A cell that the rules alone read is unread where the network takes another label for e to the power of this
times as likely. Of 14 such boards in looks of neither, 6 were right and 5 wrong: 5 stay right and 1 wrong."""

MAX_OFF = 0.5
"""Two boards are one if their corners are less than this part of a cell apart."""

MAX_DISPUTED = 0.25
"""Where the two differ in more than this part of the cells, neither is believed."""


@dataclass(frozen=True)
class UnknownReading:
    """A board that was read without a theme."""

    found: FoundGrid
    board: Board
    rank: float
    """How certain and how large the board is, to choose among several."""


def read_unknown_boards(image: Image) -> list[UnknownReading]:
    """Every board in a picture (height, width, 3) that can be read without a theme, the best first.

    Where both read a grid of other cells at one place, the network is believed.
    """
    for_rules, for_network = tee(grid_batches(image))
    trained = read_trained_boards(image, for_network)
    boards: list[UnknownReading] = []
    joined: list[TrainedReading] = []
    for one in read_any_boards(image, for_rules):
        others = [other for other in trained if other.found.grid.rect.intersects(one.found.grid.rect)]
        same = next((other for other in others if is_one_board(one.found.grid, other.found.grid)), None)
        if same is not None:
            joined.append(same)
            boards += _believed(
                one.found, agreed(one.board.codes, same.board.codes), max(one.rank, same.rank)
            )
        elif not others:
            scores = CellReader().read(without_dithering(image), one.found.grid)
            if scores.is_cell.mean() >= MIN_CELL_CHANCE:
                boards += _believed(one.found, not_doubted(one.board.codes, scores.scores), one.rank)
    boards += [UnknownReading(one.found, one.board, one.rank) for one in trained if one not in joined]
    return sorted(boards, key=lambda one: -one.rank)


def is_one_board(one: Grid, other: Grid) -> bool:
    """Whether two grids are those of one board."""
    if one.shape != other.shape:
        return False
    across = np.abs(one.exact_columns - other.exact_columns)[[0, -1]].max() / other.cell_width
    down = np.abs(one.exact_rows - other.exact_rows)[[0, -1]].max() / other.cell_height
    return bool(max(across, down) < MAX_OFF)


def _believed(found: FoundGrid, codes: Codes, rank: float) -> Sequence[UnknownReading]:
    """The board of these cells; nothing where too many of them are disputed."""
    is_disputed = (codes == Cell.UNREAD).mean() > MAX_DISPUTED
    return [] if is_disputed else [UnknownReading(found, Board(codes), rank)]


def agreed(one: Codes, other: Codes) -> Codes:
    """The cells (rows, columns) that both read alike, or one of them alone; the others are unread."""
    unread = np.int8(Cell.UNREAD)
    either: Codes = np.where(one == unread, other, one)
    return np.where((one == other) | (one == unread) | (other == unread), either, unread)


def not_doubted(codes: Codes, scores: Floats) -> Codes:
    """The cells (rows, columns) without those of which the network is sure that they are something else.

    `scores` are the logarithms of the probabilities of the labels, (rows, columns, labels).
    """
    read = codes != Cell.UNREAD
    labels = np.where(read, codes, 0).astype(np.intp)
    own = np.take_along_axis(scores, labels[..., None], axis=2)[..., 0]
    return np.where(read & (scores.max(axis=2) - own > DOUBT), np.int8(Cell.UNREAD), codes)
