"""`minebot run` on real windows whose game no theme knows: a program by others, and a page of our own that
behaves as such games do (`pages/game.js`)."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Desk, stopped_after, with_manager
from mines_page import MinesPage

from bot.screen.programs.started_program import Started, find_program

pytestmark = [
    pytest.mark.windows,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture
def mines_page(desk: Desk) -> Iterator[MinesPage]:
    """The page, not opened yet; it closes with the test."""
    with stopped_after(MinesPage()) as one:
        yield one


@with_manager
def test_a_program_by_others_is_played_at_once(desk: Desk, tmp_path: Path) -> None:
    path = find_program("sgt-mines")
    if path is None:
        pytest.skip("there is no sgt-mines: apt-get install sgt-puzzles")
    program = Started([path, "9x9n10"])
    try:
        program.window(lambda window: True)
        done = desk.minebot("run", "--games", "2", "--record", str(tmp_path))
        assert done.returncode == 0, done.stderr
        assert "playing by what all Minesweepers share" in done.stderr
        assert "a new game is started by" in done.stderr
        assert "is kept as" in done.stderr
        again = desk.play("--new", "--record", str(tmp_path))
        assert again[0]["outcome"] in ("won", "lost")
        assert str(again[0]["theme"]).endswith("-played"), "what was learned is used the next time"
        program.window(lambda window: True)
    finally:
        program.end()


@with_manager
@pytest.mark.parametrize(
    ("behaviour", "started_by"),
    [
        ({"restart": "button"}, "button"),
        ({"restart": "key", "motion": "flip"}, "the key N"),
    ],
    ids=["button", "key"],
)
def test_a_page_is_played_however_it_starts_its_games(
    desk: Desk, mines_page: MinesPage, tmp_path: Path, behaviour: dict[str, str], started_by: str
) -> None:
    mines_page.open(**behaviour)
    lines = desk.minebot("run", "--games", "2", "--json", "--record", str(tmp_path))
    assert lines.returncode == 0, lines.stderr
    assert lines.stdout.count('"outcome":"won"') + lines.stdout.count('"outcome":"lost"') == 2, lines.stdout
    assert started_by in lines.stderr
    done = mines_page.done()
    assert len(done.outcomes) >= 2, done
    told = [word for word in ("won", "lost") for _ in range(lines.stdout.count(f'"outcome":"{word}"'))]
    assert sorted(done.outcomes[:2]) == sorted(told)


@with_manager
def test_where_nothing_starts_a_game_it_says_so_and_goes_on(
    desk: Desk, mines_page: MinesPage, tmp_path: Path
) -> None:
    window = mines_page.open(restart="button")
    process = desk.popen("run", "--games", "2", "--restart", "ask", "--record", str(tmp_path))
    assert process.stderr is not None
    for line in process.stderr:
        if "start the next game" in line:
            break
    time.sleep(0.5)
    desk.pointer("mousemove", str(window.rect.x + 60), str(window.rect.y + 46), "click", "1")
    desk.pointer("mousemove", str(window.rect.x + 400), str(window.rect.y + 480))
    _, told = process.communicate(timeout=200)
    assert process.returncode == 0, told


@with_manager
def test_a_key_stops_it_whichever_window_has_the_keyboard(
    desk: Desk, mines_page: MinesPage, tmp_path: Path
) -> None:
    mines_page.open(restart="button")
    process = desk.popen("run", "--for", "10m", "--record", str(tmp_path), "--clicks-per-second", "2")
    assert process.stderr is not None
    for line in process.stderr:
        if "playing by what all" in line:
            break
    time.sleep(1)
    desk.unfocus()
    desk.pointer("key", "F12")
    process.communicate(timeout=60)
    assert process.returncode == 130
    assert os.environ["DISPLAY"] == desk.display
    assert not desk.buttons_down()
