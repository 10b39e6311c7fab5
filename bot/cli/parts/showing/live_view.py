"""`minebot run --view`: serves the page of the run."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.screen.windows import Window, Windows
    from bot.show.live import LiveView


RAISED_S = 0.3
"""Seconds that a desktop has to show the game above the browser."""

OPENER = "import sys, webbrowser; sys.exit(not webbrowser.open(sys.argv[1]))"
"""What the process runs that opens the browser."""

LOOK_S = 0.05
"""Seconds between two looks whether the page is shown."""

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
    if not _opened(view, wait=game is not None):
        tell("no browser could be opened: open that address yourself")
    elif game is not None and view.is_shown(0):
        windows.to_front(game)
        time.sleep(RAISED_S)


def _opened(view: LiveView, *, wait: bool) -> bool:
    """Open the page, with `wait` until it is shown; whether it could be opened.

    The browser gets no stream of ours: it would hold a pipe open beyond the end of the run, and chatter into
    its lines. A process between opens it, because some browsers are waited for until they are closed.
    """
    if os.name == "nt":  # there the system starts it, and it inherits nothing
        import webbrowser

        opened = webbrowser.open(view.address)
        if opened and wait:
            view.is_shown(OPENS_S)
        return opened
    opener = subprocess.Popen(
        [sys.executable, "-I", "-c", OPENER, view.address],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    threading.Thread(target=opener.wait, name="browser", daemon=True).start()  # it leaves no zombie
    end = time.monotonic() + OPENS_S
    while time.monotonic() < end and not view.is_shown(LOOK_S):
        status = opener.poll()
        if status is not None and (status != 0 or not wait):
            return status == 0
    return True
