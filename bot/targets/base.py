"""What `bot.game_loop` needs of a place where Minesweeper is played: the protocol `Target`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from bot.board import Coordinate, Move, Observation

Wanted = Callable[[Observation], bool]
"""Asked of an early board (`Observation.early`): whether something can be done on it."""


class Target(Protocol):
    """A place where Minesweeper is played. The loop observes, decides, acts, and observes again."""

    def observe(self, wanted: Wanted | None = None) -> Observation:
        """Wait until the board is at rest, without faults and with the effect of the last moves; return it.

        `wanted` is asked meanwhile of boards of which cells are still in flight; where it says yes, such a
        board is returned at once.

        Raises UnreadableBoard if no possible board was seen within the time limit, WindowLost if the window
        went away, Stopped if the user stopped the bot.
        """
        ...

    def act(self, moves: Sequence[Move], *, certain: bool = True) -> int:
        """Make the moves in order and return how many were made. The next `observe` waits for their effect.

        `certain`: whether none of them can hit a mine.

        Fewer than all are made if the board changed meanwhile or the user took the mouse: the caller then
        observes again.
        """
        ...

    def reject(self, reason: str) -> None:
        """Report that the last observation contradicts itself, so that the next one reads everything again.

        `reason` is one line for people. Raises UnreadableBoard if boards are rejected for too long.
        """
        ...

    def complete(self, mines: Sequence[Coordinate]) -> bool:
        """Every cell that is not opened is one of these `mines`, and the game is not known to be over: do
        what ends it. False if there is nothing to do."""
        ...

    def new_game(self) -> None:
        """Abandon the current game, if there is one, and start another."""
        ...
