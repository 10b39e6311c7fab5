"""How programs are started that a test sends signals to, and whether they have ended."""

from __future__ import annotations

import ctypes
import signal
import sys
import time
from pathlib import Path

OF_A_TERMINAL = tuple(getattr(signal, name) for name in ("SIGINT", "SIGHUP") if hasattr(signal, name))
"""What a shell has its background jobs ignore (Ctrl-C), and `nohup` what it starts; children inherit that."""


def as_from_a_terminal() -> None:
    """For a `preexec_fn`: let signals end the program as they do in a terminal."""
    for number in OF_A_TERMINAL:
        signal.signal(number, signal.SIG_DFL)


def runs(pid: int) -> bool:
    """Whether a process runs; a zombie does not."""
    if sys.platform == "win32":
        synchronize, wait_timeout = 0x100000, 0x102
        kernel32 = ctypes.windll.kernel32
        handle = kernel32.OpenProcess(synchronize, False, pid)
        waits = bool(handle) and kernel32.WaitForSingleObject(handle, 0) == wait_timeout
        kernel32.CloseHandle(handle)
        return waits
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")")[-1].split()[0] != "Z"
    except OSError:
        return False


def gone(pid: int, limit_s: float = 20) -> bool:
    """Whether a process has ended, or ends within some seconds."""
    until = time.monotonic() + limit_s
    while runs(pid) and time.monotonic() < until:
        time.sleep(0.02)
    return not runs(pid)
