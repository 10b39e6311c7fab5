"""`minebot run` on the page that stands in for Google's Minesweeper, in a real Chromium."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from beside import Cover
from conftest import Desk, for_moved_windows, with_manager
from google_page import LEVELS, GooglePage, Told, boards_in
from played import begun

from bot.board import Board, Phase
from bot.recording.format import BoardEvent
from bot.recording.read import load

pytestmark = [
    pytest.mark.windows,
    pytest.mark.usefixtures("watched"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


def check(lines: list[dict[str, Any]], games: int, told: Told) -> None:
    """No game failed, none was lost but on a guess, and every board was read as the page showed it: of those
    that were seen while cells flew, the cells that were read as opened."""
    assert len(lines) == games
    for line in lines:
        assert line["outcome"] in ("won", "lost"), line
        recording = load(Path(line["recording"]))
        seen = [
            event
            for event in recording.events
            if isinstance(event, BoardEvent)
            and event.phase in (Phase.READY, Phase.PLAYING)
            and (event.early or not event.faults)
        ]
        whole, early = (
            [Board.parse("\n".join(event.cells)) for event in seen if event.early is wanted]
            for wanted in (False, True)
        )
        assert len(whole) + len(early) > 1  # all of a game may be played while cells fly
        assert [board for board in whole if str(board) not in told.boards] == []
        shown = [Board.parse(text) for text in told.boards]
        assert [board for board in early if not any(opened_agree(board, one) for one in shown)] == []
        if line["outcome"] == "lost":
            assert line["guesses"] > 0, line


def opened_agree(early: Board, shown: Board) -> bool:
    """Whether the page showed every cell that was read as opened while others flew."""
    if early.codes.shape != shown.codes.shape:
        return False
    opened = early.codes <= 8
    return bool((early.codes == shown.codes)[opened].all())


@pytest.mark.parametrize(
    ("session_desk", "level", "games", "font", "scale", "more"),
    [
        ("no window manager", "easy", 2, "serif", 1.0, []),
        # Cells of 37.5 pixels.
        ("openbox", "medium", 1, "sans", 1.25, ["--flags"]),
    ],
    indirect=["session_desk"],
)
def test_games_are_played_and_the_next_is_started(
    desk: Desk,
    page: GooglePage,
    level: str,
    games: int,
    font: str,
    scale: float,
    more: list[str],
    tmp_path: Path,
) -> None:
    look: dict[str, Any] = {"scale": scale, "size": (860, 720), "font": font, "page": "dark"}
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", str(elsewhere))
        page.start(level=level, seed=3, first="zero", tell=1, **look)
    with Told() as told:
        lines = desk.play("--target", "google", "--games", str(games), "--record", str(tmp_path), *more)
    check(lines, games, told)
    page.stop()
    assert not list(elsewhere.iterdir()), "the browser leaves files behind"
    assert {(line["columns"], line["rows"], line["mines"]) for line in lines} == {LEVELS[level]}
    grids = {load(Path(line["recording"])).header.frame_grid() for line in lines}
    assert {grid.cell_width for grid in grids} == {{"easy": 45, "medium": 30}[level] * scale}
    replayed = desk.in_process("replay", *(line["recording"] for line in lines))
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr


def start_slow_game(desk: Desk, tmp_path: Path, pace: str = "3") -> Any:
    """A game in play at so many clicks a second, right after its third click."""
    process = desk.popen(
        "run", "--json", "--target", "google", "--clicks-per-second", pace, "--record", str(tmp_path)
    )
    begun(tmp_path, 3)
    return process


def told_how_it_ended(process: Any) -> str | None:
    """The game was played to its end, or a line says why not: never a traceback, never a bad loss. Returns
    the recording of one that was played."""
    out, said = process.communicate(timeout=120)
    assert "Traceback" not in said
    line = json.loads(out.splitlines()[0])
    if line["outcome"] == "lost":
        assert line["guesses"] > 0, line
    elif line["outcome"] == "failed":
        assert said.splitlines()[-1].startswith("minebot: ")
        assert process.returncode == 1
        return None
    else:
        assert line["outcome"] == "won"
    return str(line["recording"])


@for_moved_windows
@pytest.mark.parametrize("what", ["zoomed", "moved"])
def test_a_window_that_changes_in_the_middle_of_a_game(
    desk: Desk, page: GooglePage, what: str, tmp_path: Path
) -> None:
    window = page.open("easy", seed=8, first="zero")
    process = start_slow_game(desk, tmp_path)
    if what == "zoomed":
        desk.pointer("key", "--window", str(window.id), "ctrl+minus")
    else:
        desk.pointer("windowmove", str(window.id), "180", "120")
    recording = told_how_it_ended(process)
    if recording is not None:
        replayed = desk.in_process("replay", recording)
        assert replayed.returncode == 0, replayed.stdout + replayed.stderr


@with_manager
def test_a_page_that_is_zoomed_between_two_games_is_played_on(
    desk: Desk, page: GooglePage, tmp_path: Path
) -> None:
    window = page.open("easy", seed=5, first="zero", tell=1, pace=2)
    with Told() as told:
        process = desk.popen("run", "--json", "--games", "3", "--target", "google", "--record", str(tmp_path))
        assert process.stdout is not None
        lines = [json.loads(process.stdout.readline())]
        desk.pointer("key", "--window", str(window.id), "ctrl+plus")
        out, said = process.communicate(timeout=200)
    assert process.returncode == 0, said
    check([*lines, *(json.loads(line) for line in out.splitlines())], 3, told)


@with_manager
def test_a_window_over_the_board_is_no_end_of_the_game(desk: Desk, page: GooglePage, tmp_path: Path) -> None:
    page.open("medium", seed=4, first="zero")
    clicked = tmp_path / "clicked"
    with Cover(clicked) as cover:
        # It may come between the last look before a click and the click: it comes right after one.
        process = start_slow_game(desk, tmp_path, pace="1")
        cover.show()
        out, said = process.communicate(timeout=120)
    assert process.returncode == 1, out
    assert json.loads(out)["outcome"] == "failed"
    assert "the board is covered by 'a cover': move it away" in said
    assert not clicked.exists()


def test_a_board_that_a_long_title_cuts_off_is_not_told() -> None:
    assert boards_in("mines easy playing ##/## 1#/#") == {"##\n##"}
    assert boards_in("mines easy ready") == set()
