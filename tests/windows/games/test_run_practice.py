"""`minebot run --practice` and the built-in window, through real pixels and real clicks."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import Desk, with_manager, without_manager
from played import begun, check_lines

from bot.board import Board, Observation, Phase, Rules
from bot.recording.format import BoardEvent
from bot.recording.read import load
from bot.screen.programs.games import Practice
from bot.strategy.base import Kind
from bot.strategy.registry import strategy

pytestmark = [
    pytest.mark.windows,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.mark.parametrize(
    ("session_desk", "level"),
    [
        ("no window manager", "beginner"),
        ("openbox", "intermediate"),
        ("no window manager", "expert"),
        ("openbox", "expert"),
    ],
    indirect=["session_desk"],
)
def test_games_of_every_level(desk: Desk, level: str, tmp_path: Path) -> None:
    lines = desk.play(
        "--practice", "--level", level, "--games", "2", "--seed", "4", "--record", str(tmp_path)
    )
    assert len(lines) == 2
    assert {line["outcome"] for line in lines} <= {"won", "lost"}
    assert all(line["bbbv"] for line in lines)
    replayed = desk.in_process("replay", *(line["recording"] for line in lines))
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr


@pytest.mark.parametrize(
    ("session_desk", "scale"),
    [
        ("openbox", "1.5"),
        ("no window manager", "1.8"),
        ("openbox", "2.5"),
        ("no window manager", "3"),
    ],
    indirect=["session_desk"],
)
def test_every_scale(desk: Desk, scale: str) -> None:
    lines = desk.play("--practice", "--scale", scale, "--games", "2", "--no-record", "--flags")
    assert {line["outcome"] for line in lines} <= {"won", "lost"}
    assert all(line["recording"] is None for line in lines)


@without_manager
def test_an_unprotected_first_click_is_a_guess(desk: Desk) -> None:
    lines = desk.play("--practice", "--first-click", "any", "--games", "2", "--no-record", "--seed", "3")
    assert all(line["first_click"] == "any" and line["guesses"] >= 1 for line in lines)


@without_manager
def test_headless_starts_a_screen_of_its_own(desk: Desk) -> None:
    done = desk.minebot("run", "--practice", "--headless", "--no-record")
    assert done.returncode == 0, done.stderr
    assert "virtual display" in done.stderr
    assert "won" in done.stdout


@without_manager
def test_the_people_see_a_table_and_a_place(desk: Desk, tmp_path: Path) -> None:
    done = desk.minebot("run", "--practice", "--games", "2", "--record", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert re.search(r"won \d of 2 games", done.stdout)
    assert str(tmp_path) in done.stdout


@with_manager
def test_a_person_takes_the_mouse_and_gives_it_back(desk: Desk, tmp_path: Path) -> None:
    """With a terminal to ask on, the bot pauses, says so, and goes on at Enter."""
    practice = Practice()
    practice.start(30, 16, 99, "--seed", "2", at=(60, 60))
    terminal, inside = pty.openpty()
    told, recordings = tmp_path / "told.txt", tmp_path / "recordings"
    words = ["run", "--target", "practice", "--json", "--games", "3", "--clicks-per-second", "25"]
    with told.open("w") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "bot.cli.main", *words, "--record", str(recordings)],
            env=desk.environment(),
            stdin=inside,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
    try:
        until = time.monotonic() + 60
        while time.monotonic() < until and not list(recordings.glob("*/game.jsonl")):
            time.sleep(0.05)
        while time.monotonic() < until and "paused" not in told.read_text():
            desk.pointer("mousemove", "1000", "900")
        assert "paused" in told.read_text()
        assert process.poll() is None
        os.write(terminal, b"\n")
        out, _ = process.communicate(timeout=120)
        assert process.returncode == 0, told.read_text()
        assert len([json.loads(line) for line in out.splitlines()]) == 3
    finally:
        process.kill()
        practice.stop()
        os.close(terminal)
        os.close(inside)


@with_manager
def test_a_second_bot_is_told_that_one_plays_already(desk: Desk, tmp_path: Path) -> None:
    """Also where the first is paused or killed: then the next one plays."""
    practice = Practice()
    practice.start(30, 16, 99, at=(60, 60))
    words = ["--target", "practice", "--games", "500", "--clicks-per-second", "20"]
    try:
        first = desk.popen("run", "--json", "--record", str(tmp_path), *words)
        until = time.monotonic() + 60
        while time.monotonic() < until and not list(tmp_path.glob("*/game.jsonl")):
            time.sleep(0.05)
        for refused in (
            desk.minebot("run", "--target", "practice"),
            desk.minebot("calibrate", "--anew", "--name", "other"),
        ):
            assert refused.returncode == 1
            assert f"another minebot (process {first.pid}) plays on this screen" in refused.stderr
            assert refused.stderr.count("\n") == 1
        shown = desk.minebot("run", "--target", "practice", "--dry-run", "--json")
        assert shown.returncode == 0, shown.stderr
        assert first.poll() is None, "the second one stopped the first"
        first.kill()
        first.communicate()
        check_lines(desk.play("--target", "practice", "--new", "--record", str(tmp_path)), 1)
    finally:
        practice.stop()


@with_manager
@pytest.mark.parametrize("what", ["moved", "another level"])
def test_a_window_that_changes_in_the_middle_of_a_game(desk: Desk, what: str, tmp_path: Path) -> None:
    """Moved, it is played on. Another level that is chosen is another game, of its own size."""
    practice = Practice()
    # Its first game has no guess: it is not over before something happens to it.
    window = practice.start(16, 16, 40, "--first-click", "zero", "--seed", "6", at=(60, 60))
    words = ["--target", "practice", "--games", "2", "--clicks-per-second", "20"]
    process = desk.popen("run", "--json", "--record", str(tmp_path), *words)
    try:
        begun(tmp_path)
        if what == "moved":
            desk.pointer("windowmove", str(window.id), "400", "350")
        else:
            desk.pointer("key", "--window", str(window.id), "3")
        out, told = process.communicate(timeout=200)
        lines = [json.loads(line) for line in out.splitlines()]
        assert process.returncode == 0, told
        if what == "another level":
            thrown = lines.pop(0)
            assert (thrown["outcome"], thrown["reason"]) == ("stopped", "somebody began another game")
            assert [(line["columns"], line["rows"], line["mines"]) for line in lines] == [(30, 16, 99)] * 2
            assert "the window shows another board now" in told
        check_lines(lines, 2)
    finally:
        practice.stop()


@without_manager
@pytest.mark.parametrize("scale", ["1", "1.5"])
def test_a_strategy_that_does_not_guess_gives_up_only_where_nothing_is_certain(
    desk: Desk, scale: str, tmp_path: Path
) -> None:
    """After a first click that shows a number, nothing is: one click, and the game is given up."""
    words = ("--scale", scale, "--strategy", "local", "--seed", "3", "--record", str(tmp_path))
    lines = desk.play("--practice", *words, "--games", "4")
    assert {line["reason"] for line in lines if line["outcome"] != "won"} == {"no cell is certainly safe"}
    assert 1 in [line["clicks"] for line in lines]
    for line in lines:
        if line["outcome"] == "stopped":
            events = load(Path(line["recording"])).events
            board = [Board.parse("\n".join(each.cells)) for each in events if isinstance(each, BoardEvent)][
                -1
            ]
            rules = Rules(board.columns, board.rows, 10)
            assert strategy("local").decide(Observation(board, Phase.PLAYING, rules), 1).kind is Kind.NONE
