"""What only compiled functions call, held to the same by hand. Uncompiled: compiling takes too long."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent


@pytest.mark.parametrize("script", ["draws_by_hand.py", "scores_by_hand.py"])
def test_it_is_as_by_hand(script: str) -> None:
    done = subprocess.run(
        [sys.executable, str(HERE / script)],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(HERE.parents[1])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
