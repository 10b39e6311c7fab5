"""Says for each cell of a lattice what speaks for and against its being a cell of a board.

A cell is seen if its interior is: a flat component of its size in its place. Opened cells without lines
between them are one flat component, their ground. They are cells if the ground ends on lines of the lattice,
as that of a page does not, or ends near the cells that are seen.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bot.geometry import Rect
from bot.vision.components import Labels
from bot.vision.grid import Grid
from bot.vision.grids.lattices.extent import Weights
from bot.vision.grids.lattices.interiors import Boxes, FlatParts

SEEN, OPENED_GROUND, CLOSED_GROUND, OPEN_GROUND, OTHER = 1.0, 0.7, 0.3, -0.02, -0.3
"""Weights of a cell whose interior is seen; of one on ground that ends on lines of the lattice; of one on
other ground that shows between the cells that are seen, if it ends near them, and if not; and of anything
else. Tuned on 250 pictures of training/reader (`python -m training.reader.checks.grids`)."""

MAX_CLOSED, MAX_PADDING = 2.5, 0.35
"""Maximum distance from the cells that are seen to the end of ground that ends near them, in pitches; and the
same from the lines of the lattice inside it, as a frame has around a board."""

MIN_SIZE, MAX_SIZE = 0.4, 1.02
"""Range of the size of an interior, in pitches; one pixel more is allowed."""

MAX_MIDDLE_OFFSET, MIN_MIDDLE_OFFSET = 0.12, 1.5
"""Maximum distance of the middle of an interior from the middle of its cell, in pitches; so many pixels are
allowed in any case."""

MIN_ALIKE = 3
"""Minimum number of interiors of one size, and of cells on one ground: fewer are chance."""

INSET = 0.14
"""Distance of the points of a ring from the edge of the cell, in pitches."""

MIN_RING = 0.75
"""Minimum part of the points of a ring that lie on one flat component."""

MIN_DRAWN, MIN_DRAWN_CELLS = 0.15, 2
"""Minimum part of the points in the middle of a cell that differ from its ground where something is drawn on
it, and minimum number of such cells on ground that shows nowhere between the cells that are seen."""

MAX_LINE_OFFSET, MIN_LINE_OFFSET = 0.1, 1.6
"""Maximum distance of the sides of the ground of opened cells from lines of the lattice, in pitches; so many
pixels are allowed in any case."""

Indices = npt.NDArray[np.intp]
Bools = npt.NDArray[np.bool_]
Points = npt.NDArray[np.float64]

_SIDE = (INSET, 0.38, 0.62, 1 - INSET)
RING: Points = np.array([(x, y) for x in _SIDE for y in _SIDE if {x, y} & {INSET, 1 - INSET}])
"""The points of a ring inside the edge of a cell: x and y in pitches from its corner."""

_MIDDLE = (0.35, 0.45, 0.55, 0.65)
MIDDLE: Points = np.array([(x, y) for x in _MIDDLE for y in _MIDDLE])
"""Points in the middle of a cell, likewise."""


def cell_weights(every: Sequence[FlatParts], reach: Grid, columns: Indices, rows: Indices) -> Weights:
    """How much speaks for each cell of a generous grid: shape (rows, columns), -1 to 1.

    `every`: the flat parts of the picture, those of the lowest threshold first; `columns` and `rows`: the
    places of the cells by which the lattice was found.
    """
    weights = np.full(reach.shape, OTHER)
    weights[rows, columns] = SEEN
    for parts in every:
        seen_columns, seen_rows = _seen_cells(parts.boxes[parts.interiors], reach)
        weights[seen_rows, seen_columns] = SEEN
    rows, columns = np.nonzero(weights == SEEN)
    seen = Rect(int(columns.min()), int(rows.min()), int(np.ptp(columns)) + 1, int(np.ptp(rows)) + 1)
    between = np.zeros(reach.shape, bool)
    between[seen.y : seen.bottom, seen.x : seen.right] = True
    for parts in every:
        ground = _grounds(parts, reach)
        # What a lower threshold explains says nothing of a ground that a higher one joins with the page's.
        unexplained = between & (weights < OPENED_GROUND)
        shown = _counts(parts, ground[unexplained]) >= MIN_ALIKE
        weights[shown[ground] & (weights < OPEN_GROUND)] = OPEN_GROUND
        # Only where cells are: a noisy picture has half a million components.
        some = np.flatnonzero(shown)
        closed = some[_ends_near(parts, some, reach, seen)]
        weights[np.isin(ground, closed) & (weights < CLOSED_GROUND)] = CLOSED_GROUND
        drawn = (_components_at(parts, reach, MIDDLE) != ground[..., None]).mean(axis=2) > MIN_DRAWN
        used = (_counts(parts, ground[between]) > 0) | (_counts(parts, ground[drawn]) >= MIN_DRAWN_CELLS)
        some = np.flatnonzero(used)
        opened = some[_ends_on_lines(parts.boxes[some], reach)]
        weights[np.isin(ground, opened) & (weights < OPENED_GROUND)] = OPENED_GROUND
    return weights


def _seen_cells(boxes: Boxes, reach: Grid) -> tuple[Indices, Indices]:
    """The columns and rows of the cells of a grid whose interiors are among these rectangles."""
    pitch = np.array([reach.cell_width, reach.cell_height])
    places = (boxes[:, :2] + boxes[:, 2:] / 2 - (reach.x, reach.y)) / pitch - 0.5
    cells = np.round(places).astype(np.intp)
    off = np.abs(places - cells) * pitch
    good = off <= np.maximum(MAX_MIDDLE_OFFSET * pitch, MIN_MIDDLE_OFFSET)
    good &= (boxes[:, 2:] >= MIN_SIZE * pitch) & (boxes[:, 2:] <= MAX_SIZE * pitch + 1)
    good &= (cells >= 0) & (cells < (reach.columns, reach.rows))
    chosen = good.all(axis=1)
    boxes, cells = boxes[chosen], cells[chosen]
    if len(boxes):
        sizes = np.round(boxes[:, 2:]).astype(np.intp) // 2
        _, which, counts = np.unique(sizes, axis=0, return_inverse=True, return_counts=True)
        cells = cells[counts[which.ravel()] >= MIN_ALIKE]
    return cells[:, 0], cells[:, 1]


def _components_at(parts: FlatParts, reach: Grid, points: Points) -> Labels:
    """The flat components at points (count, 2) of every cell, in pitches: shape (rows, columns, count)."""
    height, width = parts.labels.shape
    x = reach.x + (np.arange(reach.columns)[:, None] + points[:, 0]) * reach.cell_width
    y = reach.y + (np.arange(reach.rows)[:, None] + points[:, 1]) * reach.cell_height
    x_pixels = np.clip(np.floor(x), 0, width - 1).astype(np.intp)
    y_pixels = np.clip(np.floor(y), 0, height - 1).astype(np.intp)
    return parts.labels[y_pixels[:, None], x_pixels[None]]


def _grounds(parts: FlatParts, reach: Grid) -> Labels:
    """The flat component that each cell has all around inside its edge, 0 if none: shape (rows, columns)."""
    ring = np.sort(_components_at(parts, reach, RING), axis=2)
    needed = int(np.ceil(MIN_RING * len(RING)))
    # In sorted order equal components are neighbours: a run of the needed length begins and ends alike.
    starts, ends = ring[..., : len(RING) - needed + 1], ring[..., needed - 1 :]
    return np.asarray(np.where(starts == ends, starts, 0).max(axis=2), np.int32)


def _counts(parts: FlatParts, grounds: Labels) -> Indices:
    """The number of cells on each flat component, none on what is not flat: shape (components,)."""
    counts = np.bincount(grounds.ravel(), minlength=len(parts.boxes))
    counts[0] = 0
    return counts


def _ends_on_lines(boxes: Boxes, reach: Grid) -> Bools:
    """Which flat components lie on a generous grid and end on lines of its lattice on all four sides."""
    pitch = np.array([reach.cell_width, reach.cell_height])
    starts, ends = _in_pitches(boxes, reach)
    good = (starts > -0.5) & (ends < (reach.columns + 0.5, reach.rows + 0.5))
    for sides in (starts, ends):
        off = np.abs(sides - np.round(sides)) * pitch
        good &= off <= np.maximum(MAX_LINE_OFFSET * pitch, MIN_LINE_OFFSET)
    return np.asarray(good.all(axis=1))


def _ends_near(parts: FlatParts, some: Indices, reach: Grid, seen: Rect) -> Bools:
    """Which of some flat components, (count,), end near a range of cells, and before the picture ends."""
    height, width = parts.labels.shape
    boxes = parts.boxes[some]
    starts, ends = _in_pitches(boxes, reach)
    good = (starts > (seen.x - MAX_CLOSED, seen.y - MAX_CLOSED)) & (boxes[:, :2] > 1)
    good &= ends < (seen.right + MAX_CLOSED, seen.bottom + MAX_CLOSED)
    good &= boxes[:, :2] + boxes[:, 2:] < (width - 1, height - 1)
    good &= np.ceil(starts - MAX_LINE_OFFSET) - starts <= MAX_PADDING
    good &= ends - np.floor(ends + MAX_LINE_OFFSET) <= MAX_PADDING
    return np.asarray(good.all(axis=1))


def _in_pitches(boxes: Boxes, reach: Grid) -> tuple[Points, Points]:
    """The top left and the bottom right corners of rectangles, in cells of a grid: shapes (count, 2)."""
    pitch = np.array([reach.cell_width, reach.cell_height])
    starts = (boxes[:, :2] - (reach.x, reach.y)) / pitch
    return starts, starts + boxes[:, 2:] / pitch
