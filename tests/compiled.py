"""Compiles beforehand what the quick tests use of the solver, with `--slow` what the slow ones use too.

Two tests that need the same function at once would both compile it, and each takes up to a minute of a core.
What was compiled is kept (bot/solver/jit/cache.py): where nothing changed, this takes seconds.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[1]

SIMULATE = ("bot.cli.main", "simulate", "--games", "2", "--no-db")
TRAINED = ("--level", "beginner", "--games", "2", "--seed", "1")

QUICK: dict[str, tuple[str, ...]] = {
    "best with rollouts": (*SIMULATE, "--strategy", "best", "--think", "2"),
    "best": (*SIMULATE, "--strategy", "best"),
    "exact": (*SIMULATE, "--strategy", "exact"),
    "seed": (*SIMULATE, "--strategy", "seed"),
    "solve": ("bot.cli.main", "solve", "1#2##/12###/#####", "--mines", "4"),
}
"""What is compiled for the quick tests, and the words for Python that do it; what takes longest first."""

SLOW: dict[str, tuple[str, ...]] = {
    "paired candidates": ("training.pairs", *TRAINED, "--tries", "2", "--out", "{folder}/pairs.npz"),
    "self-play with rollouts": (
        "training.measure", *TRAINED, "--set", "rolls=1", "--results", "{folder}/results.txt",
    ),
    "self-play": ("training.gather", *TRAINED, "--out", "{folder}/rows.npz"),
}  # fmt: skip
"""And what only slow tests need."""


def compile_by(words: Sequence[str], folder: str) -> str:
    """Run one of them; what it says if it fails."""
    command = [sys.executable, "-m", *(word.replace("{folder}", folder) for word in words)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    return f"{' '.join(words)}: {done.stderr or done.stdout}" if done.returncode else ""


def main(asked: Sequence[str]) -> int:
    """Compile all of it, as many at once as there are cores. The exit status is 1 if one fails."""
    calls = {**SLOW, **QUICK} if "--slow" in asked else QUICK
    print(  # noqa: T201
        f"compiling the solver for the tests (once for each version of it, minutes): {', '.join(calls)}",
        flush=True,
    )
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        told = [said for said in pool.map(lambda words: compile_by(words, folder), calls.values()) if said]
    print("".join(told), end="", file=sys.stderr)  # noqa: T201
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
