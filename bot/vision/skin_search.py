"""Finds boards of known skins in a picture of a whole screen.

What covered, flagged and questioned cells of a skin share (their bevel) is looked for by a handful of
pixels at once over the whole picture; then whole cells are compared on the lattices that these seeds
give, and joined to rectangles. A board is only called playable where its border is seen on every side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, product
from math import ceil
from typing import Any

import cv2
import numpy as np

from bot.board import Cell
from bot.geometry import Point, Rect
from bot.vision.cells.glyph_reader import GlyphReader
from bot.vision.grid import Grid, Image
from bot.vision.grids.align import aligned
from bot.vision.grids.anchor_pixels import SMALLEST, AnchorLattice, ColourMasks, anchor_pixels
from bot.vision.grids.checkerboard import boards
from bot.vision.grids.grid_search import grid_batches
from bot.vision.grids.hidden_sides import hidden_sides
from bot.vision.grids.shade_presence import shades_present
from bot.vision.grids.tiles import tile_grids
from bot.vision.reading import Reading
from bot.vision.themes.schema import TileSpec
from bot.vision.themes.skin import Skin

SMALLEST_SCALE, LARGEST_SCALE = 0.75, 3.0
"""Themes are looked for at every whole cell width from and to so many times that of their first cut."""

FILLED = 0.5
"""The part of a found rectangle whose cells must be readable; the rest may be covered."""

MOSTLY = 0.9
"""The same of a grid that was found by its repetition alone."""

GRIDS = 3
"""So many of those, the best, are tried."""

EXACT = 0.5
"""Cells nearer to their glyphs, as a mean colour difference (0 to 255), are of that skin and no other."""

IN_CORNER = 3
"""So many cells lie around one in a corner of a board."""

BEYOND = 6
"""So many cells around those that are known it is looked for more, at one time."""


@dataclass(frozen=True)
class FoundBoard:
    """A board in a picture."""

    skin: Skin
    grid: Grid
    reading: Reading
    hidden_sides: tuple[str, ...]
    """The sides (left, top, right, bottom) on which the border of the board is not seen: it is cut there
    by the edge of the picture, or covered by something."""


def find_boards(image: Image, skins: Sequence[Skin], *, any_pitch: bool = True) -> list[FoundBoard]:
    """Every board of these skins in the picture, from the top left; none is an empty list.

    With `any_pitch`, cells of a width with fractions are looked for too where those of the sizes that were
    cut show no board with a border; that takes longer.
    """
    found: list[FoundBoard] = []
    pictured = _Pictured(image, skins)
    for found_one in chain(
        *(_of_colours(image, skin) for skin in skins if skin.palette is not None),
        *(_of_tiles(image, skin, skin.tiles) for skin in skins if skin.tiles is not None),
        pictured.as_cut(),
    ):
        found = _with(found, found_one)
    # At a wrong width some cells fit here and there: a border is not seen all around those. What repeats is
    # asked before all other whole widths are: they are many, and a board between two of them has cells that
    # nearly fit to both.
    unsettled = all(one.hidden_sides and not _exact(one) for one in found)
    repeated = [*_shaded_in(image, skins, found), *(pictured.skins if any_pitch and unsettled else ())]
    where = _where_it_repeats(image, repeated) if repeated else _Repeated([], [])
    for found_one in where.boards:
        found = _with(found, found_one)
    # A second board of another whole width would repeat as well.
    if not where.is_all:
        for found_one in where.framed:
            pictured.leave_out(found_one.grid.rect)
        for found_one in pictured.scaled():
            found = _with(found, found_one)
    return sorted(found, key=lambda one: (one.grid.y, one.grid.x))


def _with(found: list[FoundBoard], one: FoundBoard) -> list[FoundBoard]:
    """The boards and one more, or as they were where a better one lies at that place."""
    rivals = [other for other in found if other.grid.rect.intersects(one.grid.rect)]
    if all(_worth(one) > _worth(other) for other in rivals):
        return [other for other in found if other not in rivals] + [one]
    return found


def _shaded_in(image: Image, skins: Sequence[Skin], found: Sequence[FoundBoard]) -> list[Skin]:
    """The skins whose covered cells have no colour in common of which a picture may show a board, beside
    those that were found."""
    beside = [one.grid.rect for one in found]
    return [
        skin
        for skin in skins
        if skin.shaded and shades_present(image, skin, SMALLEST_SCALE * skin.glyph_sets[0].cell[0], beside)
    ]


@dataclass(frozen=True)
class _Repeated:
    """What repetition alone shows."""

    boards: list[FoundBoard]
    others: list[Grid]
    """The grids on which no board was found."""

    @property
    def framed(self) -> list[FoundBoard]:
        """The boards whose borders are seen."""
        return [one for one in self.boards if not one.hidden_sides]

    @property
    def is_all(self) -> bool:
        """Whether there is a board, its border is seen, and nothing else looks like a grid."""
        return bool(self.boards) and len(self.framed) == len(self.boards) and not self.others


def _where_it_repeats(image: Image, skins: Sequence[Skin]) -> _Repeated:
    """The boards of skins on grids that repetition alone shows, whatever their pitch."""
    for number, turn in enumerate(grid_batches(image)):
        # Lines part the cells of a shaded skin: they are clearly seen at once, or it is none.
        asked = [skin for skin in skins if number == 0 or not skin.shaded]
        boards = [board for found in turn[:GRIDS] for board in _on_grid(image, asked, found.grid)]
        if boards or not asked:
            taken = [board.grid.rect for board in boards]
            others = [one.grid for one in turn if not any(rect.intersects(one.grid.rect) for rect in taken)]
            return _Repeated(boards, others)
    return _Repeated([], [])


def _on_grid(image: Image, skins: Sequence[Skin], grid: Grid) -> Iterator[FoundBoard]:
    """The boards of skins that lie on a grid, which is known to a pixel or two."""
    if min(grid.columns, grid.rows) < SMALLEST:
        return
    scaled = [skin for skin in skins if _may_have(skin, grid)]
    known: dict[tuple[str, Grid], FoundBoard] = {}

    def found_on(skin: Skin, grid: Grid) -> FoundBoard:
        if (skin.name, grid) not in known:
            reading = GlyphReader(skin, grid).read(image, header=True)
            known[skin.name, grid] = FoundBoard(skin, grid, reading, hidden_sides(image, skin, grid))
        return known[skin.name, grid]

    def is_right(skin: Skin, grid: Grid) -> bool:
        # The lines between cells are where repetition says they are; a bevel's sharpest edge is a little off.
        found = found_on(skin, grid) if skin.shaded else None
        return found is not None and not found.hidden_sides and not found.reading.board.count(Cell.UNREAD)

    for skin, fitting in aligned(image, scaled, grid, is_right):
        found = found_on(skin, fitting)
        if (found.reading.board.codes != Cell.UNREAD).mean() >= MOSTLY and _is_no_pale_skin(found):
            yield found


def _may_have(skin: Skin, grid: Grid) -> bool:
    """Whether a skin is looked for at the size of the cells of a grid."""
    return SMALLEST_SCALE <= grid.cell_width / skin.glyph_sets[0].cell[0] <= LARGEST_SCALE


def _is_no_pale_skin(found: FoundBoard) -> bool:
    """Whether a board of a shaded skin shows more than pale cells: those of other skins are much like its
    opened ones."""
    if not found.skin.shaded:
        return True
    codes = found.reading.board.codes
    framed = len(found.hidden_sides) < len(found.skin.border)
    return bool((codes == Cell.COVERED).any() or (framed and ((codes >= 1) & (codes <= 8)).any()))


def _exact(found: FoundBoard) -> bool:
    """Whether every cell is that of the skin, pixel for pixel."""
    unread = found.reading.board.count(Cell.UNREAD)
    return not unread and float(found.reading.distances.mean()) < EXACT


def _worth(found: FoundBoard) -> tuple[int, float, int]:
    """Of two boards at one place, the one with more readable cells, then the nearer one, is there.

    Untouched boards of several skins look the same: then the face decides, where a skin knows it.
    """
    unread = found.reading.board.count(Cell.UNREAD)
    face = found.skin.face
    known = 2 if found.reading.face is not None else 1 if face is None or not face.moods else 0
    return found.reading.board.codes.size - unread, -float(found.reading.distances.mean()), known


def scaled_widths(skin: Skin) -> list[int]:
    """The whole cell widths, in pixels, at which a skin is looked for and that were not cut."""
    base = skin.glyph_sets[0].cell[0]
    all_of_them = range(ceil(base * SMALLEST_SCALE), round(base * LARGEST_SCALE) + 1)
    return sorted({*all_of_them} - {cut.cell[0] for cut in skin.glyph_sets})


def _pictured(skins: Sequence[Skin]) -> list[Skin]:
    """Those that tell their cells by pictures, all of one size and side by side."""
    return [skin for skin in skins if skin.palette is None and skin.tiles is None and not skin.shaded]


def _of_colours(image: Image, skin: Skin) -> Iterator[FoundBoard]:
    for board in boards(image, skin):
        yield FoundBoard(skin, *board)


class _Pictured:
    """Looks for the boards of skins that tell their cells by pictures, at whole widths, in one picture."""

    def __init__(self, image: Image, skins: Sequence[Skin]) -> None:
        self._image = image
        self.skins = _pictured(skins)
        """Those that are looked for."""
        colours = {colour for skin in self.skins for cut in skin.glyph_sets for colour in cut.anchors}
        self._masks = ColourMasks(image, colours)
        self._taken: list[Rect] = []
        """Where boards lie that can be no others."""
        self._own: dict[str, list[Rect]] = {skin.name: [] for skin in self.skins}
        """Where boards of each skin were found."""

    def leave_out(self, rect: Rect) -> None:
        """Look for no more boards in a part of the picture."""
        self._masks.leave_out(rect)

    def as_cut(self) -> Iterator[FoundBoard]:
        """The boards of the sizes that were cut."""
        return self._of_widths(lambda skin: sorted({cut.cell[0] for cut in skin.glyph_sets}))

    def scaled(self) -> Iterator[FoundBoard]:
        """The boards of all other whole widths, beside those that can be no others."""
        for rect in self._taken:
            self._masks.leave_out(rect)
        return self._of_widths(scaled_widths)

    def _of_widths(self, widths: Callable[[Skin], list[int]]) -> Iterator[FoundBoard]:
        sizes = [
            (skin, seeds)
            for skin in self.skins
            for width in widths(skin)
            if (seeds := anchor_pixels(skin, width, self._masks)) is not None
        ]
        # Cells of another skin or size match here and there: those of the right one lie on one lattice.
        for skin, size in sorted(sizes, key=lambda one: -one[1].lattices[0].count):
            cell = GlyphReader(skin, Grid(0, 0, size.width, size.height, 1, 1))
            for lattice in size.beside([*self._taken, *self._own[skin.name]]):
                places = [
                    Rect(x, y, size.width, size.height)
                    for x, y in lattice.seeds
                    if not any(rect.contains(Point(x, y)) for rect in (*self._taken, *self._own[skin.name]))
                ]
                if not any(_is_of_board(self._image, cell, place) for place in places):
                    continue
                for found in _on_lattice(self._image, skin, size.width, size.height, lattice):
                    (self._taken if _is_exact(found) else self._own[skin.name]).append(found.grid.rect)
                    yield found


def _is_exact(found: FoundBoard) -> bool:
    """Whether a board can be of no other skin: read exactly, with a number on it or a face that is known.

    Covered cells alone look the same in several themes.
    """
    board, reading = found.reading.board, found.reading
    if board.count(Cell.UNREAD) or float(reading.distances.mean()) >= EXACT:
        return False
    return reading.face is not None or bool(((board.codes >= 1) & (board.codes <= 8)).any())


def _of_tiles(image: Image, skin: Skin, tiles: TileSpec) -> Iterator[FoundBoard]:
    for grid in tile_grids(image, tiles.background.bgr, tiles.gap, tiles.least):
        reading = GlyphReader(skin, grid).read(image, header=True)
        if (reading.board.codes != Cell.UNREAD).mean() >= FILLED:
            yield FoundBoard(skin, grid, reading, hidden_sides(image, skin, grid))


def _is_of_board(image: Image, reader: GlyphReader, place: Rect) -> bool:
    """Whether one cell reads as covered, flagged or questioned, and some of those around it as any."""
    if _look(image, reader, place) not in (Cell.COVERED, Cell.FLAG, Cell.QUESTION):
        return False
    beside = (
        place.moved(across * place.width, down * place.height)
        for across, down in product((-1, 0, 1), repeat=2)
        if (across, down) != (0, 0)
    )
    readable = (_look(image, reader, other) != Cell.UNREAD for other in beside)
    return sum(islice((one for one in readable if one), IN_CORNER)) == IN_CORNER


def _look(image: Image, reader: GlyphReader, place: Rect) -> int:
    """What a cell at a place shows, UNREAD where it is not wholly in the picture."""
    if not Rect(0, 0, image.shape[1], image.shape[0]).encloses(place):
        return int(Cell.UNREAD)
    return reader.look(image[place.y : place.bottom, place.x : place.right])


def _on_lattice(
    image: Image, skin: Skin, width: int, height: int, lattice: AnchorLattice
) -> Iterator[FoundBoard]:
    """The boards whose cells lie on one lattice."""
    columns, rows = (image.shape[1] - lattice.x) // width, (image.shape[0] - lattice.y) // height
    # Boards reach beyond their unopened cells: it is looked farther until their rims are seen.
    left, top = (lattice.around.x - lattice.x) // width, (lattice.around.y - lattice.y) // height
    right, bottom = left + lattice.around.width // width, top + lattice.around.height // height
    whole = Rect(0, 0, columns, rows)
    part = Rect(left, top, right - left, bottom - top)
    while True:
        wider = Rect(part.x - BEYOND, part.y - BEYOND, part.width + 2 * BEYOND, part.height + 2 * BEYOND)
        part = wider.clipped(whole)
        x, y = lattice.x + part.x * width, lattice.y + part.y * height
        codes = GlyphReader(skin, Grid(x, y, width, height, part.width, part.height)).read(image).board.codes
        readable = codes != Cell.UNREAD
        rims = (
            (part.x > 0, readable[:, 0]),
            (part.right < columns, readable[:, -1]),
            (part.y > 0, readable[0]),
            (part.bottom < rows, readable[-1]),
        )
        if not any(more and rim.any() for more, rim in rims):
            break
    unopened = np.isin(codes, (Cell.COVERED, Cell.FLAG, Cell.QUESTION))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(readable.astype(np.uint8), connectivity=4)
    boxes = _joined([_box(stats[label]) for label in range(1, count) if unopened[labels == label].any()])
    for left, top, right, bottom in boxes:
        if right - left < SMALLEST or bottom - top < SMALLEST:
            continue
        if readable[top:bottom, left:right].mean() < FILLED:
            continue
        grid = Grid(x + left * width, y + top * height, width, height, right - left, bottom - top)
        reading = GlyphReader(skin, grid).read(image, header=True)
        yield FoundBoard(skin, grid, reading, hidden_sides(image, skin, grid))


Box = tuple[int, int, int, int]


def _box(stats: np.ndarray[Any, Any]) -> Box:
    left, top, width, height = (int(value) for value in stats[:4])
    return left, top, left + width, top + height


def _joined(boxes: list[Box]) -> list[Box]:
    """Boxes that overlap are parts of one board, which something covers in part."""
    joined: list[Box] = []
    for box in boxes:
        left, top, right, bottom = box
        changed = True
        while changed:
            changed = False
            for other in list(joined):
                if left < other[2] and other[0] < right and top < other[3] and other[1] < bottom:
                    joined.remove(other)
                    left, top = min(left, other[0]), min(top, other[1])
                    right, bottom = max(right, other[2]), max(bottom, other[3])
                    changed = True
        joined.append((left, top, right, bottom))
    return joined
