"""Moves lattices so that the grounds of cells end on their lines.

What is drawn in cells need not stand in their middle: in a terminal characters stand low. But where covered
and opened cells have grounds of their own, these end at the edges of cells, and such an edge runs straight
along at least one whole cell, which the edges of digits do not.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from bot.vision.grid import Plane
from bot.vision.grids.lattices.periodicity import Gradients
from bot.vision.grids.lattices.pitch import LatticeAxis
from bot.vision.grids.lattices.seen_lattices import SeenLattice

MIN_EDGE = 8
"""Minimum difference of the pixels on the two sides of an edge, 0 to 255."""

LONG, MIN_LENGTH = 0.85, 4
"""Minimum length of an edge that counts, and of all of them together, in sides of cells."""

BINS, NEAR = 50, 3
"""In how many parts a cell is divided, and how many of them an edge may be away from the place where most
lie: gaps between cells have an edge on both sides."""

MIN_AGREEING = 0.9
"""Minimum part of the length of all long edges that lies at one place in cells."""

MIN_OFF, MAX_OFF = 0.08, 0.38
"""By how much of a cell a lattice is moved: by less, nothing is won; by more, the long edges are bars in the
middle of cells. Of 61 axes of lattices of drawn terminals that were off and had such edges 55 lay right when
moved; none that lay right was moved."""


def on_grounds(lattice: SeenLattice, gradients: Gradients) -> SeenLattice:
    """The lattice, moved so that the long straight edges within it lie on its lines; as it is where there are
    few, or where they lie at several places in cells."""
    x, y = lattice.x, lattice.y
    columns, rows = (
        _pixels(axis, int(cells.min()) - 1, int(cells.max()) + 2)
        for axis, cells in ((x, lattice.columns), (y, lattice.rows))
    )
    off_x = _off(gradients.x[rows, columns], replace(x, start=x.start - columns.start), y.pitch)
    off_y = _off(gradients.y[columns, rows], replace(y, start=y.start - rows.start), x.pitch)
    if not off_x and not off_y:
        return lattice
    return replace(
        lattice,
        x=replace(x, start=x.start + off_x * x.pitch),
        y=replace(y, start=y.start + off_y * y.pitch),
    )


def _pixels(axis: LatticeAxis, first: int, last: int) -> slice:
    """The pixels between two lines, as far as there are any."""
    return slice(*(max(0, round(axis.line(index))) for index in (first, last)))


def _off(plane: Plane, axis: LatticeAxis, side: float) -> float:
    """How far beyond the lines of an axis the long edges in a plane lie, in pitches; 0 if they tell nothing.

    The plane, (pixels along the lines, pixels along the axis), has the gradients along the axis; `side` is
    that of a cell along its lines, in pixels.
    """
    if not plane.size:
        return 0.0
    edges = cv2.threshold(plane, MIN_EDGE - 1, 1, cv2.THRESH_BINARY)[1]
    long = cv2.morphologyEx(edges, cv2.MORPH_OPEN, np.ones((max(3, int(LONG * side)), 1), np.uint8))
    lengths = long.sum(axis=0, dtype=np.int64)
    total = int(lengths.sum())
    if total < MIN_LENGTH * side:
        return 0.0
    parts = np.floor((np.arange(len(lengths)) - axis.start) / axis.pitch % 1 * BINS).astype(np.intp) % BINS
    counts = np.bincount(parts, lengths, BINS)
    around = np.arange(-NEAR, NEAR + 1)
    near = counts[(np.arange(BINS)[:, None] + around) % BINS]
    best = int(near.sum(axis=1).argmax())
    if near[best].sum() < MIN_AGREEING * total:
        return 0.0
    off = (best + 0.5 + float(near[best] @ around) / float(near[best].sum())) / BINS
    off -= round(off)
    return off if MIN_OFF <= abs(off) <= MAX_OFF else 0.0
