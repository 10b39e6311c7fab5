"""`minebot run` on real GNOME Mines: its skins, uneven cells, hidden boards, dialogs, changing windows."""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import Desk, for_moved_windows, with_manager
from played import begun, check_lines

from bot.screen.programs.games import GnomeMines
from bot.screen.windows import Window

pytestmark = [
    pytest.mark.windows,
    pytest.mark.usefixtures("watched"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.mark.parametrize(
    ("session_desk", "theme", "columns", "rows", "mines", "size"),
    [
        ("no window manager", "classic", 8, 8, 10, None),
        ("openbox", "default", 16, 16, 40, (667, 541)),
        ("no window manager", "bgcolors", 30, 16, 99, (1150, 640)),
        ("openbox", "bgcolors", 30, 16, 99, (1150, 640)),
    ],
    indirect=["session_desk"],
)
def test_games_of_every_skin_and_level(
    desk: Desk,
    gnome_mines: GnomeMines,
    theme: str,
    columns: int,
    rows: int,
    mines: int,
    size: tuple[int, int] | None,
    tmp_path: Path,
) -> None:
    gnome_mines.set_theme(theme)
    gnome_mines.start(columns, rows, mines, at=(40, 60), size=size)
    lines = desk.play("--games", "2", "--record", str(tmp_path), "--name", "Ada")
    check_lines(lines, 2)
    assert {(line["theme"], line["columns"], line["rows"], line["mines"]) for line in lines} == {
        ("gnome-mines", columns, rows, mines)
    }
    replayed = desk.in_process("replay", *(line["recording"] for line in lines))
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr


@with_manager
def test_a_window_that_is_drawn_twice_as_large(
    desk: Desk, gnome_mines: GnomeMines, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GDK_SCALE", "2")
    gnome_mines.start(8, 8, 10, at=(20, 20), size=(480, 320))
    lines = desk.play("--games", "2", "--record", str(tmp_path))
    check_lines(lines, 2)
    replayed = desk.in_process("replay", *(line["recording"] for line in lines))
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr


@with_manager
@pytest.mark.parametrize(
    ("theme", "columns", "rows", "mines"), [("default", 16, 16, 31), ("bgcolors", 30, 16, 75)]
)
def test_the_mines_of_a_custom_game_are_read(
    desk: Desk, gnome_mines: GnomeMines, theme: str, columns: int, rows: int, mines: int, tmp_path: Path
) -> None:
    """Sizes that have another number usually: with that one a move can be called certain and lose."""
    gnome_mines.set_theme(theme)
    gnome_mines.start(columns, rows, mines, at=(40, 60))
    lines = desk.play("--record", str(tmp_path))
    check_lines(lines, 1)
    assert [line["mines"] for line in lines] == [mines]


def started(desk: Desk, folder: Path, *words: str) -> subprocess.Popen[str]:
    """A run at six clicks a second, with a click made."""
    process = desk.popen("run", "--json", "--clicks-per-second", "6", "--record", str(folder), *words)
    begun(folder)
    time.sleep(1)
    return process


def ended(process: subprocess.Popen[str], *, may_stop: bool) -> dict[str, Any]:
    """The line of the first game: it was played to its end, or, where it may, a line says why not."""
    out, told = process.communicate(timeout=200)
    assert "Traceback" not in told
    line: dict[str, Any] = json.loads(out.splitlines()[0])
    if line["outcome"] == "failed":
        assert may_stop, told
        assert process.returncode == 1
        assert "minebot" in told.splitlines()[-1]
    else:
        check_lines([line], 1)
    return line


@with_manager
def test_a_board_that_hides_gets_its_focus_back(desk: Desk, gnome_mines: GnomeMines, tmp_path: Path) -> None:
    gnome_mines.start(16, 16, 40, at=(40, 60))
    process = started(desk, tmp_path)
    desk.unfocus()
    ended(process, may_stop=False)


@for_moved_windows
@pytest.mark.parametrize("what", ["moved", "moved and paused", "larger", "smaller"])
def test_a_window_that_changes_in_the_middle_of_a_game(
    desk: Desk, gnome_mines: GnomeMines, what: str, tmp_path: Path
) -> None:
    window: Window = gnome_mines.start(16, 16, 40, at=(40, 60))
    process = started(desk, tmp_path)
    if what.startswith("moved"):
        if what == "moved and paused":
            desk.unfocus()
        desk.pointer("windowmove", str(window.id), "240", "180")
    else:
        width, height = (900, 760) if what == "larger" else (640, 500)
        desk.pointer("windowsize", str(window.id), str(width), str(height))
    line = ended(process, may_stop=False)
    replayed = desk.in_process("replay", line["recording"])
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr


@with_manager
def test_another_skin_between_two_games(desk: Desk, gnome_mines: GnomeMines, tmp_path: Path) -> None:
    gnome_mines.start(8, 8, 10, at=(40, 60))
    process = desk.popen("run", "--json", "--games", "4", "--record", str(tmp_path))
    assert process.stdout is not None
    lines = []
    for theme in ("bgcolors", "default"):
        lines.append(json.loads(process.stdout.readline()))
        gnome_mines.set_theme(theme)
    out, told = process.communicate(timeout=200)
    assert process.returncode == 0, told
    check_lines([*lines, *(json.loads(line) for line in out.splitlines())], 4)


@with_manager
def test_a_window_that_is_too_small_is_told(desk: Desk, gnome_mines: GnomeMines) -> None:
    gnome_mines.start(30, 16, 99, at=(40, 60), size=(600, 480))
    refused = desk.minebot("run")
    assert refused.returncode == 1
    assert "make the window larger" in refused.stderr, refused.stderr
