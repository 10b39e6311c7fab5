"""How long `minebot run` takes from the start of its process to its first click.

Usage: python benchmarks/first_click.py [RUNS] [WINDOW ...]

Each run is a fresh process with a new game of a real window on a virtual screen with openbox, with the solver
compiled, and in a fresh MINEBOT_HOME: nothing was learned of the windows that no theme knows. The windows
are taken in turn, so that a busy moment of the machine hits all of them. Prints the times by the clock, as
the recordings tell them, and the time of the processor that a run had used by then, which depends less on
what else runs.
"""

from __future__ import annotations

import contextlib
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

ROOT = Path(__file__).parents[1]
# The windows are those of the tests.
sys.path += [str(ROOT), str(ROOT / "tests" / "windows")]

from series import WINDOWS  # noqa: E402

from bot.errors import BotError  # noqa: E402
from bot.files import user_cache  # noqa: E402
from bot.recording.format import ClickEvent  # noqa: E402
from bot.recording.read import load  # noqa: E402
from tests.soak.desktops import desktop  # noqa: E402
from tests.unknown.games import Page, kmines  # noqa: E402

BUDGET_S = 3.0
"""What a run may take to its first click."""

LIMIT_S, POLL_S = 120, 0.05
"""When a run is given up, and between two looks at its recording, in seconds."""


class Opened(Protocol):
    """A game's window."""

    def stop(self) -> None:
        """Close it."""
        ...


def known(name: str) -> Callable[[], Opened]:
    """Opens a window that a theme knows, at its largest level."""

    def open_it() -> Opened:
        game = WINDOWS[name]()
        game.open("hard" if name == "google" else "expert")
        return game

    return open_it


KINDS: dict[str, Callable[[], Opened]] = {
    "winmine": known("winmine"),
    "gnome-mines": known("gnome-mines"),
    "google": known("google"),
    "page": lambda: Page({}).open(),
    "kmines": lambda: kmines("Easy").open(),
}


@dataclass
class Taken:
    """What one run took, in seconds."""

    first_click_s: float
    """From the start of its process to its first click."""
    processor_s: float
    """The time of the processor that it had used when the click was seen in its recording."""


def run_once() -> Taken:
    """Run minebot on the window that is open, until its first click. Raises BotError if none comes."""
    with tempfile.TemporaryDirectory() as scratch:
        env = os.environ | {"MINEBOT_CACHE": str(user_cache()), "MINEBOT_HOME": f"{scratch}/home"}
        words = [
            sys.executable,
            "-m",
            "bot.cli.main",
            "run",
            "--json",
            "--no-db",
            "--record",
            f"{scratch}/kept",
        ]
        out = subprocess.DEVNULL
        begin = time.time()
        with tempfile.TemporaryFile() as told:
            run = subprocess.Popen(words, env=env, cwd=ROOT, stdin=out, stdout=out, stderr=told)
            try:
                while not any(
                    '"click"' in log.read_text() for log in Path(scratch).glob("kept/*/game.jsonl")
                ):
                    if run.poll() is not None or time.time() - begin > LIMIT_S:
                        told.seek(0)
                        raise BotError(f"no click was made in {LIMIT_S} s: {told.read().decode()}")
                    time.sleep(POLL_S)
                processor_s = processor_s_of(run.pid)
            finally:
                run.send_signal(signal.SIGINT)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    run.wait(20)
                run.kill()
                run.wait()
        recording = load(next(Path(scratch).glob("kept/*")))
    click = next(event for event in recording.events if isinstance(event, ClickEvent))
    return Taken(recording.header.created.timestamp() + click.t - begin, processor_s)


def processor_s_of(process: int) -> float:
    """The seconds of the processor that a process has used, by Linux."""
    after_name = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Measure and print a line a window."""
    words = sys.argv[1:]
    runs = int(words.pop(0)) if words and words[0].isdigit() else 10
    times: dict[str, list[Taken]] = {name: [] for name in words or KINDS}
    for number in range(runs + 1):
        for name, taken in times.items():
            with desktop("openbox"):
                game = KINDS[name]()
                try:
                    one = run_once()
                finally:
                    game.stop()
            if number:  # the first run compiles, and fills the caches of the system
                taken.append(one)
    for name, taken in times.items():
        clock, processor = [one.first_click_s for one in taken], [one.processor_s for one in taken]
        middle = statistics.median(clock)
        print(
            f"{name:<12} {middle:5.2f} s, longest {max(clock):5.2f} s, best {min(clock):5.2f} s;"
            f" {statistics.median(processor):5.2f} s of the processor (medians of {runs})"
        )
    print(f"{'budget':<12} {BUDGET_S:5.2f} s; load of the machine at the end {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    try:
        main()
    except BotError as error:
        sys.exit(f"{error}")
