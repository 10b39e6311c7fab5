"""What the one loop needs of a place where Minesweeper is played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bot.board import Move, Observation


class Target(Protocol):
    """A place where Minesweeper is played. The loop looks, decides, acts, and looks again."""

    def observe(self) -> Observation:
        """The board as it now is, faultless and at rest.

        Raises UnreadableBoard where no possible board was seen for too long, WindowLost where the window
        went away, Stopped where the user stopped the bot.
        """
        ...

    def act(self, moves: Sequence[Move]) -> int:
        """Make the moves, in order, and say how many were made. The next `observe` waits for what they do.

        Fewer are made where the board changed meanwhile or the user took the mouse: look again.
        """
        ...

    def reject(self, reason: str) -> None:
        """Say that what `observe` gave cannot be a board, so that the next one looks afresh.

        Raises UnreadableBoard where the same has been said for too long.
        """
        ...

    def new_game(self) -> None:
        """Throw the present game away and start another one."""
        ...
