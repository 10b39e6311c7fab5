"""A part of a soak under Windows' Python, on a desktop of Wine's own."""

from __future__ import annotations

import fcntl
import json
import subprocess
import tempfile
from contextlib import ExitStack
from pathlib import Path

from bot.files import user_cache
from bot.screen.display import ensure_display
from tests.soak.desktops import Missing
from tests.soak.judge import Played
from tests.soak.losses import lost_without_guess
from tests.soak.plan import Part
from tests.windows_python import layout
from tests.windows_python.games import winemine
from tests.windows_python.windows_python import Failed, WindowsPython, windows_path

FOLDER = user_cache() / "windows-python"
"""Where the tests lay Windows' Python out."""

LAY_OUT = Path(layout.__file__).parent / "lay_out.sh"

SCREEN = (1280, 1024)
"""Width and height of the virtual screen, in pixels."""

LIMIT_S = 2400.0
"""Time limit of a part, in seconds: the first one compiles the solver."""


def play_under_windows(part: Part) -> Played:
    """Play a part in which nothing happens. Raises Missing where Windows' Python is not laid out, or cannot
    be given this minebot."""
    laid_out = subprocess.run([str(LAY_OUT), str(FOLDER)], capture_output=True, text=True, check=False)
    if laid_out.returncode:
        raise Missing(f"Windows' Python: {(laid_out.stderr.strip().splitlines() or [''])[-1]}")
    python = WindowsPython(FOLDER)
    with ExitStack() as stack:
        lock = stack.enter_context((FOLDER / "lock").open("w"))
        fcntl.flock(lock, fcntl.LOCK_EX)
        stack.enter_context(ensure_display(headless=True, size=SCREEN))
        stack.enter_context(python.desktop())
        try:
            python.install()
        except Failed as error:
            raise Missing(f"Windows' Python: {error}") from None
        # It must be a folder that Windows' programs may write to; they say its name in their own way.
        scratch = stack.enter_context(
            tempfile.TemporaryDirectory(dir=python.home, ignore_cleanup_errors=True)
        )
        words = ["run", "--json", "--games", str(part.games), "--record", windows_path(Path(scratch))]
        if part.window == "winmine":
            stack.enter_context(winemine(python, "beginner"))
        else:
            words += ["--practice", "--level", "beginner"]
        try:
            ran = python.minebot(*words, limit_s=LIMIT_S)
        except Failed:
            return Played([], None)
        lines = [json.loads(line) for line in ran.out.splitlines() if line.startswith("{")]
        unsure = [line["recording"] for line in lines if line["outcome"] == "lost" and line["recording"]]
        here = [Path(scratch) / name.replace("\\", "/").rsplit("/", 1)[-1] for name in unsure]
        lost = [str(one) for one in here if lost_without_guess(one)]
        left = [str(pid) for pid in python.processes("bot.cli.main")]
        return Played(lines, ran.status, ran.err, lost, left)
