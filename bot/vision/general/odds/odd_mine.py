"""Which of the mines that a lost game shows exploded: the one that looks least like the others.

Games draw their mines alike and that one otherwise, in whatever skin: on another ground, crossed out, as a
burst. How far a mine is from the one that looks most like it is compared with how far the others are from
theirs, which is what noise, gradients and fractions of pixels make of one drawing.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bot.board import Cell

Doubles = npt.NDArray[np.float64]
Looks = npt.NDArray[np.intp]

LEAST_CELLS = 4
"""Minimum number of mines among which one can be told to be odd."""

LEAST_DISTANCE = 0.15
"""Smaller distances, as a part of the length of the features, count as this: so far from the others is a cell
of the same drawing at the edge of a board, or on the other tone of a checkerboard."""

EVEN, SLOPE, MOST = 1.45, 6.0, 4.0
"""With even chances that mine exploded that is so many times as far from the others as any other one; how
fast the logarithm of the odds grows with that of this ratio, and the most that it says.

Of 112 drawn boards with an explosion that mine was the farthest on 107, on 98 of them more than 1.5 times as
far; of 36 without one the farthest mine was more than 1.4 times as far as the next one on three."""

_MINE, _EXPLODED = int(Cell.MINE), int(Cell.EXPLODED)


class OddMine:
    """What the looks of the mines say against the labels of a board."""

    def __init__(self, distances: Doubles, counts: Looks) -> None:
        """From the distances between looks, (looks, looks), as parts of the length of their features, and the
        number of cells of each look, (looks,)."""
        self._distances: Doubles = distances.copy()
        np.fill_diagonal(self._distances, np.where(counts > 1, 0.0, np.inf))
        self._counts = counts

    def cost(self, labels: Looks) -> float:
        """How unlikely it is that the mines of some labels, (looks,), look as they do; 0 or more."""
        exploded = labels == _EXPLODED
        mines = np.flatnonzero(exploded | (labels == _MINE))
        if self._counts[mines].sum() < LEAST_CELLS:
            return 0.0
        apart = self._distances[np.ix_(mines, mines)].min(axis=1)
        exploded = exploded[mines]
        if exploded.all():
            return 0.0
        if exploded.any():
            odds = SLOPE * np.log(_times(apart[exploded].min(), apart[~exploded].max()) / EVEN)
            return float(np.clip(-odds, 0, MOST))
        *_, second, farthest = 0.0, *np.sort(apart)
        return float(np.clip(SLOPE * np.log(_times(farthest, second) / EVEN), 0, MOST))


def _times(apart: float, others: float) -> float:
    return max(float(apart), 1e-6) / max(float(others), LEAST_DISTANCE)
