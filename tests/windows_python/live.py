"""Live games under Windows' Python: `python tests/windows_python/live.py FOLDER [--only CASE]`.

FOLDER is what `lay_out.sh` made. The project is installed there from its wheel and runs in a folder whose
name has a space. Everything is shown on a virtual screen of our own. One line a case says what came of it;
exits with 1 if any of them failed.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from bot.errors import BotError
from bot.screen.display import ensure_display
from bot.screen.programs.games import WineMine

ROOT = Path(__file__).parents[2]

SCREEN = (1600, 1000)
"""Width and height of the virtual screen, in pixels."""

LIMIT_S = 600.0
"""Time limit of one command, in seconds."""

COMPILING_S = 3600.0
"""Time limit of the first command, which compiles the solver, in seconds: a minute on an idle machine."""

SUITE_S = 7200.0
"""Time limit of the whole suite, in seconds."""

NOT_FOR_WINDOWS = ("tests/training", "tests/theming", "tests/solver/test_larger_components.py")
"""Tests of what runs on Linux alone, and of packages that have no wheel for Windows."""

LEVELS = ("beginner", "intermediate", "expert")

SIZES = {"beginner": (9, 9, 10), "intermediate": (16, 16, 40), "expert": (30, 16, 99)}
"""Columns, rows and mines of each level."""


class Failed(Exception):
    """What a case expected and did not see."""


@dataclass(frozen=True)
class Ran:
    """A command that has ended."""

    status: int
    out: str
    err: str


class WindowsPython:
    """The Windows Python of a folder, with minebot installed in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.home = self.folder / "a folder with spaces"
        self.home.mkdir(exist_ok=True)

    @property
    def prefix(self) -> Path:
        """The folder of Wine that its programs share."""
        return self.folder / "prefix"

    def start(
        self, *words: str, folder: Path | None = None, utf8: bool = True, **variables: str
    ) -> subprocess.Popen[str]:
        """Start Python with these words, in `folder` or else in the one whose name has a space."""
        environment = os.environ | {"PYTHONUTF8": "1" if utf8 else "0"} | variables
        return subprocess.Popen(
            [str(self.folder / "wpython"), *words],
            cwd=folder or self.home,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        )

    def minebot(self, *words: str, limit_s: float = LIMIT_S, utf8: bool = True, **variables: str) -> Ran:
        """Run minebot; raises Failed if it takes longer than `limit_s` seconds."""
        process = self.start("-m", "bot.cli.main", *words, folder=None, utf8=utf8, **variables)
        try:
            out, err = process.communicate(timeout=limit_s)
        except subprocess.TimeoutExpired:
            _, err = end_all(self, process)
            last = (err.strip().splitlines() or ["it said nothing"])[-1]
            raise Failed(f"minebot {' '.join(words)} took longer than {limit_s:.0f} s: {last}") from None
        return Ran(process.returncode, out, err)

    def install(self) -> None:
        """Install the project's wheel. Raises CalledProcessError if that fails."""
        wheels = self.folder / "wheels"
        shutil.rmtree(wheels, ignore_errors=True)
        pip = [str(self.folder / "tools" / "bin" / "python"), "-m", "pip", "--quiet"]
        subprocess.run([*pip, "wheel", "--no-deps", "-w", str(wheels), str(ROOT)], check=True)
        (wheel,) = wheels.glob("*.whl")
        site = self.folder / "py" / "Lib" / "site-packages"
        for old in [site / "bot", *site.glob("minebot-*.dist-info")]:
            shutil.rmtree(old, ignore_errors=True)
        # The pip of the tools, told where: ours takes minutes under Wine to do the same.
        subprocess.run([*pip, "install", "--no-deps", "--target", str(site), str(wheel)], check=True)


def played(ran: Ran, games: int) -> str:
    """What came of a run with `--json`. Raises Failed unless it played so many games to their ends."""
    if ran.status or "Traceback" in ran.err:
        raise Failed(f"status {ran.status}: {(ran.err.strip().splitlines() or ['no word'])[-1]}")
    lines = [json.loads(line) for line in ran.out.splitlines()]
    ends = [line["outcome"] for line in lines]
    if len(ends) != games or set(ends) - {"won", "lost"}:
        raise Failed(f"{games} games were to be played: {ends}")
    sure = [line for line in lines if line["outcome"] == "lost" and not line["guesses"]]
    if sure:
        raise Failed(f"{len(sure)} games were lost without a guess")
    return f"{ends.count('won')} of {games} won"


