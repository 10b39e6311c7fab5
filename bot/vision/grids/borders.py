"""How strong the borders between the cells of a lattice are, and which of them are seen."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from bot.vision.array_statistics import channel_maximum, quantile
from bot.vision.grid import Image
from bot.vision.grids.pitch import Axis, Doubles

BESIDE = 0.26
"""So far beside a border, in pitches, cells are plain as a rule: between the border and what is drawn."""

FAINTEST = 2.5
"""The least strength, 0 to 255, of a border that is seen."""

FEW_WEAK, ALIKE, MUCH_ALIKE = 6, 0.4, 0.1
"""So many weak borders inside a board whose strengths differ by so little, as a part of them, are borders;
by so little where they are hardly stronger than noise."""

Marks = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class BorderStrengths:
    """The borders between cells of neighbouring columns, or rows."""

    there: Doubles
    """How strong the border before each cell is, 0 to 255: shape (rows, columns + 1)."""
    beside: Doubles
    """The same of two places, before and after each border, where cells are plain as a rule: (2, rows,
    columns + 1)."""

    @property
    def turned(self) -> BorderStrengths:
        """The same with rows as columns."""
        return BorderStrengths(self.there.T, self.beside.transpose(0, 2, 1))


def border_strengths(
    image: Image,
    across: Axis,
    along: Axis,
    columns: tuple[int, int],
    rows: tuple[int, int],
) -> BorderStrengths:
    """The borders that a lattice has across (each before a cell) in some columns and rows.

    The border of a cell is looked for within a pixel or two of its place. Colours are averaged along the
    middle of the cell before neighbouring lines are compared: noise and dithering cancel, borders do not.
    """
    height, width = image.shape[:2]
    reach = max(1, round(across.pitch / 16))
    places = across.lines(columns[0], columns[1])
    first = max(0, int(places[0] - across.pitch))
    last = max(first + 2, min(width, int(places[-1] + across.pitch) + 2))
    starts = along.lines(rows[0], rows[1] - 1)
    low = np.clip(np.round(starts + 0.22 * along.pitch).astype(np.intp), 0, height - 1)
    high = np.clip(np.round(starts + 0.78 * along.pitch).astype(np.intp), low + 1, height)
    lines = np.empty((len(low), last - first, 3), np.float32)
    for line, start, end in zip(lines, low.tolist(), high.tolist(), strict=True):
        whole = cv2.reduce(image[start:end, first:last], 0, cv2.REDUCE_AVG, dtype=cv2.CV_32F)
        line[:] = np.asarray(whole)[0]
    apart = np.asarray(cv2.absdiff(lines[:, 1:], lines[:, :-1]))
    steps = np.zeros(lines.shape[:2], np.float32)
    steps[:, 1:] = channel_maximum(apart)
    # The largest from `reach` pixels before a place to `reach` pixels after the one that follows it.
    kernel = np.ones((1, 2 * reach + 2), np.uint8)
    largest = np.asarray(cv2.dilate(steps, kernel, anchor=(reach, 0), borderValue=0)).reshape(steps.shape)

    def at(shift: float) -> Doubles:
        there = np.round(places + shift).astype(np.intp)
        outside = (there < 0) | (there > width)
        values = largest[:, np.clip(there - first, 0, largest.shape[1] - 1)].astype(np.float64)
        return np.where(outside, 0, values)

    # What is looked at reaches a pixel farther after a place than before it.
    beside = max(BESIDE * across.pitch, reach + 3)
    return BorderStrengths(at(0), np.stack([at(-beside - 1), at(beside)]))


def visible_borders(borders: Doubles, inner: Doubles, noise: float) -> Marks:
    """Which borders are there: those about as strong as usual, and weak ones that are all alike.

    Opened cells may be parted by thin lines where covered ones have strong reliefs. `inner` are the borders
    in the part that is surely of the board.
    """
    clear = max(FAINTEST, 2 * noise)
    enough = max(clear, 0.3 * quantile(inner, 0.5))
    there: Marks = borders > enough
    # In small cells a blurred relief reaches to where noise is measured; noise is of all strengths.
    for least, alike in ((clear, ALIKE), (max(FAINTEST, noise), MUCH_ALIKE)):
        weak = inner[(inner > least) & (inner <= enough)]
        if len(weak) >= FEW_WEAK:
            weak.sort()
            quarter, middle, most = (quantile(weak, part) for part in (0.25, 0.5, 0.75))
            if most - quarter <= alike * middle:
                there |= np.abs(borders - middle) <= alike * middle
    return there
