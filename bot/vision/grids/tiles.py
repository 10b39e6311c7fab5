"""Finds boards whose cells are tiles with gaps between them, as GTK lays out its grids.

Such a toolkit gives every cell whole pixels and distributes the remaining ones among the first cells, so the
lattice is not uniform. But each tile stands alone on the background, whatever it shows: the tiles are the
connected components of what is not background, and the lattice follows from their corners.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Rect
from bot.vision.cells.glyph_reader import BACKGROUND_TOLERANCE
from bot.vision.components import Boxes, components
from bot.vision.grid import MIN_BOARD_SIDE, Grid, Image, Plane
from bot.vision.grids.colour_mask import colour_mask
from bot.vision.grids.smoothed_tiles import smoothed_grid
from bot.vision.themes.palette import Bgr

MIN_TILES = MIN_BOARD_SIDE**2
"""Number of tiles of the smallest board."""

MIN_TILE_SIDE, MIN_FILLED = 8, 0.5
"""Minimum width and height of a tile, in pixels, and the part of its rectangle that is not background."""

MAX_SMEAR = 3
"""Maximum difference, in pixels, between the widths (or heights) of the tiles of one smoothed board."""

MAX_DISTANCE = 0.3
"""A tile nearer to a board than this, in pitches, belongs to the board."""

MAGNIFICATIONS = (1, 2, 3)
"""Whole numbers of pixels of the picture that a toolkit may give to each of its own."""


@dataclass(frozen=True)
class _TileLines:
    """The columns, or the rows, of a board."""

    start: int
    """The pixel in the middle of the gap before the first one."""
    pitch: int
    """In pixels, of those that are not wide."""
    count: int
    wide: int
    """Number of wide ones."""


def tile_grids(image: Image, background: Bgr, gap: int, min_cell: int = 0) -> list[Grid]:
    """The grids of tiles in a picture (height, width, 3), the largest first.

    `background` is the colour between the tiles (blue, green, red), `gap` the distance between two tiles in
    pixels of the toolkit, and `min_cell` the minimum width of a cell in pixels.
    """
    boxes = _tiles(image, background, max(MIN_TILE_SIDE, min_cell - gap - MAX_SMEAR))
    grids: list[Grid] = []
    while len(boxes) >= MIN_TILES:
        sizes, counts = np.unique(boxes[:, 2:], axis=0, return_counts=True)
        differences = np.abs(boxes[:, 2:] - sizes[counts.argmax()])
        similar = boxes[(differences <= MAX_SMEAR).all(axis=1)]
        for magnification in MAGNIFICATIONS:
            # Some tiles are one toolkit pixel larger; which ones is not known yet.
            tiles = boxes[(differences <= magnification).all(axis=1)]
            found = _tile_grid(tiles, gap, magnification)
            groups = _groups(tiles, found, gap, magnification)
            every = [found, *(_tile_grid(group, gap, magnification) for group in groups)]
            new = [grid for grid in every if grid and grid not in grids and _is_complete(grid, similar)]
            if new:
                break
        else:
            magnification = 1
            smoothed = smoothed_grid(similar, gap)
            new = [] if smoothed is None or not _is_complete(smoothed, similar) else [smoothed]
        grids += new
        boxes = boxes[(differences > magnification).any(axis=1)]
        for grid in new:
            boxes = boxes[~_begin_inside(boxes, grid.rect)]
    return sorted(grids, key=lambda grid: -grid.rect.area)


def _begin_inside(boxes: Boxes, board: Rect) -> npt.NDArray[np.bool_]:
    """Which tiles have their top left corner inside a board."""
    corners = boxes[:, :2]
    inside = (corners >= (board.x, board.y)) & (corners < (board.right, board.bottom))
    return np.asarray(inside.all(axis=1), np.bool_)


def _is_complete(grid: Grid, boxes: Boxes) -> bool:
    """Whether no tiles continue beyond the board.

    In a scaled window, where the edges of tiles lie inside pixels, a part of a board may fit by chance.
    """
    board, (x_reach, y_reach) = grid.rect, (MAX_DISTANCE * pitch for pitch in grid.pitch)
    left, top = boxes[:, 0], boxes[:, 1]
    right, bottom = left + boxes[:, 2], top + boxes[:, 3]
    outside = (right <= board.x) | (left >= board.right) | (bottom <= board.y) | (top >= board.bottom)
    near = (right > board.x - x_reach) & (left < board.right + x_reach)
    near &= (bottom > board.y - y_reach) & (top < board.bottom + y_reach)
    return int(np.count_nonzero(outside & near)) < MIN_BOARD_SIDE


def _groups(boxes: Boxes, found: Grid | None, gap: int, magnification: int) -> Iterator[Boxes]:
    """The tiles of each board separately, if enough for another board lie outside the one that was found.

    The columns and rows of several boards with tiles of one size mix. Method: a flood fill from tile to
    neighbouring tile.
    """
    others = len(boxes) - (0 if found is None else np.count_nonzero(_begin_inside(boxes, found.rect)))
    if others < MIN_TILES:
        return
    unvisited = {(x, y): number for number, (x, y) in enumerate(boxes[:, :2].tolist())}
    sizes = boxes[:, 2:].tolist()
    while unvisited:
        corner, number = unvisited.popitem()
        group, frontier = [number], [(corner, number)]
        while frontier:
            (x, y), number = frontier.pop()
            x_step, y_step = (side + gap * magnification for side in sizes[number])
            # The width of the left neighbour and the height of the upper one are not known.
            differences = (-magnification, 0, magnification)
            neighbours = [(x + x_step, y), (x, y + y_step)]
            neighbours += [(x - x_step + difference, y) for difference in differences]
            neighbours += [(x, y - y_step + difference) for difference in differences]
            for place in neighbours:
                other = unvisited.pop(place, None)
                if other is not None:
                    group.append(other)
                    frontier.append((place, other))
        if len(group) >= MIN_TILES:
            yield boxes[group]


def _tiles(image: Image, background: Bgr, min_side: int) -> Boxes:
    """The rectangles around what is not background, if they are about square and large enough."""
    is_background = colour_mask(image, background, BACKGROUND_TOLERANCE)
    # The gaps of the smallest board have at least this many pixels, and no tile lies beyond the background.
    if cv2.countNonZero(is_background) < MIN_TILES * min_side:
        return np.zeros((0, 4), np.int32)
    left, top, width, height = cv2.boundingRect(is_background)
    other = np.asarray(cv2.bitwise_not(is_background[top : top + height, left : left + width]), np.uint8)
    # Every second pixel shows in a quarter of the time whether there may be tiles at all: text is narrower.
    half = np.ascontiguousarray(other[::2, ::2], np.uint8)
    if len(_square_components(half, min_side // 2 - 1)) < MIN_TILES:
        return np.zeros((0, 4), np.int32)
    return _square_components(other, min_side) + np.array([left, top, 0, 0], np.int32)


def _square_components(mask: Plane, min_side: int) -> Boxes:
    """The rectangles around connected components that are about square, filled and large enough."""
    parts = components(mask, 4)
    boxes, area = parts.boxes[1:], parts.areas[1:]
    width, height = boxes[:, 2:].T
    square = np.abs(width - height) <= max(MAGNIFICATIONS)
    filled = area >= MIN_FILLED * width * height
    chosen: Boxes = boxes[square & filled & (width >= min_side) & (height >= min_side)]
    return chosen


def _tile_grid(boxes: Boxes, gap: int, magnification: int) -> Grid | None:
    """The grid of tiles whose edges lie on whole pixels; None if they are on no lattice."""
    x = _tile_lines(boxes[:, 0], boxes[:, 2], gap * magnification, magnification)
    y = _tile_lines(boxes[:, 1], boxes[:, 3], gap * magnification, magnification)
    if x is None or y is None:
        return None
    return Grid(x.start, y.start, x.pitch, y.pitch, x.count, y.count, x.wide, y.wide, magnification)


def _tile_lines(
    starts: npt.NDArray[Any], sizes: npt.NDArray[Any], gap: int, magnification: int
) -> _TileLines | None:
    """The columns, from the left edges and the widths of the tiles; None if they are not equally spaced.

    The first columns may be wider by one toolkit pixel. Rows follow from the top edges and the heights.
    """
    widths: dict[int, Counter[int]] = {}
    for start, size in zip(starts.tolist(), sizes.tolist(), strict=True):
        widths.setdefault(start, Counter())[size] += 1
    # What only resembles a tile stands alone; tiles stand below each other.
    places = np.array(sorted(start for start, found in widths.items() if found.total() >= MIN_BOARD_SIDE))
    if len(places) < MIN_BOARD_SIDE:
        return None
    steps = np.array([widths[place].most_common(1)[0][0] + gap for place in places.tolist()])
    # The longest run of tiles in which each begins where the one before it ends.
    breaks = np.flatnonzero(np.diff(places) != steps[:-1]) + 1
    run = max(np.split(np.arange(len(places)), breaks), key=len)
    pitch = int(steps[run].min())
    wide = int(np.count_nonzero(steps[run] > pitch))
    expected = pitch + magnification * (np.arange(len(run)) < wide)
    if len(run) < MIN_BOARD_SIDE or (steps[run] != expected).any():
        return None
    return _TileLines(int(places[run[0]]) - gap // 2, pitch, len(run), wide)
