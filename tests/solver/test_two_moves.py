"""Looking two moves deep. By hand, uncompiled: compiling all that it needs takes too long for one test."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).with_name("two_moves_by_hand.py")


def test_two_moves_deep_against_the_same_by_hand() -> None:
    root = SCRIPT.parents[2]
    done = subprocess.run(
        [sys.executable, str(SCRIPT)],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
