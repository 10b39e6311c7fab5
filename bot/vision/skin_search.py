"""Finds boards of known skins in a picture of a whole screen.

A skin that is read by glyphs has anchor pixels: a few that all unopened cells share (in their bevel). They
are searched in the whole picture at once; then whole cells are compared on the lattices that the candidates
form, and joined to rectangles. Skins of flat colours, tiles or shades have searches of their own in `grids`.
Cells of other sizes are searched where the picture repeats. A board can be played only if its border is
visible on every side.

`python -m tests.pin check --only scaled --only screens --only samples` shows what another value of a constant
changes, and `benchmarks/vision.py` what it costs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, product
from math import ceil

import cv2
import numpy as np

from bot.board import UNOPENED, Cell, Codes
from bot.geometry import Point, Rect
from bot.vision.cells.glyph_reader import GlyphReader
from bot.vision.grid import MIN_BOARD_SIDE, Grid, Image
from bot.vision.grids.align import align
from bot.vision.grids.anchor_pixels import CandidateLattice, ColourMasks, candidate_cells
from bot.vision.grids.checkerboard import checkerboards
from bot.vision.grids.colour_mask import may_show_shades
from bot.vision.grids.grid_search import GridSearch
from bot.vision.grids.hidden_sides import hidden_sides
from bot.vision.grids.tiles import tile_grids
from bot.vision.reading import Reading
from bot.vision.themes.schema import TileSpec
from bot.vision.themes.skin import Skin

MIN_SCALE, MAX_SCALE = 0.75, 3.0
"""Range of the cell widths at which a skin is searched, as multiples of the width of its first glyphs."""

MIN_READABLE, MIN_READABLE_PERIODIC = 0.5, 0.9
"""Minimum readable part of the cells of a board, which something may cover: in general, and on a grid that
was found by its periodicity alone."""

MAX_PERIODIC_GRIDS = 3
"""Number of the best of those grids that are read."""

MAX_EXACT_DISTANCE = 0.5
"""Maximum mean distance (colour difference, 0 to 255) of cells from the glyphs that they are drawn with."""

MAX_MISSED = 3
"""Number of rows (or columns) by which a board is made larger on a side to find its border: where the outer
cells differ all from each other, periodicity may miss them."""

GROWTH = 6
"""Number of cells by which the part of a lattice that is read grows on each side."""


@dataclass(frozen=True)
class FoundBoard:
    """A board in a picture."""

    skin: Skin
    grid: Grid
    reading: Reading
    hidden_sides: tuple[str, ...]
    """The sides (left, top, right, bottom) on which the border of the board is not visible."""


def find_boards(
    image: Image, skins: Sequence[Skin], *, any_pitch: bool = True, search: GridSearch | None = None
) -> list[FoundBoard]:
    """Every board of these skins in a picture (height, width, 3), from the top to the bottom.

    With `any_pitch`, cells of fractional widths are searched too unless a board with a border is found at a
    size of the glyphs; that takes longer. `search`: that of the picture, if others ask it too.
    """
    anchors = _AnchorSearch(image, skins)
    found = _best_boards(
        chain(
            (FoundBoard(skin, *one) for skin in skins if skin.palette for one in checkerboards(image, skin)),
            (one for skin in skins if skin.tiles for one in _tiled_boards(image, skin, skin.tiles)),
            anchors.at_glyph_sizes(),
        )
    )
    # At a wrong width some cells fit by chance, but the border is not visible on all sides of those.
    # Periodicity is asked before the other whole widths: those are many, and the cells of a board between two
    # of them nearly fit both.
    unsettled = all(one.hidden_sides and not _is_exact(one) for one in found)
    periodic_skins = _shaded_skins(image, skins, found) + (anchors.skins if any_pitch and unsettled else [])
    periodic, only_boards = (
        _periodic_boards(image, periodic_skins, search or GridSearch(image))
        if periodic_skins
        else ([], False)
    )
    found = _best_boards(periodic, found)
    # A second board of another whole width would repeat as well.
    framed = [one for one in periodic if not one.hidden_sides]
    if not only_boards or len(framed) < len(periodic):
        found = _best_boards(anchors.at_other_sizes([one.grid.rect for one in framed]), found)
    return sorted(found, key=lambda one: (one.grid.y, one.grid.x))


def _best_boards(boards: Iterable[FoundBoard], found: Sequence[FoundBoard] = ()) -> list[FoundBoard]:
    """The boards that were found and some more: of those that overlap the best, and of equals the first."""
    best = list(found)
    for one in boards:
        rivals = [other for other in best if other.grid.rect.intersects(one.grid.rect)]
        if all(_rank(one) > _rank(other) for other in rivals):
            best = [other for other in best if other not in rivals] + [one]
    return best


def _rank(found: FoundBoard) -> tuple[int, float, int]:
    """How well a board is read: its readable cells, their distance, and the face if boards look the same."""
    face = found.skin.face
    known_face = 2 if found.reading.face is not None else 1 if face is None or not face.moods else 0
    readable = found.reading.board.codes.size - found.reading.board.count(Cell.UNREAD)
    return readable, -float(found.reading.distances.mean()), known_face


def _is_exact(found: FoundBoard) -> bool:
    """Whether every cell is drawn with the glyphs of the skin, pixel for pixel."""
    unread = found.reading.board.count(Cell.UNREAD)
    return not unread and float(found.reading.distances.mean()) < MAX_EXACT_DISTANCE


def _has_numbers(codes: Codes) -> bool:
    return bool(((codes >= 1) & (codes <= 8)).any())


def _is_readable(found: FoundBoard, part: float) -> bool:
    """Whether at least a part (0 to 1) of the cells is readable."""
    return bool((found.reading.board.codes != Cell.UNREAD).mean() >= part)


def _read_board(image: Image, skin: Skin, grid: Grid) -> FoundBoard:
    """The board of a skin that is read by glyphs, on a known grid."""
    reading = GlyphReader(skin, grid).read(image, header=True)
    return FoundBoard(skin, grid, reading, hidden_sides(image, skin, grid))


def _tiled_boards(image: Image, skin: Skin, tiles: TileSpec) -> Iterator[FoundBoard]:
    """The boards of a skin whose cells are tiles."""
    for grid in tile_grids(image, tiles.background.bgr, tiles.gap, tiles.least):
        found = _read_board(image, skin, grid)
        if _is_readable(found, MIN_READABLE):
            yield found


def _shaded_skins(image: Image, skins: Sequence[Skin], found: Sequence[FoundBoard]) -> list[Skin]:
    """The shaded skins of which the picture may show a board outside those that were found."""
    excluded = [one.grid.rect for one in found]
    shaded = ((skin, MIN_SCALE * skin.glyph_sets[0].cell[0]) for skin in skins if skin.shaded)
    return [skin for skin, min_cell in shaded if may_show_shades(image, skin, min_cell, excluded)]


def _periodic_boards(
    image: Image, skins: Sequence[Skin], search: GridSearch
) -> tuple[list[FoundBoard], bool]:
    """The boards of skins on grids that are found by periodicity, and whether all those grids are boards."""
    for number, batch in enumerate(search.batches()):
        # The cells of a shaded skin are separated by lines, so its boards are in the batch of clear grids.
        asked = [skin for skin in skins if number == 0 or not skin.shaded]
        grids = [found.grid for found in batch]
        boards = [board for grid in grids[:MAX_PERIODIC_GRIDS] for board in _on_grid(image, asked, grid)]
        if boards or not asked:
            taken = [board.grid.rect for board in boards]
            only_boards = all(any(rect.intersects(grid.rect) for rect in taken) for grid in grids)
            return boards, only_boards and bool(boards)
    return [], False


def _on_grid(image: Image, skins: Sequence[Skin], grid: Grid) -> Iterator[FoundBoard]:
    """The boards of skins that lie on a grid, which is known to a pixel or two."""
    candidates = [
        skin for skin in skins if MIN_SCALE <= grid.cell_width / skin.glyph_sets[0].cell[0] <= MAX_SCALE
    ]
    known: dict[tuple[str, Grid], FoundBoard] = {}

    def board_on(skin: Skin, grid: Grid) -> FoundBoard:
        if (skin.name, grid) not in known:
            known[skin.name, grid] = _read_board(image, skin, grid)
        return known[skin.name, grid]

    def is_right(skin: Skin, grid: Grid) -> bool:
        # Periodicity places the lines of a shaded skin exactly, but not the bevels of others.
        if not skin.shaded:
            return False
        found = board_on(skin, grid)
        return not found.hidden_sides and not found.reading.board.count(Cell.UNREAD)

    for skin, aligned in align(image, candidates, grid, is_right):
        on_grid = board_on(skin, aligned)
        if not _may_be_readable(on_grid):
            continue
        found = _up_to_border(image, on_grid)
        if _is_readable(found, MIN_READABLE_PERIODIC) and not _may_be_pale_skin(found):
            yield found


def _may_be_readable(found: FoundBoard) -> bool:
    """Whether enough of the cells of a board are readable if no cell is unread of the most lines that may be
    missing on each side."""
    grid, unread = found.grid, found.reading.board.count(Cell.UNREAD)
    most = (grid.columns + 2 * MAX_MISSED) * (grid.rows + 2 * MAX_MISSED)
    return unread <= (1 - MIN_READABLE_PERIODIC) * most


def _up_to_border(image: Image, found: FoundBoard) -> FoundBoard:
    """The board with the rows and columns, all readable, between it and a border that was not visible beside
    it."""
    for side in found.hidden_sides:
        for count in range(1, MAX_MISSED + 1):
            larger = _read_board(image, found.skin, _with_lines(found.grid, side, count))
            if larger.reading.board.count(Cell.UNREAD) > found.reading.board.count(Cell.UNREAD):
                break
            if side not in larger.hidden_sides:
                found = larger
                break
    return found


def _with_lines(grid: Grid, side: str, count: int) -> Grid:
    """A grid with more columns (or rows) on one of its sides."""
    across, down = (count, 0) if side in ("left", "right") else (0, count)
    first = -count * (side == "left"), -count * (side == "top")
    return grid.part(Rect(*first, grid.columns + across, grid.rows + down))


def _may_be_pale_skin(found: FoundBoard) -> bool:
    """Whether a shaded skin may have been taken for one with pale cells, which resemble opened ones."""
    if not found.skin.shaded:
        return False
    codes = found.reading.board.codes
    partly_framed = len(found.hidden_sides) < len(found.skin.border)
    return not ((codes == Cell.COVERED).any() or (partly_framed and _has_numbers(codes)))


class _AnchorSearch:
    """Searches one picture, by anchor pixels, for boards whose cells have a whole width in pixels."""

    def __init__(self, image: Image, skins: Sequence[Skin]) -> None:
        self._image = image
        self.skins = [one for one in skins if one.palette is None and one.tiles is None and not one.shaded]
        """The skins that have anchor pixels."""
        colours = {colour for skin in self.skins for one in skin.glyph_sets for colour in one.anchors}
        self._masks = ColourMasks(image, colours)
        self._settled: list[Rect] = []
        """The places of boards that are of no other skin."""
        self._of_skin: dict[str, list[Rect]] = {skin.name: [] for skin in self.skins}
        """The places of the other boards of each skin."""

    def at_glyph_sizes(self) -> Iterator[FoundBoard]:
        """The boards at the sizes of the glyphs."""
        return self._at_widths(lambda skin: sorted(_glyph_widths(skin)))

    def at_other_sizes(self, excluded: Sequence[Rect]) -> Iterator[FoundBoard]:
        """The boards at all other whole widths, outside these places and boards that are of no other skin."""
        for rect in (*excluded, *self._settled):
            self._masks.leave_out(rect)
        return self._at_widths(_other_widths)

    def _at_widths(self, widths: Callable[[Skin], list[int]]) -> Iterator[FoundBoard]:
        searches = [
            (skin, cells)
            for skin in self.skins
            for width in widths(skin)
            if (cells := candidate_cells(skin, width, self._masks)) is not None
        ]
        # Cells of another skin or size match by chance; those of the right one are many on one lattice.
        for skin, cells in sorted(searches, key=lambda one: -one[1].lattices[0].count):
            size = cells.width, cells.height
            reader = GlyphReader(skin, Grid(0, 0, *size, 1, 1))
            of_skin = self._of_skin[skin.name]
            for lattice in cells.lattices_outside(self._settled + of_skin):
                taken = self._settled + of_skin
                places = (Point(x, y) for x, y in lattice.examples)
                free = [one for one in places if not any(rect.contains(one) for rect in taken)]
                if not any(_is_cell_of_board(self._image, reader, Rect(p.x, p.y, *size)) for p in free):
                    continue
                for found in _on_lattice(self._image, skin, size, lattice):
                    # Covered cells alone look the same in several skins.
                    shows_more = found.reading.face is not None or _has_numbers(found.reading.board.codes)
                    (self._settled if shows_more and _is_exact(found) else of_skin).append(found.grid.rect)
                    yield found


def _glyph_widths(skin: Skin) -> set[int]:
    """The cell widths, in pixels, of the glyphs of a skin."""
    return {one.cell[0] for one in skin.glyph_sets}


def _other_widths(skin: Skin) -> list[int]:
    """The other whole cell widths, in pixels, at which a skin is searched."""
    width = skin.glyph_sets[0].cell[0]
    searched = range(ceil(width * MIN_SCALE), round(width * MAX_SCALE) + 1)
    return sorted({*searched} - _glyph_widths(skin))


def _is_cell_of_board(image: Image, reader: GlyphReader, place: Rect) -> bool:
    """Whether a cell reads as unopened, and enough of those around it are readable."""
    if _cell_at(image, reader, place) not in UNOPENED:
        return False
    neighbours = (
        place.moved(columns * place.width, rows * place.height)
        for columns, rows in product((-1, 0, 1), repeat=2)
        if (columns, rows) != (0, 0)
    )
    readable = (one for one in neighbours if _cell_at(image, reader, one) != Cell.UNREAD)
    return len(list(islice(readable, 3))) == 3  # in the corner of a board a cell has three


def _cell_at(image: Image, reader: GlyphReader, place: Rect) -> int:
    """The code of the cell at a place, UNREAD if it is not wholly in the picture."""
    if not Rect(0, 0, image.shape[1], image.shape[0]).encloses(place):
        return int(Cell.UNREAD)
    return reader.read_cell(image[place.y : place.bottom, place.x : place.right])


def _on_lattice(
    image: Image, skin: Skin, size: tuple[int, int], lattice: CandidateLattice
) -> Iterator[FoundBoard]:
    """The boards whose cells, of a size (width, height), lie on one lattice. Rectangles count cells here."""
    width, height = size
    columns, rows = (image.shape[1] - lattice.x) // width, (image.shape[0] - lattice.y) // height
    around = lattice.bounds
    first_column, first_row = (around.x - lattice.x) // width, (around.y - lattice.y) // height
    part = Rect(first_column, first_row, around.width // width, around.height // height)
    # A board reaches beyond its unopened cells: the part grows until no outer line is readable.
    while True:
        wider = Rect(part.x - GROWTH, part.y - GROWTH, part.width + 2 * GROWTH, part.height + 2 * GROWTH)
        part = wider.clipped(Rect(0, 0, columns, rows))
        x, y = lattice.x + part.x * width, lattice.y + part.y * height
        codes = GlyphReader(skin, Grid(x, y, width, height, part.width, part.height)).read(image).board.codes
        readable = codes != Cell.UNREAD
        outer_lines = (
            (part.x > 0, readable[:, 0]),
            (part.right < columns, readable[:, -1]),
            (part.y > 0, readable[0]),
            (part.bottom < rows, readable[-1]),
        )
        if not any(can_grow and line.any() for can_grow, line in outer_lines):
            break
    unopened = np.isin(codes, UNOPENED)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(readable.astype(np.uint8), connectivity=4)
    boxes = [Rect(*stats[one, :4].tolist()) for one in range(1, count) if unopened[labels == one].any()]
    for box in _joined(boxes):
        is_readable = readable[box.y : box.bottom, box.x : box.right].mean() >= MIN_READABLE
        if is_readable and min(box.width, box.height) >= MIN_BOARD_SIDE:
            grid = Grid(x + box.x * width, y + box.y * height, width, height, box.width, box.height)
            yield _read_board(image, skin, grid)


def _joined(boxes: Sequence[Rect]) -> list[Rect]:
    """The boxes, those that overlap as one: they are parts of a board that something covers in part."""
    joined: list[Rect] = []
    for box in boxes:
        while overlapping := [other for other in joined if other.intersects(box)]:
            joined = [other for other in joined if other not in overlapping]
            parts = [box, *overlapping]
            left, top = min(one.x for one in parts), min(one.y for one in parts)
            right, bottom = max(one.right for one in parts), max(one.bottom for one in parts)
            box = Rect(left, top, right - left, bottom - top)
        joined.append(box)
    return joined
