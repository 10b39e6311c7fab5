"""Programs that we start end when we end, also where we are killed."""

from __future__ import annotations

import ctypes
import gc
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bot.process import children

PARENT = """
import sys, time
from bot.process import children
if sys.argv[1] == "elsewhere":
    sys.platform = "freebsd"
child = children.start([sys.executable, "-c", "import time; time.sleep(120)"])
print(child.pid, flush=True)
if sys.argv[2] == "waits":
    time.sleep(120)
"""


SYSTEMS = ["windows"] if sys.platform == "win32" else ["linux", "elsewhere"]


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
    until = time.monotonic() + limit_s
    while runs(pid) and time.monotonic() < until:
        time.sleep(0.02)
    return not runs(pid)


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("then", ["waits", "ends"])
def test_a_child_ends_with_its_parent(system: str, then: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, system, then], stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        try:
            if then == "waits":
                assert runs(child)
                parent.kill()
            parent.wait(20)
            assert gone(child)
        finally:
            if runs(child):
                os.kill(child, getattr(signal, "SIGKILL", signal.SIGTERM))


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such shell")
def test_the_shell_that_watches_ends_with_the_child_and_kills_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "freebsd")
    before = shells()
    first = children.start([sys.executable, "-c", "pass"])
    first.wait(20)
    # Somebody else may have the number of a child that has ended.
    other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(120)"])
    (watch,) = shells() - before
    assert runs(watch)
    del first
    gc.collect()
    assert gone(watch)
    assert other.poll() is None
    other.kill()
    other.wait()


def shells() -> set[int]:
    """The shells that watch for this process, by their numbers."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words, parent = (folder / "cmdline").read_bytes(), (folder / "stat").read_text().rsplit(")")[-1]
        except OSError:
            continue
        if children.WATCH.encode() in words and int(parent.split()[1]) == os.getpid():
            found.add(int(folder.name))
    return found
