"""Another level is chosen in the middle of a game of ours: it is another game, of its own size."""

from __future__ import annotations

import json
import os
import pty
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from conftest import Desk, with_manager
from google_page import LEVELS, GooglePage
from played import begun, check_lines

from bot.screen.programs.games import GnomeMines, WineMine
from bot.screen.this_machine import system_windows

pytestmark = [
    pytest.mark.windows,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

CELL, PAGE_TOP = 45, 40
"""Of the page at its easy level: the width of a cell, and where its header begins, in pixels."""


def check(lines: list[dict[str, Any]], told: str, size: tuple[int, int, int]) -> None:
    thrown, *played = lines
    assert (thrown["outcome"], thrown["reason"]) == ("stopped", "somebody began another game")
    assert [(line["columns"], line["rows"], line["mines"]) for line in played] == [size]
    assert "the window shows another board now" in told
    assert all(line["outcome"] == "won" or (line["outcome"] == "lost" and line["guesses"]) for line in played)


@with_manager
@pytest.mark.parametrize(
    ("begins", "key", "size"), [((9, 9, 10), "i", (16, 16, 40)), ((30, 16, 99), "b", (9, 9, 10))]
)
def test_winemine(
    desk: Desk,
    winemine: WineMine,
    begins: tuple[int, int, int],
    key: str,
    size: tuple[int, int, int],
    tmp_path: Path,
) -> None:
    """By its menu: a click that comes while that is open only closes it, so the keys are struck again.

    Its second click loses one game of ten at these sizes: then there is no game in whose middle anything
    could be chosen, and another one is begun.
    """
    for number in range(5):
        winemine.start(*begins, at=(60, 60))
        recordings = tmp_path / str(number)
        process = desk.popen("run", "--json", "--record", str(recordings), "--clicks-per-second", "4")
        begun(recordings)
        until = time.monotonic() + 30
        while process.poll() is None and time.monotonic() < until and len(list(recordings.iterdir())) < 2:
            desk.pointer("key", "--delay", "40", "alt+g", key, "sleep", "3")
        out, told = process.communicate(timeout=200)
        assert process.returncode == 0, told
        lines = [json.loads(line) for line in out.splitlines()]
        if lines[0]["outcome"] == "stopped":
            break
        check_lines(lines, 1)
        winemine.stop()
    check(lines, told, size)


def click(desk: Desk, x: int, y: int) -> None:
    """Click as a person would, and give the window time."""
    desk.pointer("mousemove", str(x), str(y), "sleep", "0.2", "click", "1", "sleep", "0.8")


@contextmanager
def paused(
    desk: Desk, recordings: Path, *words: str
) -> Iterator[Callable[[], tuple[list[dict[str, Any]], str]]]:
    """A slow game that pauses while a person has the mouse, from its first click on; what is given lets it go
    on, waits for its end, and gives the lines of its games and what it told."""
    terminal, inside = pty.openpty()
    process = desk.popen(
        "run", "--json", "--clicks-per-second", "8", "--record", str(recordings), *words, stdin=inside
    )
    assert process.stderr is not None
    told = ""
    try:
        begun(recordings)
        desk.pointer("mousemove", "1200", "1000")
        while "paused" not in told:
            line = process.stderr.readline()
            assert line, told
            told += line

        def go_on() -> tuple[list[dict[str, Any]], str]:
            os.write(terminal, b"\n")
            out, more = process.communicate(timeout=150)
            assert process.returncode == 0, told + more
            return [json.loads(line) for line in out.splitlines()], told + more

        yield go_on
    finally:
        process.kill()
        os.close(terminal)
        os.close(inside)


@with_manager
@pytest.mark.timeout(250)
def test_google(desk: Desk, page: GooglePage, tmp_path: Path) -> None:
    """By the list above the board. The window keeps its size."""
    window = page.open("easy", seed=8, first="zero", tutorial=0, pace=2)
    left, top = window.rect.center.x - LEVELS["easy"][0] * CELL // 2 + 60, window.rect.y + PAGE_TOP
    with paused(desk, tmp_path, "--target", "google") as go_on:
        click(desk, left, top + 30)
        click(desk, left, top + 100)
        check(*go_on(), LEVELS["medium"])


@with_manager
@pytest.mark.timeout(250)
def test_gnome_mines(desk: Desk, gnome_mines: GnomeMines, tmp_path: Path) -> None:
    """By its button, and the dialog that asks whether to. The window keeps its size, its cells shrink.

    At its smallest level one game of thirty is over within a second.
    """
    window = gnome_mines.start(12, 12, 20, at=(40, 60), size=(1000, 560))
    with paused(desk, tmp_path) as go_on, closing(system_windows()) as windows:
        click(desk, window.rect.right - 232, window.rect.bottom - 119)
        until = time.monotonic() + 20
        while time.monotonic() < until and not (asks := [one for one in windows.windows() if not one.title]):
            time.sleep(0.05)
        click(desk, asks[0].rect.x + asks[0].rect.width * 3 // 4, asks[0].rect.bottom - 17)
        gnome_mines.choose(16, 16, 40)
        check(*go_on(), (16, 16, 40))
