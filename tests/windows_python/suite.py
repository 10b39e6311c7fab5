"""Cases: the suite, a folder of tests at a time, without real windows and what takes long."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Timer

from tests.windows_python.sources import ROOT
from tests.windows_python.windows_python import Failed, WindowsPython, windows_path

LIMIT_S = 3600.0
"""Time limit of one folder, in seconds."""

CHOSEN = "not windows and not slow and not sweep"

NOT_FOR_WINDOWS = {
    "tests/fuzz": "each input is tried in a copy of a loaded process (os.fork)",
    "tests/kills": "looks for what is left behind in /proc; the case `kills` does that here",
    "tests/soak": "plays the windows of Linux' programs",
    "tests/theming": "cuts and draws themes from Linux' programs",
    "tests/training": "training runs on Linux; what it learned is played with here",
    "tests/windows": "plays the windows of Linux' programs; the other cases play windows here",
    "tests/windows_python": "these cases themselves",
    "tests/solver/test_larger_components.py": "python-sat has no wheel for Windows",
}
"""What is left out, with its reason: a folder or a file."""

STARTED = re.compile(r"^(tests[\\/]\S+::\S+)", re.MULTILINE)
"""The line of a test, which `pytest -v` begins when the test does."""


def parts() -> dict[str, list[str]]:
    """The parts of the suite by name, each with its folder or its files, the names of Linux."""
    found = {"tests": [f"tests/{path.name}" for path in sorted((ROOT / "tests").glob("test_*.py"))]}
    for folder in sorted((ROOT / "tests").iterdir()):
        name = f"tests/{folder.name}"
        if name not in NOT_FOR_WINDOWS and any(folder.glob("test_*.py")):
            found[name] = [name]
    return found


def cases() -> dict[str, Callable[[WindowsPython], str]]:
    """A case for each part."""
    return {name: partial(passes, files=files, name=name) for name, files in parts().items()}


def passes(python: WindowsPython, files: list[str], name: str) -> str:
    """One part of the suite; its words go to `FOLDER/suite/NAME.txt` while it runs."""
    words = ["-m", "pytest", "-v", "-p", "no:cacheprovider", "-m", CHOSEN, "--timeout=1200", "--durations=10"]
    words += [f"--ignore={left_out}" for left_out in NOT_FOR_WINDOWS]
    said = python.folder / "suite" / f"{name.replace('/', '-')}.txt"
    said.parent.mkdir(exist_ok=True)
    # Not beside the sources, where Linux' Python would take what was compiled for its own.
    variables = {"PYTHONPYCACHEPREFIX": windows_path(python.folder / "compiled")}
    process = python.start(*words, *files, folder=ROOT, err=subprocess.STDOUT, variables=variables)
    alarm = Timer(LIMIT_S, lambda: python.end_all(process, "pytest"))
    alarm.start()
    assert process.stdout is not None
    with said.open("w", encoding="utf-8") as kept:
        for line in process.stdout:
            kept.write(line)
            kept.flush()
    alarm.cancel()
    return _result(process.wait(), said)


def _result(status: int, said: Path) -> str:
    """The last line of pytest. Raises Failed with the tests that failed, or the one that was never done."""
    text = said.read_text(encoding="utf-8").strip()
    lines = text.splitlines() or ["it said nothing"]
    last = lines[-1].strip(" =")
    if status == 0:
        return last
    bad = [line.split(" - ")[0] for line in lines if line.startswith(("FAILED tests", "ERROR tests"))]
    if not bad and (started := STARTED.findall(text)):
        bad = [f"ended in {started[-1]}"]
    raise Failed(f"status {status}: {', '.join(bad) or last} ({said})")
