"""Finds grids by the interiors of their cells, and by drawings that stand at equal distances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, floor

import numpy as np

from bot.geometry import Rect
from bot.vision.grid import Grid, Plane
from bot.vision.grids.lattices.cell_evidence import OPENED_GROUND, cell_weights
from bot.vision.grids.lattices.extent import heaviest_part
from bot.vision.grids.lattices.grounds import on_grounds
from bot.vision.grids.lattices.interiors import FLATNESS, FlatParts, flat_parts
from bot.vision.grids.lattices.periodicity import Gradients
from bot.vision.grids.lattices.pitch import LatticeAxis, fit_axis
from bot.vision.grids.lattices.seen_lattices import (
    SeenLattice,
    between,
    centred,
    drawn_lattices,
    glyph_lattices,
    interior_lattices,
    joined,
    on_lattice,
)

REACH = 12
"""Number of cells beyond those that are seen that a board may reach."""

MIN_VISIBLE_CELL = 2 / 3
"""Minimum part of a cell at the edge of the picture that must lie inside the picture."""

MIN_SEEN_SIDE = 5
"""Minimum number of columns and of rows of a grid."""

MIN_SEEN_SHARE = 0.3
"""Minimum part of the cells of a grid for which something speaks."""


MAX_DRAWN = 3
"""Of how many lattices of any drawings there are grids."""

MAX_CORNER, CORNERS = 0.62, 0.6
"""Maximum size of an interior, in pitches, that may be what shows between the corners of four cells, and the
trust that these cells are there."""


MAX_MOVE, MIN_MOVE = 0.05, 1.0
"""Maximum distance by which lines are moved to edges near them, in pitches, or in pixels if that is more: the
strongest edges may be those of digits."""


@dataclass(frozen=True)
class SeenGrid:
    """A grid whose cells are seen."""

    grid: Grid
    """The cells of the board, by what is visible."""
    reach: Grid
    """The same lattice as far as the board could reach."""
    share: float
    """The part of the cells of the grid for which something speaks, 0 to 1."""


def seen_grids(gradients: Gradients) -> list[SeenGrid]:
    """The grids in a picture with these gradients."""
    every = [flat_parts(gradients, flatness) for flatness in FLATNESS]
    by_interiors = [one for parts in every for one in interior_lattices(parts)]
    boxes = np.concatenate([parts.boxes[parts.interiors] for parts in every])
    drawn = [one for parts in every for one in glyph_lattices(parts)]
    by_glyphs = [centred(one, boxes) for one in drawn]
    alone = [one for one, by_glyph in zip(drawn, by_glyphs, strict=True) if one is by_glyph]
    by_grounds = [moved for one in alone if (moved := on_grounds(one, gradients)) is not one]
    # Interiors come first: their middles are those of the cells.
    lattices = joined([*_largest_first(by_interiors), *_largest_first(by_glyphs)])
    # Cells are read more surely where drawings stand in their middle, and to the last row where they lie.
    lattices += [
        one
        for one in joined(_largest_first(by_grounds))
        if all(on_lattice(one, other) is None for other in by_interiors)
    ]
    found = [_seen_grid(every, one, 1.0) for one in lattices]
    found += [_seen_grid(every, between(one), CORNERS) for one in lattices if one.fill <= MAX_CORNER]
    return [_on_edges(gradients, one) for one in found if one is not None and one.share >= MIN_SEEN_SHARE]


def drawn_grids(gradients: Gradients) -> list[SeenGrid]:
    """The grids of few or small drawings in a picture with these gradients, the largest first: where nothing
    else is a board, one of these may be."""
    every = [flat_parts(gradients, flatness) for flatness in FLATNESS]
    lattices = joined(_largest_first([one for parts in every for one in drawn_lattices(parts)]))
    grids = (_seen_grid(every, one, 1.0) for one in lattices[: 2 * MAX_DRAWN])
    return [one for one in grids if one is not None][:MAX_DRAWN]


def _on_edges(gradients: Gradients, seen: SeenGrid) -> SeenGrid:
    """The grid, moved by a part of a pixel so that its lines lie on the strongest edges near them."""
    grid, (width, height) = seen.grid, (gradients.y.shape[0], gradients.x.shape[0])
    rect = grid.rect.clipped(Rect(0, 0, width, height))
    x = _fitted(gradients.x[rect.y : rect.bottom], LatticeAxis(grid.cell_width, grid.x), grid.columns)
    y = _fitted(gradients.y[rect.x : rect.right], LatticeAxis(grid.cell_height, grid.y), grid.rows)
    fitted = replace(grid, x=x.start, y=y.start, cell_width=x.pitch, cell_height=y.pitch)
    return replace(seen, grid=fitted, reach=reach_around(fitted, Rect(0, 0, width, height)))


def _fitted(plane: Plane, axis: LatticeAxis, count: int) -> LatticeAxis:
    """The axis fitted to the edges in a plane of gradients; as it is if that would move any line far."""
    fitted, _ = fit_axis(plane, axis, 0, count)
    moved = max(abs(fitted.line(index) - axis.line(index)) for index in (0, count))
    return fitted if moved <= max(MAX_MOVE * axis.pitch, MIN_MOVE) else axis


def _largest_first(lattices: Sequence[SeenLattice]) -> list[SeenLattice]:
    return sorted(lattices, key=lambda one: -one.area)


def _seen_grid(every: Sequence[FlatParts], lattice: SeenLattice, trust: float) -> SeenGrid | None:
    """The grid on a lattice; None if it is too small. `trust`: a factor of its share, 0 to 1."""
    height, width = every[0].labels.shape
    x, y = lattice.x, lattice.y
    first_column, first_row = int(lattice.columns.min()), int(lattice.rows.min())
    counts = int(np.ptp(lattice.columns)) + 1, int(np.ptp(lattice.rows)) + 1
    around = Grid(x.line(first_column), y.line(first_row), x.pitch, y.pitch, *counts)
    reach = reach_around(around, Rect(0, 0, width, height))
    if min(reach.shape) < MIN_SEEN_SIDE:
        return None
    columns = lattice.columns - round(x.index(reach.x))
    rows = lattice.rows - round(y.index(reach.y))
    inside = (columns >= 0) & (rows >= 0) & (columns < reach.columns) & (rows < reach.rows)
    if not inside.any():
        return None
    weights = cell_weights(every, reach, columns[inside], rows[inside])
    place = heaviest_part(weights, MIN_SEEN_SIDE)
    if place is None:
        return None
    share = float((weights[place.y : place.bottom, place.x : place.right] >= OPENED_GROUND).mean())
    return SeenGrid(reach.part(place), reach, trust * share)


def reach_around(grid: Grid, picture: Rect) -> Grid:
    """The lattice of a grid as far as a board could reach on it in a picture: up to `REACH` cells further."""
    left, right = _range(grid.x, grid.cell_width, grid.columns, picture.width)
    top, bottom = _range(grid.y, grid.cell_height, grid.rows, picture.height)
    return grid.part(Rect(left, top, right - left, bottom - top))


def _range(start: float, pitch: float, count: int, length: int) -> tuple[int, int]:
    """The first column of the reach, and the one after its last, counted from the grid's first one."""
    outside = 1 - MIN_VISIBLE_CELL
    first = max(-REACH, ceil(-start / pitch - outside))
    return first, min(count + REACH, floor((length - start) / pitch + outside))
