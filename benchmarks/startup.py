"""How long `minebot --help` takes: median of runs, each a fresh process, beside an empty Python's.

Usage: python benchmarks/startup.py [RUNS]
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

BUDGET_S = 0.15
"""What `minebot --help` may take."""

COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "minebot --help": [sys.executable, "-m", "bot.cli.main", "--help"],
    "minebot --version": [sys.executable, "-m", "bot.cli.main", "--version"],
    "minebot run --help": [sys.executable, "-m", "bot.cli.main", "run", "--help"],
}


def seconds(command: list[str]) -> float:
    """The wall time of one run."""
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - start


def main() -> None:
    """Print a median a line."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    for name, command in COMMANDS.items():
        seconds(command)  # the first run writes the byte code
        median = statistics.median(seconds(command) for _ in range(runs))
        print(f"{name:<20} {median * 1000:6.0f} ms  (median of {runs})")
    print(f"{'budget for --help':<20} {BUDGET_S * 1000:6.0f} ms")


if __name__ == "__main__":
    main()
