"""Finds boards whose cells are tiles with gaps between them, as a toolkit lays them out: GTK's grids.

Such a toolkit gives each cell whole pixels and shares out those that are left over among the first ones, so
the lattice is not even. But each tile stands alone on the background, whatever it shows: the tiles are
found as the connected parts of what is not background, and the lattice is that of their corners.
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
from bot.vision.grid import Grid, Image
from bot.vision.grids.smoothed_tiles import smoothed_grid
from bot.vision.themes.palette import Bgr

SLIMMEST = 8
"""Tiles of fewer pixels in width or height are not looked for."""

SMALLEST = 4
"""Boards of fewer columns or rows are not looked for."""

Mask = npt.NDArray[np.uint8]
"""255 where something is, 0 elsewhere."""

Boxes = npt.NDArray[np.int32]
"""Rectangles: shape (count, 4), x, y, width, height."""


SMEARED = 3
"""By so many pixels the tiles of a smoothed board may differ in width and height."""

BESIDE = 0.3
"""A tile that is nearer to a board than this part of a cell belongs to it."""

MAGNIFIED = (1, 2, 3)
"""So many pixels of the picture a toolkit may give to each one that it counts."""


@dataclass(frozen=True)
class _Lines:
    """The columns, or the rows, of a board."""

    start: int
    """The first pixel of the first one, its half of the gap included."""
    pitch: int
    count: int
    wide: int


def tile_grids(image: Image, background: Bgr, gap: int, least: int = 0) -> list[Grid]:
    """The grids of tiles on a background (blue, green, red), the largest first: `gap` pixels apart, or a few
    times as many where everything is magnified, in cells of `least` pixels or more."""
    boxes = _tiles(image, background, max(SLIMMEST, least - gap - SMEARED))
    grids: list[Grid] = []
    while len(boxes) >= SMALLEST * SMALLEST:
        size = _commonest(boxes)
        near = boxes[(np.abs(boxes[:, 2:] - size) <= SMEARED).all(axis=1)]
        for unit in MAGNIFIED:
            # What a toolkit has left over makes some tiles a pixel larger; which ones is not known yet.
            alike = boxes[(np.abs(boxes[:, 2:] - size) <= unit).all(axis=1)]
            found = _grid(alike, gap, unit)
            every = [found, *(_grid(one, gap, unit) for one in _apart(alike, found, gap, unit))]
            new = [grid for grid in every if grid and grid not in grids and _is_whole(grid, near)]
            if new:
                break
        else:
            unit = 1
            smoothed = smoothed_grid(near, gap)
            new = [] if smoothed is None or not _is_whole(smoothed, near) else [smoothed]
        grids += new
        boxes = boxes[(np.abs(boxes[:, 2:] - size) > unit).any(axis=1)]
        for grid in new:
            boxes = boxes[~_inside(boxes, grid.rect)]
    return sorted(grids, key=lambda grid: -grid.rect.width * grid.rect.height)


def _inside(boxes: Boxes, board: Rect) -> npt.NDArray[np.bool_]:
    """Which tiles begin inside a board."""
    corners = boxes[:, :2]
    begun = (corners >= (board.x, board.y)) & (corners < (board.right, board.bottom))
    return np.asarray(begun.all(axis=1), np.bool_)


def _is_whole(grid: Grid, boxes: Boxes) -> bool:
    """Whether no tiles go on where a board ends: where their edges do not lie on whole pixels, some of them
    may fit by chance."""
    board, (wide, high) = grid.rect, (BESIDE * length for length in grid.pitch)
    left, top = boxes[:, 0], boxes[:, 1]
    right, bottom = left + boxes[:, 2], top + boxes[:, 3]
    outside = (right <= board.x) | (left >= board.right) | (bottom <= board.y) | (top >= board.bottom)
    near = (right > board.x - wide) & (left < board.right + wide)
    near &= (bottom > board.y - high) & (top < board.bottom + high)
    return int(np.count_nonzero(outside & near)) < SMALLEST


def _apart(boxes: Boxes, found: Grid | None, gap: int, unit: int) -> Iterator[Boxes]:
    """The tiles of each board alone, where some besides those of the found one are many enough for another.

    Boards whose tiles are of one size are one heap: their lines mix.
    """
    left = len(boxes) - (0 if found is None else np.count_nonzero(_inside(boxes, found.rect)))
    if left < SMALLEST * SMALLEST:
        return
    waiting = {(x, y): number for number, (x, y) in enumerate(boxes[:, :2].tolist())}
    sizes = boxes[:, 2:].tolist()
    while waiting:
        corner, number = waiting.popitem()
        group, edge = [number], [(corner, number)]
        while edge:
            (x, y), number = edge.pop()
            wide, high = sizes[number][0] + gap * unit, sizes[number][1] + gap * unit
            # Of the one to the left the width is not known, and neither is the height of the one above.
            near = [(x + wide, y), (x, y + high)]
            spread = (-unit, 0, unit)
            near += [(x - wide + more, y) for more in spread] + [(x, y - high + more) for more in spread]
            for place in near:
                other = waiting.pop(place, None)
                if other is not None:
                    group.append(other)
                    edge.append((place, other))
        if len(group) >= SMALLEST * SMALLEST:
            yield boxes[group]


def _tiles(image: Image, background: Bgr, slimmest: int) -> Boxes:
    """The rectangles around what is not background, where they are about square and not too slim."""
    colour = np.array(background, np.int16)
    low, high = np.clip(colour - BACKGROUND_TOLERANCE, 0, 255), np.clip(colour + BACKGROUND_TOLERANCE, 0, 255)
    ground = np.asarray(cv2.inRange(image, low.astype(np.uint8), high.astype(np.uint8)), np.uint8)
    # Between the tiles of the smallest board there is so much of it, and beyond it there is no tile.
    if cv2.countNonZero(ground) < SMALLEST * SMALLEST * slimmest:
        return np.zeros((0, 4), np.int32)
    left, top, across, down = cv2.boundingRect(ground)
    other = np.asarray(cv2.bitwise_not(ground[top : top + down, left : left + across]), np.uint8)
    # Every second pixel says in a quarter of the time whether there may be tiles at all: text is slimmer.
    if (
        len(_squares(np.ascontiguousarray(other[::2, ::2], np.uint8), slimmest // 2 - 1))
        < SMALLEST * SMALLEST
    ):
        return np.zeros((0, 4), np.int32)
    boxes = _squares(other, slimmest)
    boxes[:, :2] += left, top
    return boxes


def _squares(mask: Mask, slimmest: int) -> Boxes:
    """The rectangles around the connected parts of a mask that are about square, filled and not too slim."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4, ltype=cv2.CV_32S)
    boxes: Boxes = np.asarray(stats[1:, :4], np.int32)
    width, height, area = stats[1:, 2], stats[1:, 3], stats[1:, 4]
    square = np.abs(width - height) <= max(MAGNIFIED)
    solid = area >= 0.5 * width * height
    chosen: Boxes = boxes[square & solid & (width >= slimmest) & (height >= slimmest)]
    return chosen


