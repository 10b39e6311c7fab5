"""The user's settings for playing a window."""

from __future__ import annotations

from dataclasses import dataclass

from bot.board import FirstClick
from bot.vision.themes.behaviour import NewGameWay


@dataclass(frozen=True)
class PlaySettings:
    """The user's settings for playing a window."""

    name: str = "minebot"
    """The name to enter if a game asks for one after a record time."""
    records: bool = True
    """Whether to enter the name; if not, such a dialog is dismissed."""
    look_limit_s: float = 3.0
    """Maximum time for which an impossible board is read again before the bot stops, in seconds."""
    mines: int | None = None
    """The user's mine total, which overrides the counter; None to read the counter."""
    first_click: FirstClick | None = None
    """The user's first-click rule, which overrides the game's behaviour; None to keep that."""
    restart: NewGameWay | None = None
    """How the user says that a game is started; None to do it as the window's theme says, or to find out."""
    asks_for_games: bool = False
    """Whether the user starts each game."""
    wait_s: float = 600.0
    """How long the user is waited for to start the next game, where no way to do it was found, in seconds."""
