"""A page of our own, in a real Chromium, that behaves as other people's games do."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from bot.screen.programs.browser import BrowserPage
from bot.screen.this_machine import system_windows
from bot.screen.windows import Window

PAGE = Path(__file__).parent / "pages" / "index.html"


@dataclass(frozen=True)
class Done:
    """What the page says of itself, by its title."""

    games: int
    clicks: int
    outside: int
    """Clicks on the page that hit neither the board nor a button."""
    outcomes: list[str]
    """`won` or `lost` of each game that ended."""


class MinesPage(BrowserPage):
    """The page in a window of its own; `open` says how it behaves (`pages/game.js`)."""

    def __init__(self) -> None:
        super().__init__(PAGE)

    def open(self, **behaviour: str | int) -> Window:
        """Open it with this behaviour and wait for its window."""
        return self.start(size=(520, 520), **behaviour)  # type: ignore[arg-type]

    @staticmethod
    def done() -> Done:
        """What was done on the page that is open."""
        windows = system_windows()
        try:
            title = next(one.title for one in windows.windows() if one.title.startswith("mines games="))
        finally:
            windows.close()
        _, games, clicks, outside, *outcomes = title.split()
        begun, clicked, missed = (int(word.split("=")[1]) for word in (games, clicks, outside))
        return Done(begun, clicked, missed, outcomes[0].split(",") if outcomes else [])
