"""Reads cells that no glyph is clear for by other cells of their board, as exemplars.

In a window that is scaled to cells of a fractional width, lines fall differently between the pixels of each
cell: a cell may be less like its glyph than like other cells of the same meaning.

`python -m tests.pin check --only scaled --only screens` shows what another value of a constant changes.
"""

from __future__ import annotations

import numpy as np

from bot.board import Cell
from bot.vision.cells.cell_label import CellLabel
from bot.vision.cells.distance import CellBytes, distances
from bot.vision.cells.glyph_classifier import CLEARLY_NEARER, GlyphClassifier

MAX_EXEMPLARS, MAX_PENDING = 24, 250
"""How many exemplars of each meaning are kept: these show all ways in which lines fall between pixels; and
how many cells may wait for exemplars."""

MAX_DISTANCE = 2.0
"""The largest distance from the nearest glyph at which exemplars are asked, in multiples of the limit."""

MAX_UNREAD_CELLS, MAX_UNREAD_PART = 12, 0.5
"""If more new cells are unread than this number and this part of them, the grid shows something else."""


class Exemplars:
    """The cells of one board that were read, by their meaning, and those that wait to be."""

    def __init__(self, limit: float) -> None:
        """`limit`: the largest distance (0 to 255) at which a cell is its nearest exemplar."""
        self._limit = limit
        self._kept: dict[int, list[bytes]] = {}
        self.pending: dict[bytes, dict[int, float]] = {}
        """Cells that no glyph is clear for, and their distances from the glyphs of each meaning."""

    def forget(self) -> None:
        """Drop all exemplars and all that wait for them."""
        self._kept.clear()
        self.pending.clear()

    def learn(self, labels: dict[bytes, CellLabel], classifier: GlyphClassifier) -> dict[bytes, CellLabel]:
        """Take in new cells and their labels; out come labels for those that were unread, now or before, and
        are clearly like an exemplar. Each of them becomes an exemplar for the rest."""
        unread = [cell for cell, label in labels.items() if label[0] == Cell.UNREAD]
        if len(unread) > max(MAX_UNREAD_CELLS, MAX_UNREAD_PART * len(labels)):
            return {}
        for cell, label in labels.items():
            if label[0] != Cell.UNREAD:
                self._keep(cell, label[0])
        for cell in unread:
            if len(self.pending) < MAX_PENDING:
                to_glyphs = classifier.distances_by_code(_row(cell))
                if min(to_glyphs.values()) <= MAX_DISTANCE * self._limit:
                    self.pending[cell] = to_glyphs
        learned: dict[bytes, CellLabel] = {}
        count = -1
        while self._kept and len(learned) > count:
            count = len(learned)
            for cell, to_glyphs in list(self.pending.items()):
                found = self._label(cell, to_glyphs)
                if found is not None and not classifier.is_plain_with_ink(_row(cell)[0], found[0]):
                    learned[cell] = found
                    self._keep(cell, found[0])
                    del self.pending[cell]
        return learned

    def _keep(self, cell: bytes, code: int) -> None:
        kept = self._kept.setdefault(code, [])
        if len(kept) < MAX_EXEMPLARS:
            kept.append(cell)

    def _label(self, cell: bytes, to_glyphs: dict[int, float]) -> CellLabel | None:
        """The label of the nearest exemplar, if it is clearly nearer than all else of another meaning."""
        to_exemplars = {code: _nearest(cell, kept) for code, kept in self._kept.items()}
        code, own = min(to_exemplars.items(), key=lambda one: one[1])
        measured = [*to_exemplars.items(), *to_glyphs.items()]
        other = min((distance for another, distance in measured if another != code), default=np.inf)
        return (code, own, False) if own <= min(self._limit, CLEARLY_NEARER * other) else None


def _row(cell: bytes) -> CellBytes:
    return np.frombuffer(cell, np.uint8)[None]


def _nearest(cell: bytes, others: list[bytes]) -> float:
    rows: CellBytes = np.frombuffer(b"".join(others), np.uint8).reshape(len(others), -1)
    return float(distances(_row(cell), rows).min())
