"""Which of the mines that a lost game shows exploded: the one that looks least like any other cell.

Games draw their mines alike and that one otherwise, in whatever skin: on red, crossed out, as a burst. Where
a mine lies on the ground of other cells, some of its pixels are as theirs, whatever is drawn on it; where it
has the drawing of another mine, others are. On how many pixels a mark differs from the cell that it differs
least from is compared with how many those are on which the other marks do.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bot.board import SYMBOLS, Cell
from bot.vision.general.cell_windows import Thumbnails

Doubles = npt.NDArray[np.float64]
Looks = npt.NDArray[np.intp]

NEAR = 20
"""Pixels of colours that differ by at most this, in the channel that differs most, 0 to 255, are the same."""

LEAST_PART = 0.05
"""Smaller parts of the pixels count as this: noise and the edges of the board make them."""

OWN, SLOPE, MOST = 1.6, 4.0, 2.0
"""With even chances that mark is the mine that exploded whose part is so many times as large as any other
one; how fast the logarithm of the odds grows with that of this ratio, and the most that it says.

Of 756 lost games of the families that training has that mine was the farthest from all on 679, by this ratio,
and another mark on 16.
"""

FEW_MINES = 3
"""At least so many mines must be shown besides for one to be known as unlike the others."""

OTHER, OTHER_SLOPE, MOST_OF_NONE = 2.0, 8.0, 4.0
"""With even chances a mine that is shown has exploded, and no mere mine, whose part is so many times as large
as that of any other mine; how fast the logarithm of the odds grows, and the most that it says.

Of some 1,600 left-out lost games (eight seeds) the mine that exploded had three times as large a part as any
other mine on 1,513, and where none exploded another one had on two.
"""

_IS_MARK = np.isin(np.arange(len(SYMBOLS)), (Cell.FLAG, Cell.MINE, Cell.EXPLODED, Cell.WRONG_FLAG))
"""Which labels are marks that may be the mine that exploded: shape (codes,)."""


class OddMine:
    """What the pixels of the marks say against the labels of a board."""

    def __init__(self, thumbnails: Thumbnails, counts: Looks) -> None:
        """From the thumbnails of the looks, and the number of cells of each of them, (looks,)."""
        self._pixels = thumbnails.reshape(len(thumbnails), -1, 3).astype(np.int16)
        self._counts = counts
        self._seen = np.flatnonzero(counts)
        self._unlike: Doubles = np.where(counts > 1, np.log(LEAST_PART), np.nan)
        """The logarithm of the part of its pixels on which each look differs from what is most like it; not a
        number where it is not known yet."""

    def cost(self, labels: Looks) -> float:
        """How unlikely it is that the mine that exploded in some labels, (looks,), looks as it does, or that
        none did and one looks like no other; 0 or more."""
        marks = np.flatnonzero(_IS_MARK[labels])
        exploded = labels[marks] == Cell.EXPLODED
        if not exploded.any():
            return self._cost_of_none(labels)
        if exploded.all():
            return 0.0
        unlike = self._unlike_any(marks)
        odds = SLOPE * (unlike[exploded].min() - unlike[~exploded].max() - np.log(OWN))
        return float(np.clip(-odds, 0, MOST))

    def _cost_of_none(self, labels: Looks) -> float:
        mines = np.flatnonzero(labels == Cell.MINE)
        if len(mines) < 2 or self._counts[mines].sum() <= FEW_MINES:
            return 0.0
        unlike = np.sort(self._unlike_any(mines))
        odds = OTHER_SLOPE * (unlike[-1] - unlike[-2] - np.log(OTHER))
        return float(np.clip(odds, 0, MOST_OF_NONE))

    def _unlike_any(self, looks: Looks) -> Doubles:
        for look in looks[np.isnan(self._unlike[looks])]:
            others = self._pixels[self._seen[self._seen != look]]
            parts = (np.abs(others - self._pixels[look]).max(axis=2) > NEAR).mean(axis=1)
            self._unlike[look] = np.log(max(parts.min(), LEAST_PART))
        return self._unlike[looks]
