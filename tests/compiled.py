"""Compiles beforehand what the quick tests use of the solver; tests/everything.py has the rest compiled too.
What pytest makes of the files of the tests is made beside that, once for all of its processes.

Two tests that need the same function at once would both compile it, and each takes up to a minute of a core.
What was compiled is kept (bot/solver/jit/cache.py): where nothing changed, this takes seconds.
"""

from __future__ import annotations

import json
import os
import runpy
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[1]

Call = Sequence[str]
"""A module that is run and its words; `{folder}` stands for one that is removed afterwards."""

SIMULATE = ("bot.cli.main", "simulate", "--games", "2", "--no-db")
TRAINED = ("--level", "beginner", "--games", "2", "--seed", "1")

ROLLOUTS: Call = (*SIMULATE, "--strategy", "best", "--think", "2")

WINDOWS: dict[str, Sequence[Call]] = {
    "best": [(*SIMULATE, "--strategy", "best")],
    "exact, seed, solve": [
        (*SIMULATE, "--strategy", "exact"),
        (*SIMULATE, "--strategy", "seed"),
        ("bot.cli.main", "solve", "1#2##/12###/#####", "--mines", "4"),
    ],
    "the tests": [("pytest", "--collect-only", "-q")],
}
"""What is compiled for the tests that play windows, and the calls that do it. Those of one name are made in
one process, in order: most of their parts are then compiled once."""

QUICK: dict[str, Sequence[Call]] = {"best with rollouts": [ROLLOUTS], **WINDOWS}
"""For the quick tests; what takes longest first."""

OTHERS: dict[str, Sequence[Call]] = {
    "best with rollouts, self-play, paired candidates": [
        ROLLOUTS,
        ("training.pairs", *TRAINED, "--tries", "2", "--out", "{folder}/pairs.npz"),
        ("training.measure", *TRAINED, "--set", "rolls=1", "--results", "{folder}/results.txt"),
        ("training.gather", *TRAINED, "--out", "{folder}/rows.npz"),
    ],
}
"""What all tests need besides WINDOWS."""


def compile_by(calls: Sequence[Call], folder: str) -> str:
    """Make these calls in a new process; what it says if one fails."""
    words = [[word.replace("{folder}", folder) for word in call] for call in calls]
    command = [sys.executable, "-m", "tests.compiled", json.dumps(words)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    if not done.returncode:
        return ""
    failed = words[done.returncode - 1 : done.returncode] or words
    return f"{' '.join(failed[0])}: {done.stderr or done.stdout}"


def make_calls(calls: Sequence[Call]) -> int:
    """Make these calls in this process, in order. Returns the number of the first that fails, from 1; 0: none
    does."""
    for number, words in enumerate(calls, 1):
        sys.argv = list(words)
        try:
            runpy.run_module(words[0], run_name="__main__")
        except SystemExit as ended:
            if ended.code:
                return number
        except Exception:
            traceback.print_exc()
            return number
    return 0


def compile_all(named: Mapping[str, Sequence[Call]]) -> bool:
    """Compile all of these, as many at once as there are cores. Whether that could be done."""
    print(  # noqa: T201
        f"compiling for the tests (once for each version of the solver, minutes): {', '.join(named)}",
        flush=True,
    )
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        told = [said for said in pool.map(lambda calls: compile_by(calls, folder), named.values()) if said]
    print("".join(told), end="", file=sys.stderr)  # noqa: T201
    return not told


if __name__ == "__main__":
    sys.exit(make_calls(json.loads(sys.argv[1])) if len(sys.argv) > 1 else not compile_all(QUICK))
