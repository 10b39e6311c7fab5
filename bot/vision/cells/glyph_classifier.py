"""Decides what cells show by comparing their bytes with those of the glyphs of a skin.

The nearest glyph is taken only within a limit, and only if it is clearly nearer than every glyph of another
meaning: nearest without a limit reads a missing digit as another one without any warning.

`python -m tests.pin check --only scaled --only screens` shows what another value of a constant changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from bot.board import Cell
from bot.vision.cells.cell_label import CellLabel
from bot.vision.cells.distance import CellBytes, Distances, byte_differences, distances

CLEARLY_NEARER = 0.6
"""The distance to the nearest glyph must be at most this part of that to any other meaning's."""

BLURRED, MUCH_NEARER = 1.5, 0.45
"""In scaled cells fine lines lose their colour between pixels: a cell may be this many times the limit away
from its glyph if that distance is at most the second part of that to any other meaning."""

DIFFERENT, DECIDED = 30, 0.15
"""Two bytes (0 to 255) farther apart than this differ in what they show; where two glyphs do, the distance to
the right one is at most the second part of that to the other."""

MAX_UNEXPLAINED = 0.01
"""The largest part of the middle of a cell that may differ from a plain glyph: beyond it the cell shows a
digit in a pale colour, which a learned skin may not know yet."""

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
    """For a learned skin, which may lack digits: the bytes in the middle of a cell, shape (bytes,)."""

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
        if self.middle is not None:
            # A pale digit on a plain cell changes the mean difference by almost nothing.
            for index in np.flatnonzero(np.isin(codes, (Cell.EMPTY, Cell.COVERED))):
                differences = byte_differences(cells[index], table.glyphs[best[index]])[self.middle]
                clear[index] &= (differences > DIFFERENT).mean() <= MAX_UNEXPLAINED
        read = np.where(clear, codes, int(Cell.UNREAD)).tolist()
        hovered = (clear & table.hovered[best]).tolist()
        return list(zip(read, own.tolist(), hovered, strict=True))

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
