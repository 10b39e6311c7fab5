"""How a game acts, whatever it looks like: what the first click opens, what wins, how a game starts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from bot.board import FirstClick, Spread
from bot.vision.themes.palette import Ending
from bot.vision.themes.schema import Chord, DialogSpec, PauseSpec, Timing, WinsBy


@dataclass(frozen=True)
class NewGameWay:
    """How the next game is started in a window that was learned."""

    kind: Literal["place", "end place", "key"]
    """`place`: a click on a place of the window that starts a game at any time; `end place`: only after the
    end of one; `key`: a key."""
    x: int = 0
    """The place, in pixels from the top left of the window's client area."""
    y: int = 0
    key: str = ""
    wait_s: float = 3.0
    """The longest time in seconds from the end of a game to its button, and from there to the new board."""


@dataclass(frozen=True)
class GameBehaviour:
    """How one game acts. The defaults hold for any Minesweeper."""

    first_click: FirstClick = FirstClick.ANY
    spread: Spread = Spread.EIGHT
    """The neighbours over which openings spread."""
    wins: WinsBy = "opened"
    chord: Chord = "none"
    opened_at_start: bool = False
    """Whether a new game begins with an opening already made."""
    timing: Timing = field(default_factory=Timing)
    """How quickly the window takes clicks."""
    dialogs: tuple[DialogSpec, ...] = ()
    """The windows that the game opens over its board."""
    pause: PauseSpec | None = None
    """How the game looks while it hides its board in a pause; None for a game that never does."""
    ending: Ending | None = None
    """How to recognise an end of the game that changes the whole board; None if the board stays readable."""
    new_game: NewGameWay | None = None
    """How the next game is started in a learned window; None for other games, whose skin and behaviour say
    it otherwise (`WAYS` of `bot.targets.window.events.new_game`)."""

    @property
    def dialog_tells_end(self) -> bool:
        """Whether a dialog announces the end of a game, and starts the next one when it is closed."""
        return any(dialog.tells is not None for dialog in self.dialogs)
