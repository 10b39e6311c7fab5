"""What a strategy answers, and what it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from bot.board import Coordinate, Move, Observation


class Kind(str, Enum):
    """How sure a decision is."""

    CERTAIN = "certain"
    """Every cell of it is safe by logic."""
    FIRST = "first"
    """A first click that the rules of the game protect: no guess."""
    GUESS = "guess"
    """It can lose, and says with what chance it does not."""
    HINT = "hint"
    """It opens nothing: it asks for a hint first."""
    NONE = "none"
    """The strategy has nothing to open and does not guess."""


@dataclass(frozen=True)
class Candidate:
    """A cell that came into question for a guess."""

    cell: Coordinate
    survival: float
    """The chance that it is no mine."""
    win: float | None = None
    """The chance to win the game if it is opened and all play after it is perfect, where that is exact."""
    most: float | None = None
    """What that chance is at most, where exact search went no further."""
    score: float | None = None
    """What the strategy takes it for, where it is not exact."""


CUT_SHORT = "value, cut short"
"""The rung of a guess that the clock cut short: what it is hangs on more than the board."""


@dataclass(frozen=True)
class Decision:
    """What to do on one board, and why."""

    kind: Kind
    rung: str
    """The rule that settled it, a word or two: `single number`, `contradiction`, `corner`."""
    safe: tuple[Coordinate, ...] = ()
    """The cells to open: all that are known to be safe, or the one that is guessed."""
    mines: tuple[Coordinate, ...] = ()
    """Covered cells that are certainly mines, flagged ones included; `--flags` marks them."""
    survival: float = 1.0
    """The chance, as the strategy sees it, that what it opens is no mine: 1 unless it guesses, or a rule
    protects the first click of nearly all games."""
    reason: str = ""
    """One line for people."""
    ask: Move | None = None
    """The question to ask, for a hint."""
    chances: Mapping[Coordinate, float] = field(default_factory=dict)
    """The chance of a mine of the covered cells that the strategy worked it out for."""
    candidates: tuple[Candidate, ...] = ()
    """The cells that a guess was chosen from, the chosen one first."""
    nodes: int = 0
    """Positions that exact search looked at, where the strategy searches."""


class Strategy(Protocol):
    """A player. It sees only what an Observation holds, and keeps nothing between two decisions."""

    @property
    def name(self) -> str:
        """The word that `--strategy` takes."""
        ...

    @property
    def version(self) -> int:
        """Raised with every change that can change a decision: replay decides again only on the same one."""
        ...

    def __hash__(self) -> int:
        """Strategies are values: equal ones decide alike."""
        ...

    def decide(self, observation: Observation, turn: int) -> Decision:
        """Say what to open. `turn` counts this game's decisions from 0.

        Raises ContradictionError where the board cannot be.
        """
        ...


@dataclass(frozen=True)
class StandsFor:
    """What is common to strategies that play as another one for the most part: it gives name and version."""

    inner: Strategy

    @property
    def name(self) -> str:
        """That of the other strategy."""
        return self.inner.name

    @property
    def version(self) -> int:
        """That of the other strategy."""
        return self.inner.version