def _commonest(boxes: Boxes) -> npt.NDArray[Any]:
    sizes, counts = np.unique(boxes[:, 2:], axis=0, return_counts=True)
    commonest: npt.NDArray[Any] = sizes[np.argmax(counts)]
    return commonest


def _grid(boxes: Boxes, gap: int, unit: int) -> Grid | None:
    columns = _lines(boxes[:, 0], boxes[:, 2], gap * unit, unit)
    rows = _lines(boxes[:, 1], boxes[:, 3], gap * unit, unit)
    if columns is None or rows is None:
        return None
    return Grid(
        columns.start,
        rows.start,
        columns.pitch,
        rows.pitch,
        columns.count,
        rows.count,
        columns.wide,
        rows.wide,
        unit,
    )


def _lines(starts: npt.NDArray[Any], sizes: npt.NDArray[Any], gap: int, unit: int) -> _Lines | None:
    """The columns from the left edges and the widths of tiles, of which some are a `unit` wider; None where
    they are no lattice."""
    widths: dict[int, Counter[int]] = {}
    for start, size in zip(starts.tolist(), sizes.tolist(), strict=True):
        widths.setdefault(start, Counter())[size] += 1
    # Something that only looks like a tile stands alone; tiles stand below each other.
    places = sorted(start for start, found in widths.items() if found.total() >= SMALLEST)
    if len(places) < SMALLEST:
        return None
    steps = [widths[place].most_common(1)[0][0] + gap for place in places]
    run = _longest_run(places, steps)
    if len(run) < SMALLEST:
        return None
    pitch = min(steps[index] for index in run)
    wide = sum(steps[index] > pitch for index in run)
    if any(steps[index] != pitch + unit * (number < wide) for number, index in enumerate(run)):
        return None
    # All wide or none: the same.
    if wide == len(run):
        pitch, wide = pitch + unit, 0
    return _Lines(places[run[0]] - gap // 2, pitch, len(run), wide)


def _longest_run(places: list[int], steps: list[int]) -> list[int]:
    """The indices of the longest run of tiles in which each begins where the one before it ends."""
    best: list[int] = []
    run: list[int] = []
    for index, place in enumerate(places):
        if run and place != places[run[-1]] + steps[run[-1]]:
            run = []
        run.append(index)
        if len(run) > len(best):
            best = list(run)
    return best
