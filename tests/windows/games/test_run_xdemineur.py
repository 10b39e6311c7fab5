"""`minebot run` on real xdemineur: it begins half open, and is won only once its mines are flagged."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from conftest import Desk, for_moved_windows, with_manager
from played import check_lines

from bot.recording.format import BoardEvent, ClickEvent
from bot.recording.read import load
from bot.screen.programs.games import Xdemineur

pytestmark = [
    pytest.mark.windows,
    pytest.mark.usefixtures("watched"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


def test_games_are_won_with_their_flags(desk: Desk, xdemineur: Xdemineur, tmp_path: Path) -> None:
    xdemineur.start(14, 12, 17)
    lines = desk.play("--games", "4", "--record", str(tmp_path))
    check_lines(lines, 4)
    assert {(line["theme"], line["columns"], line["rows"], line["mines"]) for line in lines} == {
        ("xdemineur", 14, 12, 17)
    }
    won = [line for line in lines if line["outcome"] == "won"]
    for line in won:
        events = load(Path(line["recording"])).events
        last = [event for event in events if isinstance(event, BoardEvent)][-1]
        assert "".join(last.cells).count("F") == 17, "it was called won before its mines were flagged"
        assert any(event.action.value == "flag" for event in events if isinstance(event, ClickEvent))
    replayed = desk.in_process("replay", *(line["recording"] for line in lines))
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr


@with_manager
def test_what_the_game_opened_itself_is_no_half_played_game(
    desk: Desk, xdemineur: Xdemineur, tmp_path: Path
) -> None:
    window = xdemineur.start(30, 16, 99)
    shown = desk.minebot("run", "--dry-run", "--json")
    assert shown.returncode == 0, shown.stderr
    assert json.loads(shown.stdout)["clicks"]
    # A flag of somebody makes it one.
    desk.pointer("mousemove", str(window.rect.x + 16 + 10), str(window.rect.y + 81 + 10), "click", "3")
    desk.pointer("mousemove", str(window.rect.x + 400), str(window.rect.y + 40))
    time.sleep(0.3)
    refused = desk.minebot("run", "--record", str(tmp_path))
    # Only where that cell was covered: else the click did nothing.
    if refused.returncode:
        assert "half-played" in refused.stderr


@for_moved_windows
def test_a_window_that_is_moved_is_followed(desk: Desk, xdemineur: Xdemineur, tmp_path: Path) -> None:
    window = xdemineur.start(20, 16, 50, at=(40, 60))
    process = desk.popen("run", "--games", "6", "--json", "--record", str(tmp_path))
    until = time.monotonic() + 90
    while time.monotonic() < until and len(list(tmp_path.glob("*/game.jsonl"))) < 2:
        time.sleep(0.05)
    desk.pointer("windowmove", str(window.id), "500", "300")
    out, told = process.communicate(timeout=200)
    assert process.returncode == 0, told
    check_lines([json.loads(line) for line in out.splitlines()], 6)
