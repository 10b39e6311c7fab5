"""Cases: games that are played under Windows' Python."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.board import LEVELS
from bot.screen.programs.games import WineMine
from tests.windows_python.windows_python import LIMIT_S, MAIN, Failed, WindowsPython, played, windows_path

SIMPLE = (
    *("--practice", "--strategy", "local", "--size", "9x9", "--mines", "3", "--first-click", "zero"),
    *("--seed", "1"),
)
"""Games of the built-in window that are won without a guess. Of those that no seed chose one of a hundred
stops, for single numbers do not say enough."""

UNCOMPILED = {"NUMBA_DISABLE_JIT": "1"}
"""For what does not depend on the solver: it would be compiled first, for a minute or for ten."""

FOUND = re.compile(r"found .* cells of ([\d.]+) pixels at (\d+),(\d+)")
WOULD = re.compile(r"minebot would open row (\d+), column (\d+)")


@contextmanager
def winemine(python: WindowsPython, level: str) -> Iterator[WineMine]:
    """Wine's Minesweeper at a level, on the same desktop as our Python."""
    game = WineMine(python.prefix)
    game.start(*LEVELS[level])
    try:
        yield game
    finally:
        game.stop()


def plays_a_little(python: WindowsPython) -> str:
    """WineMine, by what single numbers say."""
    with winemine(python, "beginner"):
        ran = python.minebot(
            "run", "--strategy", "local", "--json", "--no-record", variables=UNCOMPILED
        ).check()
    (line,) = map(json.loads, ran.out.splitlines())
    if line["outcome"] == "lost" or line["clicks"] < 1:
        raise Failed(f"WineMine, with no guess: {line}")
    return f"WineMine {line['outcome']} after {line['clicks']} clicks"


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


def plays_with_flags(python: WindowsPython) -> str:
    """Flags and chords, which need the right button and both together."""
    with winemine(python, "intermediate"):
        return played(python.minebot("run", "--games", "2", "--flags", "--json", "--no-record"), 2)


def assists(python: WindowsPython) -> str:
    """A person opens what minebot would guess, and minebot the rest."""
    with winemine(python, "beginner"):
        process = python.start(*MAIN, "run", "--assist", "--json", "--no-record")
        alarm = threading.Timer(LIMIT_S, lambda: python.end_all(process))
        alarm.start()
        clicks, told = _clicks_as_told(process)
        alarm.cancel()
        out, _ = process.communicate()
    lines = [json.loads(line) for line in out.splitlines()]
    if process.returncode or len(lines) != 1 or lines[0]["outcome"] not in ("won", "lost"):
        raise Failed(f"status {process.returncode}, {lines}: {told[-3:]}")
    if lines[0]["person_moves"] != clicks:
        raise Failed(f"{lines[0]['person_moves']} of the person's {clicks} clicks were seen: {told[-3:]}")
    return f"{lines[0]['outcome']}, {clicks} clicks of the person's and {lines[0]['clicks']} of minebot's"


def _clicks_as_told(process: subprocess.Popen[str]) -> tuple[int, list[str]]:
    """Click each cell that minebot would open; how many there were, and all that it said."""
    assert process.stderr is not None
    told, clicks, place = [], 0, (0.0, 0, 0)
    for line in process.stderr:
        told.append(line.strip())
        if found := FOUND.search(line):
            place = float(found[1]), int(found[2]), int(found[3])
        elif cell := WOULD.search(line):
            pitch, left, top = place
            x, y = left + int(pitch * (int(cell[2]) + 0.5)), top + int(pitch * (int(cell[1]) + 0.5))
            words = ("mousemove", str(x), str(y), "sleep", "0.05", "mousedown", "1", "sleep", "0.08")
            subprocess.run(["xdotool", *words, "mouseup", "1"], check=True, timeout=60)
            clicks += 1
    return clicks, told


def calibrates(python: WindowsPython) -> str:
    """A window is learned, played by what was learned, and forgotten."""
    with winemine(python, "beginner"):
        words = ("calibrate", "--anew", "--name", "learned", "--json", "--window", WineMine.title)
        learned = json.loads(python.minebot(*words).check().out)
        result = played(python.minebot("run", "--target", "learned", "--new", "--games", "2", "--json"), 2)
    if "learned" not in python.minebot("calibrate", "--list").check().out:
        raise Failed("what was learned is not listed")
    python.minebot("calibrate", "--forget", "learned").check()
    return f"learned in {learned['games']} games; {result}"


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
        python.minebot("replay", recording).check()
    return "two, replayed"
