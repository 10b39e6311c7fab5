"""Windows' Python in a folder that `lay_out.sh` made: its programs are started and ended here."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from zipfile import ZipFile

from bot.screen.programs.games import WineMine
from tests.windows_python.sources import INSTALLED, ROOT, fingerprint

LIMIT_S = 600.0
"""Time limit of one command, in seconds."""

GONE_S = 30.0
"""Time limit for the streams of what was killed to end, in seconds."""

MAIN = ("-m", "bot.cli.main")
"""What Python runs as minebot."""

WHEEL_OF_PIP = "Lib/ensurepip/_bundled/pip-*.whl"
"""Where the standard library keeps pip."""


NONE: Mapping[str, str] = MappingProxyType({})
"""No variables besides those that are there."""


class Failed(Exception):
    """What a case expected and did not see."""


@dataclass(frozen=True)
class Ran:
    """A command that has ended."""

    words: tuple[str, ...]
    status: int
    out: str
    err: str

    @property
    def last_words(self) -> str:
        """The last line on stderr."""
        return (self.err.strip().splitlines() or ["it said nothing"])[-1]

    def check(self, status: int = 0) -> Ran:
        """Raise Failed for another exit status, and for a traceback."""
        if self.status != status or "Traceback" in self.err:
            raise Failed(f"minebot {' '.join(self.words)}: status {self.status}: {self.last_words}")
        return self


class WindowsPython:
    """The Windows Python of a folder, with minebot installed in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.python = self.folder / "py"
        self.home = self.folder / "a folder with spaces"
        """Where its programs are started."""
        self.home.mkdir(exist_ok=True)

    @property
    def prefix(self) -> Path:
        """The folder of Wine that its programs share."""
        return self.folder / "prefix"

    def start(
        self,
        *words: str,
        folder: Path | None = None,
        program: Path | None = None,
        utf8: bool = True,
        variables: Mapping[str, str] = NONE,
        err: int = subprocess.PIPE,
    ) -> subprocess.Popen[str]:
        """Start Python, or another `program`, with these words, in `folder` or else in its home."""
        environment = os.environ | {"PYTHONUTF8": "1" if utf8 else "0", **variables}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # each start would compile all that it imports
        if "MINEBOT_HOME" not in variables:  # ours is no folder of Windows
            environment.pop("MINEBOT_HOME", None)
        if program is not None:
            environment["PROGRAM"] = str(program)
        return subprocess.Popen(
            [str(self.folder / "wpython"), *words],
            cwd=folder or self.home,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=err,
            text=True,
            errors="replace",
        )

    def minebot(
        self,
        *words: str,
        program: Path | None = None,
        limit_s: float = LIMIT_S,
        utf8: bool = True,
        variables: Mapping[str, str] = NONE,
    ) -> Ran:
        """Run minebot, or a `program` that is minebot; raises Failed if it takes longer than `limit_s` s."""
        before = () if program else MAIN
        process = self.start(*before, *words, program=program, utf8=utf8, variables=variables)
        try:
            out, err = process.communicate(timeout=limit_s)
        except subprocess.TimeoutExpired:
            _, err = self.end_all(process)
            last = (err.strip().splitlines() or ["it said nothing"])[-1]
            raise Failed(f"minebot {' '.join(words)} took longer than {limit_s:.0f} s: {last}") from None
        return Ran(words, process.returncode, out, err)

    def install(self) -> str:
        """Install the project's wheel, by Windows' own pip, unless this very one is. Raises Failed if that
        cannot be done."""
        stamp, sources = self.folder / "installed", fingerprint(INSTALLED)
        if stamp.is_file() and stamp.read_text() == sources and self.installed.exists():
            return "was installed before"
        stamp.unlink(missing_ok=True)
        wheels = self.folder / "wheels"
        shutil.rmtree(wheels, ignore_errors=True)
        build = [str(self.folder / "tools" / "bin" / "python"), "-m", "hatchling", "build", "-t", "wheel"]
        built = subprocess.run([*build, "-d", str(wheels)], cwd=ROOT, capture_output=True, text=True)
        if built.returncode:
            raise Failed(f"the wheel cannot be built: {built.stderr.strip()[-300:]}")
        (wheel,) = wheels.glob("*.whl")
        pip = self.folder / "pip"
        if not pip.is_dir():
            (theirs,) = self.python.glob(WHEEL_OF_PIP)
            with ZipFile(theirs) as archive:
                archive.extractall(pip)
        words = ["install", "--no-index", "--no-deps", "--no-compile", "--force-reinstall"]
        words += ["--disable-pip-version-check", "--no-warn-script-location"]
        process = self.start(windows_path(pip / "pip"), *words, windows_path(wheel))
        _, err = process.communicate(timeout=LIMIT_S)
        if process.returncode:
            raise Failed(f"the wheel cannot be installed: {err.strip()[-300:]}")
        stamp.write_text(sources)
        return wheel.name

    @property
    def installed(self) -> Path:
        """The minebot.exe that pip makes."""
        return self.python / "Scripts" / "minebot.exe"

    def processes(self, *words: str) -> list[int]:
        """The processes of this Python with all these words, by their numbers on Linux."""
        name = str(self.python / "python.exe")
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            line = _words_of(folder)
            if (
                name in line.replace("\\", "/")
                and "/bin/bash" not in line
                and all(one in line for one in words)
            ):
                found.append(int(folder.name))
        return found

    def send(self, number: signal.Signals, *words: str) -> None:
        """Send a signal to the processes with these words. Wine makes a typed Ctrl-C of SIGINT."""
        for pid in self.processes(*words):
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def end_all(self, process: subprocess.Popen[str], word: str = MAIN[-1]) -> tuple[str, str]:
        """Kill what a case has started and what that started; its last words on stdout and stderr."""
        self.send(signal.SIGKILL, word)
        process.kill()
        if process.stdout is None or process.stdout.closed:
            return "", ""
        try:
            return process.communicate(timeout=GONE_S)
        except subprocess.TimeoutExpired:  # something that it started has its streams, and stays
            return "", "something that it started runs on"

    @contextmanager
    def desktop(self) -> Iterator[None]:
        """Keep Wine's desktop while the body runs. The program that needs it first starts it, and it has that
        program's pipes: who waits for their end would wait for that of the desktop."""
        wait = "import ctypes, time; ctypes.windll.user32.GetDesktopWindow(); print('ready', flush=True);"
        keeper = self.start("-c", wait + "time.sleep(86400)")
        assert keeper.stdout is not None
        try:
            keeper.stdout.readline()
            yield
        finally:
            WineMine(self.prefix).shut_down()
            keeper.kill()
            keeper.communicate()


def _words_of(folder: Path) -> str:
    """The command line of a process of /proc; empty if it has ended."""
    try:
        return (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def windows_path(path: Path) -> str:
    """A path of Linux as Wine's programs name it."""
    return "Z:" + str(path.resolve()).replace("/", "\\")


def played(ran: Ran, games: int) -> str:
    """What came of a run with `--json`. Raises Failed unless it played so many games to their ends."""
    ran.check()
    lines = [json.loads(line) for line in ran.out.splitlines()]
    ends = [line["outcome"] for line in lines]
    if len(ends) != games or set(ends) - {"won", "lost"}:
        raise Failed(f"{games} games were to be played: {ends}")
    sure = [line for line in lines if line["outcome"] == "lost" and not line["guesses"]]
    if sure:
        raise Failed(f"{len(sure)} games were lost without a guess")
    return f"{ends.count('won')} of {games} won"
