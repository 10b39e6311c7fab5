"""Cases: commands, the program that pip makes, and the one-file program."""

from __future__ import annotations

import json
import subprocess

from bot import __version__
from tests.windows_python.games import SIMPLE, UNCOMPILED
from tests.windows_python.sources import ROOT
from tests.windows_python.windows_python import Failed, WindowsPython, played, windows_path

OLD_CODE_PAGE = {"PYTHONIOENCODING": "cp437"}
"""A console that has neither an ellipsis nor all box characters."""

PYINSTALLER = ("pyinstaller==6.16.0", "pyinstaller-hooks-contrib", "altgraph", "pefile", "pywin32-ctypes")
"""What makes the one-file program, with what it needs."""


def sees_the_machine(python: WindowsPython) -> str:
    """The doctor, on a desktop with no window."""
    ran = python.minebot("doctor", "--json")
    bad = [line for line in map(json.loads, ran.out.splitlines()) if not line["ok"]]
    if bad:
        raise Failed(str(bad))
    ran.check()
    return f"{len(ran.out.splitlines())} checks"


def is_installed(python: WindowsPython) -> str:
    """minebot.exe, as pip installed it, plays the built-in window by what single numbers say."""
    ran = python.minebot("--version", program=python.installed).check()
    if __version__ not in ran.out:
        raise Failed(f"--version says {ran.out!r}")
    words = ("run", *SIMPLE, "--scale", "1.5", "--games", "2", "--json", "--no-record")
    ran = python.minebot(*words, program=python.installed, variables=UNCOMPILED)
    return f"{played(ran, 2)} by minebot.exe, at scale 1.5"


def says_all_in_an_old_code_page(python: WindowsPython) -> str:
    """What minebot prints for people, uncompiled."""
    words: list[tuple[str, ...]] = [("run", "--help"), ("replay",), ("stats",)]
    words += [("solve", "1#/##", "--mines", "1", "--strategy", "exact"), ("run", *SIMPLE)]
    for each in words:
        python.minebot(*each, utf8=False, variables=OLD_CODE_PAGE | UNCOMPILED).check()
    return f"{len(words)} commands"


def plays_in_many_processes(python: WindowsPython) -> str:
    """A pool of processes, which load what one of them compiled."""
    ran = python.minebot("simulate", "--games", "40", "--jobs", "2", "--no-db", "--json").check()
    return f"{json.loads(ran.out)['games']} games by 2 processes"


def plays_as_one_file(python: WindowsPython) -> str:
    """The one-file program is made by PyInstaller, and plays."""
    packages, made = python.folder / "pyinstaller", python.folder / "one file"
    pip = [str(python.folder / "tools" / "bin" / "python"), "-m", "pip", "--quiet"]
    pip += ["install", "--no-deps", "--upgrade"]
    what = [*PYINSTALLER, "packaging", "setuptools"]
    where = ["--platform", "win_amd64", "--python-version", "3.11", "--only-binary=:all:"]
    subprocess.run([*pip, *where, "--target", str(packages), *what], check=True)
    words = ["-m", "PyInstaller", "--noconfirm", "--log-level", "ERROR"]
    words += ["--distpath", windows_path(made), "--workpath", windows_path(python.folder / "build")]
    spec = windows_path(ROOT / "executable" / "minebot.spec")
    process = python.start(*words, spec, variables={"PYTHONPATH": windows_path(packages)})
    _, err = process.communicate()
    program = made / "minebot.exe"
    if process.returncode or not program.exists():
        raise Failed(f"PyInstaller: status {process.returncode}: {err.strip()[-300:]}")
    ran = python.minebot("run", *SIMPLE, "--json", "--no-record", program=program, variables=UNCOMPILED)
    result = played(ran, 1)
    # What needs the learned weights and the pages that lie among the modules.
    python.minebot("simulate", "--games", "2", "--level", "beginner", "--no-db", program=program).check()
    page = windows_path(made / "game.html")
    python.minebot("replay", "winmine-expert-won", "--html", page, program=program).check()
    return f"{result} by {program.stat().st_size / 2**20:.0f} MB"
