"""Long work is told: in a terminal by one line that goes again, elsewhere by a line now and then."""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Callable

import pytest

from bot.process import progress
from bot.process.progress import told


class Stream(io.StringIO):
    """What stands for stderr."""

    def __init__(self, *, terminal: bool) -> None:
        super().__init__()
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


def shown(monkeypatch: pytest.MonkeyPatch, *, terminal: bool, live: bool = False) -> Stream:
    stream = Stream(terminal=terminal)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(sys, "__stderr__", None if live else stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(progress, "EVERY_S", 0.03)
    monkeypatch.setattr(progress, "REDRAW_S", 0.01)
    monkeypatch.setattr(progress, "FIRST_S", 0.02)
    monkeypatch.setattr(progress, "_silent", False)
    return stream


def wait_for(done: Callable[[], bool]) -> None:
    until = time.monotonic() + 20
    while not done() and time.monotonic() < until:
        time.sleep(0.005)
    assert done()


@pytest.mark.parametrize(("terminal", "live"), [(False, False), (True, True)])
def test_without_a_terminal_of_its_own_it_prints_lines(
    terminal: bool, live: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = shown(monkeypatch, terminal=terminal, live=live)
    with told(lambda: "3 of 7 games"):
        wait_for(lambda: stream.getvalue().count("\n") >= 2)
    lines = stream.getvalue().splitlines()
    assert set(lines) == {"minebot: 3 of 7 games, 0 s"}
    assert "\r" not in stream.getvalue()


def test_a_terminal_gets_one_line_that_goes_again(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = shown(monkeypatch, terminal=True)
    with told(lambda: "thinking"), told(lambda: "compiling"):
        wait_for(lambda: stream.getvalue().count("compiling") >= 2)
        said = stream.getvalue()
    # The innermost is told, from its beginning until its end.
    assert "thinking" not in said[said.index("compiling") :]
    assert "\n" not in stream.getvalue()
    assert stream.getvalue().endswith("\r" + " " * len("minebot: compiling, 0 s") + "\r")


def test_what_is_done_at_once_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = shown(monkeypatch, terminal=True)
    monkeypatch.setattr(progress, "FIRST_S", 60.0)
    with told(lambda: "thinking"):
        time.sleep(0.05)
    assert stream.getvalue() == ""


def test_a_closed_stderr_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = shown(monkeypatch, terminal=False)
    stream.close()
    with told(lambda: "thinking"):
        time.sleep(0.1)
    monkeypatch.setattr(sys, "stderr", None)
    with told(lambda: "thinking"):
        pass


def test_the_time_counts_from_where_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = shown(monkeypatch, terminal=False)
    with told(lambda: "compiling", since=time.monotonic() - 100):
        wait_for(lambda: "compiling, 100 s" in stream.getvalue())


def test_nothing_is_told_into_a_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = shown(monkeypatch, terminal=False)
    progress.quiet()
    with told(lambda: "compiling"):
        time.sleep(0.1)
    assert stream.getvalue() == ""
