"""Cells that were read, as examples of what the same cells look like elsewhere on their board.

Where a window is scaled to cells of a fractional width, lines fall differently between the pixels of each
cell: a cell may look less like its glyph than like others of its kind.
"""

from __future__ import annotations

import numpy as np

from bot.vision.cells.distance import CellBytes, distances

MOST = 24
"""So many examples of each meaning are kept, the first ones: with them, all ways in which lines fall between
pixels have been seen."""


class Exemplars:
    """Looks of cells, all of one size in bytes, by what they mean."""

    def __init__(self) -> None:
        self._looks: dict[int, list[bytes]] = {}

    def add(self, look: bytes, code: int) -> None:
        """Keep a cell that was read, where not enough of its kind are kept."""
        kept = self._looks.setdefault(code, [])
        if len(kept) < MOST:
            kept.append(look)

    def forget(self) -> None:
        """Keep none."""
        self._looks.clear()

    def distances(self, look: bytes) -> dict[int, float]:
        """How far a cell is from the nearest example of each meaning, as a mean colour difference."""
        cell: CellBytes = np.frombuffer(look, np.uint8)[None]
        return {code: _nearest(cell, kept) for code, kept in self._looks.items()}


def _nearest(cell: CellBytes, looks: list[bytes]) -> float:
    others: CellBytes = np.frombuffer(b"".join(looks), np.uint8).reshape(len(looks), -1)
    return float(distances(cell, others).min())
