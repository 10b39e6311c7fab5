"""A board as a player sees it: from text and to text, and what cannot be about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

import numpy as np
import numpy.typing as npt

from bot.board.around import neighbour_counts, neighbours
from bot.board.cells import SYMBOLS, Cell, Codes, Coordinate
from bot.board.rules import Rules, Spread
from bot.board_svg import board_svg
from bot.errors import FormatError, NoCellError, UsageError

_SYMBOL_BYTES = np.frombuffer(SYMBOLS.encode(), dtype=np.uint8)


class FaultKind(str, Enum):
    """The ways in which a reading cannot be a board."""

    UNREAD = "unread"
    ZERO_BESIDE_COVERED = "zero beside covered"
    TOO_FEW_MINES_POSSIBLE = "too few covered cells around a number"
    TOO_MANY_MINES_AROUND = "too many mines around a number"
    MINE_TOTAL = "mine total"


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong with a board, and where (None where it is the board as a whole)."""

    kind: FaultKind
    cell: Coordinate | None
    text: str


@dataclass(frozen=True, eq=False)
class Board:
    """What a player can see, as read-only codes of `Cell`, shape (rows, columns).

    Raises FormatError for what is no such array; `Board.parse` takes text.
    """

    codes: Codes

    def __post_init__(self) -> None:
        try:
            given = np.asarray(self.codes)
        except ValueError:
            raise FormatError("the rows of a board must be of one length") from None
        if given.ndim != 2 or 0 in given.shape:
            raise FormatError("a board needs at least one row and one column: Board.parse(text) takes text")
        if given.dtype.kind not in "iu" or given.min() < 0 or given.max() >= len(SYMBOLS):
            raise FormatError(f"a board holds the codes of Cell, whole numbers from 0 to {len(SYMBOLS) - 1}")
        codes = np.array(given, dtype=np.int8)
        codes.setflags(write=False)
        object.__setattr__(self, "codes", codes)

    @classmethod
    def parse(cls, text: str) -> Board:
        """Read board text: one line a row, one letter a cell; blank lines and blanks around are ignored.

        Raises FormatError, with the row, for rows of unequal length and for letters that are no cell, and
        UsageError for what is no text.
        """
        if not isinstance(text, str):
            raise UsageError(f"a {type(text).__name__} is no text: give a line of cells for each row")
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        if not lines:
            raise FormatError("a board needs at least one row: give a line of cells for each row")
        for row, line in enumerate(lines):
            if len(line) != len(lines[0]):
                raise FormatError(
                    f"row {row} of the board has {len(line)} cells, the first row has {len(lines[0])}"
                )
            for column, letter in enumerate(line):
                if letter not in SYMBOLS:
                    raise FormatError(
                        f"row {row}, column {column} of the board: {letter!r} is no cell,"
                        f" use one of {' '.join(SYMBOLS)}"
                    )
        return cls(np.array([[SYMBOLS.index(letter) for letter in line] for line in lines], dtype=np.int8))

    @classmethod
    def covered(cls, columns: int, rows: int) -> Board:
        """An untouched board. Raises UsageError for a size that cannot be."""
        rules = Rules(columns, rows)
        return cls(np.full((rules.rows, rules.columns), Cell.COVERED, dtype=np.int8))

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def __repr__(self) -> str:
        return f"Board.parse({str(self)!r})"

    def _repr_svg_(self) -> str | None:
        """The board as a picture for notebooks; None where it is too large to be drawn."""
        return board_svg(self.lines)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and np.array_equal(self.codes, other.codes)

    def __hash__(self) -> int:
        return hash((self.codes.shape, self.codes.tobytes()))

    @property
    def lines(self) -> list[str]:
        """The board text, a string a row."""
        return [row.tobytes().decode() for row in _SYMBOL_BYTES[self.codes]]

    @property
    def columns(self) -> int:
        """Cells in a row."""
        return int(self.codes.shape[1])

    @property
    def rows(self) -> int:
        """Cells in a column."""
        return int(self.codes.shape[0])

    def __getitem__(self, cell: Coordinate) -> int:
        """The code of the cell at (row, column). Raises NoCellError off the board, UsageError for what is no
        row and column."""
        try:
            row, column = cell
            if row >= 0 and column >= 0:  # numpy counts others from the end
                return int(self.codes[row, column])
        except IndexError:
            pass
        except (TypeError, ValueError):
            raise UsageError(f"{cell!r} is no cell: give a row and a column, as in board[0, 0]") from None
        raise NoCellError.of(row, column, self.columns, self.rows)

    def count(self, *cells: Cell) -> int:
        """How many cells show one of these."""
        return sum(self._counts[cell] for cell in cells)

    @cached_property
    def _counts(self) -> list[int]:
        """How many cells show each code of `Cell`."""
        counts: list[int] = np.bincount(self.codes.ravel(), minlength=len(SYMBOLS)).tolist()
        return counts

    def where(self, *cells: Cell) -> list[Coordinate]:
        """The coordinates of the cells that show one of these, row by row."""
        return [(int(r), int(c)) for r, c in np.argwhere(np.isin(self.codes, cells))]

    def neighbours(self, row: int, column: int) -> Iterator[Coordinate]:
        """The coordinates of the up to eight cells around one."""
        return neighbours(row, column, self.rows, self.columns)

    def replaced(self, cells: Sequence[Coordinate], code: int) -> Board:
        """The same board with some cells showing something else: a code of `Cell`."""
        codes = self.codes.copy()
        for where in cells:
            codes[where] = code
        return Board(codes)

    @cached_property
    def all_covered(self) -> bool:
        """Whether every cell is covered, and none is flagged."""
        return self.count(Cell.COVERED) == self.codes.size

    @cached_property
    def finished(self) -> bool:
        """Whether the board shows mines: the game is over (windows that show none are judged elsewhere)."""
        return self.count(Cell.MINE, Cell.EXPLODED, Cell.WRONG_FLAG) > 0

    def faults(self, rules: Rules) -> list[Fault]:
        """What is wrong with this board under the rules, as data; a possible board gives an empty list.

        Nothing may be clicked on a board with faults. Flags count as mines. Once the board shows mines
        the game is over, and only unread cells and the total are faults. Raises UsageError for what is no
        rules.
        """
        if not isinstance(rules, Rules):
            raise UsageError(f"a {type(rules).__name__} is no rules: give some, as Rules(9, 9, 10)")
        codes, faults = self.codes, list[Fault]()

        def find(kind: FaultKind, cells: npt.NDArray[np.bool_], text: Callable[[Coordinate], str]) -> None:
            for cell in ((int(r), int(c)) for r, c in np.argwhere(cells)):
                faults.append(Fault(kind, cell, f"row {cell[0]}, column {cell[1]} {text(cell)}"))

        find(FaultKind.UNREAD, codes == Cell.UNREAD, lambda _: "could not be read")
        if (total := self._total_fault(rules)) is not None:
            faults.append(Fault(FaultKind.MINE_TOTAL, None, total))
        if self.finished:
            return faults
        opened = codes <= 8
        # Only flags are known mines here, and only unopened and unread cells can be mines: none is shown.
        flags, possible, not_opened = neighbour_counts(codes)
        if rules.spread is Spread.EIGHT:
            zeros = (codes == 0) & (not_opened > 0)
            find(FaultKind.ZERO_BESIDE_COVERED, zeros, lambda _: "shows a 0 beside a covered cell")
        find(
            FaultKind.TOO_FEW_MINES_POSSIBLE,
            opened & (codes > possible),
            lambda cell: f"shows a {codes[cell]}, {possible[cell]} covered around",
        )
        find(
            FaultKind.TOO_MANY_MINES_AROUND,
            opened & (codes < flags),
            lambda cell: f"shows a {codes[cell]} with {flags[cell]} flags around",
        )
        return faults

    def _total_fault(self, rules: Rules) -> str | None:
        if rules.mines is None:
            return None
        known = self.count(Cell.FLAG, Cell.MINE, Cell.EXPLODED)
        if known > rules.mines:
            return f"{known} mines and flags are shown, of {rules.mines} mines"
        room = known + self.count(Cell.COVERED, Cell.QUESTION, Cell.UNREAD)
        if not self.finished and room < rules.mines:
            return f"{room} cells are left for {rules.mines} mines"
        return None