@contextmanager
def winemine(python: WindowsPython, level: str) -> Iterator[None]:
    """Wine's Minesweeper at a level, on the same desktop as our Python."""
    game = WineMine(python.prefix)
    game.start(*SIZES[level])
    try:
        yield
    finally:
        game.stop()


def plays_winemine(python: WindowsPython) -> str:
    """WineMine at every level."""
    found = []
    for level in LEVELS:
        with winemine(python, level):
            ran = python.minebot("run", "--games", "2", "--json", "--window", WineMine.title)
            found.append(f"{level} {played(ran, 2)}")
    return "; ".join(found)


def plays_practice(python: WindowsPython) -> str:
    """The built-in window at three scales."""
    found = []
    for scale in ("1", "1.5", "2"):
        words = ("--practice", "--level", "intermediate", "--scale", scale, "--games", "2", "--json")
        found.append(f"scale {scale} {played(python.minebot('run', *words), 2)}")
    return "; ".join(found)


def records_anywhere(python: WindowsPython) -> str:
    """Recordings on a long path and on one that is not ASCII, replayed."""
    for name in ("Aufnahme é 雷", "/".join(["a" * 40] * 4)):
        folder = python.home / "recordings" / name
        shutil.rmtree(folder, ignore_errors=True)
        words = ("--practice", "--games", "1", "--json", "--record", windows_path(folder))
        ran = python.minebot("run", *words)
        played(ran, 1)
        recording = json.loads(ran.out)["recording"]
        if not (Path(folder) / Path(recording.replace("\\", "/")).name / "game.jsonl").is_file():
            raise Failed(f"{recording} is not there")
        again = python.minebot("replay", recording)
        if again.status:
            raise Failed(f"replay: {again.err.strip()}")
    return "two, replayed"


def says_all_in_an_old_code_page(python: WindowsPython) -> str:
    """A console whose code page has no box characters and no ellipsis."""
    words = [("run", "--help"), ("replay",), ("stats",), ("run", "--practice", "--games", "1")]
    for each in words:
        ran = python.minebot(*each, utf8=False, PYTHONIOENCODING="cp437")
        if ran.status or "Traceback" in ran.err:
            raise Failed(f"minebot {' '.join(each)}: {(ran.err.strip().splitlines() or ['no word'])[-1]}")
    return f"{len(words)} commands"


def refuses_a_second_bot(python: WindowsPython) -> str:
    """Two bots on one mouse."""
    first = python.start("-m", "bot.cli.main", "run", "--practice", "--games", "100", "--json", "--no-record")
    try:
        assert first.stdout is not None
        if not first.stdout.readline():
            raise Failed(f"the first one did not play: {end_all(python, first)[1].strip()}")
        second = python.minebot("run", "--practice", "--games", "1", "--json")
        if second.status != 1 or "another minebot" not in second.err:
            raise Failed(f"the second one: status {second.status}, {second.err.strip()}")
    finally:
        end_all(python, first)
    return "the second one was told"


def leaves_no_window_when_killed(python: WindowsPython) -> str:
    """minebot is killed while it plays: its window goes."""
    process = python.start(
        "-m", "bot.cli.main", "run", "--practice", "--games", "100", "--json", "--no-record"
    )
    assert process.stdout is not None
    try:
        if not process.stdout.readline():
            raise Failed(f"it did not play: {end_all(python, process)[1].strip()}")
        ours = [pid for pid in processes(python) if "run --practice" in words_of(pid)]
        for pid in ours:
            os.kill(pid, 9)
        until = time.monotonic() + 20
        while left := [pid for pid in processes(python) if " practice " in words_of(pid)]:
            if time.monotonic() > until:
                raise Failed(f"{len(left)} windows are left")
            time.sleep(0.1)
    finally:
        end_all(python, process)
    return "its window went"


def plays_in_many_processes(python: WindowsPython) -> str:
    """A pool of processes, which load what one of them compiled."""
    ran = python.minebot("simulate", "--games", "40", "--jobs", "2", "--no-db", "--json")
    if ran.status:
        raise Failed(ran.err.strip())
    return f"{json.loads(ran.out)['games']} games by 2 processes"


