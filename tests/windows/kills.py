"""Kills minebot at random moments and looks at what is left: `python tests/windows/kills.py 100`.

Each time `minebot run --practice` plays Expert games on a screen of its own or on one that stays, and gets a
signal, at the start or in the middle of a game. Nothing that it started may go on running, no file may lie
about, no mouse button may be down; its recordings must replay and its results be whole. Exits with 1 if
anything is wrong.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing, suppress
from pathlib import Path
from random import Random

from bot.errors import BotError
from bot.files import user_cache
from bot.recording.read import load
from bot.recording.replay import replay
from bot.screen.display import ensure_display
from bot.strategy.registry import strategy
from bot.vision.cells.glyph_reader import GlyphReader
from bot.vision.themes.theme import load_skin

ROOT = Path(__file__).parents[2]

SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)

STATUS = {signal.SIGTERM: 143, signal.SIGINT: 130, signal.SIGHUP: 129}
"""The exit status that tells which signal ended a run."""

BEGIN_S = 120.0
"""Time limit for the first game to begin, in seconds: a busy machine takes that long."""

GONE_S = 30.0
"""Time limit for everything to end after the signal, in seconds."""

MARK = "MINEBOT_HOME"
"""The variable by which the processes of a run are known: all that it starts inherit it."""

LEFT_BY_KILL = ("results.sqlite-journal",)
"""Files that a kill may leave: whoever opens the results next puts them in order with it."""


def kill_once(number: int, folder: Path) -> tuple[str, list[str]]:
    """Kill one run, the screen of `DISPLAY` being there. Returns what was done, and what was wrong."""
    rng = Random(number)
    home, temporary, runtime = folder / "home", folder / "temporary", folder / "runtime"
    for place in (home / "cache", temporary, runtime):
        place.mkdir(parents=True)
    runtime.chmod(0o700)  # else it is not taken
    compiled = user_cache() / "solver"
    compiled.mkdir(parents=True, exist_ok=True)
    (home / "cache" / "solver").symlink_to(compiled, target_is_directory=True)
    headless = rng.random() < 0.5
    words = ["run", "--practice", "--level", "expert", "--games", "100000", "--json"]
    words += ["--strategy", rng.choice(("best", "seed")), *(["--headless"] if headless else [])]
    locks = screen_locks()
    environment = {MARK: str(home), "TMPDIR": str(temporary), "XDG_RUNTIME_DIR": str(runtime)}
    process = subprocess.Popen(
        [sys.executable, "-m", "bot.cli.main", *words],
        env=os.environ | environment | {"PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # Where this runs in the background of a shell, Ctrl-C is ignored, and children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    begins = rng.random() < 0.7 and _begun(process, home / "recordings")
    wait_s = rng.uniform(0, 2) if begins else rng.uniform(0.3, 4)
    time.sleep(wait_s)
    number_sent = rng.choice(SIGNALS)
    process.send_signal(number_sent)
    what = f"{number_sent.name} {wait_s:.2f} s after the {'first game began' if begins else 'start'}"
    what += ", on its own screen" if headless else ""
    wrong = []
    try:
        out, told = process.communicate(timeout=GONE_S)
    except subprocess.TimeoutExpired:
        wrong.append(f"it runs on after {GONE_S:.0f} s")
        process.kill()
        out, told = process.communicate()
    if "Traceback" in told:
        wrong.append(f"a traceback: {told.strip().splitlines()[-1]}")
    expected = STATUS.get(number_sent, -number_sent)
    # Before Python has come to our own handlers, a signal ends it as it ends any program.
    if process.returncode not in (expected, -number_sent):
        wrong.append(f"status {process.returncode}: {told.strip()[-300:]}")
    wrong += _left_running(str(home))
    wrong += [f"{path} lies about" for path in sorted(temporary.iterdir())]
    wrong += [f"{path} lies about" for path in sorted(home.rglob("*.partial"))]
    wrong += [f"{path} lies about" for path in screen_locks() - locks if not _alive(path)]
    wrong += _buttons_down()
    lines = [json.loads(line) for line in out.splitlines() if line.endswith("}")]
    wrong += _results(home / "results.sqlite", len(lines), exact=number_sent != signal.SIGKILL)
    wrong += _recordings(home / "recordings")
    return what, wrong


def _begun(process: subprocess.Popen[str], recordings: Path) -> bool:
    """Wait for the first click of a game."""
    until = time.monotonic() + BEGIN_S
    while process.poll() is None and time.monotonic() < until:
        for log in recordings.glob("*/game.jsonl"):
            if b'"click"' in log.read_bytes():
                return True
        time.sleep(0.02)
    return False


def _left_running(home: str) -> list[str]:
    """The programs of a run that do not end."""
    until = time.monotonic() + GONE_S
    while (left := _processes(home)) and time.monotonic() < until:
        time.sleep(0.05)
    for pid in left:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return [f"process {pid} runs on: {words}" for pid, words in left.items()]


def _processes(home: str) -> dict[int, str]:
    """The processes of a run and their words."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if f"{MARK}={home}\0".encode() in (folder / "environ").read_bytes():
                words = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                found[int(folder.name)] = words
        except OSError:
            continue
    return found


