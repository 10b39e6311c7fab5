"""`minebot run --view`: serves the page of the run."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.show.live import LiveView


def serve(tell: Callable[[str], None], ways_out: ExitStack, *, open_it: bool) -> LiveView:
    """Serve the page until `ways_out` ends, and tell its address. Raises BotError if no port can be had."""
    from bot.errors import BotError
    from bot.show.live import LiveView

    try:
        view = LiveView("minebot at work")
    except OSError as error:
        raise BotError(f"--view: no port can be had ({error.strerror or error}): leave it out") from None
    ways_out.callback(view.close)
    tell(f"look on at {view.address}")
    if open_it:
        import webbrowser

        webbrowser.open(view.address)
    return view
