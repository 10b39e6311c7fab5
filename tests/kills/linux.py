"""The Python of this machine, which is a Linux with X11."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from bot.files import user_cache
from tests.kills.killing import Machine, buttons_down
from tests.signals import as_from_a_terminal

ROOT = Path(__file__).parents[2]

STATUS = {signal.SIGTERM: 143, signal.SIGINT: 130, signal.SIGHUP: 129}
"""The exit status that tells which signal ended a run."""


def start_module(words: list[str], variables: dict[str, str]) -> subprocess.Popen[str]:
    """Start a module of the project, with its words, by this Python in a session of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", *words],
        env=os.environ | variables | {"PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=as_from_a_terminal,
    )


class Linux(Machine):
    """minebot by the Python that runs this."""

    signals = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
    own_screens = True

    def __init__(self) -> None:
        self.compiled = user_cache() / "solver"
        self._locks = _screen_locks()

    def path(self, path: Path) -> str:
        """The path itself."""
        return str(path)

    def start(self, words: list[str], variables: dict[str, str]) -> subprocess.Popen[str]:
        """Start minebot in a session of its own."""
        self._locks = _screen_locks()
        return start_module(["bot.cli.main", *words], variables)

    def send(self, process: subprocess.Popen[str], number: signal.Signals) -> None:
        """Send it."""
        process.send_signal(number)

    def statuses(self, number: signal.Signals) -> set[int]:
        """Before Python has come to our own handlers, a signal ends it as it ends any program."""
        return {STATUS.get(number, -number), -number}

    def left_over(self) -> list[str]:
        """Buttons that are down, and locks that were not there before."""
        stale = [path for path in _screen_locks() - self._locks if not _alive(path)]
        return [*buttons_down(), *(f"{path} lies about" for path in stale)]


def _screen_locks() -> set[Path]:
    """The locks of all X servers of this machine."""
    return set(Path("/tmp").glob(".X*-lock"))


def _alive(lock: Path) -> bool:
    """Whether the X server that holds a lock runs."""
    try:
        os.kill(int(lock.read_text()), 0)
    except (OSError, ValueError):
        return False
    return True
