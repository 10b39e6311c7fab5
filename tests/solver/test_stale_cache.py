"""An edit in any solver source is never answered from what was compiled before."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bot.solver.jit import compiler

pytestmark = pytest.mark.slow

BOT = Path(compiler.__file__).parents[2]

CALLEE = "from bot.solver.jit.compiler import jit\n@jit\ndef number(x: int) -> int:\n    return x + {}\n"
CALLER = (
    "from bot.solver.jit.compiler import jit\nfrom bot.solver.callee import number\n"
    "@jit\ndef twice(x: int) -> int:\n    return 2 * number(x)\n"
)
ASK = "from bot.solver.caller import twice; print(twice(1), sum(twice.stats.cache_hits.values()))"


def ask(root: Path) -> list[int]:
    """What the compiled caller answers in a fresh process, and how often it came from the cache."""
    done = subprocess.run(
        [sys.executable, "-c", ASK],
        capture_output=True,
        text=True,
        cwd=root,
        env={**os.environ, "MINEBOT_HOME": str(root / "home"), "PYTHONPATH": str(root)},
    )
    assert done.stderr == ""
    return [int(word) for word in done.stdout.split()]


def test_an_edited_callee_is_compiled_anew(tmp_path: Path) -> None:
    shutil.copytree(BOT, tmp_path / "bot", ignore=shutil.ignore_patterns("__pycache__", "data"))
    solver = tmp_path / "bot" / "solver"
    (solver / "caller.py").write_text(CALLER)
    (solver / "callee.py").write_text(CALLEE.format(1))
    assert ask(tmp_path) == [4, 0]
    assert ask(tmp_path) == [4, 1]
    (solver / "callee.py").write_text(CALLEE.format(10))
    assert ask(tmp_path) == [22, 0]
    (solver / "callee.py").write_text(CALLEE.format(1))
    assert ask(tmp_path) == [4, 0]  # a file that was written again is another one, for numba too
    assert ask(tmp_path) == [4, 1]
