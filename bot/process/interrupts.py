"""Ctrl-C and the other signals that ask minebot to stop: how they end a run, and how they wait while
something is done that must not be left half done."""

from __future__ import annotations

import _thread
import enum
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
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

_held: list[list[int]] = []
"""The signals that came while the body of `uninterrupted` runs in the main thread; empty where none does."""

_lost: list[int] = []
"""The signal whose `Interrupt` was lost and that is on its way again, if there is one."""


class Interrupt(KeyboardInterrupt):
    """A KeyboardInterrupt that is raised again if C code loses it.

    numpy asks the class of what it is given for attributes, and drops whatever the answer raises. Before
    Python 3.12 the classes of enumerations, as `Cell` is one, answer by Python code: among comparisons of
    boards with cells half of all Ctrl-C were lost so. The compiler drops what is raised while it imports the
    names of characters, and tells a SyntaxError.
    """

    def __init__(self, number: int) -> None:
        """`number` is that of the signal."""
        super().__init__()
        self.number = number
        self.answered = False
        """Whether somebody else sees to it that it is raised again."""

    def __del__(self) -> None:
        # The traceback begins where it was caught; before Python 3.12 there is none until then. What begins
        # with the handler, an enumeration or an import was caught by no Python code: C code has dropped it.
        trace = self.__traceback__
        caught = trace is not None and trace.tb_frame.f_code.co_filename not in LOSERS
        if caught or self.answered or _lost or sys.is_finalizing():
            return
        _lost.append(self.number)
        again = threading.Timer(AGAIN_S, _raise_again)
        again.daemon = True
        again.start()


def _raise_again() -> None:
    """Send the signal again, unless another one was raised since."""
    for number in _lost:
        _thread.interrupt_main(signal.Signals(number))


LOSERS = (__file__, enum.__file__, "<frozen importlib._bootstrap>", "<frozen importlib._bootstrap_external>")
"""The files whose functions catch no `Interrupt` and are called by C code that may lose it."""


def stop_like_ctrl_c() -> None:
    """From now on, a signal of `ENDING` raises KeyboardInterrupt in the main thread, once, and Ctrl-C does so
    at any time; neither is lost. A Ctrl-C that was held back until now is raised here.

    A signal that is ignored (`nohup` ignores SIGHUP) stays ignored, and one that has a handler keeps it.
    """
    for number in ENDING:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, stop)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, interrupt)
    if sys.platform != "win32":  # `executable/minebot.sh` holds it back while Python starts
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def end_silently() -> None:
    """From now on, the signals that raised KeyboardInterrupt end the process at once: all is told and put
    away, and on Python's own way out what they raise would be a traceback."""
    for number in SIGNALS:
        if signal.getsignal(number) in (interrupt, stop):
            signal.signal(number, signal.SIG_DFL)


def interrupt(number: int, _frame: FrameType | None = None) -> None:
    """The handler of Ctrl-C."""
    if _held:
        _held[0].append(number)
        return
    _lost.clear()
    raise Interrupt(number)


def stop(number: int, _frame: FrameType | None = None) -> None:
    """The handler of these signals. Only the first one raises: another one would cut short the way out."""
    if _held:
        _held[0].append(number)
        return
    first = not _came or number in _lost
    note_stop(number)
    if first:
        _lost.clear()
        raise Interrupt(number)


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
    if _held or threading.current_thread() is not threading.main_thread():
        yield  # within another such body the outer one holds them back
        return
    came: list[int] = []
    before: dict[int, Any] = {}

    def remember(number: int, _frame: FrameType | None) -> None:
        came.append(number)

    try:
        _held.append(came)
        for number in SIGNALS:
            handler = signal.getsignal(number)
            # Ours look themselves whether they are held back, as setting others takes a while, and each click
            # does this several times; what does not run Python raises nothing.
            if callable(handler) and handler not in (interrupt, stop):
                before[number] = handler
                signal.signal(number, remember)
        yield
    finally:
        for held, handler in before.items():
            signal.signal(held, handler)
        _held.clear()
        if came:
            handler = before.get(came[0]) or signal.getsignal(came[0])
            if callable(handler):
                handler(came[0], None)


@contextmanager
def not_suspended() -> Iterator[None]:
    """Let a Ctrl-Z that comes while the body runs suspend the process at its end.

    The body must be short. A process that sleeps while it keeps others from something, as a grab of the X
    server does, keeps them from it for ever.
    """
    number = getattr(signal, "SIGTSTP", None)
    in_main = threading.current_thread() is threading.main_thread()
    if number is None or not in_main or signal.getsignal(number) is not signal.SIG_DFL:
        yield
        return
    came: list[int] = []
    signal.signal(number, lambda one, _frame: came.append(one))
    try:
        yield
    finally:
        signal.signal(number, signal.SIG_DFL)
        if came:
            signal.raise_signal(number)


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
        if isinstance(what.exc_value, Interrupt):
            what.exc_value.answered = True
        if not issubclass(what.exc_type, KeyboardInterrupt):
            before(what)
        elif not waiting:
            waiting.append(threading.Timer(AGAIN_S, send))
            waiting[0].daemon = True
            with suppress(KeyboardInterrupt):  # another one: the body is told of one at its end anyway
                waiting[0].start()

    sys.unraisablehook = dropped
    hidden = False
    try:
        yield
    except Exception as error:
        hidden = bool(_lost) or _hides_ctrl_c(error)
        if not waiting and not hidden:
            raise
    finally:
        sys.unraisablehook = before
        lost = list(waiting)
        for timer in lost:
            timer.cancel()
    if lost or hidden:
        _lost.clear()
        raise KeyboardInterrupt


def _hides_ctrl_c(error: BaseException | None) -> bool:
    """Whether an error came of a Ctrl-C. Before Python 3.12 a class that is being made tells one that falls
    into the naming of its attributes as a RuntimeError."""
    while error is not None:
        if isinstance(error, KeyboardInterrupt):
            return True
        error = error.__cause__
    return False
