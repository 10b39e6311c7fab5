"""Playing on from the best candidates: what is drawn. Uncompiled: compiling it takes long for one test."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).with_name("draws_by_hand.py")


def test_layouts_are_drawn_as_likely_as_they_are() -> None:
    root = SCRIPT.parents[2]
    done = subprocess.run(
        [sys.executable, str(SCRIPT)],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
