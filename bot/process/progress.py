"""Long work says on stderr what it does: in a terminal by a line that is drawn again, elsewhere by a line now
and then, so that a log shows that the work goes on."""

from __future__ import annotations

import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

FIRST_S = 2.0
"""In a terminal, work that is done within this time is not told, in seconds."""

REDRAW_S = 0.5
"""Time between two drawings of the line in a terminal, in seconds."""

EVERY_S = 30.0
"""Time between two lines elsewhere, in seconds."""

_texts: list[Callable[[], str]] = []
"""What is being done, the innermost last: one line at a time tells it."""


_silent = False


def quiet() -> None:
    """Tell nothing from now on: for pictures that a line on stderr would fall into."""
    global _silent
    _silent = True


@contextmanager
def told(text: Callable[[], str], *, since: float | None = None) -> Iterator[None]:
    """While the body runs, tell `text()` and the seconds that went by, those since `since` on the clock of
    `time.monotonic` (by default since now). Within another such body only the text changes."""
    _texts.append(text)
    try:
        if len(_texts) > 1 or sys.stderr is None or _silent:
            yield
            return
        ended = threading.Event()
        begun = time.monotonic() if since is None else since
        teller = threading.Thread(target=_tell, args=(sys.stderr, begun, ended), daemon=True)
        teller.start()
        try:
            yield
        finally:
            ended.set()
            teller.join()
    finally:
        _texts.remove(text)


def _tell(stream: TextIO, begun: float, ended: threading.Event) -> None:
    draws = _can_draw(stream)
    drawn = 0
    now = time.monotonic()
    while not ended.wait(REDRAW_S if draws else EVERY_S - (now - begun) % EVERY_S):
        now = time.monotonic()
        if draws and now - begun < FIRST_S:
            continue
        line = f"minebot: {_texts[-1]()}, {now - begun:.0f} s"
        with suppress(OSError, ValueError):  # the terminal was closed: what is done goes on
            if draws:
                line = line[: shutil.get_terminal_size().columns - 1]
                stream.write("\r" + line.ljust(drawn))
                drawn = max(drawn, len(line))
            else:
                stream.write(line + "\n")
            stream.flush()
    if drawn:
        with suppress(OSError, ValueError):
            stream.write("\r" + " " * drawn + "\r")
            stream.flush()


def _can_draw(stream: TextIO) -> bool:
    """Whether it is a terminal that nobody else draws in: a live display stands in the place of stderr."""
    return stream is sys.__stderr__ and stream.isatty() and os.environ.get("TERM") != "dumb"
