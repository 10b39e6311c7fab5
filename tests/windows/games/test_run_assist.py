"""`minebot run --assist` and `--hint` on real windows, with a person whose clicks another program sends."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import mss
import pytest
from conftest import Desk, with_manager, without_manager

from bot.board import Action
from bot.recording.format import BoardEvent, ClickEvent, DecisionEvent, PersonEvent
from bot.recording.read import load
from bot.screen.programs.games import Practice, WineMine

pytestmark = [
    pytest.mark.windows,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

FOUND = re.compile(r"found .* cells of ([\d.]+) pixels at (\d+),(\d+)")
WOULD = re.compile(r"minebot would open row (\d+), column (\d+)")
OVER = re.compile(r"game \d+/\d+ (won|lost)")
WRONG_FLAG = re.compile(
    r"waiting: row 8, column 8 shows a (\d) .*; a flag beside it must be wrong: take it away"
)
OPEN_THAT = re.compile(r"row 8, column 8 shows a 0 .*; if you took a flag away there, open that cell")
SAFE = re.compile(r"certainly safe: row (\d+), column (\d+)")

AGAIN_S = 15.0
"""Seconds after which a person clicks again where nothing came of a click."""


class Person:
    """Reads what minebot tells on stderr, as a person does, and clicks in the window."""

    def __init__(self, desk: Desk, *words: str, command: str = "run") -> None:
        self.desk = desk
        self.process = desk.popen(command, *words)
        self.told: list[str] = []
        self.clicks = 0
        self._read = 0
        self.left_at = (0, 0)
        """Where the person left the pointer."""
        threading.Thread(target=self._listen, daemon=True).start()
        _, found = self.hears(FOUND, limit_s=120)
        self.pitch, self.x, self.y = float(found[1]), int(found[2]), int(found[3])

    def _listen(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.told.append(line)

    def hears(self, *wanted: re.Pattern[str], limit_s: float = 60) -> tuple[int, re.Match[str]]:
        """The next line that says one of these, and which; fails where none comes."""
        until = time.monotonic() + limit_s
        while time.monotonic() < until:
            while self._read < len(self.told):
                self._read += 1
                for number, pattern in enumerate(wanted):
                    found = pattern.search(self.told[self._read - 1])
                    if found:
                        return number, found
            if self.process.poll() is not None and self._read == len(self.told):
                break
            time.sleep(0.02)
        pytest.fail(f"nothing like {[pattern.pattern for pattern in wanted]} in {self.told[-6:]}")

    def at(self, row: int, column: int) -> tuple[str, str]:
        """The pixel of a cell."""
        x, y = (int(self.pitch * (at + 0.5)) for at in (column, row))
        return str(self.x + x), str(self.y + y)

    def click(self, row: int, column: int, button: int = 1) -> None:
        """A click as slow as a person's."""
        self.clicks += 1
        self.desk.pointer("mousemove", *self.at(row, column), "sleep", "0.05", "mousedown", str(button))
        self.desk.pointer("sleep", "0.08", "mouseup", str(button))
        x, y = self.at(row, column)
        self.left_at = int(x), int(y)

    def click_until_seen(self, row: int, column: int, button: int = 1) -> None:
        """A click on a cell that looks different after it; made again where it was lost."""
        self.desk.pointer("mousemove", *self.at(row, column), "sleep", "0.5")  # some games light it up
        self._until_seen(row, column, lambda: self.click(row, column, button))

    def _until_seen(self, row: int, column: int, click: Callable[[], None]) -> None:
        """Click until a cell looks otherwise than before; again where nothing came of it."""
        before = self._look(row, column)
        for _ in range(4):
            click()
            until = time.monotonic() + AGAIN_S
            while time.monotonic() < until:
                if self._look(row, column) != before:
                    return
                time.sleep(0.1)
        pytest.fail(f"row {row}, column {column} looks as it did before the click")

    def _look(self, row: int, column: int) -> bytes:
        """The pixels of a cell, without its edges."""
        x, y = (int(word) for word in self.at(row, column))
        side = int(self.pitch / 2)
        place = {"left": x - side // 2, "top": y - side // 2, "width": side, "height": side}
        with mss.MSS(display=self.desk.display) as screen:
            return bytes(screen.grab(place).rgb)

    def pointer_at(self) -> tuple[int, int]:
        """Where the pointer is."""
        told = subprocess.run(
            ["xdotool", "getmouselocation", "--shell"],
            env=self.desk.environment(),
            capture_output=True,
            text=True,
            check=True,
        )
        values = dict(line.split("=") for line in told.stdout.split())
        return int(values["X"]), int(values["Y"])

    def begin_by_face(self, columns: int, opened: tuple[int, int]) -> None:
        """Clicks on WineMine's face until a cell that is opened is covered again."""
        self._until_seen(*opened, lambda: self._press_face(columns))

    def _press_face(self, columns: int) -> None:
        x = self.x + int(columns * self.pitch / 2)
        self.desk.pointer("mousemove", str(x), str(self.y - 24), "sleep", "0.05", "mousedown", "1")
        self.desk.pointer("sleep", "0.08", "mouseup", "1")

    def plays_along(
        self, *wanted: re.Pattern[str], first: tuple[int, int] | None = None, limit_s: float = 120
    ) -> None:
        """Click the `first` cell, then every one that minebot names so, the guesses by default, until the
        process ends.

        A click may be lost in a busy window: where nothing is told after it, it is made again, as a person
        would, and counts as one.
        """
        until = time.monotonic() + limit_s
        last, clicked = first, time.monotonic()
        if first is not None:
            self.click(*first)
        while self.process.poll() is None and time.monotonic() < until:
            if self._read < len(self.told):
                self._read += 1
                last = None
                for pattern in wanted or (WOULD,):
                    cell = pattern.search(self.told[self._read - 1])
                    if cell:
                        last, clicked = (int(cell[1]), int(cell[2])), time.monotonic()
                        self.click(*last)
            elif last is not None and time.monotonic() - clicked > AGAIN_S:
                clicked = time.monotonic()
                self.click(*last)
                self.clicks -= 1
            time.sleep(0.02)
        if self.process.poll() is None:
            pytest.fail(f"it goes on, and names no cell after {self.told[-8:]}")

    def ends(self) -> list[dict[str, Any]]:
        """The lines of the games, once the process has ended."""
        assert self.process.stdout is not None
        out = self.process.stdout.read()
        self.process.wait(30)
        return [json.loads(line) for line in out.splitlines()]


@contextmanager
def watched(desk: Desk) -> Iterator[list[tuple[int, int]]]:
    """Where the pointer was seen while the body ran, some hundred times a second."""
    from Xlib.display import Display

    seen: list[tuple[int, int]] = []
    done = threading.Event()
    display = Display(desk.display)

    def look() -> None:
        while not done.is_set():
            at = display.screen().root.query_pointer()
            seen.append((at.root_x, at.root_y))
            time.sleep(0.01)

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield seen
    finally:
        done.set()
        thread.join(5)
        display.close()


def wiggle(desk: Desk, y: str, times: int) -> None:
    """Move the pointer to and fro at some height, ten times a second, with no pause in between."""
    words = [["mousemove", str(1100 + step), y, "sleep", "0.1"] for step in range(times)]
    desk.pointer(*(word for each in words for word in each))


@pytest.mark.parametrize(("columns", "rows", "mines"), [(9, 9, 10), (16, 16, 40), (30, 16, 99)])
def test_the_bot_plays_what_is_certain_and_the_person_the_rest(
    desk: Desk, winemine: WineMine, columns: int, rows: int, mines: int, tmp_path: Path
) -> None:
    winemine.start(columns, rows, mines)
    person = Person(desk, "--assist", "--json", "--target", "winmine", "--record", str(tmp_path))
    person.plays_along()
    (line,) = person.ends()
    assert person.process.returncode == 0, person.told
    assert line["mode"] == "assist"
    assert line["outcome"] in ("won", "lost"), line
    assert line["person_moves"] == person.clicks, person.told
    if line["outcome"] == "lost":
        assert "the person's" in line["reason"], line
    recording = load(Path(line["recording"]))
    by_bot = sum(isinstance(event, ClickEvent) for event in recording.events)
    kinds = [type(event) for event in recording.events]
    assert kinds.index(BoardEvent) < kinds.index(DecisionEvent)
    by_person = [event for event in recording.events if isinstance(event, PersonEvent)]
    assert (by_bot, len(by_person)) == (line["clicks"], person.clicks)
    replayed = desk.in_process("replay", line["recording"])
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr


def test_a_hint_follows_the_person_and_never_touches_the_mouse(
    desk: Desk, winemine: WineMine, tmp_path: Path
) -> None:
    winemine.start(9, 9, 10)
    hinting = Person(desk, "--hint", "--json", "--target", "winmine", "--record", str(tmp_path))
    hinting.hears(WOULD)
    with watched(desk) as seen:
        time.sleep(1.5)
        assert len(set(seen)) == 1, "the pointer moved, and no person moved it"
    hinting.plays_along(SAFE, WOULD, first=(4, 4))
    *hints, line = hinting.ends()
    assert hinting.process.returncode == 0, hinting.told
    assert hinting.pointer_at() == hinting.left_at
    assert (line["mode"], line["clicks"]) == ("hint", 0)
    assert line["outcome"] in ("won", "lost")
    assert line["person_moves"] == hinting.clicks
    assert all(hint["event"] == "hint" and len(hint["cells"]) == 9 for hint in hints)
    assert all((hint["survival"] == 1) == bool(hint["safe"]) for hint in hints[1:])
    replayed = desk.in_process("replay", line["recording"])
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr


@with_manager
def test_a_new_game_by_the_face_goes_on(desk: Desk, winemine: WineMine, tmp_path: Path) -> None:
    winemine.start(30, 16, 150)  # with so many, hardly a game is won before the person is asked
    person = Person(desk, "--assist", "--json", "--target", "winmine", "--record", str(tmp_path))
    person.hears(WOULD)
    person.click_until_seen(8, 15)
    person.hears(WOULD)  # what is certain there is played
    person.begin_by_face(30, (8, 15))
    person.plays_along()
    thrown, played = person.ends()
    assert (thrown["outcome"], thrown["reason"]) == ("stopped", "somebody began another game")
    assert played["outcome"] in ("won", "lost")
    replayed = desk.in_process("replay", thrown["recording"], played["recording"])
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr


@contextmanager
def game_to_watch(request: pytest.FixtureRequest, theme: str) -> Iterator[int]:
    """A running game of this theme; the number of its rows and columns."""
    if theme == "practice":
        practice = Practice()
        practice.start(9, 9, 10, "--seed", "3", at=(200, 200))
        try:
            yield 9
        finally:
            practice.stop()
    elif theme == "winmine":
        request.getfixturevalue("winemine").start(9, 9, 10)
        yield 9
    else:
        request.getfixturevalue("gnome_mines").start(8, 8, 10, at=(40, 60))
        yield 8


def is_recorded(folder: Path, text: str) -> None:
    """Wait until a recording there holds this text."""
    until = time.monotonic() + 60
    while not any(text in log.read_text() for log in folder.glob("*/game.jsonl")):
        if time.monotonic() > until:
            found = [log.read_text()[-2000:] for log in folder.glob("*/game.jsonl")]
            pytest.fail(f"{text} is not recorded after 60 s, but {found}")
        time.sleep(0.1)


@without_manager
@pytest.mark.parametrize("theme", ["practice", "winmine", "gnome-mines"])
def test_a_person_who_is_watched_hears_nothing_and_is_judged(
    request: pytest.FixtureRequest, desk: Desk, theme: str, tmp_path: Path
) -> None:
    with game_to_watch(request, theme) as side:
        words = ("--json", "--target", theme, "--record", str(tmp_path))
        person = Person(desk, *words, command="watch")
        before = len(person.told)
        is_recorded(tmp_path, '"event":"board"')  # what was there before the first look is no move
        corner = side - 1, side - 1
        person.click_until_seen(*corner, button=3)
        person.click_until_seen(4, 4)
        is_recorded(tmp_path, f'"action":"flag","row":{side - 1},"column":{side - 1}')
        cells = [(row, column) for row in range(side) for column in range(side)]
        for cell in cells * 3:  # a click may be lost in a busy window
            person.click(*cell)
            time.sleep(0.4)
            if person.process.poll() is not None:
                break
            assert person.pointer_at() == person.left_at
            # The clock of the game may have run out between the two looks: then its end may be told.
            if person.process.poll() is None:
                assert not any(word in "".join(person.told[before:]) for word in ("safe", "guess", "would"))
        (line,) = person.ends()
        assert person.process.returncode == 0, person.told
    assert (line["mode"], line["clicks"], line["outcome"] in ("won", "lost")) == ("hint", 0, True), line
    recording = load(Path(line["recording"]))
    by_person = [event for event in recording.events if isinstance(event, PersonEvent)]
    assert len(by_person) == line["person_moves"] >= 2
    assert (by_person[0].action, by_person[0].row, by_person[0].column) == (Action.FLAG, *corner)
    assert not any(isinstance(event, ClickEvent) for event in recording.events)
    reviewed = desk.minebot("review", line["recording"], "--json")
    assert reviewed.returncode == 0, reviewed.stderr
    review = json.loads(reviewed.stdout)
    assert (review["kind"], review["outcome"], review["moves"]) == (
        "recording",
        line["outcome"],
        len(by_person),
    )
    replayed = desk.in_process("replay", line["recording"])
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr


@without_manager
def test_the_practice_window_and_games_in_a_row(desk: Desk, tmp_path: Path) -> None:
    practice = Practice()
    practice.start(9, 9, 10, "--seed", "3", at=(200, 200))
    try:
        words = ["--assist", "--flags", "--games", "2", "--record", str(tmp_path)]
        person = Person(desk, "--json", "--target", "practice", *words)
        person.plays_along()
        lines = person.ends()
        assert person.process.returncode == 0, person.told
        assert [line["outcome"] in ("won", "lost") for line in lines] == [True, True]
        assert sum(line["person_moves"] for line in lines) == person.clicks
    finally:
        practice.stop()


@without_manager
def test_ctrl_c_while_it_is_the_person_s_turn(desk: Desk, winemine: WineMine) -> None:
    winemine.start(9, 9, 10)
    person = Person(desk, "--assist", "--json", "--no-record")
    person.hears(WOULD)
    person.process.send_signal(signal.SIGINT)
    (line,) = person.ends()  # nobody moves: it would wait for ever
    assert person.process.returncode == 130
    assert line["outcome"] == "stopped"
    assert not desk.buttons_down()


@with_manager
def test_the_bot_does_not_fight_for_the_mouse(desk: Desk) -> None:
    """A person who takes the mouse while it plays keeps it until it rests, and is not asked."""
    practice = Practice()
    # The first click opens a zero: the bot has much to do, and does it slowly.
    practice.start(30, 16, 60, "--first-click", "zero", "--seed", "4")
    try:
        person = Person(desk, "--assist", "--no-record", "--target", "practice", "--clicks-per-second", "8")
        person.hears(WOULD)
        person.click(8, 15)
        until = time.monotonic() + 60
        while time.monotonic() < until and not any("mouse is yours" in line for line in person.told):
            wiggle(desk, "900", 4)
        assert any("mouse is yours" in line for line in person.told), person.told
        with watched(desk) as seen:
            wiggle(desk, "905", 30)
        # Before it, the hand may have rested for as long as the machine was busy: then a click of the bot's
        # may still have been on its way.
        since = [y for _, y in seen].index(905) + 15
        assert len(seen) > 2 * since
        assert {y for _, y in seen[since:]} == {905}, "the bot moved the pointer under the person's hand"
        person.hears(WOULD, OVER)
        person.process.send_signal(signal.SIGINT)
        person.process.wait(20)
    finally:
        practice.stop()


@with_manager
def test_wrong_flags_are_told_and_waited_for(desk: Desk, winemine: WineMine) -> None:
    """The person flags all around a cell and opens it: no number has so many but 8."""
    winemine.start(16, 16, 40)
    person = Person(desk, "--assist", "--json", "--no-record")
    person.hears(WOULD)
    around = [(row, column) for row in (7, 8, 9) for column in (7, 8, 9) if (row, column) != (8, 8)]
    for cell in around:
        person.click_until_seen(*cell, button=3)
    person.click_until_seen(8, 8)
    _, told = person.hears(WRONG_FLAG)
    for cell in around:
        for _ in range(2):  # a flag, a question mark, nothing
            person.click_until_seen(*cell, button=3)
    if told[1] == "0":
        person.hears(OPEN_THAT)
        for cell in around:
            person.click(*cell)
    person.plays_along()
    (line,) = person.ends()
    assert line["outcome"] in ("won", "lost"), line


@without_manager
def test_a_window_that_is_closed_on_the_person_s_turn(desk: Desk, winemine: WineMine) -> None:
    winemine.start(9, 9, 10)
    person = Person(desk, "--hint")
    person.hears(WOULD)
    winemine.stop()
    person.process.wait(30)
    assert person.process.returncode == 1
    assert "was closed" in person.told[-1]
