"""`minebot run` on real WineMine, through real pixels and real clicks."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from contextlib import closing
from pathlib import Path

import pytest
from conftest import Desk, with_manager, without_manager
from played import check_lines

from bot.board import LEVELS
from bot.recording.read import load
from bot.screen.programs.games import Practice, WineMine
from bot.screen.this_machine import system_windows

pytestmark = [
    pytest.mark.windows,
    pytest.mark.usefixtures("watched"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.mark.parametrize(
    ("session_desk", "level", "games"),
    [
        ("no window manager", "beginner", 3),
        ("openbox", "intermediate", 2),
        ("no window manager", "expert", 3),
        ("openbox", "expert", 3),
    ],
    indirect=["session_desk"],
)
def test_games_of_every_level(desk: Desk, winemine: WineMine, level: str, games: int, tmp_path: Path) -> None:
    columns, rows, mines = LEVELS[level]
    winemine.start(columns, rows, mines)
    lines = desk.play("--target", "winmine", "--games", str(games), "--record", str(tmp_path))
    check_lines(lines, games)
    assert {(line["columns"], line["rows"], line["mines"]) for line in lines} == {LEVELS[level]}
    names = [line["recording"] for line in lines]
    replayed = desk.in_process("replay", *names)
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr


def test_flags_and_chords(desk: Desk, winemine: WineMine, tmp_path: Path) -> None:
    winemine.start(16, 16, 40)
    lines = desk.play("--target", "winmine", "--games", "2", "--flags", "--record", str(tmp_path))
    check_lines(lines, 2)


def registry(game: WineMine, value: str) -> str:
    done = subprocess.run(
        ["wine", "reg", "query", r"HKCU\Software\Microsoft\WinMine", "/v", value],
        env=game.environment(),
        capture_output=True,
        text=True,
        timeout=60,
    )
    return done.stdout.split("REG_SZ")[-1].strip()


def titles() -> list[str]:
    with closing(system_windows()) as windows:
        return [window.title for window in windows.windows() if window.program == "winemine.exe"]


def close_politely(game: WineMine) -> None:
    """As a person closes it: then it writes its records."""
    subprocess.run(
        ["wine", "taskkill", "/IM", "winemine.exe"], env=game.environment(), capture_output=True, timeout=60
    )
    until = time.monotonic() + 10
    while time.monotonic() < until and WineMine.title in titles():
        time.sleep(0.1)


def play_until_won(desk: Desk, folder: Path, *words: str) -> None:
    for _ in range(20):
        lines = desk.play("--target", "winmine", "--new", "--record", str(folder), *words)
        check_lines(lines, 1)
        if lines[0]["outcome"] == "won":
            return
    pytest.fail("20 beginner games and not one was won")


def test_a_record_is_entered_by_the_name_that_was_given(
    desk: Desk, winemine: WineMine, tmp_path: Path
) -> None:
    winemine.start(9, 9, 10, level=0)
    play_until_won(desk, tmp_path, "--name", "Ada")
    assert titles() == [WineMine.title], "a dialog was left open"
    close_politely(winemine)
    assert registry(winemine, "Name1") == "Ada"


@with_manager
def test_a_record_is_left_alone_with_no_records(desk: Desk, winemine: WineMine, tmp_path: Path) -> None:
    winemine.start(9, 9, 10, level=0)
    before = registry(winemine, "Name1")
    play_until_won(desk, tmp_path, "--no-records")
    close_politely(winemine)
    assert registry(winemine, "Name1") != "minebot", "that name was entered"
    assert registry(winemine, "Name1") in (before, "Nobody", "")


@without_manager
def test_a_half_played_game_is_not_thrown_away(desk: Desk, winemine: WineMine, tmp_path: Path) -> None:
    winemine.start(16, 16, 40)
    for _ in range(20):
        # `local` never guesses: it stops in the middle of most games.
        lines = desk.play("--target", "winmine", "--new", "--strategy", "local", "--record", str(tmp_path))
        if lines[0]["outcome"] == "stopped":
            break
    refused = desk.minebot("run", "--target", "winmine")
    assert refused.returncode == 1
    assert "half-played" in refused.stderr
    assert "--resume" in refused.stderr
    shown = desk.minebot("run", "--target", "winmine", "--dry-run", "--json")
    assert shown.returncode == 0
    assert json.loads(shown.stdout)["clicks"]
    still = desk.minebot("run", "--target", "winmine")
    assert "half-played" in still.stderr, "the dry run clicked something"
    check_lines(desk.play("--target", "winmine", "--resume", "--record", str(tmp_path)), 1)


@with_manager
def test_two_windows_are_listed_and_one_is_chosen(desk: Desk, winemine: WineMine, tmp_path: Path) -> None:
    winemine.start(9, 9, 10, at=(60, 60))
    practice = Practice()
    practice.start(9, 9, 10, at=(700, 200))
    try:
        refused = desk.minebot("run")
        assert refused.returncode == 1
        assert "WineMine" in refused.stderr
        assert "minebot practice" in refused.stderr
        assert "--window" in refused.stderr
        lines = desk.play("--window", "wine", "--record", str(tmp_path))
        assert lines[0]["theme"] == "winmine"
        lines = desk.play("--window", "practice", "--record", str(tmp_path))
        assert lines[0]["theme"] == "practice"
    finally:
        practice.stop()


@with_manager
def test_a_window_with_cells_off_the_screen(desk: Desk, winemine: WineMine) -> None:
    window = winemine.start(30, 16, 99)
    desk.pointer("windowmove", str(window.id), "1000", "300")
    time.sleep(0.5)
    refused = desk.minebot("run", "--target", "winmine")
    assert refused.returncode == 1
    assert "off the screen" in refused.stderr


@without_manager
def test_no_window_at_all(desk: Desk) -> None:
    done = desk.minebot("run")
    assert done.returncode == 1
    *before, last = done.stderr.splitlines()
    assert "no Minesweeper board was found" in last
    assert len(before) <= 1  # how it is stopped


def interrupted(desk: Desk, winemine: WineMine, tmp_path: Path) -> subprocess.Popen[str]:
    """A long run that is in the middle of one of its games: few mines, so that hardly one is over at once."""
    winemine.start(30, 24, 60)
    process = desk.popen("run", "--target", "winmine", "--games", "500", "--json", "--record", str(tmp_path))
    until = time.monotonic() + 60
    while time.monotonic() < until and len(list(tmp_path.glob("*/game.jsonl"))) < 2:
        time.sleep(0.1)
    return process


def recordings_replay(desk: Desk, folder: Path) -> None:
    for place in folder.iterdir():
        load(place)
    done = desk.in_process("replay", *(str(place) for place in folder.iterdir()))
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("session_desk", "stopped_by"),
    [("no window manager", signal.SIGINT), ("openbox", signal.SIGINT), ("openbox", signal.SIGTERM)],
    indirect=["session_desk"],
)
def test_ctrl_c_stops_at_once_and_keeps_everything(
    desk: Desk, winemine: WineMine, tmp_path: Path, stopped_by: signal.Signals
) -> None:
    process = interrupted(desk, winemine, tmp_path)
    process.send_signal(stopped_by)
    out, told = process.communicate(timeout=20)
    assert process.returncode in (130, 143), told
    assert "Traceback" not in told
    assert json.loads(out.splitlines()[-1])["outcome"] == "stopped"
    assert not desk.buttons_down()
    recordings_replay(desk, tmp_path)


@without_manager
def test_a_killed_run_leaves_recordings_that_replay(desk: Desk, winemine: WineMine, tmp_path: Path) -> None:
    process = interrupted(desk, winemine, tmp_path)
    process.kill()
    process.communicate()
    recordings_replay(desk, tmp_path)


@with_manager
def test_the_fail_safe_corner_stops_at_once(desk: Desk, winemine: WineMine, tmp_path: Path) -> None:
    process = interrupted(desk, winemine, tmp_path)
    # A hand slams the pointer into the corner again and again: the bot moves it too.
    for _ in range(200):
        desk.pointer("mousemove", "0", "0")
        if process.poll() is not None:
            break
    _, told = process.communicate(timeout=20)
    assert process.returncode == 130, told
    # On a busy machine it may see the hand on its way and not in the corner: it stops for that as well.
    assert "fail-safe" in told or "somebody moved the mouse" in told
    assert not desk.buttons_down()
    recordings_replay(desk, tmp_path)


@without_manager
def test_a_moved_mouse_stops_a_bot_that_nobody_can_answer(
    desk: Desk, winemine: WineMine, tmp_path: Path
) -> None:
    process = interrupted(desk, winemine, tmp_path)
    for _ in range(200):
        desk.pointer("mousemove", "900", "800")
        if process.poll() is not None:
            break
    _, told = process.communicate(timeout=20)
    assert process.returncode == 130, told
    assert "moved the mouse" in told


def test_a_closed_window_is_told(desk: Desk, winemine: WineMine, tmp_path: Path) -> None:
    process = interrupted(desk, winemine, tmp_path)
    winemine.stop()
    _, told = process.communicate(timeout=30)
    assert process.returncode == 1, told
    assert "was closed" in told
    assert "Traceback" not in told


@with_manager
def test_a_moved_window_is_followed(desk: Desk, winemine: WineMine, tmp_path: Path) -> None:
    """Only with a window manager: without one, wine does not follow a window that moves."""
    window = winemine.start(30, 16, 99, at=(50, 50))
    # At full speed one move in some hundred sends a click to another cell: Wine has it already, but moves its
    # window before it looks where the click lies.
    words = ["--target", "winmine", "--games", "3", "--clicks-per-second", "20"]
    process = desk.popen("run", *words, "--json", "--record", str(tmp_path))
    until = time.monotonic() + 60
    while time.monotonic() < until and len(list(tmp_path.glob("*/game.jsonl"))) < 2:
        time.sleep(0.05)
    desk.pointer("windowmove", str(window.id), "400", "350")
    out, told = process.communicate(timeout=200)
    assert process.returncode == 0, told
    assert "moved" in told
    check_lines([json.loads(line) for line in out.splitlines()], 3)
