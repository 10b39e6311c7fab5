"""Reads the one board in a picture: by a known skin if one fits, else by the general reader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from bot.board import LEVELS, Board, Cell
from bot.errors import FormatError
from bot.vision.general.general_reader import GeneralReading, read_any_boards
from bot.vision.grid import Grid, Image
from bot.vision.header.counter import counter_reader
from bot.vision.skin_search import FoundBoard, find_boards
from bot.vision.themes.skin import Skin

MIN_AGREEMENT = 0.97
"""Minimum part of the cells that a skin must read, and of those that it must read as the general reader does,
to be preferred on each cell."""

MIN_RANK_RATIO = 1.5
"""Of several boards the best one is meant if its rank is at least this many times the next one's."""

USUAL_MINES = {(columns, rows): mines for columns, rows, mines in LEVELS.values()}
USUAL_MINES |= {(8, 8): 10, (10, 8): 10, (18, 14): 40, (24, 20): 99}
"""The mines of the levels that games have, by columns and rows."""


@dataclass(frozen=True)
class PictureReading:
    """A board in a picture."""

    skin: Skin | None
    """How its game looks; None if the general reader read it."""
    grid: Grid
    board: Board
    counter: int | None
    """What the mine counter shows; None if there is none, or it cannot be read."""
    hidden_sides: tuple[str, ...]
    """The sides (left, top, right, bottom) on which cells are cropped or the border is not visible."""

    @property
    def mines(self) -> int | None:
        """The mines of the board: the counter plus the flags; None where that cannot be."""
        if self.counter is None:
            return None
        total = self.counter + self.board.count(Cell.FLAG)
        return total if 0 < total < self.board.codes.size else None


def read_picture(image: Image, skins: Sequence[Skin], *, only_known: bool = False) -> PictureReading:
    """The one board that a picture (height, width, 3) shows.

    The skins are tried first. If none reads every cell, the general reader is tried too, unless `only_known`.
    Raises FormatError if there is no board, and if there are several.
    """
    found = find_boards(image, skins)
    if len(found) == 1 and not found[0].reading.board.count(Cell.UNREAD) and not found[0].hidden_sides:
        return _by_skin(found[0])
    if not only_known:
        boards = read_any_boards(image)
        if boards and not _is_as_good(found, boards[0]):
            if len(boards) > 1 and boards[0].rank < MIN_RANK_RATIO * boards[1].rank:
                raise FormatError(f"{len(boards)} boards were found: cut the picture to one of them")
            return _by_general_reader(image, boards[0], found)
    if not found:
        if only_known:
            names = ", ".join(sorted(skin.name for skin in skins))
            raise FormatError(f"no board of this theme was found: try without --theme (looked for: {names})")
        raise FormatError(
            "no Minesweeper board was found: cut the picture to the board, all of its cells in sight"
        )
    if len(found) > 1:
        raise FormatError(f"{len(found)} boards were found: cut the picture to one of them")
    return _by_skin(found[0])


def _by_skin(found: FoundBoard) -> PictureReading:
    reading = found.reading
    return PictureReading(found.skin, found.grid, reading.board, reading.counter, found.hidden_sides)


def _by_general_reader(image: Image, best: GeneralReading, found: Sequence[FoundBoard]) -> PictureReading:
    """The reading of the general reader, with the cells that a skin reads more surely."""
    counter = counter_reader(None, best.found.grid).read(image, best.board)
    board = _with_cells_of_skin(best.board, found)
    reading = PictureReading(None, best.found.grid, board, counter, best.found.cropped_sides)
    # A counter that does not fit the usual level of this size is more likely to be misread than right.
    usual = USUAL_MINES.get((best.board.columns, best.board.rows))
    return reading if usual in (None, reading.mines) else replace(reading, counter=None)


def _with_cells_of_skin(board: Board, found: Sequence[FoundBoard]) -> Board:
    """The board with the cells of a skin that reads nearly all of them alike; else as it is."""
    for codes in (one.reading.board.codes for one in found):
        if codes.shape == board.codes.shape:
            read = codes != Cell.UNREAD
            if read.mean() >= MIN_AGREEMENT and (codes == board.codes)[read].mean() >= MIN_AGREEMENT:
                return Board(np.where(read, codes, board.codes))
    return board


def _is_as_good(found: Sequence[FoundBoard], general: GeneralReading) -> bool:
    """Whether a single board that a skin read in part is as good as that of the general reader."""
    if len(found) != 1:
        return False
    one, board = found[0], found[0].reading.board
    if one.hidden_sides:
        # Plain paper around a board looks like opened cells: these alone do not make a board larger.
        inner = general.found.grid.rect
        cells = np.ndindex(board.rows, board.columns)
        outside = {board[cell] for cell in cells if not inner.contains(one.grid.center(cell))}
        if outside == {Cell.EMPTY}:
            return False
    larger = board.codes.size >= general.board.codes.size
    return larger and board.count(Cell.UNREAD) <= general.board.count(Cell.UNREAD)
