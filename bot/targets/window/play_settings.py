"""How a window is played, as the user set it."""

from __future__ import annotations

from dataclasses import dataclass

from bot.board import FirstClick


@dataclass(frozen=True)
class PlaySettings:
    """How a window is played, as the user set it."""

    name: str = "minebot"
    """What is entered where a game asks for a name after a record."""
    records: bool = True
    """Whether it is entered at all."""
    look_limit_s: float = 3.0
    """How long a board that cannot be is looked at again before the bot stops."""
    mines: int | None = None
    """The mine total where the user gave it; it wins over the counter."""
    first_click: FirstClick | None = None
    """How the first click is protected where the user said so; it wins over the theme."""
