"""Whether a board shows each thing in one drawing: a skin has one flag, one covered cell, one 3.

What looks alike mostly is the same; this is the other way round. Labels that give one name to cells that look
far from alike, as if a flag were drawn in two ways, are hardly ever right.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bot.board import Cell

Doubles = npt.NDArray[np.float64]
Looks = npt.NDArray[np.intp]

SLOPE = 20.0
"""How fast what a gap between two drawings of one thing costs grows with its width, which is a part of the
length of the features of looks."""

FREE_GAP, FREE_DIGIT_GAP = 0.5, 0.62
"""Narrower gaps cost nothing. Of 859 boards whose covered cells were told rightly these have a gap of 0.6
on 8, of 611 with flags on none; of 37 and 29 that were told wrongly on 20 and 13. On one drawn board in fifty a
digit of one kind lies as far as 0.7 from the others."""

MOST = 8.0
"""The most that the gaps of one label cost."""


class Drawings:
    """What the looks of a board say against giving one label to them."""

    def __init__(self, distances: Doubles, kinds: Looks) -> None:
        """From the squared distances between looks, (looks, looks), as parts of the square of their length,
        and the kind of each look, (looks,), numbered from 0: looks of a kind are alike."""
        count = int(kinds.max()) + 1
        self._kinds = kinds
        self._gaps: Doubles = np.full((count, count), np.inf)
        np.minimum.at(self._gaps, (kinds[:, None], kinds[None, :]), np.sqrt(np.maximum(distances, 0)))
        self._costs: dict[tuple[float, bytes], float] = {}
        """What is known already, by the free gap and the kinds."""

    def cost(self, labels: Looks) -> float:
        """How unlikely it is that looks with some labels, (looks,), differ as they do; 0 or more."""
        has = np.zeros((int(Cell.WRONG_FLAG) + 2, len(self._gaps)), np.bool_)
        has[np.minimum(labels, len(has) - 1), self._kinds] = True
        several = np.flatnonzero(has.sum(axis=1) > 1)
        return sum(
            self._cost_of(has[label], FREE_DIGIT_GAP if 1 <= label <= 8 else FREE_GAP)
            for label in several.tolist()
            if label <= Cell.WRONG_FLAG
        )

    def _cost_of(self, chosen: npt.NDArray[np.bool_], free: float) -> float:
        key = free, chosen.tobytes()
        if key not in self._costs:
            gaps = _widest_gaps(self._gaps[np.ix_(chosen, chosen)])
            self._costs[key] = float(min(MOST, SLOPE * np.maximum(gaps - free, 0).sum()))
        return self._costs[key]


def _widest_gaps(distances: Doubles) -> Doubles:
    """The gaps by which things hang together whose distances are given, (things, things): one less than there
    are things.

    Method: Prim's minimum spanning tree.
    """
    nearest, gaps = distances[0].copy(), []
    nearest[0] = np.inf
    for _ in range(len(distances) - 1):
        at = int(np.argmin(nearest))
        gaps.append(nearest[at])
        reached = np.isinf(nearest)
        nearest = np.where(reached, np.inf, np.minimum(nearest, distances[at]))
        nearest[at] = np.inf
    return np.array(gaps)
