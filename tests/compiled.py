"""Compiles beforehand what the quick tests use of the solver; tests/everything.py has the rest compiled too.

Two tests that need the same function at once would both compile it, and each takes up to a minute of a core.
What was compiled is kept (bot/solver/jit/cache.py): where nothing changed, this takes seconds.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
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


def compile_all(calls: Mapping[str, Sequence[str]]) -> bool:
    """Compile all of these, as many at once as there are cores. Whether that could be done."""
    print(  # noqa: T201
        f"compiling the solver for the tests (once for each version of it, minutes): {', '.join(calls)}",
        flush=True,
    )
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        told = [said for said in pool.map(lambda words: compile_by(words, folder), calls.values()) if said]
    print("".join(told), end="", file=sys.stderr)  # noqa: T201
    return not told


if __name__ == "__main__":
    sys.exit(not compile_all(QUICK))
