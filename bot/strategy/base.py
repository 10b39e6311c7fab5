"""What a strategy answers, and what it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from bot.board import Coordinate, Observation


class Kind(str, Enum):
    """How sure a decision is."""

    CERTAIN = "certain"
    """Every cell of it is safe by logic."""
    FIRST = "first"
    """A first click that the rules of the game protect: no guess."""
    GUESS = "guess"
    """It can lose, and says with what chance it does not."""
    NONE = "none"
    """The strategy has nothing to open and does not guess."""


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
    """The chance, as the strategy sees it, that what it opens is no mine: 1 unless it guesses."""
    reason: str = ""
    """One line for people."""
    chances: Mapping[Coordinate, float] = field(default_factory=dict)
    """The chance of a mine of the covered cells that the strategy worked it out for."""


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

    def decide(self, observation: Observation, turn: int) -> Decision:
        """Say what to open. `turn` counts this game's decisions from 0.

        Raises ContradictionError where the board cannot be.
        """
        ...
