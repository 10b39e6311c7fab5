"""The words that every part speaks: what a player can see, what can be done about it, and how it ended.

A `Board` is what a player can see; it never holds where the mines are. Coordinates are (row, column)
from 0, top left first.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from bot.board_svg import board_svg
from bot.errors import FormatError, UsageError

Codes = npt.NDArray[np.int8]
Coordinate = tuple[int, int]
Named = TypeVar("Named", bound=Enum)


class Cell(IntEnum):
    """What one cell shows. 0 to 8 are opened cells with that number; the rest follow."""

    EMPTY = 0
    COVERED = 9
    FLAG = 10
    QUESTION = 11
    MINE = 12
    """A mine that the end of the game shows."""
    EXPLODED = 13
    WRONG_FLAG = 14
    """A flag crossed out at the end of the game: there was no mine."""
    UNREAD = 15

    @classmethod
    def from_symbol(cls, symbol: str) -> int:
        """The code of one letter of board text; raises FormatError for any other letter."""
        code = SYMBOLS.find(symbol) if len(symbol) == 1 else -1
        if code < 0:
            raise FormatError(f"{symbol!r} is no cell: use one of {' '.join(SYMBOLS)}")
        return code


UNOPENED = (Cell.COVERED, Cell.FLAG, Cell.QUESTION)
"""What a cell shows that the player has not opened yet."""

SYMBOLS = ".12345678#F?*Xx!"
"""The letter of each code of `Cell`, in order."""

_SYMBOL_BYTES = np.frombuffer(SYMBOLS.encode(), dtype=np.uint8)


class FirstClick(str, Enum):
    """How a game protects the first click."""

    ANY = "any"
    """It does not: the first click can lose."""
    SAFE = "safe"
    """Never a mine; every layout with no mine under it is equally likely."""
    ZERO = "zero"
    """Opens a zero; every layout with no mine under or around it is equally likely."""
    REMOVED = "removed"
    """The mine under it is taken away, and there is one less."""
    MOVED = "moved"
    """The mine under it moves to the first cell, row by row, that holds none: the layouts that this makes
    are likelier than others."""
    SHIFTED = "shifted"
    """The whole field moves down, the bottom row to the top, until no mine is under it, at most once around:
    a column full of mines protects nothing. The layouts that this makes are likelier than others."""

    @property
    def lays_first(self) -> bool:
        """Whether the mines lie before the first click, which then may change them."""
        return self in (FirstClick.REMOVED, FirstClick.MOVED, FirstClick.SHIFTED)


class Spread(str, Enum):
    """Which cells an opened zero opens besides."""

    EIGHT = "eight"
    """Its eight neighbours, and so on from each zero among them."""
    FOUR = "four"
    """The four beside, above and below it, and so on from each zero among them."""
    SQUARE = "square"
    """Its eight neighbours, and no further; a zero that is open already does it again."""
    RADIAL = "radial"
    """Eight rays, each up to and with its first number; a zero that is open already does it again."""
    NONE = "none"


def whole_number(what: str, number: Any) -> int:
    """A number that a caller gives, as Python's own. Raises UsageError, which says `what` it is, for what is
    no whole number."""
    try:
        return operator.index(number)
    except TypeError:
        raise UsageError(f"{what} of {number!r} cannot be: give a whole number") from None


def first_click_rule(named: FirstClick | str) -> FirstClick:
    """The rule itself, or that of a word. Raises UsageError, which lists the words, for any other."""
    return _named(FirstClick, "first-click rule", named)


def _named(kind: type[Named], what: str, name: object) -> Named:
    try:
        return kind(name)
    except ValueError:
        words = ", ".join(each.value for each in kind)
        raise UsageError(f"there is no {what} {name!r}: use one of {words}") from None


@dataclass(frozen=True)
class Rules:
    """A size, a number of mines and what differs between the games. Raises UsageError for what cannot be."""

    columns: int
    rows: int
    mines: int | None = None
    """The total, or None where it is unknown; then no rule uses it."""
    first_click: FirstClick = FirstClick.SAFE
    spread: Spread = Spread.EIGHT

    def __post_init__(self) -> None:
        given = {
            "columns": whole_number("a number of columns", self.columns),
            "rows": whole_number("a number of rows", self.rows),
            "mines": None if self.mines is None else whole_number("a number of mines", self.mines),
            "first_click": first_click_rule(self.first_click),
            "spread": _named(Spread, "way to spread", self.spread),
        }
        for name, value in given.items():
            object.__setattr__(self, name, value)
        if self.columns < 1 or self.rows < 1:
            raise UsageError(f"a board of {self.columns}x{self.rows} cells cannot be: both must be 1 or more")
        if self.mines is not None and not 0 <= self.mines <= self.cells:
            raise UsageError(
                f"{self.mines} mines do not fit a board of {self.columns}x{self.rows}: 0 to {self.cells} do"
            )

    @property
    def cells(self) -> int:
        """The number of cells."""
        return self.columns * self.rows

    @property
    def size(self) -> str:
        """Columns and rows, as `--size` takes them."""
        return f"{self.columns}x{self.rows}"


LEVELS: dict[str, tuple[int, int, int]] = {
    "beginner": (9, 9, 10),
    "intermediate": (16, 16, 40),
    "expert": (30, 16, 99),
}
"""Columns, rows and mines of the levels that players know."""


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
        return int(self.codes[cell])

    def count(self, *cells: Cell) -> int:
        """How many cells show one of these."""
        return int(sum(np.count_nonzero(self.codes == cell) for cell in cells))

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
        return bool(np.all(self.codes == Cell.COVERED))

    @cached_property
    def finished(self) -> bool:
        """Whether the board shows mines: the game is over (windows that show none are judged elsewhere)."""
        return bool(np.any((self.codes >= Cell.MINE) & (self.codes <= Cell.WRONG_FLAG)))

    def faults(self, rules: Rules) -> list[Fault]:
        """What is wrong with this board under the rules, as data; a possible board gives an empty list.

        Nothing may be clicked on a board with faults. Flags count as mines. Once the board shows mines
        the game is over, and only unread cells and the total are faults.
        """
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


def neighbours(row: int, column: int, rows: int, columns: int) -> Iterator[Coordinate]:
    """The coordinates of the up to eight cells around one, row by row."""
    for r in range(max(0, row - 1), min(rows, row + 2)):
        for c in range(max(0, column - 1), min(columns, column + 2)):
            if (r, c) != (row, column):
                yield r, c


def neighbour_sums(cells: npt.NDArray[np.bool_ | np.int8]) -> Codes:
    """How many of the eight neighbours of each cell are set; shape (..., rows, columns) in and out."""
    *boards, rows, columns = cells.shape
    padded = np.zeros((*boards, rows + 2, columns + 2), np.int8)
    padded[..., 1:-1, 1:-1] = cells
    across = padded[..., :-2] + padded[..., 1:-1] + padded[..., 2:]
    total: Codes = across[..., :-2, :] + across[..., 1:-1, :] + across[..., 2:, :]
    total -= padded[..., 1:-1, 1:-1]
    return total


class NeighbourCounts(NamedTuple):
    """How many of the eight neighbours of each cell are of a kind, each of shape (rows, columns).

    An opened number lies between `known_mines` and `possible_mines`; an opened zero leaves nothing
    `not_opened` around it, where openings spread to all eight neighbours.
    """

    known_mines: Codes
    """Flags and shown mines."""
    possible_mines: Codes
    """Unopened and unread cells, and shown mines."""
    not_opened: Codes
    """Unopened cells, and shown mines."""


_SHOWN_MINES = (Cell.MINE, Cell.EXPLODED)
_COUNTED = np.stack(
    [
        np.isin(np.arange(len(SYMBOLS)), kind)
        for kind in (
            (Cell.FLAG, *_SHOWN_MINES),
            (*UNOPENED, Cell.UNREAD, *_SHOWN_MINES),
            (*UNOPENED, *_SHOWN_MINES),
        )
    ]
)
"""Which codes each field of `NeighbourCounts` counts: shape (3, 16)."""


def neighbour_counts(codes: Codes) -> NeighbourCounts:
    """What lies around each cell of a board, whether it is finished or not."""
    return NeighbourCounts(*neighbour_sums(_COUNTED[:, codes]))


class Action(str, Enum):
    """What a click does: the left button opens, the right one flags, both (or the middle) chord.

    The others ask for a hint, where the rules of a game give any: how many mines a row, a column or a square
    holds.
    """

    OPEN = "open"
    FLAG = "flag"
    CHORD = "chord"
    COUNT_ROW = "count row"
    COUNT_COLUMN = "count column"
    COUNT_SQUARE = "count square"

    @property
    def asks(self) -> bool:
        """Whether it asks for a hint."""
        return self in (Action.COUNT_ROW, Action.COUNT_COLUMN, Action.COUNT_SQUARE)


@dataclass(frozen=True)
class Move:
    """One click on one cell. A FLAG on a flagged cell takes the flag away (or makes it a question mark).

    Or a question: about the row, the column or the square around the cell.
    """

    action: Action
    row: int
    column: int
    side: int = 0
    """Cells on a side of the square that is asked about: an odd number."""

    @property
    def cell(self) -> Coordinate:
        """Its (row, column)."""
        return self.row, self.column

    def asked(self, rows: int, columns: int) -> frozenset[Coordinate]:
        """The cells that a question is about: those of the square that lie on the board, for instance."""
        if self.action is Action.COUNT_ROW:
            return frozenset((self.row, column) for column in range(columns))
        if self.action is Action.COUNT_COLUMN:
            return frozenset((row, self.column) for row in range(rows))
        reach = self.side // 2
        return frozenset(
            (row, column)
            for row in range(max(0, self.row - reach), min(rows, self.row + reach + 1))
            for column in range(max(0, self.column - reach), min(columns, self.column + reach + 1))
        )

    def __str__(self) -> str:
        text = f"{self.action.value} {self.row},{self.column}"
        return f"{text} {self.side}" if self.side else text


class Phase(str, Enum):
    """Where a game stands."""

    READY = "ready"
    """Nothing is opened yet."""
    PLAYING = "playing"
    WON = "won"
    LOST = "lost"
    PAUSED = "paused"
    """The game hides its board until it gets the focus back."""
    HIDDEN = "hidden"
    """The board is covered, by a dialog for instance."""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self in (Phase.WON, Phase.LOST)


@dataclass(frozen=True)
class Constraint:
    """A fact besides the numbers of the board: these cells hold so many mines."""

    cells: frozenset[Coordinate]
    mines: int


@dataclass(frozen=True)
class Case:
    """One way in which the mines can have come to lie: each layout that fits it is equally likely."""

    constraints: tuple[Constraint, ...] = ()
    """What is so in this case, besides all that the observation says."""
    mines: int | None = None
    """The mine total, where it is not that of the rules."""


@dataclass(frozen=True)
class Observation:
    """What a player knows at one moment."""

    board: Board
    phase: Phase
    rules: Rules
    constraints: tuple[Constraint, ...] = field(default=())
    cases: tuple[Case, ...] = field(default=())
    """Where the protection of the first click makes some layouts likelier than others: a layout counts once
    for each case that it fits. With none, all are equally likely."""
    hints: int = 0
    """How many hints may still be asked for."""
    early: bool = False
    """Whether cells are still in flight: those are unread. What is certain on such a board may be opened, and
    nothing else is decided by it."""


class Result(str, Enum):
    """The four ways in which a game ends for the bot."""

    WON = "won"
    LOST = "lost"
    STOPPED = "stopped"
    """The user stopped it, or the strategy had no move."""
    FAILED = "failed"
    """Something went wrong: the reason says what."""


@dataclass(frozen=True)
class Outcome:
    """How a game ended, and why."""

    result: Result
    reason: str = ""
