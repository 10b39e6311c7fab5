"""Reads boards whose skin is unknown by the rules that were set by hand and by the trained network, joined.

Of looks that neither was made for, each reads some falsely, and seldom the same: a cell that the rules read
is left unread where the network is sure of something else. The rules are to go when the network alone is
better on all families of looks (docs/reading.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import tee

import numpy as np
import numpy.typing as npt

from bot.board import Board, Cell, Codes
from bot.geometry import Rect
from bot.vision.general.general_reader import GeneralReading, read_any_boards
from bot.vision.grid import Grid, Image
from bot.vision.grids.grid_search import FoundGrid, grid_batches, without_dithering
from bot.vision.trained.cell_reader import CellReader
from bot.vision.trained.cell_windows import Floats
from bot.vision.trained.trained_reader import TrainedReading, read_trained_boards

MIN_CELL_CHANCE = 0.5
"""A board that the rules alone read is none if the network says of its cells that they are less likely those
of a board than this. The calendars and falling digits of training/reader/no_boards come to 0.004."""

DOUBT = 4.0
"""A cell is unread where the network takes another label for e to the power of this times as likely.
`python -m training.reader.read_check --only-general` shows what another value changes."""

MAX_OFF = 0.5
"""Two boards are one if their corners are less than this part of a cell apart."""

MIN_ALIKE = 0.97
"""Minimum part of the cells that both have in which a smaller board must be like a larger one around it."""

MAX_DISPUTED = 0.25
"""Where more than this part of the cells is unread, there is no board."""

MIN_IN_SIGHT = 0.75
"""The network learned nothing of cells of whose width or height a smaller part is in the picture."""

SHOWN_AT_END = (Cell.EXPLODED, Cell.WRONG_FLAG)
"""What says that a game is over."""


@dataclass(frozen=True)
class UnknownReading:
    """A board that was read without a theme."""

    found: FoundGrid
    board: Board
    rank: float
    """How certain and how large the board is, to choose among several."""


def read_unknown_boards(image: Image) -> list[UnknownReading]:
    """Every board in a picture (height, width, 3) that can be read without a theme, the best first.

    Where both read a board at one place, but other cells, the network is believed.
    """
    for_rules, for_network = tee(grid_batches(image))
    trained = read_trained_boards(image, for_network)
    calm, boards, joined = without_dithering(image), list[UnknownReading](), list[TrainedReading]()
    for one in read_any_boards(image, for_rules):
        grid = one.found.grid
        others = [other for other in trained if other.found.grid.rect.intersects(grid.rect)]
        same = next((other for other in others if is_one_board(grid, other.found.grid)), None)
        if same is None and others and not is_part_of(others[0], one):
            continue
        scores = CellReader().read(calm, grid)
        if not others and scores.is_cell.mean() < MIN_CELL_CHANCE:
            continue
        joined += others
        codes = one.board.codes if same is None else filled(one.board.codes, same.board.codes)
        asked = whole_cells(grid, image)
        if same is not None:  # by the rules of the game it may have come to the same
            asked &= codes != same.board.codes
        codes = not_doubted(codes, np.where(asked[..., None], scores.scores, 0))
        if (codes == Cell.UNREAD).mean() <= MAX_DISPUTED:
            boards.append(UnknownReading(one.found, Board(codes), one.rank))
    boards += [_alone(one) for one in trained if one not in joined]
    return sorted(boards, key=lambda one: -one.rank)


def is_one_board(one: Grid, other: Grid) -> bool:
    """Whether two grids are those of one board."""
    if one.shape != other.shape:
        return False
    across = np.abs(one.exact_columns - other.exact_columns)[[0, -1]].max() / other.cell_width
    down = np.abs(one.exact_rows - other.exact_rows)[[0, -1]].max() / other.cell_height
    return bool(max(across, down) < MAX_OFF)


def is_part_of(smaller: TrainedReading, larger: GeneralReading) -> bool:
    """Whether a board is a part of a larger one that reads it alike, and has something around it.

    Plain paper around a board looks like opened cells: these alone make it no larger.
    """
    grid, inner = larger.found.grid, smaller.found.grid
    column, row = (
        round((inner.x - grid.x) / grid.cell_width),
        round((inner.y - grid.y) / grid.cell_height),
    )
    place = Rect(column, row, inner.columns, inner.rows)
    if not Rect(0, 0, grid.columns, grid.rows).encloses(place) or not is_one_board(grid.part(place), inner):
        return False
    part = np.s_[row : row + inner.rows, column : column + inner.columns]
    around = larger.board.codes.copy()
    around[part] = Cell.EMPTY
    codes, others = larger.board.codes[part], smaller.board.codes
    unread = (codes == Cell.UNREAD) | (others == Cell.UNREAD)
    return bool((around != Cell.EMPTY).any() and ((codes == others) | unread).mean() >= MIN_ALIKE)


def filled(codes: Codes, others: Codes) -> Codes:
    """The cells (rows, columns), those that are unread with what others say."""
    return np.where(codes == Cell.UNREAD, others, codes)


def not_doubted(codes: Codes, scores: Floats) -> Codes:
    """The cells (rows, columns) without those of which the network is sure that they are something else.

    `scores` are the logarithms of the probabilities of the labels, (rows, columns, labels).
    """
    read = codes != Cell.UNREAD
    labels = np.where(read, codes, 0).astype(np.intp)
    own = np.take_along_axis(scores, labels[..., None], axis=2)[..., 0]
    return np.where(read & (scores.max(axis=2) - own > DOUBT), np.int8(Cell.UNREAD), codes)


def whole_cells(grid: Grid, image: Image) -> npt.NDArray[np.bool_]:
    """Which cells a picture (height, width, 3) shows whole or nearly so: (rows, columns)."""
    across, down = (
        np.diff(np.clip(edges, 0, length)) >= MIN_IN_SIGHT * pitch
        for edges, length, pitch in (
            (grid.exact_columns, image.shape[1], grid.cell_width),
            (grid.exact_rows, image.shape[0], grid.cell_height),
        )
    )
    return np.outer(down, across)


def _alone(one: TrainedReading) -> UnknownReading:
    """What the network alone reads. Where nothing says that the game is over, what it takes for mines is not
    believed."""
    codes = one.board.codes
    if not np.isin(codes, SHOWN_AT_END).any():
        codes = np.where(codes == Cell.MINE, np.int8(Cell.UNREAD), codes)
    return UnknownReading(one.found, Board(codes), one.rank)
