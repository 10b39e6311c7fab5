"""Ctrl-C and the other signals that ask minebot to stop: how they end a run, and how they wait while
something is done that must not be left half done."""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name))
"""The signals besides Ctrl-C that ask a program to stop. Windows has no SIGHUP; it alone has SIGBREAK, which
is Ctrl-Break."""

SIGNALS = (signal.SIGINT, *ENDING)

AGAIN_S = 0.05
"""So many seconds after a Ctrl-C was dropped it is raised anew: the callback that dropped it has returned."""


_came: list[int] = []
"""The first signal of `ENDING` that came, if one did."""


def stop_like_ctrl_c() -> None:
    """From now on, a signal of `ENDING` raises KeyboardInterrupt in the main thread, once.

    A signal that is ignored (`nohup` ignores SIGHUP) stays ignored, and one that has a handler keeps it.
    """
    for number in ENDING:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, stop)


def stop(number: int, _frame: FrameType | None = None) -> None:
    """The handler of these signals. Only the first one raises: another one would cut short the way out."""
    first = not _came
    note_stop(number)
    if first:
        raise KeyboardInterrupt


def note_stop(number: int) -> None:
    """Remember that this signal ends the run, for `stop_status`; the first one counts."""
    if not _came:
        _came.append(number)


def was_stopped() -> bool:
    """Whether a signal of `ENDING` came."""
    return bool(_came)


def stop_status() -> int:
    """The exit status of a run that was stopped: 143 for SIGTERM, 129 for SIGHUP, otherwise 130."""
    return 128 + (_came[0] if _came else signal.SIGINT)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let a Ctrl-C, SIGTERM or SIGHUP that comes while the body runs be raised at its end.

    The body must be short.

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
