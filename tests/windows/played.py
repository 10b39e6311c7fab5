"""What holds for every game that was played on a real window."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest


def run_lines(*words: str) -> list[dict[str, Any]]:
    """Play by `minebot run` with these words to its end; gives its lines, and passes on what else it says."""
    done = subprocess.run(
        [sys.executable, "-m", "bot.cli.main", "run", "--json", *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def clicks(recordings: Path) -> int:
    """How many clicks of games were made that are recorded there."""
    return sum(log.read_text().count('"click"') for log in recordings.glob("*/game.jsonl"))


def begun(recordings: Path, number: int = 1) -> None:
    """Wait until so many clicks of games were made that are recorded there."""
    until = time.monotonic() + 90
    while clicks(recordings) < number:
        if time.monotonic() > until:
            pytest.fail(f"no {number} clicks were made in 90 s")
        time.sleep(0.02)


def heard(process: subprocess.Popen[str], text: str) -> str:
    """What a run says on stderr up to the line with this text; fails the test if it ends without one."""
    assert process.stderr is not None
    told = ""
    for line in process.stderr:
        told += line
        if text in line:
            return told
    pytest.fail(f"it never said {text!r}: {told}")


def check_lines(lines: list[dict[str, Any]], games: int) -> None:
    """No game failed, and what was lost was lost on a guess that said that it was one."""
    assert len(lines) == games
    for line in lines:
        assert line["outcome"] in ("won", "lost"), line
        # The counter of gnome-mines is a text, which cannot be read on every scaled desktop: then a lost game
        # may not show all of its mines.
        uncounted = line["theme"] == "gnome-mines" and line["mines"] is None and line["outcome"] == "lost"
        assert line["bbbv"] is not None or uncounted, line
        if line["outcome"] == "lost":
            assert line["guesses"] > 0, line
            assert last_kind(Path(line["recording"])) == "guess"


def last_kind(recording: Path) -> str:
    events = [json.loads(text) for text in (recording / "game.jsonl").read_text().splitlines()]
    return str([event["kind"] for event in events if event.get("event") == "decision"][-1])
