"""Decides what cells show by comparing their bytes with those of the glyphs of a skin.

The nearest glyph is taken only within a limit, and only if it is clearly nearer than every glyph of another
meaning: nearest without a limit reads a missing digit as another one without any warning.

`python -m tests.pin check --only scaled --only screens` shows what another value of a constant changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import Cell
from bot.vision.cells.cell_label import CellLabel
from bot.vision.cells.distance import CellBytes, Distances, byte_differences, distances

PLAIN = (Cell.EMPTY, Cell.COVERED)
"""What cells show whose middle has one colour."""

CLEARLY_NEARER = 0.6
"""The distance to the nearest glyph must be at most this part of that to any other meaning's."""

BLURRED, MUCH_NEARER = 1.5, 0.45
"""In scaled cells fine lines lose their colour between pixels: a cell may be this many times the limit away
from its glyph if that distance is at most the second part of that to any other meaning."""

DIFFERENT, DECIDED = 30, 0.15
"""Two bytes (0 to 255) farther apart than this differ in what they show; where two glyphs do, the distance to
the right one is at most the second part of that to the other."""

INK, SHADED_INK = 24, 45
"""A pixel in the middle of a plain cell is ink if it differs from the plain glyph by more than this (0 to
255), and the same in skins whose cells are shaded. Tuned on `training.reader.look_alikes` with seed 1: themes
come to 5, scaled ones in a JPEG of quality 85 to 19, digits of other fonts to 50 and more."""

MAX_INK = 0.01
"""The largest part of the middle of a plain cell that may be ink: beyond it the cell shows something that the
skin does not know, or that lies over the cell."""

MAX_MOVED, MAX_UNEXPLAINED = 32, 0.04
"""A pixel of a cell at the size of its glyph is unexplained if it is farther (0 to 255) than the first from
all that the glyph has there or one pixel beside, or the glyph's pixel from all that the cell has; and the
largest part of such pixels. Drawn digits of the themes leave 0.024 of those of Windows XP unexplained."""

STRENGTHS, CLEARLY_PALER = (0.5, 1.1), 0.35
"""From and to: how strongly a glyph may be drawn in a scaled cell; and the sum of squares that is then left,
at most, as a part of what any other meaning leaves."""


