"""A few odd inputs of each kind; `make fuzz` tries two thousand."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="each input is tried in a copy of a process"),
]

FEW = 88


def test_odd_inputs_are_told_in_a_line() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz", "--inputs", str(FEW)],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{FEW} inputs, 0 taken badly" in done.stdout


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("raise ValueError('odd')", "a traceback: ValueError: odd"),
        ("while True: pass", "s of the processor"),
        ("sys.exit(3)", "it ended with status 3"),
        ("sys.exit(1)", "said nothing"),
        ("os.kill(os.getpid(), 11)", "it was ended by SIGSEGV"),
        ("held = b'x' * (500 * 2**20)", "it took 0.5 GB"),
        ("print('fine')", ""),
    ],
)
def test_what_is_taken_badly_is_seen(body: str, told: str, tmp_path: Path) -> None:
    """In a process of its own, which has no threads."""
    trial = f"""
import os, sys
from pathlib import Path
from tests.fuzz import trial

trial.LIMIT_S = 2
trial.MEMORY_KB = 400 * 2**10

def run():
    {body}

sys.stdout.write(trial.tried(run, Path({str(tmp_path)!r})).wrong)
"""
    done = subprocess.run(
        [sys.executable, "-c", trial],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    assert told in done.stdout
    assert bool(done.stdout) == bool(told)
