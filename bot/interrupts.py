"""Letting Ctrl-C and a polite kill wait while something is done that must not be left half done."""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

SIGNALS = (signal.SIGINT, signal.SIGTERM)

AGAIN_S = 0.05
"""So many seconds after a Ctrl-C was dropped it is raised anew: the callback that dropped it has returned."""


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
    """See to it that a Ctrl-C that comes while the body runs is not lost.

    Python drops what is raised inside a callback from C, with a traceback, and llvmlite calls back while it
    compiles: most that come meanwhile are raised just there. So it is raised anew a moment later, and what
    the compiler was then missing counts as the Ctrl-C too.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = sys.unraisablehook
    waiting: list[threading.Timer] = []

    def send() -> None:
        waiting.clear()
        _thread.interrupt_main()

    def dropped(what: sys.UnraisableHookArgs) -> None:
        if not issubclass(what.exc_type, KeyboardInterrupt):
            before(what)
        elif not waiting:
            waiting.append(threading.Timer(AGAIN_S, send))
            waiting[0].daemon = True
            waiting[0].start()

    sys.unraisablehook = dropped
    try:
        yield
    except Exception:
        if not waiting:
            raise
    finally:
        sys.unraisablehook = before
        lost = list(waiting)
        for timer in lost:
            timer.cancel()
    if lost:
        raise KeyboardInterrupt
