"""Reads the boards in a picture: by a known skin where one fits surely, else by the general reader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from bot.board import LEVELS, UNOPENED, Board, Cell
from bot.errors import FormatError
from bot.geometry import Rect
from bot.vision.general.general_reader import GeneralReading, read_any_boards
from bot.vision.grid import Grid, Image
from bot.vision.grids.grid_search import GridSearch
from bot.vision.grids.hexagons import HEXAGONS, has_hexagons
from bot.vision.header.counter import counter_reader
from bot.vision.plausibility import why_no_game, without_misread_numbers
from bot.vision.skin_search import FoundBoard, find_boards
from bot.vision.surfaces import is_patchwork
from bot.vision.themes.skin import Skin

MIN_AGREEMENT = 0.97
"""Minimum part of the cells that a skin must read, and of those that it must read as the general reader does,
to be preferred on each cell."""

MAX_BOARDS, MAX_RANK_RATIO = 16, 30.0
"""Maximum number of boards that the general reader looks for, and by how much their ranks may differ: beside
a large and clear board, something small and unclear is no board."""

MIN_ROOM = 48
"""Width and height of the smallest board, in pixels: without such a free square no other board is sought."""

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


def read_picture(
    image: Image, skins: Sequence[Skin], *, only_known: bool = False, size: tuple[int, int] | None = None
) -> PictureReading:
    """The one board that a picture shows, as `read_boards` has it; FormatError also if there are several."""
    boards = read_boards(image, skins, only_known=only_known, size=size)
    if len(boards) > 1:
        raise FormatError(f"{len(boards)} boards were found: cut the picture to one of them")
    return boards[0]


def read_boards(
    image: Image, skins: Sequence[Skin], *, only_known: bool = False, size: tuple[int, int] | None = None
) -> list[PictureReading]:
    """Every board that a picture (height, width, 3) shows, from the top to the bottom and left to right.

    A skin is believed where it reads every cell, these can be a board, and its border is visible. Elsewhere
    the general reader decides, unless `only_known`; beside a board that is believed so, what it does not read
    whole is none. With `size`, (columns, rows), boards of another size do not count. Raises FormatError if
    there is no board.
    """
    search = GridSearch(image)
    found_by_skin = find_boards(image, skins, search=search)
    possible = [one for one in found_by_skin if why_no_game(one.reading.board.codes) is None]
    found = [one for one in possible if _has_size(one.reading.board, size)]
    sure = [one for one in found if _is_sure(one)]
    doubtful = [one for one in found if one not in sure]
    boards = [_by_skin(one) for one in sure]

    def is_whole(found: FoundBoard) -> bool:
        return only_known or size is not None or _is_framed(image, found)

    if not only_known:
        for general in _general_boards(image, [_surroundings(one) for one in sure], size, search):
            rivals = [one for one in doubtful if one.grid.rect.intersects(general.found.grid.rect)]
            if not rivals and _is_printed(general, sure):
                continue
            believed = [one for one in rivals if is_whole(one) or _agrees(one, general)]
            if not _is_as_good(believed, general):
                boards.append(_by_general_reader(image, general, rivals))
            else:
                boards += [_by_skin(one) for one in believed]
            doubtful = [one for one in doubtful if one not in rivals]
    boards += [_by_skin(one) for one in doubtful if is_whole(one)]
    if not boards:
        raise FormatError(_why_none(image, skins, size, only_known=only_known))
    return _in_reading_order(boards)


def _has_size(board: Board, size: tuple[int, int] | None) -> bool:
    return size is None or (board.columns, board.rows) == size


def _is_sure(found: FoundBoard) -> bool:
    """Whether a skin reads a whole board: every cell, with its border on every side."""
    return not found.reading.board.count(Cell.UNREAD) and not found.hidden_sides


def _agrees(found: FoundBoard, general: GeneralReading) -> bool:
    """Whether a skin and the general reader read the same board."""
    codes, others = found.reading.board.codes, general.board.codes
    return codes.shape == others.shape and bool(((codes == others) | (others == Cell.UNREAD)).all())


def _is_printed(general: GeneralReading, sure: Sequence[FoundBoard]) -> bool:
    """Whether a board beside others that are known for `sure` is one that somebody printed, a bot say: it
    cannot be read whole, or its position, with something opened, is that of one of them."""
    if general.board.count(Cell.UNREAD):
        return bool(sure)
    is_begun = (general.board.codes < Cell.COVERED).any()
    return bool(is_begun) and any(_agrees(one, general) for one in sure)


def _is_framed(image: Image, found: FoundBoard) -> bool:
    """Whether the border of a board is visible wherever the picture goes on: else cells may go on too."""
    rect, (height, width) = found.grid.rect, image.shape[:2]
    cell = found.grid.cell_width, found.grid.cell_height
    room = {
        "left": rect.x >= cell[0],
        "top": rect.y >= cell[1],
        "right": width - rect.right >= cell[0],
        "bottom": height - rect.bottom >= cell[1],
    }
    return not any(room[side] for side in found.hidden_sides)


def _surroundings(found: FoundBoard) -> Rect:
    """The pixels of a board and of what belongs to its game around it."""
    rect, margins, factor = found.grid.rect, found.skin.margins, found.skin.scale_of(found.grid)
    left, top = round(margins.left * factor), round(margins.top * factor)
    right, bottom = round(margins.right * factor), round(margins.bottom * factor)
    return Rect(rect.x - left, rect.y - top, rect.width + left + right, rect.height + top + bottom)


def _general_boards(
    image: Image, taken: Sequence[Rect], size: tuple[int, int] | None, search: GridSearch
) -> list[GeneralReading]:
    """The boards that the general reader finds outside the places that are taken; `search`: that of the
    picture.

    It gives the boards of the clearest grids; after these are blotted out it is asked again.
    """
    left, boards = _blotted(image, taken), list[GeneralReading]()
    while len(boards) < MAX_BOARDS and _has_room(left, [*taken, *(one.found.grid.rect for one in boards)]):
        new: list[GeneralReading] = []
        whole = search if left is image else None
        for one in read_any_boards(left, is_rest=whole is None, search=whole):
            untouched = bool(np.isin(one.board.codes, (*UNOPENED, Cell.UNREAD)).all())
            if why_no_game(one.board.codes) or (untouched and is_patchwork(image, one.found.grid)):
                continue
            rivals = (*new, *boards)
            if not any(one.found.grid.rect.intersects(other.found.grid.rect) for other in rivals):
                new.append(one)
        if not new:
            break
        best = max(one.rank for one in (*new, *boards))
        boards += [one for one in new if one.rank * MAX_RANK_RATIO >= best]
        left = _blotted(left, [one.found.grid.rect for one in new])
    return [one for one in boards if _has_size(one.board, size)]


def _blotted(image: Image, places: Sequence[Rect]) -> Image:
    """The picture with each place filled in the colour that prevails around it."""
    if not places:
        return image
    blotted: Image = image.copy()
    picture = Rect(0, 0, image.shape[1], image.shape[0])
    for place in places:
        inner = place.clipped(picture)
        outer = Rect(place.x - 1, place.y - 1, place.width + 2, place.height + 2).clipped(picture)
        ring = np.ones((outer.height, outer.width), bool)
        ring[inner.y - outer.y :, inner.x - outer.x :][: inner.height, : inner.width] = False
        around = image[outer.y : outer.bottom, outer.x : outer.right][ring]
        colour = np.median(around, axis=0) if len(around) else np.zeros(3)
        blotted[inner.y : inner.bottom, inner.x : inner.right] = colour.astype(np.uint8)
    return blotted


def _has_room(image: Image, taken: Sequence[Rect]) -> bool:
    """Whether a picture has a square outside these places into which the smallest board fits."""
    free = np.zeros((image.shape[0] + 2, image.shape[1] + 2), np.uint8)
    free[1:-1, 1:-1] = 1
    for place in taken:
        free[
            max(0, place.y + 1) : max(0, place.bottom + 1), max(0, place.x + 1) : max(0, place.right + 1)
        ] = 0
    return bool(cv2.distanceTransform(free, cv2.DIST_C, 3).max() * 2 > MIN_ROOM)


def _why_none(image: Image, skins: Sequence[Skin], size: tuple[int, int] | None, *, only_known: bool) -> str:
    if has_hexagons(image):
        return f"{HEXAGONS}, and is not read"
    wanted = "" if size is None else f" of {size[0]}x{size[1]} cells"
    if only_known:
        names = ", ".join(sorted(skin.name for skin in skins))
        return f"no board{wanted} of this theme was found: try without --theme (looked for: {names})"
    sizes = "say its --size" if size is None else "leave out --size, if it may be another one"
    return (
        f"no Minesweeper board{wanted} was found: cut the picture to the board, all of its cells in sight, or"
        f" {sizes}; `minebot calibrate` learns a game in a window"
    )


def _in_reading_order(boards: Sequence[PictureReading]) -> list[PictureReading]:
    """The boards from the top to the bottom; those beside each other from left to right."""
    left = sorted(boards, key=lambda one: one.grid.rect.y)
    ordered: list[PictureReading] = []
    while left:
        row = [one for one in left if one.grid.rect.y < left[0].grid.rect.center.y]
        ordered += sorted(row, key=lambda one: one.grid.rect.x)
        left = [one for one in left if one not in row]
    return ordered


def _by_skin(found: FoundBoard) -> PictureReading:
    reading = found.reading
    return PictureReading(found.skin, found.grid, reading.board, reading.counter, found.hidden_sides)


def _by_general_reader(image: Image, best: GeneralReading, found: Sequence[FoundBoard]) -> PictureReading:
    """The reading of the general reader, with the cells that a skin reads more surely."""
    counter = counter_reader(None, best.found.grid).read(image, best.board)
    board = Board(without_misread_numbers(_with_cells_of_skin(best.board, found).codes))
    reading = PictureReading(None, best.found.grid, board, counter, best.found.cropped_sides)
    # A counter that does not fit the usual level of this size is more likely to be misread than right.
    usual = USUAL_MINES.get((best.board.columns, best.board.rows))
    return reading if usual in (None, reading.mines) else replace(reading, counter=None)


def _with_cells_of_skin(board: Board, found: Sequence[FoundBoard]) -> Board:
    """The board with the cells of a skin that reads nearly all of them alike; else as it is.

    What the skin does not read on one cell alone is nothing that it has pictures of: what is not like its
    flags is no flag, but a mouse pointer. On several cells it is: another game's, of nearly the same look.
    """
    for one in found:
        codes = one.reading.board.codes
        if codes.shape == board.codes.shape:
            read = codes != Cell.UNREAD
            if read.mean() >= MIN_AGREEMENT and (codes == board.codes)[read].mean() >= MIN_AGREEMENT:
                known = {int(code) for glyphs in one.skin.glyph_sets for code in glyphs.codes}
                others, times = np.unique(board.codes[~read], return_counts=True)
                pointed = [code for code in others[times == 1].tolist() if code in known]
                filled = np.where(np.isin(board.codes, pointed), int(Cell.UNREAD), board.codes)
                return Board(np.where(read, codes, filled))
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
