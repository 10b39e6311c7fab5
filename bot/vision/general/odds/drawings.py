"""Whether a board shows each thing in one drawing: a skin has one flag, one covered cell, one 3.

That cells which look alike are the same thing, the networks know. This is the other way round: labels that
give one name to cells that look far from alike, as if a flag were drawn in two ways, are hardly ever right.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bot.board import Cell
from bot.vision.general.network import LABELS

Doubles = npt.NDArray[np.float64]
Looks = npt.NDArray[np.intp]

FREE_GAP, FREE_DIGIT_GAP = 0.5, 0.62
"""Gaps between the drawings of one thing that are no wider than this cost nothing, as parts of the length of
the features of looks. Of 859 drawn boards whose covered cells were told rightly these have a gap of 0.6 on 8,
of 611 with flags on none; of 37 and 29 that were told wrongly on 20 and 13. A digit has one of 0.7 on one
board in thirty."""

SLOPE, MOST = 20.0, 8.0
"""How fast the cost of a wider gap grows with its width, and the most that the gaps of one label cost."""

ONE_MAY_DIFFER = [int(Cell.EMPTY), int(Cell.COVERED)]
"""Labels of which one cell may look as it likes: it lies under a mouse pointer."""


class Drawings:
    """What the looks of a board say against giving one label to them."""

    def __init__(self, distances: Doubles, kinds: Looks, counts: Looks) -> None:
        """From the distances between looks, (looks, looks), as parts of the length of their features; the
        kind of each look, (looks,), numbered from 0: looks of a kind are alike; and how many cells have
        each look, (looks,)."""
        count = int(kinds.max()) + 1
        self._kinds = kinds
        self._is_single = np.bincount(kinds, counts) == 1
        self._gaps: Doubles = np.full((count, count), np.inf)
        np.minimum.at(self._gaps, (kinds[:, None], kinds[None, :]), distances)
        self._costs: dict[tuple[float, bytes], float] = {}
        """What is known already, by the free gap and the kinds."""

    def cost(self, labels: Looks) -> float:
        """How unlikely it is that looks with some labels, (looks,), differ as they do; 0 or more."""
        has = np.zeros((LABELS, len(self._gaps)), np.bool_)
        has[labels, self._kinds] = True
        has[ONE_MAY_DIFFER] &= ~self._is_single
        several = np.flatnonzero(has[: Cell.WRONG_FLAG + 1].sum(axis=1) > 1).tolist()
        return sum(self._gaps_cost(label, has[label]) for label in several)

    def _gaps_cost(self, label: int, chosen: npt.NDArray[np.bool_]) -> float:
        """What the gaps between some kinds, (kinds,), cost that have one label."""
        free = FREE_DIGIT_GAP if 1 <= label <= 8 else FREE_GAP
        key = free, chosen.tobytes()
        if key not in self._costs:
            wider = np.maximum(_gaps(self._gaps[np.ix_(chosen, chosen)]) - free, 0)
            self._costs[key] = min(MOST, SLOPE * float(wider.sum()))
        return self._costs[key]


def _gaps(distances: Doubles) -> Doubles:
    """The gaps over which things hang together whose distances are given, (things, things): one less than
    there are things.

    Method: Prim's minimum spanning tree.
    """
    gaps: list[float] = []
    nearest, rest = distances[0], np.arange(1, len(distances))
    while len(rest):
        at = rest[np.argmin(nearest[rest])]
        gaps.append(float(nearest[at]))
        nearest, rest = np.minimum(nearest, distances[at]), rest[rest != at]
    return np.array(gaps)
