"""A minute or two under Windows' Python; `make test-windows` plays for twenty minutes and more."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bot.files import user_cache

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]

HERE = Path(__file__).parent

FOLDER = user_cache() / "windows-python"
"""Where Windows' Python is laid out, once a machine: 2 GB."""

NOT_HERE = 3
"""The exit status of `lay_out.sh` where something that it needs cannot be had."""


@pytest.mark.skipif(shutil.which("wine") is None, reason="there is no wine: apt-get install wine wine64")
def test_windows_python_plays_stops_and_leaves_nothing() -> None:
    done = subprocess.run([str(HERE / "layout" / "lay_out.sh"), str(FOLDER)], capture_output=True, text=True)
    if done.returncode == NOT_HERE:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stdout + done.stderr
    words = [sys.executable, "-m", "tests.windows_python", str(FOLDER), "--short"]
    done = subprocess.run(words, capture_output=True, text=True, cwd=HERE.parents[1])
    assert done.returncode == 0, done.stdout + done.stderr