def sees_the_machine(python: WindowsPython) -> str:
    """The doctor, on a desktop with no window."""
    ran = python.minebot("doctor", "--json")
    bad = [line for line in map(json.loads, ran.out.splitlines()) if not line["ok"]]
    if ran.status or bad:
        raise Failed(f"status {ran.status}: {bad}")
    return f"{len(ran.out.splitlines())} checks"


def passes_the_tests(python: WindowsPython) -> str:
    """The suite, without real windows and what takes long."""
    words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not windows and not slow", "tests"]
    process = python.start(*words, *(f"--ignore={name}" for name in NOT_FOR_WINDOWS), folder=ROOT)
    try:
        out, _ = process.communicate(timeout=SUITE_S)
    except subprocess.TimeoutExpired:
        end_all(python, process)
        raise Failed(f"the tests took longer than {SUITE_S:.0f} s") from None
    lines = out.strip().splitlines() or ["no word"]
    if process.returncode:
        bad = [line.split(" ")[1] for line in lines if line.startswith(("FAILED", "ERROR"))]
        raise Failed(f"{lines[-1]}: {', '.join(bad)}")
    return lines[-1]


def processes(python: WindowsPython) -> list[int]:
    """The processes of this Python, by their numbers on Linux."""
    name = str(python.folder / "py" / "python.exe")
    numbers = [int(folder.name) for folder in Path("/proc").glob("[0-9]*")]
    return [pid for pid in numbers if name in words_of(pid) or name.replace("/", "\\") in words_of(pid)]


def words_of(pid: int) -> str:
    """The command line of a process; empty if it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def end_all(python: WindowsPython, process: subprocess.Popen[str]) -> tuple[str, str]:
    """Kill what a case has started and what that started; its last words on stdout and stderr."""
    for pid in processes(python):
        if "bot.cli.main" in words_of(pid):
            with suppress(ProcessLookupError):
                os.kill(pid, 9)
    process.kill()
    return ("", "") if process.stdout is None or process.stdout.closed else process.communicate()


def windows_path(path: Path) -> str:
    """A path of Linux as Wine's programs name it."""
    return "Z:" + str(path.resolve()).replace("/", "\\")


CASES: dict[str, Callable[[WindowsPython], str]] = {
    "doctor": sees_the_machine,
    "winemine": plays_winemine,
    "practice": plays_practice,
    "recordings": records_anywhere,
    "code-page": says_all_in_an_old_code_page,
    "two-bots": refuses_a_second_bot,
    "killed": leaves_no_window_when_killed,
    "processes": plays_in_many_processes,
    "tests": passes_the_tests,
}


@contextmanager
def desktop_stays(python: WindowsPython) -> Iterator[None]:
    """Keep Wine's desktop while the body runs: what starts it would not be done before the desktop ends."""
    wait = "import ctypes, sys; ctypes.windll.user32.GetForegroundWindow(); print('ready', flush=True);"
    keeper = python.start("-c", wait + "import time; time.sleep(86400)")
    assert keeper.stdout is not None
    try:
        keeper.stdout.readline()
        yield
    finally:
        WineMine(python.prefix).shut_down()
        keeper.kill()
        keeper.communicate()


def main() -> int:
    """Play the cases; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", choices=CASES, action="append", help="this case alone; may be given again")
    parser.add_argument("--installed", action="store_true", help="take the minebot that is installed there")
    words = parser.parse_args()
    python = WindowsPython(words.folder)
    if not words.installed:
        python.install()
    failed = 0
    with ensure_display(headless=True, size=SCREEN), desktop_stays(python):
        begun = time.monotonic()
        python.minebot("solve", "1#\n##", "--mines", "1", limit_s=COMPILING_S)
        print(f"compiled    {time.monotonic() - begun:.0f} s", flush=True)  # noqa: T201
        for name in words.only or CASES:
            begun = time.monotonic()
            try:
                result = f"ok    {CASES[name](python)}"
            except (Failed, BotError) as error:
                result, failed = f"FAIL  {error}", failed + 1
            print(f"{name:11} {time.monotonic() - begun:4.0f} s  {result}", flush=True)  # noqa: T201
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
