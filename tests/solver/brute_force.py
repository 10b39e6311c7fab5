"""Exact answers the slow way: every layout, as fractions, and every way to play on."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from layouts import layouts

from bot.board import Board, Coordinate

Layout = frozenset[Coordinate]

UNKNOWN_TOTAL_WEIGHT = Fraction(1, 4)
"""What a layout counts for each of its mines where the total is unknown."""


class Truth:
    """All layouts of a small board."""

    def __init__(self, board: Board, mines: int | None) -> None:
        self.board = board
        self.cells, rows = layouts(board, mines)
        self.layouts: list[Layout] = [
            frozenset(cell for cell, mine in zip(self.cells, row, strict=True) if mine)
            for row in rows.tolist()
        ]
        self.weights = [
            UNKNOWN_TOTAL_WEIGHT ** len(layout) if mines is None else Fraction(1) for layout in self.layouts
        ]

    def chance(self, cell: Coordinate) -> Fraction:
        """The chance of a mine."""
        mined = (w for layout, w in zip(self.layouts, self.weights, strict=True) if cell in layout)
        return sum(mined, Fraction(0)) / sum(self.weights)

    def dead(self) -> list[Coordinate]:
        """Cells that can be safe, and then always show the same number."""
        return [
            cell for cell in self.cells if len({self.shows(cell, each) for each in self.layouts} - {-1}) == 1
        ]

    def shows(self, cell: Coordinate, layout: Layout) -> int:
        """The number of a cell in a layout, shown mines included; -1 for a mine."""
        if cell in layout:
            return -1
        return sum(
            beside in layout or self.board[beside] in (12, 13) for beside in self.board.neighbours(*cell)
        )

    def wins(self) -> dict[Coordinate, Fraction]:
        """The chance to win of each cell, if it is opened next and all play after it is perfect."""
        if not self.layouts:
            return {}
        total = len(self.layouts)
        return {
            cell: Fraction(self._won_by(cell, frozenset(range(total)), frozenset()), total)
            for cell in self.cells
            if any(cell not in layout for layout in self.layouts)
        }

    def _won_by(self, cell: Coordinate, alive: frozenset[int], opened: frozenset[Coordinate]) -> int:
        parts: dict[int, list[int]] = {}
        for index in alive:
            parts.setdefault(self.shows(cell, self.layouts[index]), []).append(index)
        return sum(
            self._won(frozenset(part), opened | {cell}) for number, part in parts.items() if number >= 0
        )

    def _won(self, alive: frozenset[int], opened: frozenset[Coordinate]) -> int:
        if not hasattr(self, "_remembered"):
            self._remembered = cache(self._won_afresh)
        return self._remembered(alive, opened)

    def _won_afresh(self, alive: frozenset[int], opened: frozenset[Coordinate]) -> int:
        if any(set(self.cells) - opened == self.layouts[index] for index in alive):
            return 1  # all that is not opened is a mine: won, and there is no other layout of so many mines
        left = [cell for cell in self.cells if cell not in opened]
        sure = [cell for cell in left if all(cell not in self.layouts[index] for index in alive)]
        if sure:  # opening what is safe never hurts
            return self._won_by(sure[0], alive, opened)
        return max(
            (
                self._won_by(cell, alive, opened)
                for cell in left
                if any(cell not in self.layouts[index] for index in alive)
            ),
            default=0,
        )
