"""One input, tried in a process of its own: its status, its words, its time and its memory."""

from __future__ import annotations

import os
import resource
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

LIMIT_S = 20
"""Seconds of the processor that an input may take, so that other work on the machine does not count."""

HANG_S = 600
"""Seconds by the clock after which a process that waits for something is given up."""

MEMORY_KB = 2 * 2**20
"""Kilobytes of memory that an input may take, with all that is loaded: 2 GB."""

ADDRESSES = 12 * 2**30
"""Bytes of addresses that a process may have, so that a mistake of minebot does not take the machine down."""

WRITTEN = 512 * 2**20
"""Bytes of a file that a process may write."""

STATUSES = (0, 1, 2)
"""The ends that minebot has for itself: done, could not be done, wrong words."""


@dataclass(frozen=True)
class Tried:
    """What came of an input."""

    status: int
    """The exit status; the number of a signal with a minus."""
    out: str
    err: str
    seconds: float
    """Of the processor."""
    memory_kb: int

    @property
    def wrong(self) -> str:
        """What is wrong with it, in a few words; empty if nothing is."""
        if self.status == -signal.SIGXCPU or self.seconds > LIMIT_S:
            return f"it took {self.seconds:.0f} s of the processor"
        if self.status == -signal.SIGALRM:
            return f"it hung for {HANG_S} s"
        if self.status < 0:
            return f"it was ended by {signal.Signals(-self.status).name}"
        if self.memory_kb > MEMORY_KB:
            return f"it took {self.memory_kb / 2**20:.1f} GB"
        if "Traceback" in self.err:
            return f"a traceback: {self.err.strip().splitlines()[-1]}"
        if self.status not in STATUSES:
            return f"it ended with status {self.status}"
        if self.status and not self.err.strip() and not self.out.strip():
            return f"it ended with status {self.status} and said nothing"
        return ""


def tried(run: Callable[[], None], folder: Path) -> Tried:
    """Call `run` in a copy of this process that has `folder` as its own and as minebot's home.

    The copy has what this process has loaded. Do not call it where other threads run.
    """
    out, err = folder / "stdout", folder / "stderr"
    process = os.fork()
    if process == 0:
        _become(run, folder, out, err)
    _, waited, used = os.wait4(process, 0)
    return Tried(
        os.waitstatus_to_exitcode(waited),
        out.read_text(errors="replace"),
        err.read_text(errors="replace"),
        used.ru_utime + used.ru_stime,
        used.ru_maxrss,
    )


def _become(run: Callable[[], None], folder: Path, out: Path, err: Path) -> None:
    """Be the copy: never returns."""
    status = 70
    try:
        os.setpgid(0, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, HANG_S)
        # At the second one a process is killed without a word.
        resource.setrlimit(resource.RLIMIT_CPU, (LIMIT_S + 1, LIMIT_S + 10))
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))
        resource.setrlimit(resource.RLIMIT_FSIZE, (WRITTEN, WRITTEN))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        for number, flags, path in (
            (0, os.O_RDONLY, Path(os.devnull)),
            (1, os.O_WRONLY | os.O_CREAT, out),
            (2, os.O_WRONLY | os.O_CREAT, err),
        ):
            os.dup2(os.open(path, flags, 0o600), number)
        os.chdir(folder)
        os.environ["MINEBOT_HOME"] = str(folder)
        for name in ("DISPLAY", "WAYLAND_DISPLAY"):
            os.environ.pop(name, None)
        status = _status_of(run)
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
    finally:
        os._exit(status)


def _status_of(run: Callable[[], None]) -> int:
    """The exit status that `run` asks for, as Python would end with it."""
    try:
        run()
    except SystemExit as error:
        if isinstance(error.code, int) or error.code is None:
            return error.code or 0
        with suppress(OSError):
            sys.stderr.write(f"{error.code}\n")
        return 1
    except BaseException:
        import traceback

        traceback.print_exc()
        return 1
    return 0
