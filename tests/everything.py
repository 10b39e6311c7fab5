"""What `make test` runs: the tests that play real windows, and beside them those that need none.

A test of a window waits most of the time, for a game to draw or for the next look at it: several are played
at once, each process on screens of its own. What they leave of the machine goes to the other tests, at a low
priority, so that they slow no game down.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests import compiled

ROOT = Path(__file__).parents[1]

WINDOWS_AT_ONCE = min(3, 1 + (os.cpu_count() or 1))
"""Windows that are played at once. A game takes a third to a half of a core, and what plays it as much."""

NICENESS = 10
"""Of the tests beside them."""

OTHERS_ALONE = "--others"
"""The word that runs the tests beside them, and nothing else."""

PYTEST = (sys.executable, "-m", "pytest", "--dist", "worksteal", "--durations", "20")
OTHERS = (*PYTEST, "-n", "auto", "-m", "not windows and not sweep")


def windows() -> list[str]:
    """The words that run the tests of windows. The files without any would be imported by each process."""
    files = [file for file in (ROOT / "tests").rglob("test_*.py") if "mark.windows" in file.read_text()]
    return [*PYTEST, "-n", str(WINDOWS_AT_ONCE), "-m", "windows", *map(str, sorted(files))]


def step_back() -> None:
    """Lower the priority of this process and of its session, to which Linux gives its share as a whole."""
    os.nice(NICENESS)
    with contextlib.suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(NICENESS))


def others(more: Sequence[str]) -> int:
    """Run the tests that need no window, with `more` words for pytest; first what they need is compiled."""
    step_back()
    try:
        # What the windows need is compiled beside this, and is there by now or soon.
        if not (compiled.compile_all(compiled.OTHERS) and compiled.compile_all(compiled.WINDOWS)):
            return 1
        return subprocess.run([*OTHERS, *more], cwd=ROOT).returncode
    except KeyboardInterrupt:
        return 130


def main(more: Sequence[str]) -> int:
    """Run both, with `more` words for pytest. What the tests without windows print comes after the others.

    The exit status is 1 if any test fails, or nothing could be compiled.
    """
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    print("the tests that need no window run beside those that do; what they print comes last", flush=True)  # noqa: T201
    failed = True
    with tempfile.TemporaryFile("w+") as output:
        words = [sys.executable, "-m", "tests.everything", OTHERS_ALONE, *more]
        beside = subprocess.Popen(words, cwd=ROOT, stdout=output, stderr=output, start_new_session=True)
        try:
            if compiled.compile_all(compiled.WINDOWS):
                failed = subprocess.run([*windows(), *more], cwd=ROOT).returncode != 0
                beside.wait()
        except KeyboardInterrupt:
            return 130
        finally:
            if beside.poll() is None:
                os.killpg(beside.pid, signal.SIGINT)
                beside.wait()
            output.seek(0)
            sys.stdout.write(output.read())
    return 1 if failed or beside.returncode else 0


if __name__ == "__main__":
    asked = sys.argv[1:]
    sys.exit(others(asked[1:]) if asked[:1] == [OTHERS_ALONE] else main(asked))
