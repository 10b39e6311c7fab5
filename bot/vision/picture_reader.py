"""The boards in a picture, whatever their skin: by a skin where one fits, else without any."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from bot.board import Board, Cell
from bot.errors import FormatError
from bot.vision.general.general_reader import GeneralReading, read_any_boards
from bot.vision.grid import Grid, Image
from bot.vision.header.counter import counter_reader
from bot.vision.skin_search import FoundBoard, find_boards
from bot.vision.themes.skin import Skin

ALIKE = 0.97
"""The part of its cells that a skin must read, and must read as is done without one."""

CLEARLY_BETTER = 1.5
"""So many times as much as the next one must speak for the board that is meant, where there are several."""


USUAL_MINES = {
    (8, 8): 10,
    (9, 9): 10,
    (16, 16): 40,
    (30, 16): 99,
    (10, 8): 10,
    (18, 14): 40,
    (24, 20): 99,
}
"""The mines of the levels that games have, by columns and rows."""


@dataclass(frozen=True)
class PictureReading:
    """A board in a picture."""

    skin: Skin | None
    """How its game looks; None where the general reader read it."""
    grid: Grid
    board: Board
    counter: int | None
    """What the mine counter shows; None where there is none, or it was not made out."""
    cut: tuple[str, ...]
    """The sides on which cells are cut by the edge of the picture, or the border is not seen."""

    @property
    def mines(self) -> int | None:
        """The total: what the counter shows and the flags; None where that cannot be."""
        if self.counter is None:
            return None
        total = self.counter + self.board.count(Cell.FLAG)
        return total if 0 < total < self.board.codes.size else None


def read_picture(image: Image, skins: Sequence[Skin], *, only_known: bool = False) -> PictureReading:
    """The one board that a picture (height, width, 3) shows.

    Themes are tried first; where none reads every cell the picture is read without a skin, unless
    `only_known`. Raises FormatError where there is no board, and where there are several.
    """
    found = find_boards(image, skins)
    if len(found) == 1 and not found[0].reading.board.count(Cell.UNREAD) and not found[0].hidden_sides:
        return _by_theme(found[0])
    if not only_known:
        boards = read_any_boards(image)
        if boards and not _as_good(found, boards[0]):
            if len(boards) > 1 and boards[0].worth < CLEARLY_BETTER * boards[1].worth:
                raise FormatError(f"{len(boards)} boards were found: cut the picture to one of them")
            best = boards[0]
            counter = counter_reader(None, best.found.grid).read(image, best.board)
            seen = PictureReading(
                None, best.found.grid, _together(found, best.board), counter, best.found.cropped_sides
            )
            # A counter that does not fit the usual game of this size is rather misread than right.
            usual = USUAL_MINES.get((best.board.columns, best.board.rows))
            return seen if usual in (None, seen.mines) else replace(seen, counter=None)
    if not found:
        if only_known:
            names = ", ".join(sorted(skin.name for skin in skins))
            raise FormatError(f"no board of this skin was found: try without --skin (looked for: {names})")
        raise FormatError(
            "no Minesweeper board was found: cut the picture to the board, all of its cells in sight"
        )
    if len(found) > 1:
        raise FormatError(f"{len(found)} boards were found: cut the picture to one of them")
    return _by_theme(found[0])


def _by_theme(found: FoundBoard) -> PictureReading:
    return PictureReading(
        found.skin, found.grid, found.reading.board, found.reading.counter, found.hidden_sides
    )


def _together(found: Sequence[FoundBoard], other: Board) -> Board:
    """A board that was read without a skin, its cells as a skin that reads nearly all of them alike has
    them: what a skin reads is surer."""
    for one in found:
        codes = one.reading.board.codes
        if codes.shape == other.codes.shape:
            read = codes != Cell.UNREAD
            if read.mean() >= ALIKE and (codes == other.codes)[read].mean() >= ALIKE:
                return Board(np.where(read, codes, other.codes))
    return other


def _as_good(found: Sequence[FoundBoard], other: GeneralReading) -> bool:
    """Whether a single board that a skin read in part is as good as one read without a skin."""
    if len(found) != 1:
        return False
    board = found[0].reading.board
    # Plain paper can look like opened cells: where the border is not seen, and all that a skin sees more is
    # such cells, they are none.
    if found[0].hidden_sides:
        inner = other.found.grid.rect
        more = [
            int(board[row, column])
            for row in range(board.rows)
            for column in range(board.columns)
            if not inner.contains(found[0].grid.center((row, column)))
        ]
        if more and set(more) == {int(Cell.EMPTY)}:
            return False
    return board.codes.size >= other.board.codes.size and board.count(Cell.UNREAD) <= other.board.count(
        Cell.UNREAD
    )
