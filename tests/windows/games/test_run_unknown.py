"""`minebot run` on real windows whose game no theme knows: a program by others, and a page of our own that
behaves as such games do (`pages/game.js`)."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from beside import Cover
from conftest import Desk, for_moved_windows, stopped_after, with_manager
from mines_page import PAINT_S, MinesPage, listed
from played import begun, heard

from bot.screen.programs.browser import BrowserPage
from bot.screen.programs.started_program import Started, find_program

PAGES = Path(__file__).parents[1] / "pages"

ZOOMED_S = 5
"""How long a browser may take to zoom a page, in seconds."""

TK_GAME, HEXAGONS = PAGES / "tk_game.py", PAGES / "hexagons.html"

pytestmark = [
    pytest.mark.windows,
    pytest.mark.usefixtures("watched"),
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
        ({"bar": "Quit,Scores,New game"}, "button"),
        ({"restart": "key", "motion": "flip", "foot": "Quit,Settings"}, "the key N"),
        ({"restart": "board", "win": "flagged"}, "a button"),
        ({"restart": "alert"}, ""),
        ({"restart": "menu"}, "button"),
        ({"restart": "levels", "bar": "Scores,Easy,Medium"}, "button"),
        ({"loss": "hit", "motion": "pulse", "told": "nothing"}, "button"),
        ({"loss": "nothing"}, "button"),
        ({"told": "above", "mines": "14"}, "button"),
        ({"motion": "confetti", "mines": "6"}, "button"),
    ],
    ids=[
        "button",
        "key, flips",
        "board, flags",
        "alert",
        "menu of levels",
        "levels",
        "hit, pulse",
        "words alone",
        "a row lower",
        "confetti",
    ],
)
def test_a_page_is_played_however_it_starts_its_games(
    desk: Desk, mines_page: MinesPage, tmp_path: Path, behaviour: dict[str, str], started_by: str
) -> None:
    mines_page.open(**behaviour)
    lines = desk.minebot("run", "--games", "2", "--json", "--record", str(tmp_path))
    assert lines.returncode == 0, lines.stderr
    told = [json.loads(line)["outcome"] for line in lines.stdout.splitlines()]
    done = mines_page.done()
    assert done.outcomes[:2] == told, lines.stderr
    assert started_by in lines.stderr, lines.stderr
    assert done.quits == 0


@with_manager
@pytest.mark.parametrize("menu", ["Options,Start,Quit", "Easy,Medium,Hard"])
def test_a_menu_before_the_first_board_is_gone_through(desk: Desk, tmp_path: Path, menu: str) -> None:
    words = ("--menu", menu, "--title", "Minesweeper", "--foot", "New game,Quit")
    program = Started([sys.executable, str(TK_GAME), *words])
    try:
        program.window(lambda window: window.rect.width > 60)
        done = desk.minebot("run", "--games", "2", "--json", "--record", str(tmp_path))
        assert "'Minesweeper' shows no board yet: clicked what starts a game" in done.stderr, done.stderr
        outcomes = [json.loads(line)["outcome"] for line in done.stdout.splitlines()]
        assert len(outcomes) == 2, done.stderr
        assert set(outcomes) <= {"won", "lost"}, done.stderr
    finally:
        program.end()


@with_manager
def test_a_page_that_starts_no_other_game_is_told(desk: Desk, mines_page: MinesPage, tmp_path: Path) -> None:
    mines_page.open(restart="none", bar="Quit")
    process = desk.popen("run", "--games", "2", "--json", "--record", str(tmp_path))
    told = heard(process, "start the next one, I go on when I see it")
    desk.pointer("key", "F8")
    out, more = process.communicate(timeout=200)
    assert process.returncode == 0, told + more
    assert [json.loads(line)["outcome"] for line in out.splitlines()] == mines_page.done().outcomes
    assert mines_page.done().quits == 0


@with_manager
def test_openings_without_the_numbers_around_them_are_played(
    desk: Desk, mines_page: MinesPage, tmp_path: Path
) -> None:
    mines_page.open(rules="rimless", columns=12, rows=10, mines=12)
    lines = desk.play("--games", "4", "--record", str(tmp_path))
    assert [line["outcome"] for line in lines] == mines_page.done().outcomes
    assert len(lines) == 4
    assert all(line["guesses"] for line in lines if line["outcome"] == "lost"), lines


@with_manager
def test_what_has_other_rules_is_told_and_not_played_on(
    desk: Desk, mines_page: MinesPage, tmp_path: Path
) -> None:
    mines_page.open(rules="several", columns=12, rows=10, mines=20)
    done = desk.minebot("run", "--games", "20", "--json", "--record", str(tmp_path))
    assert done.returncode == 1
    assert "has other rules than Minesweeper" in done.stderr, done.stderr


@with_manager
def test_hexagons_are_told_and_not_played(desk: Desk, tmp_path: Path) -> None:
    untouched = "hexagons clicks=0"
    with stopped_after(BrowserPage(HEXAGONS)) as page:
        page.start(size=(520, 480), opened=1)
        until = time.monotonic() + 30
        while untouched not in [one.title for one in listed()]:
            assert time.monotonic() < until, "the page is not there"
            time.sleep(0.05)
        time.sleep(PAINT_S)
        done = desk.minebot("run", "--json", "--record", str(tmp_path))
        assert (done.returncode, done.stdout) == (1, ""), done.stdout
        assert "as of hexagons: that is no Minesweeper of squares, and is not played" in done.stderr
        assert untouched in [one.title for one in listed()], "it was clicked"


@with_manager
def test_an_untouched_board_is_as_good_as_a_new_one(
    desk: Desk, mines_page: MinesPage, tmp_path: Path
) -> None:
    mines_page.open(restart="board", columns=10, rows=8, mines=9)
    lines = desk.play("--new", "--record", str(tmp_path))
    assert lines[0]["outcome"] in ("won", "lost")
    assert mines_page.done().games == 1


@with_manager
def test_a_half_played_game_that_cannot_be_thrown_away_is_played_on(desk: Desk, tmp_path: Path) -> None:
    program = Started([sys.executable, str(TK_GAME), "--columns", "11", "--bar", "Quit"])
    try:
        window = program.window(lambda window: window.rect.width > 60)
        middle = str(window.rect.x + window.rect.width // 2), str(window.rect.bottom - 13 * 8)
        desk.pointer("mousemove", *middle, "click", "1")
        desk.pointer("mousemove", "1000", "900")
        done = desk.minebot("run", "--new", "--json", "--record", str(tmp_path))
        assert "it is played on" in done.stderr, done.stderr
        assert json.loads(done.stdout)["outcome"] in ("won", "lost")
        assert program.runs
    finally:
        program.end()


def zoom(desk: Desk, page: MinesPage, key: str) -> None:
    """Press a key until the page is zoomed: on a busy machine one may be lost."""
    for _ in range(4):
        desk.pointer("key", key)
        until = time.monotonic() + ZOOMED_S
        while time.monotonic() < until:
            if page.done().zoom != 100:
                return
            time.sleep(0.05)
    pytest.fail(f"the page is not zoomed by {key}")


@for_moved_windows
@pytest.mark.parametrize("what", ["moved", "resized", "zoomed out", "zoomed in", "covered", "closed"])
def test_a_window_that_changes_in_the_middle_of_a_game(
    desk: Desk, mines_page: MinesPage, tmp_path: Path, what: str
) -> None:
    clicked = tmp_path / "clicked"
    # An opening at the first click, and few mines: hardly a game is over before something happens to it.
    window = mines_page.open(columns=15, rows=11, mines=22, first="around")
    # A window may come between the last look before a click and the click: it comes right after one.
    pace = "1" if what == "covered" else "5"
    with Cover(clicked) as cover:
        process = desk.popen("run", "--json", "--record", str(tmp_path), "--clicks-per-second", pace)
        begun(tmp_path, 2)
        assert not mines_page.done().outcomes, "the game is over already"
        if what == "moved":
            desk.pointer("windowmove", str(window.id), "300", "120")
        elif what == "resized":
            desk.pointer("windowsize", str(window.id), "720", "660")
        elif what.startswith("zoomed"):
            zoom(desk, mines_page, "ctrl+plus" if what == "zoomed in" else "ctrl+minus")
            assert not mines_page.done().outcomes, "the game ended before the page was zoomed"
        elif what == "covered":
            cover.show()
        else:
            mines_page.stop()
        out, told = process.communicate(timeout=200)
    assert out, told
    outcome = json.loads(out.splitlines()[0])["outcome"]
    if what in ("covered", "closed"):
        assert (process.returncode, outcome) == (1, "failed"), told
        said = {"covered": "covered by 'a cover': move it away", "closed": "was closed or minimised"}
        assert said[what] in told
        assert not clicked.exists()
    elif what == "zoomed in":
        # Its window shows only a part of the board then: the game has not ended.
        assert (process.returncode, outcome) == (1, "failed"), told
        assert "shows another board than before" in told or "could not be read" in told
        assert not mines_page.done().outcomes
    else:
        assert outcome in ("won", "lost"), told
        assert mines_page.done().outcomes[0] == outcome, told
        replayed = desk.minebot("replay", json.loads(out.splitlines()[0])["recording"])
        assert replayed.returncode == 0, replayed.stdout


@with_manager
@pytest.mark.parametrize(
    ("words", "started_by"),
    [
        (["--bar", "Quit,Restart"], "button"),
        (["--side", "Scores,Quit,Options,New game", "--end", "dialog"], "button"),
        (["--side", "Scores,Quit,Options,New game", "--end", "dialog", "--mines", "30"], "button"),
        (["--foot", "Exit", "--focus", "Exit", "--key", "F2", "--title", ""], "the key F2"),
        (["--icons", "new,scores,help,quit"], "button"),
        (["--icons", "scores,new,quit,help", "--end", "dialog"], "button"),
        (["--bar", "Quit"], None),
        (["--foot", "Leave", "--focus", "Leave"], None),
    ],
    ids=[
        "first",
        "in the middle",
        "under the dialog of a lost game",
        "with the keyboard, no title",
        "pictures",
        "scores first",
        "alone",
        "alone, with the keyboard",
    ],
)
def test_no_program_is_quit_wherever_its_button_is(
    desk: Desk, tmp_path: Path, words: list[str], started_by: str | None
) -> None:
    program = Started([sys.executable, str(TK_GAME), *words])
    try:
        program.window(lambda window: window.rect.width > 60)
        process = desk.popen("run", "--games", "2", "--json", "--record", str(tmp_path))
        assert process.stderr is not None
        told = ""
        for line in process.stderr:
            told += line
            if "start the next one, I go on when I see it" in line:
                process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=200)
        assert program.runs, told
    finally:
        program.end()
    outcomes = [json.loads(line)["outcome"] for line in out.splitlines()]
    if started_by is None:
        assert outcomes[0] in ("won", "lost"), told
        assert process.returncode == 130, told
    else:
        assert set(outcomes) <= {"won", "lost"}, told
        assert len(outcomes) == 2, told
        assert started_by in told, told


@with_manager
def test_where_nothing_starts_a_game_it_says_so_and_goes_on(
    desk: Desk, mines_page: MinesPage, tmp_path: Path
) -> None:
    window = mines_page.open(restart="button")
    process = desk.popen("run", "--games", "2", "--restart", "ask", "--record", str(tmp_path))
    heard(process, "start the next game")
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
    heard(process, "playing by what all")
    time.sleep(1)
    desk.unfocus()
    desk.pointer("key", "F12")
    process.communicate(timeout=200)
    assert process.returncode == 130
    assert os.environ["DISPLAY"] == desk.display
    assert not desk.buttons_down()
