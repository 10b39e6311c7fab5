"""Finds lattices by interiors of cells of one size that lie at equal distances.

The pitch of a lattice is hardly more than the size of the interiors, so it is not mistaken for its double or
its half. Neighbours are linked one by one: boards beside each other stay apart, and an error of the pitch
does not add up. On ground without lines, digits and flags of one height show the lattice in the same way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

import cv2
import numpy as np
import numpy.typing as npt

from bot.vision.grids.lattices.interiors import Boxes, FlatParts
from bot.vision.grids.lattices.pitch import LatticeAxis

MIN_SEEN = 6
"""Minimum number of interiors on a lattice."""

MAX_SIZES = 8
"""Maximum number of sizes of interiors, the commonest first, whose lattices are searched."""

MAX_PITCH_RATIO, MAX_EXTRA_PITCH = 2.3, 6
"""Maximum pitch: this many times the size of an interior, and so many pixels (small cells have little plain
ground between their bevels)."""

MAX_HEIGHTS, MIN_GLYPH_PITCH, MAX_GLYPH_PITCH = 3, 1.0, 3.2
"""Maximum number of heights of drawings, the commonest first, whose lattices are searched, and the range of
the pitch, in heights of a drawing."""

PITCHES, MIN_DRAWN, MAX_DRAWN = ((8, 16), (14, 30), (26, 60)), 8, 1500
"""Ranges of pitches, in pixels, that are tried for drawings of any height; the minimum number of drawings on
such a lattice; and the maximum number in a picture: a photograph has thousands of specks."""

MAX_SAMPLES = 300
"""Maximum number of points whose neighbours are counted to find the pitch."""

MULTIPLES = 4
"""A distance counts for a pitch of which it is at most this multiple."""

MAX_CELL_RATIO, MAX_GLYPH_CELL_RATIO = 1.85, 2.4
"""Maximum ratio of the sides of a cell, by interiors and by drawings: three characters of a terminal, which
are about half as wide as their lines are high, or four, may be a cell."""

ENOUGH_SEEN, STEPS = 24, (3, 2)
"""Where at least so many drawings are seen, and all in every third or second column or row, the pitch is as
much larger."""

NEIGHBOURS = ((1, 0), (0, 1), (1, 1), (-1, 1), (2, 0), (0, 2), (2, 1), (1, 2), (-2, 1), (-1, 2))
"""Columns and rows to the neighbours with which a cell is linked: digits on plain ground have few."""

RASTER = 2
"""Pixels of the picture for each pixel of the raster in which neighbours are looked up."""

MIN_FILL, MAX_SPREAD, MIN_AGREEING = 0.6, 0.08, 0.6
"""Minimum size of interiors that tell the middle of cells, in pitches; maximum distance of most of them from
where they are in their cells on the average, likewise; and the part that is most of them."""

MIN_FITTED = 0.7
"""Minimum pitch of a lattice, as a part of the distance between its cells by which they were linked: most of
the specks of a text that were taken for its cells may lie at one height."""

SAME_PITCH, SAME_PHASE, MAX_APART = 0.08, 0.25, 6
"""Maximum difference of the pitches of one lattice, as a part, and of the places of its cells, in pitches;
and maximum number of cells between two parts of one board."""

Indices = npt.NDArray[np.intp]
Points = npt.NDArray[np.float64]


@dataclass(frozen=True)
class SeenLattice:
    """A lattice, and the cells on it whose interiors are seen."""

    x: LatticeAxis
    y: LatticeAxis
    columns: Indices
    """The column of each cell that is seen, counted from line 0."""
    rows: Indices
    """The row of each of them."""
    fill: float = 1.0
    """The size of what is seen of a cell, as a part of the pitch."""

    @property
    def area(self) -> float:
        """The area of the cells that are seen, in pixels."""
        return len(self.columns) * self.x.pitch * self.y.pitch


def interior_lattices(parts: FlatParts) -> list[SeenLattice]:
    """The lattices on which interiors of cells lie, the largest area first."""
    boxes = parts.boxes[parts.interiors]
    sizes = np.round(boxes[:, 2:]).astype(np.intp)
    found: list[SeenLattice] = []
    for alike in _commonest(sizes, MAX_SIZES):
        width, height = np.median(boxes[alike, 2:], axis=0).tolist()
        x_range, y_range = ((side, MAX_PITCH_RATIO * side + MAX_EXTRA_PITCH) for side in (width, height))
        found += lattices_of(boxes[alike], parts.labels.shape, x_range, y_range)
    return sorted(found, key=lambda one: -one.area)


def glyph_lattices(parts: FlatParts) -> list[SeenLattice]:
    """The same for drawings of one height, as digits are on a ground without lines."""
    boxes = parts.drawings
    heights = np.round(boxes[:, 3:]).astype(np.intp)
    found: list[SeenLattice] = []
    for alike in _commonest(heights, MAX_HEIGHTS):
        height = float(np.median(boxes[alike, 3]))
        pitches = MIN_GLYPH_PITCH * height, MAX_GLYPH_PITCH * height
        found += lattices_of(boxes[alike], parts.labels.shape, pitches, pitches, are_drawings=True)
    return sorted(found, key=lambda one: -one.area)


def drawn_lattices(parts: FlatParts) -> list[SeenLattice]:
    """The same for drawings of all heights, or for dots, at whatever distance: where a game is drawn by few
    digits, or is covered with dots."""
    found: list[SeenLattice] = []
    for boxes in (parts.drawings, parts.dots):
        if MIN_DRAWN <= len(boxes) <= MAX_DRAWN:
            raster = _Raster(boxes, parts.labels.shape)
            for across, down in product(PITCHES, PITCHES):
                found += _lattices_on(raster, boxes, across, down, are_drawings=True)
    return sorted((one for one in found if len(one.columns) >= MIN_DRAWN), key=lambda one: -one.area)


def joined(lattices: Sequence[SeenLattice]) -> list[SeenLattice]:
    """The lattices, those that are the same at one place as one, on the lines of the first of them."""
    every: list[SeenLattice] = []
    for one in lattices:
        for number, other in enumerate(every):
            same = on_lattice(one, other)
            if same is not None:
                every[number] = same
                break
        else:
            every.append(one)
    return every


def on_lattice(one: SeenLattice, other: SeenLattice) -> SeenLattice | None:
    """The second lattice with the cells of the first as well; None if these do not lie on it and near it."""
    cells = []
    for axis, indices, onto, its in (
        (one.x, one.columns, other.x, other.columns),
        (one.y, one.rows, other.y, other.rows),
    ):
        places = onto.index(axis.start) + (indices + 0.5) * (axis.pitch / onto.pitch) - 0.5
        nearest = np.round(places).astype(np.intp)
        if abs(axis.pitch / onto.pitch - 1) > SAME_PITCH or np.abs(places - nearest).max() > SAME_PHASE:
            return None
        if nearest.min() > its.max() + MAX_APART or nearest.max() < its.min() - MAX_APART:
            return None
        cells.append(nearest)
    both = np.concatenate([np.stack([other.columns, other.rows]), np.stack(cells)], axis=1)
    columns, rows = np.unique(both, axis=1)
    return SeenLattice(other.x, other.y, columns, rows, other.fill)


def centred(lattice: SeenLattice, boxes: Boxes) -> SeenLattice:
    """The lattice, moved so that some interiors of cells lie in the middle of its cells.

    Digits need not be drawn in the middle of theirs. Without enough interiors the lattice stays as it is.
    """
    pitch = np.array([lattice.x.pitch, lattice.y.pitch])
    fills = boxes[:, 2:] / pitch
    places = (boxes[:, :2] + boxes[:, 2:] / 2 - (lattice.x.start, lattice.y.start)) / pitch - 0.5
    first = np.array([lattice.columns.min(), lattice.rows.min()]) - 1
    last = np.array([lattice.columns.max(), lattice.rows.max()]) + 1
    cells = (fills >= MIN_FILL) & (fills <= 1) & (places > first) & (places < last)
    off = (places - np.round(places))[cells.all(axis=1)]
    if len(off) < MIN_SEEN:
        return lattice
    middle = np.median(off, axis=0)
    if (np.abs(off - middle) <= MAX_SPREAD).all(axis=1).mean() < MIN_AGREEING:
        return lattice
    x, y = (
        replace(axis, start=axis.start + shift * axis.pitch)
        for axis, shift in zip((lattice.x, lattice.y), middle.tolist(), strict=True)
    )
    return replace(lattice, x=x, y=y)


def between(lattice: SeenLattice) -> SeenLattice:
    """The lattice of the cells in whose corners something is seen, as between rounded cells without gaps."""
    x, y = (replace(axis, start=axis.start - axis.pitch / 2) for axis in (lattice.x, lattice.y))
    corners = [(lattice.columns + right, lattice.rows + down) for right in (0, 1) for down in (0, 1)]
    columns, rows = np.unique(np.concatenate([np.stack(one) for one in corners], axis=1), axis=1)
    return SeenLattice(x, y, columns, rows, 1 - lattice.fill)


def _commonest(sizes: Indices, most: int) -> Iterator[npt.NDArray[np.bool_]]:
    """Which of some sizes (count, sides), in pixels, are about equal, for the commonest ones in turn."""
    left = np.ones(len(sizes), bool)
    for _ in range(most):
        if np.count_nonzero(left) < MIN_SEEN:
            return
        top = sizes.max(axis=0)
        counts = np.zeros((top[0] + 2, top[1] + 2 if len(top) > 1 else 1), np.float32)
        np.add.at(counts, tuple(sizes[left].T) if len(top) > 1 else (sizes[left, 0], 0), 1)
        nearby = cv2.boxFilter(counts, -1, (3, 3), normalize=False, borderType=cv2.BORDER_CONSTANT)
        best = np.unravel_index(int(np.argmax(nearby.reshape(counts.shape))), counts.shape)
        if nearby.reshape(counts.shape)[best] < MIN_SEEN:
            return
        alike = left & (np.abs(sizes - best[: len(top)]) <= 1).all(axis=1)
        left &= ~alike
        yield alike


def lattices_of(
    boxes: Boxes,
    shape: tuple[int, int],
    x_pitches: tuple[float, float],
    y_pitches: tuple[float, float],
    *,
    are_drawings: bool = False,
) -> list[SeenLattice]:
    """The lattices in whose cells some rectangles lie, in a picture of a shape (height, width).

    `x_pitches`, `y_pitches`: the ranges of the pitch in both directions, in pixels. `are_drawings`: whether
    they are drawings, which may be small in their cells, and not interiors.
    """
    return _lattices_on(_Raster(boxes, shape), boxes, x_pitches, y_pitches, are_drawings=are_drawings)


def _lattices_on(
    raster: _Raster,
    boxes: Boxes,
    x_pitches: tuple[float, float],
    y_pitches: tuple[float, float],
    *,
    are_drawings: bool,
) -> list[SeenLattice]:
    """The same of rectangles whose middles are in a raster."""
    middles = raster.points
    x_pitch, y_pitch = raster.pitch(x_pitches, 0), raster.pitch(y_pitches, 1)
    max_ratio = MAX_GLYPH_CELL_RATIO if are_drawings else MAX_CELL_RATIO
    if not x_pitch or not y_pitch or max(x_pitch / y_pitch, y_pitch / x_pitch) > max_ratio:
        return []
    found: list[SeenLattice] = []
    for numbers, columns, rows in _linked(raster, x_pitch, y_pitch):
        if np.ptp(columns) == 0 or np.ptp(rows) == 0:
            continue
        if are_drawings:
            columns, rows = _without_gaps(columns), _without_gaps(rows)
        x, y = _fitted(columns, middles[numbers, 0]), _fitted(rows, middles[numbers, 1])
        if min(x.pitch / x_pitch, y.pitch / y_pitch) < MIN_FITTED:
            continue
        width, height = np.median(boxes[numbers, 2:], axis=0).tolist()
        found.append(SeenLattice(x, y, columns, rows, min(width / x.pitch, height / y.pitch)))
    return found


class _Raster:
    """Looks up the middle of which of some rectangles lies at a place, to a few pixels."""

    def __init__(self, boxes: Boxes, shape: tuple[int, int]) -> None:
        points: Points = boxes[:, :2] + boxes[:, 2:] / 2
        self.points = points
        """The middles of the rectangles."""
        # The points on the last pixels are a pixel from the edge of the raster, and so are those beside them.
        self._numbers = np.full((shape[0] // RASTER + 4, shape[1] // RASTER + 4), -1, np.int32)
        x, y = (points / RASTER).astype(np.intp).T + 1
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                self._numbers[y + dy, x + dx] = np.arange(len(points))
        self._numbers[y, x] = np.arange(len(points))

    def at(self, places: Points) -> Indices:
        """The number of the point near each place, (…, 2), -1 where there is none: shape (…)."""
        x, y = np.moveaxis(np.floor(places / RASTER).astype(np.intp) + 1, -1, 0)
        height, width = self._numbers.shape
        inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
        return np.where(inside, self._numbers[y * inside, x * inside], -1)

    def pitch(self, pitches: tuple[float, float], axis: int) -> float:
        """The distance in a range, along an axis (0: x), at which most points have others; 0 if none have."""
        shortest, longest = int(pitches[0]), int(pitches[1])
        distances = np.arange(shortest, MULTIPLES * longest + 2)
        hits = self._hits(distances, axis)
        # The raster blurs distances over about three of its pixels.
        tried = np.arange(shortest, longest, 0.5)
        score = np.zeros(len(tried))
        for multiple in range(1, MULTIPLES + 1):
            score += np.interp(tried * multiple, distances, hits) / multiple
        if not len(score) or score.max() < 2:
            return 0.0
        top = np.flatnonzero(score >= 0.97 * score.max())
        run = top[: int(np.argmax(np.append(np.diff(top), 99) > 1)) + 1]
        return float(tried[run].mean())

    def _hits(self, distances: Indices, axis: int) -> Indices:
        """How many of some points have others at each distance, (count,), along an axis."""
        lines = self._numbers if axis == 0 else self._numbers.T
        chosen = self.points[:: -(-len(self.points) // MAX_SAMPLES)]
        line = (chosen[:, 1 - axis] / RASTER).astype(np.intp) + 1
        steps = ((chosen[:, axis, None] + distances) / RASTER).astype(np.intp) + 1
        # Nothing is at the end of a line.
        near = lines[line[:, None], np.minimum(steps, lines.shape[1] - 1)] >= 0
        return np.asarray(near.sum(axis=0), np.intp)


def _linked(raster: _Raster, x_pitch: float, y_pitch: float) -> list[tuple[Indices, Indices, Indices]]:
    """Groups of points that are neighbours and not few: the numbers of the points, their columns and rows."""
    starts, others, columns_to, rows_to = _links(raster, x_pitch, y_pitch)
    count = len(starts) - 1
    columns, rows, is_found = [0] * count, [0] * count, [False] * count
    groups: list[Indices] = []
    for first in range(count):
        if is_found[first] or starts[first] == starts[first + 1]:
            continue
        is_found[first] = True
        group = [first]
        for one in group:  # it grows meanwhile
            for link in range(starts[one], starts[one + 1]):
                other = others[link]
                if not is_found[other]:
                    is_found[other] = True
                    columns[other] = columns[one] + columns_to[link]
                    rows[other] = rows[one] + rows_to[link]
                    group.append(other)
        if len(group) >= MIN_SEEN:
            groups.append(np.array(group, np.intp))
    places = np.array([columns, rows], np.intp)
    return [(numbers, *places[:, numbers]) for numbers in groups]


def _links(raster: _Raster, x_pitch: float, y_pitch: float) -> tuple[list[int], ...]:
    """The links of all points to their neighbours, those of a point one after the other: the first link of
    each point, and the number of all links; and of each link its neighbour, and how many columns and rows
    further that lies."""
    neighbours = np.array(NEIGHBOURS, np.intp)
    numbers = np.arange(len(raster.points))
    near = raster.at(raster.points + (neighbours * (x_pitch, y_pitch))[:, None])
    way, one = np.nonzero((near >= 0) & (near != numbers))
    other = near[way, one]
    # Each is a link of either point.
    starts, ends = np.stack([one, other], axis=1).ravel(), np.stack([other, one], axis=1).ravel()
    ways = np.stack([neighbours[way], -neighbours[way]], axis=1).reshape(-1, 2)
    order = np.argsort(starts, kind="stable")
    firsts = np.searchsorted(starts[order], np.arange(len(numbers) + 1))
    return firsts.tolist(), ends[order].tolist(), *ways[order].T.tolist()


def _without_gaps(indices: Indices) -> Indices:
    """The columns, or the rows, of cells, counted anew if only every second or third one has any.

    A pitch that is too small for its range, for drawings are small in their cells, is halved or divided by
    three.
    """
    if len(indices) < ENOUGH_SEEN:
        return indices
    counted = indices - indices.min()
    step = next((step for step in STEPS if not (counted % step).any()), 1)
    return counted // step if step > 1 and counted.any() else indices


def _fitted(indices: Indices, middles: npt.NDArray[np.float64]) -> LatticeAxis:
    """The axis on which the middles of cells of these indices lie, outliers left out."""
    chosen = np.ones(len(indices), bool)
    start = pitch = 0.0
    for _ in range(3):
        pitch, start = np.polyfit(indices[chosen], middles[chosen], 1).tolist()
        off = np.abs(middles - start - pitch * indices)
        closer = off <= max(1.0, 2 * float(np.median(off)))
        if (closer == chosen).all() or len(np.unique(indices[closer])) < 2:
            break
        chosen = closer
    return LatticeAxis(pitch, start - pitch / 2)
