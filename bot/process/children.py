"""Programs that we start and that end when we end, however that is: by themselves, by Ctrl-C or by a kill.

Linux sends a child a signal when its parent has died. On Windows the child belongs to a job whose last handle
is ours, and closing that ends its processes. Elsewhere a shell waits at a pipe until we are gone, and then
kills the child.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import weakref
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

WATCH = 'read -r word; [ -n "$word" ] || kill -s "$1" "$2" 2>/dev/null'
"""What the waiting shell runs: a pipe that closes without a word is that of a program that died. Its own
words are the signal and the child."""


def start(words: Sequence[str], *, parting: int = signal.SIGTERM, **more: Any) -> subprocess.Popen[bytes]:
    """Start a program in a session of its own, as `subprocess.Popen` does with the words `more`.

    When we have died, it gets the signal `parting`; on Windows it is ended. On Linux that is when the thread
    that started it has ended: call it in the main thread.
    """
    if sys.platform == "win32":
        process: subprocess.Popen[bytes] = subprocess.Popen(words, **more)
        _put_into_job(process)
        return process
    if sys.platform == "linux":
        return subprocess.Popen(
            words, start_new_session=True, preexec_fn=_ended_by(parting, os.getpid()), **more
        )
    process = subprocess.Popen(words, start_new_session=True, **more)
    _watch(process, parting)
    return process


if sys.platform == "linux":
    import ctypes
    from collections.abc import Callable

    PR_SET_PDEATHSIG = 1
    """The request of prctl(2) that names the signal which comes when the parent has died."""

    _prctl = ctypes.CDLL(None, use_errno=True).prctl

    def _ended_by(parting: int, parent: int) -> Callable[[], None]:
        """What the child runs before its program."""

        def ask() -> None:
            _prctl(PR_SET_PDEATHSIG, int(parting), 0, 0, 0)
            if os.getppid() != parent:  # it died before the child had asked
                os._exit(1)

        return ask


def _watch(process: subprocess.Popen[bytes], parting: int) -> None:
    """Have a shell in a session of its own send the signal once our end of a pipe is closed, silently."""
    reading, writing = os.pipe()
    name = signal.Signals(parting).name.removeprefix("SIG")
    watch = subprocess.Popen(
        ["/bin/sh", "-c", WATCH, "watch", name, str(process.pid)],
        stdin=reading,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    os.close(reading)

    def dismiss() -> None:
        """Its number may belong to another program by now."""
        with suppress(OSError):
            os.write(writing, b"done\n")
        os.close(writing)
        watch.wait()

    weakref.finalize(process, dismiss).atexit = False


if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

    KILL_ON_JOB_CLOSE = 0x2000
    """The limit JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE: the job's processes end when its last handle closes."""

    EXTENDED_LIMITS = 9
    """The class of information JobObjectExtendedLimitInformation."""

    class _BasicLimits(ctypes.Structure):
        _fields_ = (
            ("PerProcessUserTimeLimit", wintypes.LARGE_INTEGER),
            ("PerJobUserTimeLimit", wintypes.LARGE_INTEGER),
            ("LimitFlags", wintypes.DWORD),
            ("MinimumWorkingSetSize", ctypes.c_size_t),
            ("MaximumWorkingSetSize", ctypes.c_size_t),
            ("ActiveProcessLimit", wintypes.DWORD),
            ("Affinity", ctypes.c_size_t),
            ("PriorityClass", wintypes.DWORD),
            ("SchedulingClass", wintypes.DWORD),
        )

    class _ExtendedLimits(ctypes.Structure):
        _fields_ = (
            ("BasicLimitInformation", _BasicLimits),
            ("IoInfo", ctypes.c_ulonglong * 6),
            ("ProcessMemoryLimit", ctypes.c_size_t),
            ("JobMemoryLimit", ctypes.c_size_t),
            ("PeakProcessMemoryUsed", ctypes.c_size_t),
            ("PeakJobMemoryUsed", ctypes.c_size_t),
        )

    def _put_into_job(process: subprocess.Popen[bytes]) -> None:
        """Put a process into a job whose only handle is ours; nothing closes it but our end."""
        kernel32 = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel32.CreateJobObjectW.restype = wintypes.HANDLE
        job = wintypes.HANDLE(kernel32.CreateJobObjectW(None, None))
        limits = _ExtendedLimits()
        limits.BasicLimitInformation.LimitFlags = KILL_ON_JOB_CLOSE
        kernel32.SetInformationJobObject(job, EXTENDED_LIMITS, ctypes.byref(limits), ctypes.sizeof(limits))
        started: Any = process  # its handle is not in the library's types
        kernel32.AssignProcessToJobObject(job, wintypes.HANDLE(int(started._handle)))
