"""How a game acts, whatever it looks like: what protects the first click, what wins, how a game starts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from bot.board import FirstClick, Spread
from bot.vision.themes.palette import Ending
from bot.vision.themes.schema import Chord, DialogSpec, PauseSpec, Timing, WinsBy


@dataclass(frozen=True)
class NewGameWay:
    """How the next game is started."""

    kind: Literal["face", "end button", "end dialog", "place", "end place", "key"]
    """A click on the face of the skin; on a button of known colours that the end of a game lays over the
    board; the answer of the dialog that tells the end; a click on a place of the window that always starts a
    game, or only once one is over; a key."""
    x: int = 0
    """Of a place, in pixels from the top left of the window's inside."""
    y: int = 0
    key: str = ""
    wait_s: float = 3.0
    """How long after the end of a game a button may take to show, and a new board after that, in seconds."""


@dataclass(frozen=True)
class GameBehaviour:
    """How one game acts. The defaults hold for any Minesweeper."""

    first_click: FirstClick = FirstClick.ANY
    spread: Spread = Spread.EIGHT
    """Over which neighbours openings spread."""
    wins: WinsBy = "opened"
    """What wins: every cell without a mine opened, or every mine flagged as well."""
    chord: Chord = "none"
    """The button that opens the cells around a number."""
    opened_at_start: bool = False
    """Whether a new game begins with an opening already made."""
    timing: Timing = field(default_factory=Timing)
    """How the window takes clicks."""
    dialogs: tuple[DialogSpec, ...] = ()
    """The windows that the game opens over its board."""
    pause: PauseSpec | None = None
    """How the game hides its board when it loses the focus; None where it does not."""
    ending: Ending | None = None
    """How the end of a game shows that changes the whole board; None where it leaves the board readable."""
    new_game: NewGameWay | None = None
    """How the next game is started; None where no way is known."""

    @property
    def dialog_tells_end(self) -> bool:
        """Whether a dialog tells how a game ended, and starts the next one when it is closed."""
        return any(dialog.tells is not None for dialog in self.dialogs)
