"""Puts a grid where the cells really end: what a click changes is whole cells.

Repetition gives the pitch to a hundredth or so and the place to half a pixel; a line of each neighbour in
every cell would make two looks of one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import floor

import numpy as np
import numpy.typing as npt

from bot.vision.cells.sampling import Sampling
from bot.vision.grid import Grid, Image

CHANGED = 8
"""Difference of colour (0 to 255) from which a pixel has changed."""

AROUND = 3
"""So many pixels around the grid are looked at as well."""

FEWEST = 6
"""Ends of changed cells that must be seen."""

NEAR = 0.75
"""How far, in pixels, an end may lie from where the grid says: ends are whole pixels."""

WHOLE = 0.12
"""A pitch so near to whole pixels, over cells that fit them, is a whole one."""

ALIKE = 0.05
"""Cells that differ so little, as a mean of colour (0 to 255), have the right grid."""

ENOUGH = 0.7
"""So much more alike the cells of another grid must be."""

MOSTLY = 0.6
"""The part of the cells that is compared: the others may be opened, or under a picture of help."""

OTHERS = 0.3
"""How much all cells together count besides those."""

Step = tuple[Image, Image]
"""The window before and after a click."""


def refined(grid: Grid, steps: Sequence[Step]) -> Grid:
    """The grid, its place and pitch such that what the clicks changed are whole cells."""
    x, width = _fitted(grid.x, grid.cell_width, [_box(step, grid, 0) for step in steps])
    y, height = _fitted(grid.y, grid.cell_height, [_box(step, grid, 1) for step in steps])
    return replace(grid, x=x, y=y, cell_width=width, cell_height=height)


def sharpened(grid: Grid, frame: Image) -> Grid:
    """The grid whose cells look most alike on a board that is mostly covered.

    Besides the grid itself, those of whole pixels whose first columns and rows are one pixel wider.
    """
    before = _unlike(grid, frame)
    if before <= ALIKE:
        return grid
    best = min(_with_columns(grid), key=lambda one: _unlike(one, frame))
    best = min(_with_rows(best), key=lambda one: _unlike(one, frame))
    best = min(
        _with_columns(replace(grid, y=best.y, cell_height=best.cell_height, wide_rows=best.wide_rows)),
        key=lambda one: _unlike(one, frame),
    )
    return best if _unlike(best, frame) <= ENOUGH * before else grid


def _with_columns(grid: Grid) -> Iterator[Grid]:
    for start, base, wide in _whole(grid.x, grid.pitch[0], grid.columns):
        yield replace(grid, x=start, cell_width=base, wide_columns=wide)


def _with_rows(grid: Grid) -> Iterator[Grid]:
    for start, base, wide in _whole(grid.y, grid.pitch[1], grid.rows):
        yield replace(grid, y=start, cell_height=base, wide_rows=wide)


def _whole(start: float, pitch: float, count: int) -> Iterator[tuple[float, float, int]]:
    """First edges, whole pitches, and numbers of cells that are a pixel wider, about as long together."""
    for total in range(round(pitch * count) - 4, round(pitch * count) + 5):
        base, wide = divmod(total, count)
        for off in (0, -1, 1, -2, 2):
            yield float(floor(start + 0.5) + off), float(base), wide


def _unlike(grid: Grid, frame: Image) -> float:
    """How far the cells are from the usual one: the mean of those that are most like it."""
    size = int(np.diff(grid.column_edges).max()), int(np.diff(grid.row_edges).max())
    cells = Sampling(grid, size).cells(frame).reshape(grid.rows * grid.columns, -1).astype(np.int16)
    apart = np.sort(np.abs(cells - np.median(cells, axis=0)).mean(axis=1))
    # All count a little as well: rows that are off by a pixel may be fewer than the rest.
    return float(apart[: max(1, int(MOSTLY * len(apart)))].mean() + OTHERS * apart.mean())


def _fitted(start: float, pitch: float, boxes: Sequence[tuple[int, int] | None]) -> tuple[float, float]:
    """Where the first cell begins and the cells' pitch, by the ends of what has changed."""
    ends = [end for box in boxes if box is not None and _is_whole(box, pitch) for end in box]
    if len(ends) < FEWEST:
        return start, pitch
    places = np.array(ends, float)
    numbers = np.round((places - start) / pitch)
    for trial in (float(round(pitch)), None):  # whole pixels, if they explain it
        if trial is not None and abs(trial - pitch) > WHOLE:
            continue
        found = _line(places, numbers, trial)
        if found is not None:
            return found
    return start, pitch


def _line(
    places: npt.NDArray[np.float64], numbers: npt.NDArray[np.float64], pitch: float | None
) -> tuple[float, float] | None:
    """A first edge and a pitch that explain the ends; None where a quarter of them lie elsewhere."""
    if pitch is not None:
        start = float(np.median(places - pitch * numbers))
        apart = np.abs(places - start - pitch * numbers)
        return (start, pitch) if (apart <= NEAR).mean() >= 0.75 else None
    if len(set(numbers.tolist())) < 3:
        return None
    kept = np.ones(len(places), bool)
    slope, first = 0.0, 0.0
    for _ in range(3):
        slope, first = (float(value) for value in np.polyfit(numbers[kept], places[kept], 1))
        kept = np.abs(places - first - slope * numbers) <= NEAR
        if kept.mean() < 0.75:
            return None
    return first, slope


def _is_whole(box: tuple[int, int], pitch: float) -> bool:
    """Whether a length is that of whole cells; else there are gaps between them, or something else moved."""
    cells = round((box[1] - box[0]) / pitch)
    return cells >= 1 and abs((box[1] - box[0]) - cells * pitch) <= 1.01 + WHOLE * cells


def _box(step: Step, grid: Grid, axis: int) -> tuple[int, int] | None:
    """The first pixel that has changed and the one after the last, along an axis (0 across, 1 down)."""
    rect = grid.rect
    before, after = step
    top, left = max(0, rect.y - AROUND), max(0, rect.x - AROUND)
    one = before[top : rect.bottom + AROUND, left : rect.right + AROUND]
    other = after[top : rect.bottom + AROUND, left : rect.right + AROUND]
    changed: npt.NDArray[np.bool_] = (np.maximum(one, other) - np.minimum(one, other)).max(axis=2) > CHANGED
    lines = np.flatnonzero(changed.any(axis=axis))
    if not len(lines):
        return None
    base = left if axis == 0 else top
    return base + int(lines[0]), base + int(lines[-1]) + 1
