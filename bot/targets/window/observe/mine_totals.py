"""How many mines the games of a window without a theme have, as those that were won have shown.

Two of them must agree: some games deal each cell a mine by chance, and a total that is wrong makes a click
certain that is not.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.board import Board, Cell, Coordinate, neighbour_sums

Size = tuple[int, int]
"""Columns and rows."""


class MineTotals:
    """The mine totals of one window, by the size of the board."""

    def __init__(self, given: int | None = None, size: Size | None = None) -> None:
        """`given`: the total that the user gave, for boards of this `size` alone."""
        self._given = {} if given is None or size is None else {size: given}
        self._known: dict[Size, int] = {}
        self._shown: dict[Size, int] = {}
        """What the last won game showed."""
        self._varying: set[Size] = set()
        """Of which sizes the games have now so many mines, now others."""
        self._by_clicks: dict[Size, int] = {}
        """What the last won game whose end hid its board says."""
        self._doubted: set[Size] = set()

    def get(self, size: Size) -> int | None:
        """The total of boards of a size; None where it is not known."""
        return self._known.get(size)

    def given(self, size: Size) -> int | None:
        """The total that the user gave for boards of a size; None where they gave none."""
        return self._given.get(size)

    def is_doubted(self, size: Size) -> bool:
        """Whether a total of this size, read or learned, was wrong."""
        return size in self._doubted

    def doubt(self, size: Size) -> None:
        """The total of this size, read or learned, is wrong."""
        if self._known.pop(size, None) is not None:
            self._varying.add(size)
        self._doubted.add(size)

    def learn(self, board: Board, clicked: Sequence[Coordinate] = ()) -> bool:
        """A game was won with this board, and with clicks on covered cells of it that were not seen to open:
        what else is covered are its mines. Whether that is so by all of its numbers.

        What those clicks opened besides is not known: they tell nothing until two such games agree.
        """
        size, mines = (board.columns, board.rows), board.codes > 8
        unseen = [cell for cell in clicked if mines[cell]]
        for cell in unseen:
            mines[cell] = False
        right = (neighbour_sums(mines) == board.codes) | (board.codes > 8)
        if board.count(Cell.UNREAD) or not mines.any() or mines.all() or not right.all():
            return False
        left = int(mines.sum())
        if unseen and self._by_clicks.get(size) != left:
            self._by_clicks[size] = left
            return False
        before = left if unseen else self._shown.get(size)
        if not unseen:
            self._shown[size] = left
        if before not in (None, left):
            self._varying.add(size)
            self._known.pop(size, None)
        if before == left and size not in self._varying:
            self._known[size] = left
            self._doubted.discard(size)
        return True
