"""Cases: how minebot ends under Windows' Python, and what it leaves."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager

from tests.windows_python.games import SIMPLE, UNCOMPILED
from tests.windows_python.windows_python import MAIN, Failed, Ran, WindowsPython

PLAY = ("run", *SIMPLE, "--games", "1000", "--json", "--no-record")

ENDED_S = 60.0
"""Time limit for a run to end once it was asked to, and for its window to go, in seconds."""


@contextmanager
def playing(python: WindowsPython) -> Iterator[subprocess.Popen[str]]:
    """A run that has played its first game. It ends with the body."""
    process = python.start(*MAIN, *PLAY, variables=UNCOMPILED)
    try:
        assert process.stdout is not None
        if not process.stdout.readline():
            raise Failed(f"it did not play: {python.end_all(process)[1].strip()}")
        yield process
    finally:
        python.end_all(process)


def check_that_windows_go(python: WindowsPython) -> None:
    """Raise Failed if a window of a run that has ended stays."""
    until = time.monotonic() + ENDED_S
    while left := python.processes(MAIN[-1], " practice "):
        if time.monotonic() > until:
            raise Failed(f"{len(left)} windows are left")
        time.sleep(0.1)


def refuses_a_second_bot(python: WindowsPython) -> str:
    """Two bots on one mouse."""
    with playing(python):
        second = python.minebot(*PLAY, variables=UNCOMPILED).check(1)
    if "another minebot" not in second.err:
        raise Failed(f"the second one: {second.err.strip()}")
    return "the second one was told"


def stops_at_ctrl_c(python: WindowsPython) -> str:
    """Ctrl-C: what was played is told, the window goes, the status is that of an interrupt."""
    with playing(python) as process:
        python.send(signal.SIGINT, MAIN[-1], "run --practice")
        try:
            out, err = process.communicate(timeout=ENDED_S)
        except subprocess.TimeoutExpired:
            raise Failed(f"it runs on after {ENDED_S:.0f} s") from None
        Ran(("run",), process.returncode, out, err).check(130)
        check_that_windows_go(python)
    ends = [json.loads(line)["outcome"] for line in out.splitlines()]
    if "stopped" not in err:
        raise Failed(f"it does not say that it was stopped: {err.strip()}")
    return f"status 130, {len(ends) + 1} games told"


def leaves_no_window_when_killed(python: WindowsPython) -> str:
    """minebot is killed while it plays: its window goes."""
    with playing(python):
        for pid in python.processes(MAIN[-1], "run --practice"):
            os.kill(pid, signal.SIGKILL)
        check_that_windows_go(python)
    return "its window went"
