"""Windows' Python as `tests.kills` kills it. Wine knows a kill, and SIGINT as a Ctrl-C."""

from __future__ import annotations

import signal
import subprocess
import tempfile
from pathlib import Path

import click

from tests.kills.killing import MARK, Machine, buttons_down, kill_once
from tests.windows_python.windows_python import MAIN, Failed, WindowsPython, windows_path

KILLS = 8
"""Kills of one run of the cases; `--kills` says another number."""

CACHE = "drive_c/users/*/AppData/Local/minebot/Cache"
"""Where minebot keeps there what can be made again."""

TEMPORARY = "drive_c/users/*/Temp"
"""Where Windows' programs keep temporary files; Wine lets no variable say otherwise."""

BUTTONS = "import ctypes; print(any(ctypes.windll.user32.GetAsyncKeyState(key) < 0 for key in (1, 2, 4)))"
"""Says whether a button of Windows' mouse is down, which X knows nothing of."""


class UnderWine(Machine):
    """minebot under Windows' Python, on Wine's desktop."""

    signals = (signal.SIGKILL, signal.SIGKILL, signal.SIGINT)
    own_screens = False

    def __init__(self, python: WindowsPython) -> None:
        self._python = python
        (cache,) = python.prefix.glob(CACHE)
        self.compiled = cache / "solver"
        self._temporary = self._files()

    def path(self, path: Path) -> str:
        """As Windows names it."""
        return windows_path(path)

    def start(self, words: list[str], variables: dict[str, str]) -> subprocess.Popen[str]:
        """Start it; its streams are pipes. `TMPDIR` would move the sockets of Wine itself."""
        self._temporary = self._files()
        kept = {name: value for name, value in variables.items() if name == MARK}
        return self._python.start(*MAIN, *words, variables=kept)

    def send(self, process: subprocess.Popen[str], number: signal.Signals) -> None:
        """To minebot itself: what was started is a shell."""
        self._python.send(number, MAIN[-1], "run --practice")

    def statuses(self, number: signal.Signals) -> set[int]:
        """As the shell gives them: an interrupt before Python handles it ends it by Windows' own status."""
        return {137} if number == signal.SIGKILL else {130, CONTROL_C_EXIT}

    def left_over(self) -> list[str]:
        """Buttons that are down for Windows or for X, and temporary files."""
        out, err = self._python.start("-c", BUTTONS).communicate(timeout=120)
        said = out.strip() or err.strip()
        wrong = [f"{path} lies about" for path in self._files() - self._temporary]
        return wrong + buttons_down() + ([] if said == "False" else [f"is a button of Windows down? {said}"])

    def _files(self) -> set[Path]:
        return {path for folder in self._python.prefix.glob(TEMPORARY) for path in folder.iterdir()}


CONTROL_C_EXIT = 0xC000013A & 0xFF
"""What is left of STATUS_CONTROL_C_EXIT in a status of Linux."""


def leaves_nothing_when_killed(python: WindowsPython, kills: int = KILLS, first: int = 0) -> str:
    """Kills at random moments: nothing runs on or lies about, what was kept is whole."""
    bad = 0
    for number in range(first, first + kills):
        with tempfile.TemporaryDirectory(prefix="minebot-kill-") as folder:
            what, wrong = kill_once(number, Path(folder), UnderWine(python))
        bad += bool(wrong)
        click.echo(f"{number:4}  {what}: {'; '.join(wrong) or 'fine'}")
    if bad:
        raise Failed(f"{bad} of {kills} kills left something wrong")
    return f"{kills} kills"
