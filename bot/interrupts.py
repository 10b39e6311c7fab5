"""Letting Ctrl-C and a polite kill wait while something is done that must not be left half done."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let a Ctrl-C or SIGTERM that comes while the body runs be raised at its end. The body must be short.

    python-xlib is left waiting for ever where an exception falls between a request and its reply: the
    next request on that connection, which may be the one that lets go of a button, then hangs.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before: dict[int, Any] = {}

    def remember(number: int, _frame: FrameType | None) -> None:
        came.append(number)

    try:
        for number in SIGNALS:
            handler = signal.getsignal(number)
            # Within another such body the outer one remembers; what does not run Python raises nothing.
            if callable(handler) and getattr(handler, "__qualname__", "") != remember.__qualname__:
                before[number] = handler
                signal.signal(number, remember)
        yield
    finally:
        for held, handler in before.items():
            signal.signal(held, handler)
        if came:
            before[came[0]](came[0], None)


@contextmanager
def not_swallowed() -> Iterator[None]:
    """See to it that a Ctrl-C that comes while the body runs ends it: at once, or else at its end.

    Python drops what is raised inside a callback from C, and llvmlite calls back while it compiles: a
    Ctrl-C at that moment was printed as ignored, and the program went on, or failed of what was then missing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handler = signal.getsignal(signal.SIGINT)
    if not callable(handler):
        yield
        return
    came = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal came
        came = True
        handler(number, frame)

    signal.signal(signal.SIGINT, note)
    try:
        yield
    except Exception:
        if not came:
            raise
    finally:
        signal.signal(signal.SIGINT, handler)
    if came:
        raise KeyboardInterrupt
