"""Which looks are the same but for noise: what the network says of a drawing then holds wherever it is drawn.

Noise, gradients, JPEG and scaling give cells pixels of their own. Looks are told apart by where they differ
most, and by how much of what is drawn that is.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

from bot.vision.general.cell_windows import CELL_SIDE, MARGIN, Looks, Windows

Middles = npt.NDArray[np.int16]
"""The middles of looks, smoothed: (looks, values)."""

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


def middles_of(windows: Windows) -> Middles:
    """What is compared of looks, from their windows, (looks, side, side, 3)."""
    first, last = MARGIN, MARGIN + CELL_SIDE
    inner = windows[:, first:last, first:last]
    smooth = [cv2.GaussianBlur(one, (0, 0), SMOOTHING)[EDGE:-EDGE, EDGE:-EDGE] for one in inner]
    return np.stack(smooth).reshape(len(windows), -1).astype(np.int16)


def joined_looks(
    looks: Looks, is_of_board: npt.NDArray[np.bool_], middles: Callable[[list[int]], Middles]
) -> tuple[list[int], Looks]:
    """The looks of a grid in which those of a board that are the same but for noise are one: which of its
    looks are left, and the number among these of the look that each cell has, (rows, columns).

    From which look each cell has and whether it is one of the board, both (rows, columns), and what gives the
    middles of some looks. What lies around a board may look like its cells and is left as it is.
    """
    own = np.unique(looks[is_of_board])
    renamed = np.arange(int(looks.max()) + 1)
    if len(own):
        counts = np.bincount(looks[is_of_board])[own]
        common, standing = same_looks(middles(own.tolist()), counts)
        renamed[own] = own[standing][common]
    left, numbers = np.unique(renamed[looks], return_inverse=True)
    return left.tolist(), numbers.reshape(looks.shape)


def same_looks(middles: Middles, counts: npt.NDArray[np.intp]) -> tuple[Looks, Looks]:
    """From the middles of the looks of a board and how many cells have each, (looks,), to the number of the
    common look of each, from 0, (looks,), and of each common look one that stands for it, the most frequent.

    Looks that a chain joins are the same.
    """
    contrasts = _contrasts(middles)
    least = STRONG_PART * np.percentile(contrasts, STRONG)
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
            is_same = np.abs(middles[left] - middles[look]).max(axis=1) <= most
            reached += left[is_same].tolist()
            left = left[~is_same]
    return common, np.asarray(standing, np.intp)


def _contrasts(middles: Middles) -> npt.NDArray[np.float32]:
    """By how much what is drawn on each look differs from its ground at most, (looks,)."""
    pixels = middles.reshape(len(middles), -1, 3)
    grounds = np.median(pixels, axis=1, keepdims=True)
    return np.asarray(np.abs(pixels - grounds).max(axis=(1, 2)), np.float32)