def screen_locks() -> set[Path]:
    """The locks of all X servers of this machine."""
    return set(Path("/tmp").glob(".X*-lock"))


def _alive(lock: Path) -> bool:
    """Whether the X server that holds a lock runs."""
    try:
        os.kill(int(lock.read_text()), 0)
    except (OSError, ValueError):
        return False
    return True


def _buttons_down() -> list[str]:
    """What is down on the screen that stays."""
    from Xlib.display import Display

    display = Display()
    mask = int(display.screen().root.query_pointer().mask)
    display.close()
    return ["a mouse button is down"] if mask & 0x1F00 else []


def _results(path: Path, told: int, *, exact: bool) -> list[str]:
    """What is wrong with the results, `told` games of which were printed. A kill may fall before the last is
    kept."""
    if not path.exists():
        return [f"{told} games were told, and there are no results"] if told > 1 else []
    with closing(sqlite3.connect(path)) as db:
        (sound,) = db.execute("PRAGMA integrity_check").fetchone()
        if sound != "ok":
            return [f"the results are damaged: {sound}"]
        try:
            (kept,) = db.execute("SELECT count(*) FROM games").fetchone()
        except sqlite3.OperationalError:  # it was being made
            kept = 0
    wrong = [f"{name} lies about" for name in LEFT_BY_KILL if (path.parent / name).exists()]
    if kept < told - (0 if exact else 1):
        wrong.append(f"{told} games were told and {kept} are kept")
    return wrong


def _recordings(folder: Path) -> list[str]:
    """What is wrong with the recordings: the last one is read and decided again, the others are read."""
    wrong = []
    games = sorted(one for one in folder.glob("*") if (one / "game.jsonl").exists())
    for place, one in enumerate(games):
        try:
            recording = load(one)
            for frame in recording.frames:
                recording.frame(frame.frame)
            if place == len(games) - 1:
                reader = GlyphReader(load_skin("practice"), recording.header.frame_grid())
                again = replay(recording, reader, strategy(recording.header.strategy))
                wrong += [f"{one.name}: {each.text}" for each in again.differences[:3]]
        except BotError as error:
            if "there is no whole header" not in str(error):  # killed before anything was recorded
                wrong.append(str(error))
    return wrong


def main() -> int:
    """Kill minebot as often as was asked for; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kills", type=int, nargs="?", default=100)
    parser.add_argument("--first", type=int, default=0, help="the number of the first one")
    words = parser.parse_args()
    bad = 0
    with ensure_display(headless=True):
        for number in range(words.first, words.first + words.kills):
            with tempfile.TemporaryDirectory(prefix="minebot-kill-") as folder:
                what, wrong = kill_once(number, Path(folder))
            bad += bool(wrong)
            print(f"{number:4}  {what}: {'; '.join(wrong) or 'fine'}", flush=True)  # noqa: T201
    print(f"{words.kills} kills, {bad} left something wrong")  # noqa: T201
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
