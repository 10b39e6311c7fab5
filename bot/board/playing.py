"""What a player knows and does at one moment, and how a game ends."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from bot.board.cells import Coordinate
from bot.board.rules import Rules
from bot.board.visible import Board
from bot.errors import UsageError


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

    Or a question: about the row, the column or the square around the cell. The word of an action stands for
    it, as in `Move("open", 0, 0)`; raises UsageError for another one.
    """

    action: Action
    row: int
    column: int
    side: int = 0
    """Cells on a side of the square that is asked about: an odd number."""

    def __post_init__(self) -> None:
        if type(self.action) is not Action:
            try:
                object.__setattr__(self, "action", Action(self.action))
            except ValueError:
                words = ", ".join(repr(action.value) for action in Action)
                raise UsageError(f"{self.action!r} is no action: use one of Action, or of {words}") from None

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
