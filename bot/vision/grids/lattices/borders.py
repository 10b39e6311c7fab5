"""Measures how strong the borders between the cells of a lattice are, and decides which are visible."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from bot.vision.array_statistics import channel_maximum, quantile
from bot.vision.grid import Image
from bot.vision.grids.lattices.periodicity import Bools
from bot.vision.grids.lattices.pitch import Doubles, LatticeAxis

PLAIN_AT = 0.26
"""Distance from a border, in pitches, at which most cells are plain: before their drawing begins."""

MIDDLE_OF_CELL = 0.22, 0.78
"""The part of a cell, in pitches, along which the colours at its border are averaged."""

MIN_STRENGTH = 2.5
"""Minimum strength, 0 to 255, of a visible border."""

MIN_PART_OF_MEDIAN = 0.3
"""The same as a part of the median of the board."""

MIN_WEAK_BORDERS = 6
"""Fewer weaker borders than this do not show a second kind of border."""

MAX_SPREAD, MAX_SPREAD_NEAR_NOISE = 0.4, 0.1
"""Maximum interquartile range of the strengths of weaker borders, as a part of their median: in general, and
where they are hardly stronger than noise, which has all strengths."""


@dataclass(frozen=True)
class BorderStrengths:
    """How strong the borders between horizontally neighbouring cells are, 0 to 255."""

    borders: Doubles
    """The border before each cell, and the one after the last: shape (rows, columns + 1)."""
    plain: Doubles
    """The noise just before and after each border, where most cells are plain: (2, rows, columns + 1)."""


def border_strengths(
    image: Image, x: LatticeAxis, y: LatticeAxis, columns: tuple[int, int], rows: tuple[int, int]
) -> BorderStrengths:
    """The vertical borders of a lattice in a picture (height, width, 3).

    `columns` and `rows` are ranges of cells: the first, and the one after the last. A border is searched
    within a pixel or two of its place. Colours are averaged along the middle of the cell before neighbouring
    columns of pixels are compared: this cancels noise and dithering, but no border.
    """
    height, width = image.shape[:2]
    reach = max(1, round(x.pitch / 16))
    places = x.lines(columns[0], columns[1])
    first = max(0, int(places[0] - x.pitch))
    last = max(first + 2, min(width, int(places[-1] + x.pitch) + 2))
    tops = y.lines(rows[0], rows[1] - 1)
    low = np.clip(np.round(tops + MIDDLE_OF_CELL[0] * y.pitch).astype(np.intp), 0, height - 1)
    high = np.clip(np.round(tops + MIDDLE_OF_CELL[1] * y.pitch).astype(np.intp), low + 1, height)
    means = np.empty((len(low), last - first, 3), np.float32)
    for mean, start, end in zip(means, low.tolist(), high.tolist(), strict=True):
        mean[:] = np.asarray(cv2.reduce(image[start:end, first:last], 0, cv2.REDUCE_AVG, dtype=cv2.CV_32F))[0]
    differences = np.zeros(means.shape[:2], np.float32)
    differences[:, 1:] = channel_maximum(np.asarray(cv2.absdiff(means[:, 1:], means[:, :-1])))
    # The largest difference from `reach` pixels before a place to `reach` pixels after the next one.
    kernel = np.ones((1, 2 * reach + 2), np.uint8)
    nearby = np.asarray(cv2.dilate(differences, kernel, anchor=(reach, 0), borderValue=0))
    nearby = nearby.reshape(differences.shape)

    def strengths_at(shift: float) -> Doubles:
        at = np.round(places + shift).astype(np.intp)
        values = nearby[:, np.clip(at - first, 0, nearby.shape[1] - 1)].astype(np.float64)
        return np.where((at < 0) | (at > width), 0, values)

    # The pixels that are searched reach one farther after a place than before it.
    plain = max(PLAIN_AT * x.pitch, reach + 3)
    return BorderStrengths(strengths_at(0), np.stack([strengths_at(-plain - 1), strengths_at(plain)]))


def visible_borders(strengths: Doubles, inner: Doubles, noise: float) -> Bools:
    """Which borders are visible: those about as strong as most, and weaker ones that are all alike.

    Opened cells may be separated by thin lines where covered ones have strong bevels. `inner` are the
    strengths inside the part that surely belongs to the board; all strengths are 0 to 255.
    """
    above_noise = max(MIN_STRENGTH, 2 * noise)
    usual = max(above_noise, MIN_PART_OF_MEDIAN * quantile(inner, 0.5))
    visible: Bools = strengths > usual
    # The second case: in small cells a blurred bevel reaches to where the noise is measured.
    for least, spread in ((above_noise, MAX_SPREAD), (max(MIN_STRENGTH, noise), MAX_SPREAD_NEAR_NOISE)):
        weak = inner[(inner > least) & (inner <= usual)]
        if len(weak) >= MIN_WEAK_BORDERS:
            weak.sort()
            first_quartile, median, third_quartile = (quantile(weak, part) for part in (0.25, 0.5, 0.75))
            if third_quartile - first_quartile <= spread * median:
                visible |= np.abs(strengths - median) <= spread * median
    return visible
