"""The truth of a game: where the mines lie, and how they are laid under each first-click rule."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from bot.board import Coordinate, FirstClick, Rules, neighbour_sums, neighbours
from bot.errors import UsageError

Mines = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Minefield:
    """Where the mines lie: read-only, shape (rows, columns), true for a mine."""

    mines: Mines

    def __post_init__(self) -> None:
        mines = np.array(self.mines, dtype=np.bool_)
        if mines.ndim != 2 or 0 in mines.shape:
            raise UsageError("a minefield needs at least one row and one column")
        mines.setflags(write=False)
        object.__setattr__(self, "mines", mines)

    @classmethod
    def from_cells(cls, columns: int, rows: int, cells: Iterable[int]) -> Minefield:
        """The minefield with mines at these cells, each as `row * columns + column`.

        Raises UsageError for a cell that is not on the board.
        """
        mines = np.zeros(columns * rows, dtype=np.bool_)
        for cell in cells:
            if not 0 <= cell < mines.size:
                raise UsageError(
                    f"there is no cell {cell} on a board of {columns}x{rows}: 0 to {mines.size - 1} are"
                )
            mines[cell] = True
        return cls(mines.reshape(rows, columns))

    @classmethod
    def parse(cls, text: str) -> Minefield:
        """Read a minefield from text, a line a row: `*` is a mine, any other letter none."""
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        if not lines or any(len(line) != len(lines[0]) for line in lines):
            raise UsageError("a minefield needs rows of equal length: give a line of cells for each row")
        return cls(np.array([[letter == "*" for letter in line] for line in lines], dtype=np.bool_))

    @classmethod
    def generate(cls, rules: Rules, first: Coordinate, rng: random.Random) -> Minefield:
        """Lay the mines of a game whose first click is `first` (row, column).

        Every layout that the first-click rule allows is equally likely: the mines are drawn without
        replacement from the cells that may hold one, so it never loops. The draw is a partial
        Fisher-Yates shuffle over `rng.random()`, the one method of `random` whose numbers Python
        promises to keep between versions; `rng.sample` may change. Raises UsageError where the mines
        are unknown or do not fit, or the first click is not on the board.
        """
        if rules.mines is None:
            raise UsageError("a game cannot be laid without a number of mines: name one")
        if not (0 <= first[0] < rules.rows and 0 <= first[1] < rules.columns):
            raise UsageError(
                f"the first click {first[0]},{first[1]} is not on a board of {rules.size}:"
                f" rows are 0 to {rules.rows - 1}, columns 0 to {rules.columns - 1}"
            )
        barred = protected_cells(rules, first)
        allowed = [cell for cell in range(rules.cells) if cell not in barred]
        if rules.mines > len(allowed):
            raise UsageError(
                f"{rules.mines} mines do not fit a board of {rules.size} when the first click"
                f" {first[0]},{first[1]} is '{rules.first_click.value}': at most {len(allowed)} do"
            )
        uniform, left = rng.random, len(allowed)
        for place in range(rules.mines):
            # random() is below 1 by 2**-53 at least, so the product never rounds up to `left`.
            chosen = place + int(uniform() * left)
            allowed[place], allowed[chosen] = allowed[chosen], allowed[place]
            left -= 1
        mines = np.zeros(rules.cells, dtype=np.bool_)
        mines[allowed[: rules.mines]] = True
        return cls(mines.reshape(rules.rows, rules.columns))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Minefield) and np.array_equal(self.mines, other.mines)

    def __hash__(self) -> int:
        return hash((self.mines.shape, self.mines.tobytes()))

    def __str__(self) -> str:
        return "\n".join("".join(".*"[int(mine)] for mine in row) for row in self.mines)

    def __repr__(self) -> str:
        return f"Minefield.parse({str(self)!r})"

    @property
    def columns(self) -> int:
        """Cells in a row."""
        return int(self.mines.shape[1])

    @property
    def rows(self) -> int:
        """Cells in a column."""
        return int(self.mines.shape[0])

    @cached_property
    def total(self) -> int:
        """The number of mines."""
        return int(np.count_nonzero(self.mines))

    @cached_property
    def cells(self) -> list[int]:
        """The cells that hold a mine, each as `row * columns + column`, in order."""
        return [int(cell) for cell in np.flatnonzero(self.mines)]

    @cached_property
    def counts(self) -> npt.NDArray[np.int8]:
        """How many of its neighbours are mines, for every cell (mines too); shape (rows, columns)."""
        counts = neighbour_sums(self.mines)
        counts.setflags(write=False)
        return counts

    def allows(self, first: Coordinate, first_click: FirstClick) -> bool:
        """Whether a game of this first-click rule can have these mines after a first click there."""
        if first_click is FirstClick.ANY or first_click.lays_first:
            return True
        if self.mines[first]:
            return False
        return first_click is FirstClick.SAFE or int(self.counts[first]) == 0


def protected_cells(rules: Rules, first: Coordinate) -> frozenset[int]:
    """The cells, each as `row * columns + column`, where a first click at `first` allows no mine."""
    if rules.first_click is FirstClick.ANY or rules.first_click.lays_first:
        return frozenset()
    row, column = first
    cells = {row * rules.columns + column}
    if rules.first_click is FirstClick.ZERO:
        cells.update(r * rules.columns + c for r, c in neighbours(row, column, rules.rows, rules.columns))
    return frozenset(cells)


def most_mines(columns: int, rows: int, first_click: FirstClick) -> int:
    """The most mines with which a first click anywhere on the board keeps its promise.

    One cell is always left free, so that there is something to open.
    """
    free = min(columns, 3) * min(rows, 3) if first_click is FirstClick.ZERO else 1
    return columns * rows - free
