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


def ask(project: Path, home: Path) -> list[int]:
    """What the compiled caller answers in a fresh process, and how often it came from the cache."""
    done = subprocess.run(
        [sys.executable, "-c", ASK],
        capture_output=True,
        text=True,
        cwd=project,
        env={**os.environ, "MINEBOT_HOME": str(home), "PYTHONPATH": str(project)},
    )
    assert done.stderr == ""
    return [int(word) for word in done.stdout.split()]


def project(folder: Path) -> Path:
    """Our project once more, in that folder, with a function that calls one of another file."""
    shutil.copytree(BOT, folder / "bot", ignore=shutil.ignore_patterns("__pycache__", "data"))
    (folder / "bot" / "solver" / "caller.py").write_text(CALLER)
    (folder / "bot" / "solver" / "callee.py").write_text(CALLEE.format(1))
    return folder


def test_an_edited_callee_is_compiled_anew_and_the_same_text_is_not(tmp_path: Path) -> None:
    one, home = project(tmp_path / "one"), tmp_path / "home"
    callee = one / "bot" / "solver" / "callee.py"
    assert ask(one, home) == [4, 0]
    assert ask(project(tmp_path / "copy"), home) == [4, 1]  # another checkout
    callee.write_text(CALLEE.format(10))
    assert ask(one, home) == [22, 0]
    callee.write_text(CALLEE.format(1))
    assert ask(one, home) == [4, 1]
