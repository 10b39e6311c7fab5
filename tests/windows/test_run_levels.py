"""Another level is chosen in the middle of a game of ours: it is another game, of its own size."""

from __future__ import annotations

import json
import os
import pty
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import Desk, with_manager
from google_page import LEVELS, GooglePage

from bot.screen.programs import WineMine

pytestmark = [
    pytest.mark.windows,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

CELL, PAGE_TOP = 45, 40
"""Of the page at its easy level: the width of a cell, and where its header begins, in pixels."""


def begun(recordings: Path) -> None:
    """Wait for the first click of a game."""
    until = time.monotonic() + 60
    while time.monotonic() < until and not any(
        '"click"' in log.read_text() for log in recordings.glob("*/game.jsonl")
    ):
        time.sleep(0.02)


def check(lines: list[dict[str, Any]], told: str, size: tuple[int, int, int]) -> None:
    thrown, *played = lines
    assert (thrown["outcome"], thrown["reason"]) == ("stopped", "somebody began another game")
    assert [(line["columns"], line["rows"], line["mines"]) for line in played] == [size]
    assert "the window shows another board now" in told
    assert all(line["outcome"] == "won" or (line["outcome"] == "lost" and line["guesses"]) for line in played)


@with_manager
@pytest.mark.parametrize(
    ("begins", "key", "size"), [((16, 16, 40), "e", (30, 16, 99)), ((30, 16, 99), "b", (9, 9, 10))]
)
def test_winemine(
    desk: Desk,
    winemine: WineMine,
    begins: tuple[int, int, int],
    key: str,
    size: tuple[int, int, int],
    tmp_path: Path,
) -> None:
    """By its menu: a click that comes while that is open only closes it, so the keys are struck again."""
    winemine.start(*begins, at=(60, 60))
    process = desk.popen("run", "--json", "--record", str(tmp_path), "--clicks-per-second", "2")
    begun(tmp_path)
    desk.pointer("key", "--delay", "40", "alt+g", key)
    out, told = process.communicate(timeout=200)
    assert process.returncode == 0, told
    check([json.loads(line) for line in out.splitlines()], told, size)


@with_manager
@pytest.mark.timeout(200)
def test_google(desk: Desk, page: GooglePage, tmp_path: Path) -> None:
    """By the list above the board: the bot pauses while a person has the mouse. The window keeps its size."""
    window = page.open("easy", seed=8, first="zero", tutorial=0, pace=2)
    terminal, inside = pty.openpty()
    words = ["--json", "--target", "google", "--clicks-per-second", "2", "--record", str(tmp_path)]
    process = desk.popen("run", *words, stdin=inside)
    assert process.stderr is not None
    try:
        begun(tmp_path)
        middle, columns = window.rect.center.x, LEVELS["easy"][0]
        left, top = middle - columns * CELL // 2 + 60, window.rect.y + PAGE_TOP
        told = ""
        desk.pointer("mousemove", str(left), str(top + 30))
        while "paused" not in told:
            told += process.stderr.readline()
        desk.pointer("mousemove", str(left), str(top + 30), "click", "1", "sleep", "0.3")
        desk.pointer(
            "mousemove", str(left), str(top + 46 + 36 + 18), "sleep", "0.2", "click", "1", "sleep", "0.5"
        )
        os.write(terminal, b"\n")
        out, more = process.communicate(timeout=150)
    finally:
        os.close(terminal)
        os.close(inside)
    assert process.returncode == 0, told + more
    check([json.loads(line) for line in out.splitlines()], told + more, LEVELS["medium"])
