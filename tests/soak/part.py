"""Plays one part of a soak and writes what came of it: `python -m tests.soak.part PART RESULT`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from bot.errors import BotError
from bot.files import user_cache
from tests.kills.killing import MARK, Folders, begun, left_running
from tests.kills.linux import start_module
from tests.soak.desktops import Missing, desktop
from tests.soak.faults import FAULTS, NotDone, Scene
from tests.soak.games import game
from tests.soak.judge import Played, faults_of
from tests.soak.losses import lost_without_guess
from tests.soak.plan import Part
from tests.soak.windows_part import play_under_windows

GAME_S = 240.0
"""Time limit of a game, in seconds: busy machines take their time."""

LAST_LINES = 12
"""How many of the last lines that minebot said are kept."""

LEFT_S = 20.0
"""Time in which what minebot started must have ended after it, in seconds."""

PACE = 5.0
"""Clicks a second in games to which something happens: it must find them still going on."""


def play(part: Part, folder: Path) -> dict[str, Any]:
    """Play a part in an empty folder. What came of it, as JSON has it; `skipped` says what is missing."""
    rng = Random(part.seed)
    begun = time.monotonic()
    try:
        played = play_under_windows(part) if part.desktop == "windows" else _play_here(part, folder, rng)
    except Missing as error:
        return part.words() | {"skipped": str(error)}
    return part.words() | {
        "outcomes": [line["outcome"] for line in played.lines],
        "reasons": sorted(
            {line["reason"] for line in played.lines if line["outcome"] in ("failed", "stopped")}
        ),
        "status": played.status,
        "after_fault": played.after_fault,
        "told": played.told.strip().splitlines()[-LAST_LINES:],
        "memory_mb": [round(one) for one in played.memory_mb[:: max(1, len(played.memory_mb) // 10)]],
        "seconds": round(time.monotonic() - begun, 1),
        "wrong": faults_of(part, FAULTS[part.fault], played),
    }


def _play_here(part: Part, folder: Path, rng: Random) -> Played:
    """Play a part by the Python of this machine, on a desktop of its own. Raises Missing."""
    with desktop(part.desktop) as screen:
        window = game(part.window)
        try:
            return _run(part, folder, Scene(screen, window, window.open(), rng))
        finally:
            with suppress(BotError, OSError):
                window.stop()


def _run(part: Part, folder: Path, scene: Scene) -> Played:
    """Run minebot, and let happen what is to happen."""
    folders = Folders.made(folder, user_cache() / "solver")
    words = ["run", "--json", "--games", str(part.games)]
    if part.fault and part.fault != "memory":
        words += ["--clicks-per-second", str(PACE)]
    module = ["bot.cli.main", *words]
    if part.fault.startswith("click "):
        how = part.fault.removeprefix("click ")
        module = ["tests.soak.spoiled", how, str(scene.rng.randint(2, 12)), *words]
    process = start_module(module, {MARK: str(folders.home), "TMPDIR": str(folders.temporary)})
    out: list[str] = []
    memory: list[float] = []
    told: list[str] = []

    def read_lines() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            out.append(line)
            memory.append(_memory_mb(process.pid))

    def read_told() -> None:
        assert process.stderr is not None
        told.extend(process.stderr)

    readers = [threading.Thread(target=read_lines), threading.Thread(target=read_told)]
    for reader in readers:
        reader.start()
    after_fault, not_done = True, ""
    if part.fault:
        begun(process, folders.home / "recordings", GAME_S)
        time.sleep(scene.rng.uniform(0, 2))
        after_fault = process.poll() is None
        try:
            FAULTS[part.fault].happen(scene)
        except NotDone as error:
            not_done = str(error)
    status: int | None
    try:
        status = process.wait(GAME_S * part.games)
    except subprocess.TimeoutExpired:
        status = None
    running = left_running(str(folders.home), LEFT_S)
    left = [f"{pid} {words}" for pid, words in running.items() if pid != process.pid]
    for reader in readers:
        reader.join()
    lines = [json.loads(line) for line in out if line.startswith("{")]
    unsure = [line["recording"] for line in lines if line["outcome"] == "lost" and line["recording"]]
    lost = [one for one in unsure if lost_without_guess(Path(one))]
    return Played(lines, status, "".join(told), lost, left, memory, after_fault, not_done)


def _memory_mb(pid: int) -> float:
    """The resident memory of a process; 0 if it has ended."""
    try:
        told = Path(f"/proc/{pid}/statm").read_text().split()
    except OSError:
        return 0.0
    return int(told[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def main() -> None:
    """Play the part that the first file holds, and write what came of it to the second."""
    part = Part(**json.loads(Path(sys.argv[1]).read_text()))
    with tempfile.TemporaryDirectory(prefix="minebot-soak-", ignore_cleanup_errors=True) as folder:
        result = play(part, Path(folder))
        if result.get("wrong"):
            kept = Path(sys.argv[2]).with_suffix(".kept")
            subprocess.run(["cp", "-r", str(Path(folder) / "home"), str(kept)], check=False)
    Path(sys.argv[2]).write_text(json.dumps(result))


if __name__ == "__main__":
    main()
