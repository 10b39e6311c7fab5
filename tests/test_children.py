"""Programs that we start end when we end, also where we are killed."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bot.process import children
from tests.signals import gone, runs

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
