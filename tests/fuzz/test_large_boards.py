"""Boards so large that solving them once took minutes, or all memory."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="each board is solved in a copy of a process"),
]

LATTICE = "/".join(
    "".join("4" if row % 2 and column % 2 else "#" for column in range(31)) for row in range(17)
)
"""Numbers apart from each other: a frontier that no order of the cells makes narrow."""


@pytest.mark.parametrize(
    ("board", "words"),
    [
        ("/".join(["#" * 200] * 200), ("--mines", "8000")),
        ("/".join(["#" * 100] * 100), ("--mines", "2000")),
        (LATTICE, ("--mines", "200", "--think", "1000")),
    ],
    ids=["200x200", "100x100", "lattice"],
)
def test_it_is_solved_in_seconds_and_little_memory(
    board: str, words: tuple[str, ...], tmp_path: Path
) -> None:
    """Within the limits of an odd input, which are those of the processor: other work does not count."""
    trial = f"""
import sys
from pathlib import Path
from tests.fuzz.__main__ import warm_up
from tests.fuzz.inputs import minebot
from tests.fuzz.trial import tried

warm_up()
came = tried(minebot("solve", {board!r}, *{words!r}).run, Path({str(tmp_path)!r}))
sys.stdout.write(came.wrong or came.err or came.out[-200:])
"""
    done = subprocess.run(
        [sys.executable, "-c", trial], cwd=Path(__file__).parents[2], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "layouts: " in done.stdout
