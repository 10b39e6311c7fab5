"""Finds boards of known themes in a picture of a whole screen.

What covered, flagged and questioned cells of a theme share (their bevel) is looked for by a handful of
pixels at once over the whole picture; then whole cells are compared on the lattices that these seeds
give, and joined to rectangles. A board is only called playable where its border is seen on every side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

import cv2
import numpy as np

from bot.board import Cell
from bot.geometry import Rect
from bot.vision.checkerboard import boards
from bot.vision.find import find_grids
from bot.vision.fitting import fitted
from bot.vision.grid import Grid, Image
from bot.vision.reader import Reader
from bot.vision.reading import Reading
from bot.vision.theme import Cut, Theme, TileSpec
from bot.vision.tiles import tile_grids

SMALLEST_SCALE, LARGEST_SCALE = 0.75, 3.0
"""Themes are looked for at every whole cell width from and to so many times that of their first cut."""

TOLERANCE = 14
"""How far a pixel's colours (0 to 255) may be from a seed's."""

SMALLEST = 4
"""Boards of fewer columns or rows are not looked for: too much on a screen looks like them."""

FILLED = 0.5
"""The part of a found rectangle whose cells must be readable; the rest may be covered."""

MOSTLY = 0.9
"""The same of a grid that was found by its repetition alone."""

GRIDS = 3
"""So many of those, the best, are tried."""

_PARTS = (0, 0.07, 0.25, 0.5, 0.88, 0.94)
"""Where seeds lie in a cell, as parts of its width and height: on its edges and inside."""

_TRIED = 12
"""So many seeds of a lattice are looked at, whether they are cells at all."""

BEYOND = 6
"""So many cells around those that are known it is looked for more, at one time."""

_LATTICES = 12
"""So many lattices, those with the most seeds, are followed for each theme and scale."""

Mask = np.ndarray[Any, np.dtype[np.uint8]]
Colour = tuple[int, int, int]
"""Blue, green, red."""
Places = np.ndarray[Any, np.dtype[np.int32]]


@dataclass(frozen=True)
class _Lattice:
    """Places a whole number of cells apart: the offsets of the first, and some of the seeds on it."""

    x: int
    y: int
    seeds: list[tuple[int, int]]
    around: Rect
    """Around all seeds."""


@dataclass(frozen=True)
class Found:
    """A board in a picture."""

    theme: Theme
    grid: Grid
    reading: Reading
    seams: tuple[str, ...]
    """The sides (left, top, right, bottom) on which the border of the board is not seen: it is cut there
    by the edge of the picture, or covered by something."""


def locate(image: Image, themes: Sequence[Theme], *, any_pitch: bool = True) -> list[Found]:
    """Every board of these themes in the picture, from the top left; none is an empty list.

    With `any_pitch`, cells of a width with fractions are looked for too where those of whole pixels show no
    board; that takes longer.
    """
    found: list[Found] = []
    masks = _Masks(image)
    for theme in themes:
        for found_one in _of_theme(image, theme, masks):
            found = _with(found, found_one)
    if any_pitch and not found:
        for found_one in _between_pixels(image, themes):
            found = _with(found, found_one)
    return sorted(found, key=lambda one: (one.grid.y, one.grid.x))


def _with(found: list[Found], one: Found) -> list[Found]:
    """The boards and one more, or as they were where a better one lies at that place."""
    rivals = [other for other in found if other.grid.rect.intersects(one.grid.rect)]
    if all(_worth(one) > _worth(other) for other in rivals):
        return [other for other in found if other not in rivals] + [one]
    return found


def _between_pixels(image: Image, themes: Sequence[Theme]) -> Iterator[Found]:
    """The boards of themes on grids that repetition alone shows, whatever their pitch."""
    pictured = [theme for theme in themes if theme.spec.colours is None and theme.spec.tiles is None]
    for grid in [found.grid for found in find_grids(image)[:GRIDS]] if pictured else []:
        if min(grid.columns, grid.rows) < SMALLEST:
            continue
        for theme in pictured:
            if not SMALLEST_SCALE <= grid.cell_width / theme.cuts[0].cell[0] <= LARGEST_SCALE:
                continue
            fitting = fitted(image, theme, grid)
            reading = Reader(theme, fitting).read(image, header=True)
            if (reading.board.codes != Cell.UNREAD).mean() >= MOSTLY:
                yield Found(theme, fitting, reading, _seams(image, theme, fitting))


def _worth(found: Found) -> tuple[int, float]:
    """Of two boards at one place, the one with more readable cells, then the nearer one, is there."""
    unread = found.reading.board.count(Cell.UNREAD)
    return found.reading.board.codes.size - unread, -float(found.reading.distances.mean())


def pitches(theme: Theme) -> list[int]:
    """The cell widths, in pixels, at which a theme is looked for."""
    base = theme.cuts[0].cell[0]
    return sorted(
        {cut.cell[0] for cut in theme.cuts}
        | {*range(ceil(base * SMALLEST_SCALE), round(base * LARGEST_SCALE) + 1)}
    )


def _of_theme(image: Image, theme: Theme, masks: _Masks) -> Iterator[Found]:
    if theme.spec.colours is not None:
        for board in boards(image, theme):
            yield Found(theme, *board)
        return
    if theme.spec.tiles is not None:
        yield from _of_tiles(image, theme, theme.spec.tiles)
        return
    taken: list[Rect] = []
    for pitch in pitches(theme):
        cut = theme.cut_for(pitch)
        height = round(cut.cell[1] * pitch / cut.cell[0])
        if image.shape[0] < SMALLEST * height or image.shape[1] < SMALLEST * pitch:
            continue
        seeds = _seeds(cut, pitch, height, masks)
        if seeds is None:
            continue
        for rect in taken:
            inside = rect.clipped(Rect(0, 0, seeds.shape[1], seeds.shape[0]))
            seeds[inside.y : inside.bottom, inside.x : inside.right] = 0
        if cut.cell[0] != pitch:
            seeds = _in_pairs(seeds, pitch, height)
        cell = Reader(theme, Grid(0, 0, pitch, height, 1, 1))
        for lattice in _lattices(seeds, pitch, height):
            places = [
                Rect(x, y, pitch, height)
                for x, y in lattice.seeds
                if not any(rect.intersects(Rect(x, y, 1, 1)) for rect in taken)
            ]
            if not any(_unopened(image, cell, place) for place in places[:_TRIED]):
                continue
            for found in _on_lattice(image, theme, pitch, height, lattice):
                if not found.seams or not found.reading.board.count(Cell.UNREAD):
                    taken.append(found.grid.rect)
                yield found


def _of_tiles(image: Image, theme: Theme, tiles: TileSpec) -> Iterator[Found]:
    for grid in tile_grids(image, tiles.background, tiles.gap):
        reading = Reader(theme, grid).read(image, header=True)
        if (reading.board.codes != Cell.UNREAD).mean() >= FILLED:
            yield Found(theme, grid, reading, _seams(image, theme, grid))


def _unopened(image: Image, reader: Reader, place: Rect) -> bool:
    """Whether one cell reads as covered, flagged or questioned."""
    code = reader.look(image[place.y : place.bottom, place.x : place.right])
    return code in (Cell.COVERED, Cell.FLAG, Cell.QUESTION)


def _seed_pixels(cut: Cut, width: int, height: int) -> list[tuple[int, int, Colour]]:
    """A few pixels, as (x, y, colour), that all unopened cells of a theme share at this size.

    At another size than that of the cut, only pixels inside areas of one colour are sure.
    """
    covered = cut.glyph(Cell.COVERED)
    same = cut.unopened_alike if (width, height) == cut.cell else cut.unopened_alike & cut.plain
    cut_width, cut_height = cut.cell
    chosen: list[tuple[int, int, Colour]] = []
    for y in sorted({int(part * cut_height) for part in _PARTS}):
        for x in sorted({int(part * cut_width) for part in _PARTS}):
            if same[y, x]:
                blue, green, red = (int(value) for value in covered[y, x])
                at = int((x + 0.5) * width / cut_width), int((y + 0.5) * height / cut_height)
                chosen.append((*at, (blue, green, red)))
    if len({colour for _, _, colour in chosen}) < 2:  # one colour alone is everywhere
        return []
    return chosen


def _seeds(cut: Cut, width: int, height: int, masks: _Masks) -> Mask | None:
    """Where the top left pixel of an unopened cell of this size could be, as a mask; None for nowhere."""
    pixels = sorted(_seed_pixels(cut, width, height), key=lambda pixel: masks.count(pixel[2]))
    if not pixels or masks.count(pixels[0][2]) < SMALLEST * SMALLEST:
        return None
    shape = masks.shape
    rows, columns = shape[0] - height + 1, shape[1] - width + 1
    x, y, colour = pixels[0]
    down, right = masks.places(colour)
    down, right = down - y, right - x
    inside = (down >= 0) & (right >= 0) & (down < rows) & (right < columns)
    corners = (down[inside] * shape[1] + right[inside]).astype(np.intp)
    for x, y, colour in pixels[1:]:
        corners = corners[masks.flat(colour)[corners + (y * shape[1] + x)] > 0]
        if not len(corners):
            return None
    seeds: Mask = np.zeros(shape, np.uint8)
    seeds.ravel()[corners] = 255
    return seeds[:rows, :columns]


class _Masks:
    """Where a picture has which colours: worked out once for all themes and sizes."""

    def __init__(self, image: Image) -> None:
        self._image = image
        self.shape = image.shape[0], image.shape[1]
        self._masks: dict[Colour, Mask] = {}
        self._counts: dict[Colour, int] = {}
        self._places: dict[Colour, tuple[Places, Places]] = {}

    def flat(self, colour: Colour) -> Mask:
        """All pixels, row by row: 0 where they have another colour."""
        if colour not in self._masks:
            low = np.array([max(0, value - TOLERANCE) for value in colour], np.uint8)
            high = np.array([min(255, value + TOLERANCE) for value in colour], np.uint8)
            self._masks[colour] = np.asarray(cv2.inRange(self._image, low, high), np.uint8).ravel()
        return self._masks[colour]

    def count(self, colour: Colour) -> int:
        """How many pixels have a colour."""
        if colour not in self._counts:
            self._counts[colour] = cv2.countNonZero(self.flat(colour))
        return self._counts[colour]

    def places(self, colour: Colour) -> tuple[Places, Places]:
        """The rows and the columns of the pixels that have a colour."""
        if colour not in self._places:
            found = cv2.findNonZero(self.flat(colour).reshape(self.shape))
            points = np.asarray(found, np.int32).reshape(-1, 2) if found is not None else np.zeros((0, 2))
            self._places[colour] = points[:, 1].astype(np.int32), points[:, 0].astype(np.int32)
        return self._places[colour]


def _in_pairs(seeds: Mask, width: int, height: int) -> Mask:
    """Only the seeds that have another one just to the right or just below."""
    paired = np.zeros_like(seeds)
    paired[:, :-width] |= seeds[:, :-width] & seeds[:, width:]
    paired[:-height] |= seeds[:-height] & seeds[height:]
    return paired


def _lattices(seeds: Mask, width: int, height: int) -> list[_Lattice]:
    """The lattices on which the most seeds lie."""
    places = cv2.findNonZero(seeds)
    if places is None:
        return []
    flat = np.asarray(places).reshape(-1, 2)
    keys = (flat[:, 1] % height) * width + flat[:, 0] % width
    found, counts = np.unique(keys, return_counts=True)
    lattices: list[_Lattice] = []
    for key in found[np.argsort(-counts, kind="stable")[:_LATTICES]]:
        on_it = flat[keys == key]
        spread = on_it[:: max(1, len(on_it) // _TRIED)]
        (left, top), (right, bottom) = on_it.min(axis=0).tolist(), on_it.max(axis=0).tolist()
        around = Rect(left, top, right - left + width, bottom - top + height)
        seeded = [(int(x), int(y)) for x, y in spread]
        lattices.append(_Lattice(int(key) % width, int(key) // width, seeded, around))
    return lattices


def _on_lattice(image: Image, theme: Theme, width: int, height: int, lattice: _Lattice) -> Iterator[Found]:
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
        codes = Reader(theme, Grid(x, y, width, height, part.width, part.height)).read(image).board.codes
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
        reading = Reader(theme, grid).read(image, header=True)
        yield Found(theme, grid, reading, _seams(image, theme, grid))


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


def _seams(image: Image, theme: Theme, grid: Grid) -> tuple[str, ...]:
    """The sides on which the pixels just outside the grid are not of the theme's colour."""
    rect = grid.rect
    # One line would not do: in some skins the cells themselves end in a line of that colour.
    width = max(1, round(theme.spec.border_width * theme.scale(grid.cell_width)))
    picture = Rect(0, 0, image.shape[1], image.shape[0])
    gap = round(theme.spec.border_gap * theme.scale(grid.cell_width))
    if not grid.whole:  # the pixels at the edge have something of both sides: one clear line will do
        width += 1
    lines = {
        "left": Rect(rect.x - gap - width, rect.y, width, rect.height),
        "top": Rect(rect.x, rect.y - gap - width, rect.width, width),
        "right": Rect(rect.right + gap, rect.y, width, rect.height),
        "bottom": Rect(rect.x, rect.bottom + gap, rect.width, width),
    }
    missing: list[str] = []
    for side, colour in theme.spec.border.items():
        line = lines[side]
        if not picture.encloses(line):
            missing.append(side)
            continue
        pixels = image[line.y : line.bottom, line.x : line.right].astype(np.int16)
        right_colour = np.abs(pixels - np.array(colour[::-1])).max(axis=2) <= TOLERANCE
        by_line = right_colour.mean(axis=0 if side in ("left", "right") else 1)
        if (by_line.mean() if grid.whole else by_line.max()) < 0.95:
            missing.append(side)
    return tuple(missing)
