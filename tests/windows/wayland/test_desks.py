"""The desktops of the tests end with the tests, however those end."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.windows

HERE = Path(__file__).parent

END_S = 60.0

STARTS = """
import sys, time
sys.path[:0] = {paths!r}
import pytest
from {module} import {name}
try:
    with {name}() as desk:
        print(desk.runtime, flush=True)
        time.sleep(600)
except pytest.skip.Exception as missing:
    print("missing:", missing, flush=True)
"""


def processes_in(runtime: str) -> list[str]:
    """The words of the processes of the desktop whose sockets lie in this folder."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if f"XDG_RUNTIME_DIR={runtime}\0".encode() in (folder / "environ").read_bytes():
                found.append((folder / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:
            continue
    return found


@pytest.mark.parametrize(
    ("module", "name"), [("sway_desk", "headless_sway"), ("mutter_desk", "headless_mutter")]
)
def test_a_desktop_ends_with_tests_that_are_killed(module: str, name: str) -> None:
    text = STARTS.format(module=module, name=name, paths=[str(HERE), str(HERE.parent), str(HERE.parents[2])])
    tests = subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, text=True)
    try:
        assert tests.stdout is not None
        runtime = tests.stdout.readline().strip()
        if runtime.startswith("missing:"):
            pytest.skip(runtime)
        begun = processes_in(runtime)
        assert any(module.removesuffix("_desk") in words for words in begun), begun
    finally:
        os.kill(tests.pid, signal.SIGKILL)
        tests.communicate()
    until = time.monotonic() + END_S
    while (left := processes_in(runtime)) and time.monotonic() < until:
        time.sleep(0.1)
    assert not left
    shutil.rmtree(runtime)  # who was killed could not
