"""One kill: minebot plays, gets a signal at a random moment, and what is left is looked at."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Protocol

from tests.kills.leftovers import recordings_faults, results_faults

BEGIN_S = 120.0
"""Time limit for the first game to begin, in seconds: a busy machine takes that long."""

GONE_S = 30.0
"""Time limit for everything to end after the signal, in seconds."""

MARK = "MINEBOT_HOME"
"""The variable by which the processes of a run are known: all that it starts inherit it."""

OURS = re.compile(r"[\\/]bot[\\/]")
"""What names a file of minebot in a traceback. Python may be interrupted before it comes to one."""

PLAY = ("run", "--practice", "--level", "expert", "--games", "100000", "--json")
"""What is killed: games that go on."""


class Machine(Protocol):
    """A Python that runs minebot, and the screen that it plays on."""

    signals: tuple[signal.Signals, ...]
    """Those that it is killed by; one that stands there more often comes more often."""
    own_screens: bool
    """Whether minebot can make a screen of its own (`--headless`)."""
    compiled: Path
    """Where it keeps the compiled solver."""

    def path(self, path: Path) -> str:
        """A path as its programs name it."""
        ...

    def start(self, words: list[str], variables: dict[str, str]) -> subprocess.Popen[str]:
        """Start minebot with these words and further variables."""
        ...

    def send(self, process: subprocess.Popen[str], number: signal.Signals) -> None:
        """Send minebot a signal, if it still runs."""
        ...

    def statuses(self, number: signal.Signals) -> set[int]:
        """The exit statuses that a signal may give."""
        ...

    def left_over(self) -> list[str]:
        """What is wrong with the screen: buttons that are down, locks of screens that have gone."""
        ...


@dataclass(frozen=True)
class Folders:
    """The folders of one run."""

    home: Path
    temporary: Path
    runtime: Path

    @staticmethod
    def made(folder: Path, compiled: Path) -> Folders:
        """Make them; the compiled solver is the machine's."""
        made = Folders(folder / "home", folder / "temporary", folder / "runtime")
        for place in (made.home / "cache", made.temporary, made.runtime):
            place.mkdir(parents=True)
        made.runtime.chmod(0o700)  # else it is not taken
        compiled.mkdir(parents=True, exist_ok=True)
        (made.home / "cache" / "solver").symlink_to(compiled, target_is_directory=True)
        return made


def kill_once(number: int, folder: Path, machine: Machine) -> tuple[str, list[str]]:
    """Kill one run. Returns what was done, and what was wrong."""
    rng = Random(number)
    folders = Folders.made(folder, machine.compiled)
    headless = rng.random() < 0.5 and machine.own_screens
    words = [*PLAY, "--strategy", rng.choice(("best", "seed")), *(["--headless"] if headless else [])]
    home = machine.path(folders.home)
    names = {MARK: home, "TMPDIR": machine.path(folders.temporary), "XDG_RUNTIME_DIR": str(folders.runtime)}
    process = machine.start(words, names)
    begins = rng.random() < 0.7 and begun(process, folders.home / "recordings", BEGIN_S)
    wait_s = rng.uniform(0, 2) if begins else rng.uniform(0.3, 4)
    time.sleep(wait_s)
    sent = rng.choice(machine.signals)
    machine.send(process, sent)
    what = f"{sent.name} {wait_s:.2f} s after the {'first game began' if begins else 'start'}"
    what += ", on its own screen" if headless else ""
    wrong = []
    try:
        out, told = process.communicate(timeout=GONE_S)
    except subprocess.TimeoutExpired:
        # Whoever is left has its streams too: what it says ends when it has gone.
        still = left_running(home, 0) or {process.pid: " ".join(words)}
        wrong += [f"process {pid} runs on after {GONE_S:.0f} s: {which}" for pid, which in still.items()]
        machine.send(process, signal.SIGKILL)
        process.kill()
        out, told = process.communicate()
    if "Traceback" in told and not OURS.search(told):
        what += ", before Python came to minebot"
    elif "Traceback" in told:
        wrong.append(f"a traceback: {told.strip()[-600:]}")
    elif process.returncode not in machine.statuses(sent):
        wrong.append(f"status {process.returncode}: {told.strip()[-300:]}")
    wrong += [f"process {pid} runs on: {words}" for pid, words in left_running(home, GONE_S).items()]
    wrong += [f"{path} lies about" for path in sorted(folders.temporary.iterdir())]
    wrong += [f"{path} lies about" for path in sorted(folders.home.rglob("*.partial"))]
    wrong += machine.left_over()
    lines = [json.loads(line) for line in out.splitlines() if line.endswith("}")]
    exact = sent != signal.SIGKILL
    wrong += results_faults(folders.home / "results.sqlite", len(lines), exact=exact)
    wrong += recordings_faults(folders.home / "recordings")
    return what, wrong


def begun(process: subprocess.Popen[str], recordings: Path, within_s: float) -> bool:
    """Wait for the first click of a game. Whether it came before the time was up and the process ended."""
    until = time.monotonic() + within_s
    while process.poll() is None and time.monotonic() < until:
        for log in recordings.glob("*/game.jsonl"):
            if b'"click"' in log.read_bytes():
                return True
        time.sleep(0.02)
    return False


def left_running(home: str, within_s: float) -> dict[int, str]:
    """The processes of a run that do not end in time, and their words; they are killed."""
    until = time.monotonic() + within_s
    while (left := processes_of(home)) and time.monotonic() < until:
        time.sleep(0.05)
    for pid in left:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return left


def processes_of(home: str) -> dict[int, str]:
    """The processes of the run with this home, and their words."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if f"{MARK}={home}\0".encode() in (folder / "environ").read_bytes():
                words = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                found[int(folder.name)] = words
        except OSError:
            continue
    return found


def buttons_down() -> list[str]:
    """What is wrong with the mouse of the screen of `DISPLAY`."""
    from Xlib.display import Display

    display = Display()
    mask = int(display.screen().root.query_pointer().mask)
    display.close()
    return ["a mouse button is down"] if mask & 0x1F00 else []
