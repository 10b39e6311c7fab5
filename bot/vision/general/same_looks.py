"""Which looks are the same but for noise: what the network says of a drawing then holds wherever it is drawn.

Noise, gradients, JPEG and scaling give cells pixels of their own. Looks are told apart by where they differ
most, and by how much of what is drawn that is. Where it is not known yet which cells are those of a board,
their rims count too: often nothing but a line tells opened cells from the window around.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

from bot.vision.general.cell_windows import CELL_SIDE, INNER, Looks, Windows

Middles = npt.NDArray[np.int16]
"""The middles of looks, smoothed: (looks, values)."""

Rims = npt.NDArray[np.int16]
"""The rims of looks, and the least and the most that lies within `NEAR` of each of their pixels: (looks, 3,
values)."""

EDGE, SMOOTHING = 2, 0.8
"""Number of pixels, of CELL_SIDE, that are left out on each side: what surrounds a cell shows there on grids
that are a little off. And the standard deviation of the smoothing, in the same pixels."""

DRAWN_PART, STRONG_PART = 0.15, 0.03
"""Looks are the same that nowhere differ by more than the first part of how much what is drawn on the fainter
of them differs from its ground, or by more than the second part of that of the strong ones of a board.

Of 450 boards of looks that training draws (`html_pages`, `painted`, `written`, seed 401), all digits that
differ by at most the first part are the same digit, and 56 of 100 pairs of the same digit with other pixels
do; at a quarter, 79 of 100 do, and so do two different digits on six boards.
"""

STRONG = 90
"""The percentile of the looks of a board that is strong."""

RIM_OF_MIDDLES = 4
"""Number of pixels, of CELL_SIDE, at the sides of the middles of the looks of a board to which digits hardly
reach: there shapes of cells stand out, round ones against a bright page, by far more than a faint digit does.

