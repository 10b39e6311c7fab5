"""`minebot run --view`: serves the page of the run."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.screen.windows import Window, Windows
    from bot.show.live import LiveView


RAISED_S = 0.3
"""Seconds that a desktop has to show the game above the browser."""

OPENS_S = 20.0
"""Seconds that a browser has to show the page; one that starts for the first time takes some."""


def serve(tell: Callable[[str], None], ways_out: ExitStack) -> LiveView:
    """Serve the page until `ways_out` ends, and tell its address. Raises BotError if no port can be had."""
    from bot.errors import BotError
    from bot.show.live import LiveView

    try:
        view = LiveView("minebot at work")
    except OSError as error:
        raise BotError(f"--view: no port can be had ({error.strerror or error}): leave it out") from None
    ways_out.callback(view.close)
    tell(f"look on at {view.address}")
    return view


def open_behind(view: LiveView, windows: Windows, game: Window | None, tell: Callable[[str], None]) -> None:
    """Open the page in the user's browser, and have the game shown above it.

    To be called once the game is found: a browser that comes up fills the screen, more often than not.
    """
    import webbrowser

    if not webbrowser.open(view.address):
        tell("no browser could be opened: open that address yourself")
    elif game is not None and view.is_shown(OPENS_S):
        windows.to_front(game)
        time.sleep(RAISED_S)
