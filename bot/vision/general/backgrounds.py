"""What lies behind the cells of an unknown skin: the plain cells, gathered by colour and relief.

Over a gradient neighbours are gathered step by step, and a plane through the colours of each group says what
is to be expected elsewhere. The two shades of a checkerboard become one ground.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from bot.vision.array_statistics import median
from bot.vision.general.patches import Patches, reliefs

Floats = npt.NDArray[np.float32]
Marks = npt.NDArray[np.bool_]
Indices = npt.NDArray[np.intp]

PLAIN = (13.0, 75.0)
"""The contrast below which a cell is plain lies between these: in the widest gap of all contrasts."""

CLEAR_GAP = 1.7
"""Where no cell has much contrast, the widest gap must be as wide, as a ratio: else all cells are plain."""

NEAR = 7.0
"""Colours of neighbours that differ less (0 to 255) are of one ground."""

RAISED = 12.0
"""By so much the upper left edge of a cell that stands out is lighter, its lower right one darker than it."""


@dataclass(frozen=True)
class Background:
    """What lies behind: a set of plain cells that look alike."""

    cells: Indices
    places: Floats
    """Column and row of each cell: (cells, 2)."""
    colours: Floats
    """The colour of each cell: (cells, 3)."""
    plane: Floats
    """Colour = plane[0] + plane[1] * column + plane[2] * row: shape (3, 3)."""
    relief: Floats
    """Shape (2,), as `reliefs` gives it."""
    checkered: bool = False
    """Whether it has two shades in turn, like a chess board."""

    @cached_property
    def colour(self) -> Floats:
        """The usual colour: (3,)."""
        out: Floats = np.median(self.colours, axis=0)
        return out

    @cached_property
    def sloped(self) -> bool:
        """Whether its colour changes over the board."""
        return bool(np.abs(self.plane[1:]).max() > 0.2)

    def expected(self, column: int, row: int) -> Floats:
        """The colour to be expected at a cell: that of the nearest ones, else what the plane says."""
        if not self.sloped:
            return self._shades[(column + row) % 2]
        away = np.maximum(np.abs(self.places[:, 0] - column), np.abs(self.places[:, 1] - row))
        colours = self.colours
        if self.checkered:
            same = (self.places.sum(axis=1) + column + row) % 2 == 0
            away, colours = away[same], colours[same]
        near = away <= max(float(away.min()), 2.0)
        if away.min() > 4:
            return np.asarray(self.plane[0] + self.plane[1] * column + self.plane[2] * row, np.float32)
        return median(colours[near])

    @cached_property
    def _shades(self) -> tuple[Floats, Floats]:
        """The usual colour of cells whose column and row add up to an even number, and of the others."""
        if not self.checkered:
            return self.colour, self.colour
        odd = self.places.sum(axis=1) % 2 == 1
        return median(self.colours[~odd]), median(self.colours[odd])


def is_raised(relief: Floats) -> bool:
    """Whether a cell, or a ground, stands out: light at its upper left edge, dark at its lower right one."""
    return bool(relief[0] > RAISED and relief[1] < -RAISED)


def plain_limit(contrast: Floats) -> float:
    """Where plain cells end: the widest gap between contrasts, as a ratio, in the range it may lie in."""
    low, high = PLAIN
    values = np.sort(contrast)
    beyond = values[values >= high]
    inside = np.concatenate([[low], values[(values > low) & (values < high)], beyond[:1]])
    if len(inside) == 1:
        return high
    ratios = inside[1:] / inside[:-1]
    widest = int(np.argmax(ratios))
    if not len(beyond) and ratios[widest] < CLEAR_GAP:
        return high
    return float(np.sqrt(inside[widest] * inside[widest + 1]))


def cluster_backgrounds(patches: Patches, plain: Marks) -> tuple[Background, ...]:
    """Plain cells, gathered."""
    where = np.flatnonzero(plain)
    if not len(where):
        return ()
    colours = patches.background[where]
    relief = reliefs(patches, where, colours)
    rows, columns = where // patches.columns, where % patches.columns
    labels = np.arange(len(where))
    near = (np.abs(rows[:, None] - rows) <= 2) & (np.abs(columns[:, None] - columns) <= 2)
    near &= np.abs(colours[:, None] - colours).max(axis=2) <= NEAR
    near &= np.abs(relief[:, None] - relief).max(axis=2) <= 28
    labels = _components(near)
    groups = [where[labels == label] for label in np.unique(labels)]
    groups.sort(key=len, reverse=True)
    made: list[Background] = []
    for cells in groups:
        ground = _ground(patches, cells)
        merged = False
        for index, other in enumerate(made):
            if _same(other, ground):
                made[index] = _ground(patches, np.concatenate([other.cells, ground.cells]))
                merged = True
                break
        if not merged:
            made.append(ground)
    return _checkered(patches, sorted(made, key=lambda one: -len(one.cells)))


def _components(near: Marks) -> Indices:
    labels = np.full(len(near), -1, np.intp)
    count = 0
    for start in range(len(near)):
        if labels[start] >= 0:
            continue
        front = np.zeros(len(near), bool)
        front[start] = True
        inside = front.copy()
        while front.any():
            front = near[front].any(axis=0) & ~inside
            inside |= front
        labels[inside] = count
        count += 1
    return labels


def _ground(patches: Patches, cells: Indices, checkered: bool = False) -> Background:
    places = np.stack([cells % patches.columns, cells // patches.columns], axis=1).astype(np.float32)
    colours = patches.background[cells]
    plane = np.zeros((3, 3), np.float32)
    spread = np.ptp(colours, axis=0).max()
    if len(cells) >= 8 and spread > 6 and not checkered and np.ptp(places, axis=0).min() >= 2:
        matrix = np.concatenate([np.ones((len(cells), 1)), places], axis=1)
        plane = np.linalg.lstsq(matrix, colours, rcond=None)[0].astype(np.float32)
    else:
        plane[0] = np.median(colours, axis=0)
    relief = np.median(reliefs(patches, cells, colours), axis=0).astype(np.float32)
    return Background(cells, places, colours, plane, relief, checkered)


def _same(one: Background, other: Background) -> bool:
    """Whether the cells of a smaller group look as the larger one would there."""
    if np.abs(one.relief - other.relief).max() > 30:
        return False
    expected = np.stack([one.expected(int(column), int(row)) for column, row in other.places[:20]])
    away = np.abs(other.colours[:20] - expected).max(axis=1)
    return float(np.median(away)) <= (22.0 if one.sloped else 9.0)


def _checkered(patches: Patches, grounds: list[Background]) -> tuple[Background, ...]:
    """Pairs of grounds that lie on cells of one shade of a checkerboard each become one."""
    shades = [_shade(patches, ground.cells) for ground in grounds]
    out: list[Background] = []
    used: set[int] = set()
    for index, ground in enumerate(grounds):
        if index in used:
            continue
        partners = [
            other
            for other in range(index + 1, len(grounds))
            if other not in used
            and shades[index] is not None
            and shades[other] == 1 - (shades[index] or 0)
            and np.abs(grounds[other].colour - ground.colour).max() <= 36
            and np.abs(grounds[other].relief - ground.relief).max() <= 24
        ]
        if not partners:
            out.append(ground)
            continue
        partner = min(partners, key=lambda other: _apart(grounds[other], ground))
        used.add(partner)
        out.append(_ground(patches, np.concatenate([ground.cells, grounds[partner].cells]), checkered=True))
    return tuple(sorted(out, key=lambda one: -len(one.cells)))


def _apart(one: Background, other: Background) -> float:
    return float(np.abs(one.colour - other.colour).max())


def _shade(patches: Patches, cells: Indices) -> int | None:
    parity = (cells // patches.columns + cells % patches.columns) % 2
    return int(parity[0]) if len(np.unique(parity)) == 1 else None
