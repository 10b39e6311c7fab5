"""Puts a grid exactly where the cells end: what a click changes is whole cells.

Periodicity gives the pitch to about a hundredth of a pixel and the place to half a pixel; a line of each
neighbour in every cell would make two clusters of one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import floor

import numpy as np
import numpy.typing as npt

from bot.calibrate.infer.cell_clusters import cell_size
from bot.vision.cells.sampling import Sampling
from bot.vision.grid import Grid, Image

CHANGED = 8
"""Colour difference (0 to 255) beyond which a pixel has changed."""

MARGIN = 3
"""Pixels around the grid in which changes are looked for as well."""

MIN_EDGES = 6
"""Edges of changed cells that must be seen before the grid is moved."""

EDGE_TOLERANCE, MIN_EXPLAINED = 0.75, 0.75
"""How far, in pixels, an edge may lie from where a grid says (edges are whole pixels), and the part of the
edges that must lie so."""

WHOLE_PITCH = 0.12
"""A pitch that is this near to whole pixels is taken for a whole one, if the edges allow it."""

SHARP = 0.05
"""A grid is right where its cells differ by at most this much (mean colour difference, 0 to 255)."""

MAX_RATIO = 0.7
"""Another grid is taken where its cells differ by at most this part of what the first one's do."""

MOST_ALIKE, OTHERS_WEIGHT = 0.6, 0.3
"""The part of the cells that is compared (the others may be open, or under a picture of help), and the weight
of the difference over all cells: rows that are off by a pixel may be less than the rest."""

Step = tuple[Image, Image]
"""The window before and after a click."""

Values = npt.NDArray[np.float64]


def fit_to_changes(grid: Grid, steps: Sequence[Step]) -> Grid:
    """The grid, its place and pitch such that the clicks changed whole cells."""
    x, width = _fitted(grid.x, grid.cell_width, [_changed_span(step, grid, 0) for step in steps])
    y, height = _fitted(grid.y, grid.cell_height, [_changed_span(step, grid, 1) for step in steps])
    return replace(grid, x=x, y=y, cell_width=width, cell_height=height)


def fit_to_likeness(grid: Grid, frame: Image) -> Grid:
    """The grid whose cells look most alike on a board that is mostly covered.

    Besides the grid itself, those of whole pixels whose first columns and rows are one pixel wider are tried.
    """
    given = _unlikeness(grid, frame)
    if given <= SHARP:
        return grid

    def most_alike(grids: Iterator[Grid]) -> Grid:
        return min(grids, key=lambda one: _unlikeness(one, frame))

    def with_columns(rows: Grid) -> Grid:
        fits = _whole_pixel_fits(grid.x, grid.pitch[0], grid.columns)
        return most_alike(replace(rows, x=x, cell_width=base, wide_columns=wide) for x, base, wide in fits)

    fits = _whole_pixel_fits(grid.y, grid.pitch[1], grid.rows)
    columns = with_columns(grid)
    best = most_alike(replace(columns, y=y, cell_height=base, wide_rows=wide) for y, base, wide in fits)
    best = with_columns(best)  # the columns were chosen while the rows were still off
    return best if _unlikeness(best, frame) <= MAX_RATIO * given else grid


def _whole_pixel_fits(start: float, pitch: float, count: int) -> Iterator[tuple[float, float, int]]:
    """First edges, whole pitches, and numbers of cells that are a pixel wider, about as long together."""
    for total in range(round(pitch * count) - 4, round(pitch * count) + 5):
        base, wide = divmod(total, count)
        for off in (0, -1, 1, -2, 2):
            yield float(floor(start + 0.5) + off), float(base), wide


def _unlikeness(grid: Grid, frame: Image) -> float:
    """How far the cells are from the median cell: the mean of those that are most like it, and of all."""
    cells = Sampling(grid, cell_size(grid)).cells(frame).reshape(grid.rows * grid.columns, -1)
    cells = cells.astype(np.int16)
    differences = np.sort(np.abs(cells - np.median(cells, axis=0)).mean(axis=1))
    compared = max(1, int(MOST_ALIKE * len(differences)))
    return float(differences[:compared].mean() + OTHERS_WEIGHT * differences.mean())


def _fitted(start: float, pitch: float, spans: Sequence[tuple[int, int] | None]) -> tuple[float, float]:
    """Where the first cell begins and the cells' pitch, by the edges of what has changed."""
    edges = [edge for span in spans if span is not None and _is_whole(span, pitch) for edge in span]
    if len(edges) < MIN_EDGES:
        return start, pitch
    places = np.array(edges, float)
    indices = np.round((places - start) / pitch)
    whole = float(round(pitch))
    line = _line_of_pitch(places, indices, whole) if abs(whole - pitch) <= WHOLE_PITCH else None
    return line or _line(places, indices) or (start, pitch)


def _line_of_pitch(places: Values, indices: Values, pitch: float) -> tuple[float, float] | None:
    """The first edge and the pitch; None where too many edges lie elsewhere."""
    start = float(np.median(places - pitch * indices))
    near = np.abs(places - start - pitch * indices) <= EDGE_TOLERANCE
    return (start, pitch) if near.mean() >= MIN_EXPLAINED else None


def _line(places: Values, indices: Values) -> tuple[float, float] | None:
    """A first edge and a pitch by least squares, without outliers; None where too many edges are those."""
    if len(set(indices.tolist())) < 3:
        return None
    kept = np.ones(len(places), bool)
    pitch, start = 0.0, 0.0
    for _ in range(3):
        pitch, start = (float(value) for value in np.polyfit(indices[kept], places[kept], 1))
        kept = np.abs(places - start - pitch * indices) <= EDGE_TOLERANCE
        if kept.mean() < MIN_EXPLAINED:
            return None
    return start, pitch


def _is_whole(span: tuple[int, int], pitch: float) -> bool:
    """Whether a span is as long as whole cells; otherwise cells have gaps, or something else moved."""
    length = span[1] - span[0]
    cells = round(length / pitch)
    return cells >= 1 and abs(length - cells * pitch) <= 1.01 + WHOLE_PITCH * cells


def _changed_span(step: Step, grid: Grid, axis: int) -> tuple[int, int] | None:
    """The first pixel that has changed and the one after the last, along an axis (0 across, 1 down)."""
    rect = grid.rect
    top, left = max(0, rect.y - MARGIN), max(0, rect.x - MARGIN)
    before, after = (picture[top : rect.bottom + MARGIN, left : rect.right + MARGIN] for picture in step)
    changed = (np.maximum(before, after) - np.minimum(before, after)).max(axis=2) > CHANGED
    lines = np.flatnonzero(changed.any(axis=axis))
    if not len(lines):
        return None
    base = left if axis == 0 else top
    return base + int(lines[0]), base + int(lines[-1]) + 1