@dataclass(frozen=True)
class GlyphTable:
    """The glyphs of a skin in the form in which the cells of a grid come out, once or in several variants."""

    glyphs: CellBytes
    """Shape (glyphs, bytes)."""
    codes: npt.NDArray[np.int8]
    """The code of `Cell` of each glyph, shape (glyphs,)."""
    hovered: npt.NDArray[np.bool_]
    """Which glyphs mean a covered cell under the pointer until the game is lost, shape (glyphs,)."""

    @cached_property
    def drawings(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """How each glyph differs from its median colour, and that colour: both of shape (glyphs, bytes)."""
        colours = self.glyphs.reshape(len(self.glyphs), -1, 3).astype(np.float32)
        background = np.broadcast_to(np.median(colours, axis=1, keepdims=True), colours.shape)
        return (colours - background).reshape(self.glyphs.shape), background.reshape(self.glyphs.shape)


@dataclass(frozen=True)
class GlyphClassifier:
    """Compares cells with the glyphs of a skin."""

    table: GlyphTable
    limit: float
    """The largest mean colour difference (0 to 255) at which a cell is its nearest glyph."""
    blurred: bool
    """Whether scaled cells may be farther away, where the nearest glyph is much nearer than all others."""
    scaled_tiles: bool = False
    """Whether the cells are scaled tiles: unclear ones are compared where the glyphs differ, too."""
    middle: npt.NDArray[np.bool_] | None = None
    """The bytes in the middle of a cell, where plain ones show no ink: shape (bytes,)."""
    ink: int = INK
    """The difference (0 to 255) beyond which a byte there is ink."""
    size: tuple[int, int] | None = None
    """Width and height of the cells that are compared if they have the size of the glyphs, else None."""

    def classify(self, cells: CellBytes) -> list[CellLabel]:
        """What each cell, shape (cells, bytes), shows."""
        table = self.table
        to_glyphs = distances(cells, table.glyphs)
        best, own, limits = self._nearest(to_glyphs)
        codes = table.codes[best]
        clear = own <= limits
        if self.scaled_tiles:
            for index in np.flatnonzero(~clear & (own <= self.limit / 2)):
                near = (to_glyphs[index] * CLEARLY_NEARER < own[index]) & (table.codes != codes[index])
                is_decided = self._is_decided(cells[index], best[index], np.flatnonzero(near))
                clear[index] = is_decided or self._is_paler(cells[index], int(codes[index]))
        for index in np.flatnonzero(clear):
            clear[index] = self._is_whole(cells[index], best[index])
        read = np.where(clear, codes, int(Cell.UNREAD)).tolist()
        hovered = (clear & table.hovered[best]).tolist()
        return list(zip(read, own.tolist(), hovered, strict=True))

    def is_plain_with_ink(self, cell: CellBytes, code: int) -> bool:
        """Whether a cell, shape (bytes,), shows ink that a plain cell of this code would not show."""
        alike = np.flatnonzero(self.table.codes == code)
        if self.middle is None or code not in PLAIN or not len(alike):
            return False
        best = alike[distances(cell[None], self.table.glyphs[alike])[0].argmin()]
        return self._has_ink(cell, best)

    def misfit(self, cells: CellBytes) -> float:
        """How badly cells fit the glyphs: the mean fourth power of the distances as parts of their limits.

        A wrong way of sampling suits many cells and misses some: those must count the most.
        """
        _, own, limits = self._nearest(distances(cells, self.table.glyphs))
        return float(((own / limits) ** 4).mean())

    def distances_by_code(self, cell: CellBytes) -> dict[int, float]:
        """The distance of one cell, shape (1, bytes), from the nearest glyph of each code."""
        to_glyphs, codes = distances(cell, self.table.glyphs)[0], self.table.codes
        return {int(code): float(to_glyphs[codes == code].min()) for code in np.unique(codes)}

    def _nearest(self, to_glyphs: Distances) -> tuple[npt.NDArray[np.intp], Distances, Distances]:
        """From the distances of cells from each glyph, (cells, glyphs): the nearest glyph of each cell, its
        distance, and the largest one at which the cell shows that glyph; each (cells,)."""
        codes = self.table.codes
        best = to_glyphs.argmin(axis=1)
        own = to_glyphs[np.arange(len(to_glyphs)), best]
        others = np.where(codes == codes[best][:, None], np.inf, to_glyphs).min(axis=1)
        limits = np.minimum(self.limit, CLEARLY_NEARER * others)
        if self.blurred:
            limits = np.maximum(limits, np.minimum(BLURRED * self.limit, MUCH_NEARER * others))
        return best, own, limits

    def _is_whole(self, cell: CellBytes, best: int) -> bool:
        """Whether a cell shows what its nearest glyph shows all over: a thin or pale digit, or one of another
        font, changes the mean difference by almost nothing."""
        if self.middle is not None and self.table.codes[best] in PLAIN and self._has_ink(cell, best):
            return False
        if self.size is None:
            return True
        width, height = self.size
        one, other = (picture.reshape(height, width, 3) for picture in (cell, self.table.glyphs[best]))
        return max(_unexplained(one, other), _unexplained(other, one)) <= MAX_UNEXPLAINED

    def _has_ink(self, cell: CellBytes, best: int) -> bool:
        """Whether the middle of a cell differs from that of a plain glyph."""
        differences = byte_differences(cell, self.table.glyphs[best])[self.middle]
        return bool((differences > self.ink).mean() > MAX_INK)

    def _is_decided(self, cell: CellBytes, best: int, rivals: npt.NDArray[np.intp]) -> bool:
        """Whether a scaled cell is clearly one glyph and not a rival where the two differ, for every rival.

        Glyphs that differ only in a small part, as flags and questioned flags do, are about equally far from
        a cell that is blurred all over by scaling.
        """
        glyphs = self.table.glyphs.astype(np.int16)
        for rival in rivals:
            differ = np.abs(glyphs[best] - glyphs[rival]) > DIFFERENT
            own, other = (np.abs(glyphs[one][differ] - cell[differ]).sum() for one in (best, rival))
            if not differ.any() or own > DECIDED * other:
                return False
        return True

    def _is_paler(self, cell: CellBytes, code: int) -> bool:
        """Whether a scaled cell is clearly a glyph of a code drawn paler: thin lines lose colour when they
        shrink. The strength of each glyph is the one that leaves the least squares."""
        drawn, background = self.table.drawings
        own = cell - background
        strengths = np.einsum("ij,ij->i", own, drawn) / np.maximum(1, np.einsum("ij,ij->i", drawn, drawn))
        left = own - np.clip(strengths, *STRENGTHS)[:, None] * drawn
        misfits = np.einsum("ij,ij->i", left, left)
        same = self.table.codes == code
        return bool(misfits[same].min() <= CLEARLY_PALER * misfits[~same].min())


def _unexplained(picture: CellBytes, by: CellBytes) -> float:
    """The part (0 to 1) of the pixels of a picture (height, width, 3) whose colour lies outside the range of
    another picture's pixels there and beside."""
    square, edge = np.ones((3, 3), np.uint8), cv2.BORDER_REPLICATE
    below = cv2.subtract(cv2.erode(by, square, borderType=edge), picture)
    above = cv2.subtract(picture, cv2.dilate(by, square, borderType=edge))
    return float((np.maximum(below, above).max(axis=2) > MAX_MOVED).mean())
