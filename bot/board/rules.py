"""What a game is played by: its size, its mines, how it protects the first click, how openings spread."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeVar

from bot.errors import UsageError

Named = TypeVar("Named", bound=Enum)


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