Where the contrast of their cells counted for that of their digits too, 9 of 7,560 left-out boards (eight
seeds) had different digits in one look, and most of these were false.
"""

PLAIN_PART = 0.1
"""Looks on whose middles no more is drawn than this part of what is on those of the strong ones are plain:
what is on them is noise, and says nothing of how much other noise may differ from it."""

NEAR = 1
"""By so many pixels, of CELL_SIDE, the line at the rim of a cell may lie elsewhere in a scaled picture."""

FEW = 29
"""One value of so many is compared first: where looks differ, these mostly do."""

RIM = np.ones((CELL_SIDE, CELL_SIDE), np.bool_)
RIM[EDGE:-EDGE, EDGE:-EDGE] = False
"""Where in a cell its rim is: what `EDGE` leaves out."""


def middles_of(windows: Windows) -> Middles:
    """What is compared of looks, from their windows, (looks, side, side, 3)."""
    inner = windows[:, INNER, INNER]
    smooth = [cv2.GaussianBlur(one, (0, 0), SMOOTHING)[EDGE:-EDGE, EDGE:-EDGE] for one in inner]
    return np.stack(smooth).reshape(len(windows), -1).astype(np.int16)


def rims_of(windows: Windows) -> Rims:
    """The rims of looks, from their windows, (looks, side, side, 3)."""
    cells, near = windows[:, INNER, INNER], np.ones((2 * NEAR + 1, 2 * NEAR + 1), np.uint8)
    least, most = (np.stack([change(one, near) for one in cells]) for change in (cv2.erode, cv2.dilate))
    rims = np.stack([one[:, RIM] for one in (cells, least, most)], axis=1)
    return rims.reshape(len(windows), 3, -1).astype(np.int16)


def joined_looks(
    looks: Looks,
    where: npt.NDArray[np.bool_],
    middles: Callable[[list[int]], Middles],
    rims: Callable[[list[int]], Rims] | None = None,
) -> tuple[list[int], Looks]:
    """The looks of a grid in which those of some of its cells that are the same but for noise are one: which
    of the looks are left, and the number among these of the look that each cell has, (rows, columns).

    From which look each cell has and `where` the cells are, both (rows, columns), and what gives the middles
    of some looks. If not all of them are cells of a board, the rims count, too.
    """
    own = np.unique(looks[where])
    renamed = np.arange(int(looks.max()) + 1)
    if len(own):
        names, counts = own.tolist(), np.bincount(looks[where])[own]
        common, standing = same_looks(middles(names), counts, None if rims is None else rims(names))
        renamed[own] = own[standing][common]
    left, numbers = np.unique(renamed[looks], return_inverse=True)
    return left.tolist(), numbers.reshape(looks.shape)


def same_looks(
    middles: Middles, counts: npt.NDArray[np.intp], rims: Rims | None = None
) -> tuple[Looks, Looks]:
    """From the middles of looks and how many cells have each, (looks,), to the number of the common look of
    each, from 0, (looks,), and of each common look one that stands for it, the most frequent.

    Looks that a chain joins are the same. Where their rims are compared too, nothing is said of which are
    strong, for they may be of no board: plain looks then have equal pixels in their middles.
    """
    contrasts = _contrasts(middles)
    least = 0.0 if rims is not None else STRONG_PART * np.percentile(contrasts, STRONG)
    few = np.ascontiguousarray(middles[:, ::FEW])
    drawings = _Drawings(middles) if rims is None else None
    common: Looks = np.zeros(len(middles), np.intp)
    standing: list[int] = []
    left = np.argsort(-counts, kind="stable")
    while len(left):
        reached, left = [int(left[0])], left[1:]
        standing.append(reached[0])
        while reached:
            look = reached.pop()
            common[look] = len(standing) - 1
            if not len(left):
                continue
            most = np.maximum(DRAWN_PART * np.minimum(contrasts[left], contrasts[look]), least)
            is_same = np.abs(few[left] - few[look]).max(axis=1) <= most
            near = left[is_same]
            is_near = np.abs(middles[near] - middles[look]).max(axis=1) <= most[is_same]
            if drawings is not None:
                is_near[is_near] = drawings.are_alike(near[is_near], look)
            if rims is not None:
                is_near[is_near] = _are_alike(rims[near[is_near]], rims[look])
            is_same[is_same] = is_near
            reached += left[is_same].tolist()
            left = left[~is_same]
    return common, np.asarray(standing, np.intp)


class _Drawings:
    """What is drawn on the looks of a board, inside the shapes of their cells."""

    def __init__(self, middles: Middles) -> None:
        side = CELL_SIDE - 2 * EDGE
        inside = slice(RIM_OF_MIDDLES, side - RIM_OF_MIDDLES)
        pixels = middles.reshape(len(middles), side, side, 3)[:, inside, inside]
        self._pixels = np.ascontiguousarray(pixels).reshape(len(middles), -1)
        self._contrasts = _contrasts(self._pixels)
        strong = np.percentile(self._contrasts, STRONG)
        self._least = STRONG_PART * strong
        self._is_plain = self._contrasts <= PLAIN_PART * strong

    def are_alike(self, looks: Looks, other: int) -> npt.NDArray[np.bool_]:
        """On which of some looks, (looks,), the same is drawn as on another one but for noise; on plain ones
        nothing is."""
        fainter = np.minimum(self._contrasts[looks], self._contrasts[other])
        most = np.maximum(DRAWN_PART * fainter, self._least)
        is_alike = np.abs(self._pixels[looks] - self._pixels[other]).max(axis=1) <= most
        return np.asarray(is_alike | (self._is_plain[looks] & self._is_plain[other]), np.bool_)


def _are_alike(rims: Rims, rim: Rims) -> npt.NDArray[np.bool_]:
    """Which rims, (looks, 3, values), are like another one, (3, values): each pixel of either lies between
    the least and the most that is near it in the other, but for a part of what is drawn on the fainter one.
    """
    drawn = np.minimum(np.ptp(rims[:, 0], axis=1), np.ptp(rim[0]))
    most = (DRAWN_PART * drawn).astype(np.int16)[:, None]
    fits = (rims[:, 0] >= rim[1] - most) & (rims[:, 0] <= rim[2] + most)
    fits &= (rim[0] >= rims[:, 1] - most) & (rim[0] <= rims[:, 2] + most)
    return np.asarray(fits.all(axis=1), np.bool_)


def _contrasts(middles: Middles) -> npt.NDArray[np.float32]:
    """By how much what is drawn on each look differs from its ground at most, (looks,)."""
    pixels = middles.reshape(len(middles), -1, 3)
    grounds = np.median(pixels, axis=1, keepdims=True)
    return np.asarray(np.abs(pixels - grounds).max(axis=(1, 2)), np.float32)
