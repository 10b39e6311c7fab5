"""A page of our own, in a real Chromium, that behaves as other people's games do."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.screen.programs.browser import BrowserPage
from bot.screen.this_machine import system_windows
from bot.screen.windows import Window

PAGE = Path(__file__).parent / "pages" / "index.html"

TITLE = "mines games="
"""How its title begins once its program runs."""

DRAWN_S, PAINT_S = 30, 0.5
"""How long a browser may take to open the page, and to paint it once its program runs, in seconds."""


def listed() -> Sequence[Window]:
    """The windows on the screen."""
    windows = system_windows()
    try:
        return windows.windows()
    finally:
        windows.close()


@dataclass(frozen=True)
class Done:
    """What the page says of itself, by its title."""

    games: int
    clicks: int
    outside: int
    """Clicks on the page that hit neither the board nor a button."""
    quits: int
    """How often a button that quits was pressed."""
    zoom: int
    """How large the browser shows it, in percent."""
    outcomes: list[str]
    """`won` or `lost` of each game that ended."""


class MinesPage(BrowserPage):
    """The page in a window of its own; `open` says how it behaves (`pages/game.js`)."""

    def __init__(self) -> None:
        super().__init__(PAGE)

    def open(self, **behaviour: str | int) -> Window:
        """Open it with this behaviour and wait until it is drawn."""
        window = self.start(size=(520, 520), **behaviour)  # type: ignore[arg-type]
        until = time.monotonic() + DRAWN_S
        while not any(one.title.startswith(TITLE) for one in listed()):
            if time.monotonic() > until:
                pytest.fail(f"the page is not there after {DRAWN_S} s")
            time.sleep(0.05)
        time.sleep(PAINT_S)
        return window

    @staticmethod
    def done() -> Done:
        """What was done on the page that is open."""
        title = next(one.title for one in listed() if one.title.startswith(TITLE))
        _, games, clicks, outside, quits, zoom, *outcomes = title.split()
        numbers = (int(word.split("=")[1]) for word in (games, clicks, outside, quits, zoom))
        begun, clicked, missed, left, shown = numbers
        return Done(begun, clicked, missed, left, shown, outcomes[0].split(",") if outcomes else [])
