"""Letting Ctrl-C wait while somebody talks to the X server."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let a Ctrl-C that comes while the body runs be raised at its end. The body must be short.

    python-xlib is left waiting for ever where a KeyboardInterrupt falls between a request and its reply: the
    next request on that connection, which may be the one that lets go of a button, then hangs.
    """
    in_main_thread = threading.current_thread() is threading.main_thread()
    if not in_main_thread or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield  # within another such body, or somebody else has decided what Ctrl-C does
        return
    came = False

    def remember(_signal: int, _frame: FrameType | None) -> None:
        nonlocal came
        came = True

    signal.signal(signal.SIGINT, remember)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if came:
            raise KeyboardInterrupt
