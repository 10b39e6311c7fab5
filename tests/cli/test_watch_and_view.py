"""`minebot watch` and `minebot run --view`: their words, and what they tell."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from urllib.request import urlopen

import pytest
from click.testing import CliRunner

from bot.assist import Turn, WaitReason
from bot.board import Action, Board, FirstClick, Move, Observation, Phase, Result, Rules
from bot.cli import run, watch
from bot.cli.parts.assist_report import AssistReporter
from bot.cli.parts.showing.live_view import open_behind, serve
from bot.cli.parts.showing.watch_report import WatchReporter
from bot.cli.parts.words.run_options import KeptOptions, PlayOptions, Role, RunOptions, WindowOptions
from bot.errors import UsageError
from bot.game_line import Mode, SharedLine
from bot.geometry import Rect
from bot.screen.windows import NoWindows, Window
from bot.strategy.base import Decision, Kind

SEEN = Observation(Board.parse("1#\n##"), Phase.PLAYING, Rules(2, 2, 1))
DECISION = Decision(Kind.GUESS, "safest", safe=((0, 1),), survival=2 / 3, reason="a third each")
LINE = SharedLine(
    target="practice", theme="practice", columns=2, rows=2, mines=1, first_click=FirstClick.SAFE,
    outcome=Result.LOST, seconds=1.0, clicks=0, guesses=1, survival=0.5, bbbv=1, recording="here", reason="",
    mode=Mode.HINT, person_moves=2,
)  # fmt: skip


def test_watch_is_run_that_only_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    got: list[RunOptions] = []

    def carry_out(options: RunOptions) -> int:
        got.append(options)
        return 3

    monkeypatch.setattr("bot.cli.run.carry_out", carry_out)
    result = CliRunner().invoke(watch.command, ["--window", "Mines", "--games", "3", "--keep"])
    assert result.exit_code == 3, result.output
    play = PlayOptions(role=Role.WATCH, games=3)
    assert got == [RunOptions(WindowOptions(title="Mines"), play, KeptOptions(keep=True))]


def test_who_is_watched_is_told_nothing_before_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    reporter = WatchReporter(1, as_json=False)
    reporter.game_starts(1)
    reporter.shown(Turn(SEEN, DECISION))
    reporter.waits(WaitReason.CHOICE, "")
    reporter.person_moved(())
    assert capsys.readouterr() == ("", "")
    reporter.game_over(LINE)
    told = capsys.readouterr().err
    assert "lost in 1.00 s" in told
    assert "minebot review here" in told


def test_a_viewer_sees_what_the_reporter_is_told() -> None:
    told: list[str] = []
    with ExitStack() as ways_out:
        view = serve(told.append, ways_out)
        reporter = WatchReporter(1, as_json=True)
        reporter.viewers.append(view)
        reporter.game_starts(1)
        reporter.decided(SEEN, DECISION, 5, 1.0)
        reporter.game_over(LINE)
        address = re.fullmatch(r"look on at (http://127\.0\.0\.1:\d+/\S{20,}/)", told[0])
        assert address is not None
        with urlopen(f"{address[1]}news", timeout=20) as answer:
            news = answer.read().decode()
        assert '"board": "1###"' in news
        assert '"outcome": "lost"' in news


def test_the_page_counts_the_clicks_of_both_players() -> None:
    calls: list[tuple[int, str]] = []

    class Counting:
        def game_starts(self, number: int) -> None:
            calls.append((number, "starts"))

        def shown(self, seen: Observation, decision: Decision, clicks: int = 0, seconds: float = 0.0) -> None:
            calls.append((clicks, "clicks"))

        def game_over(self, outcome: str, seconds: float | None, guesses: int, survival: float) -> None:
            raise AssertionError

    for mode in (Mode.HINT, Mode.ASSIST):
        reporter = AssistReporter(2, mode, as_json=True, sound=False)
        reporter.viewers.append(Counting())
        reporter.game_starts(1)
        reporter.shown(Turn(SEEN, DECISION))
        reporter.person_moved([Move(Action.OPEN, 0, 0), Move(Action.FLAG, 1, 1)])
        reporter.decided(SEEN, DECISION, 5, 1.0)
        reporter.shown(Turn(SEEN, DECISION))
        reporter.game_starts(2)
        reporter.shown(Turn(SEEN, DECISION))
        told = [count for count, what in calls if what == "clicks"]
        assert told == [0, 7, 7, 0], mode
        calls.clear()


def test_open_goes_with_view() -> None:
    with pytest.raises(UsageError, match="--open opens the page of --view: add it"):
        run.command.main(["--open"], standalone_mode=False)


def _browser_is(folder: Path, monkeypatch: pytest.MonkeyPatch, first: str, wait: str, end: str = "") -> None:
    """The user's browser, the only one: it asks for the news, and `wait`s before it ends.

    As a real one, it stays open where the page cannot be had: a run may have ended by then.
    """
    script = folder / "browser.py"
    asks = "try: urlopen(sys.argv[1] + 'news').read()\nexcept (OSError, HTTPException): pass"
    imports = "from http.client import HTTPException; from urllib.request import urlopen"
    script.write_text(f"import os, sys, time; {imports}\n{first}\n{asks}\n{wait}")
    monkeypatch.setenv("BROWSER", f"{sys.executable} {script} %s{end}")
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.delenv("DISPLAY", raising=False)


OPENS = """
from contextlib import ExitStack
from bot.cli.parts.showing.live_view import open_behind, serve
from bot.screen.windows import NoWindows
with ExitStack() as ways_out:
    open_behind(serve(print, ways_out), NoWindows(), None, print)
"""
"""A run that opens the page, and ends."""


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="there the system starts the browser")
@pytest.mark.parametrize("end", ["", " &"])
def test_a_browser_that_stays_open_keeps_neither_the_run_nor_its_pipe(
    end: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = tmp_path / "number"
    written = f"open({str(number) + '.new'!r}, 'w').write(str(os.getpid()))"
    named = f"os.replace({str(number) + '.new'!r}, {str(number)!r})"
    first = f"{written}; {named}; print('chatter', flush=True)"
    _browser_is(tmp_path, monkeypatch, first, "time.sleep(300)", end)
    try:
        run = subprocess.run([sys.executable, "-c", OPENS], stdout=subprocess.PIPE, text=True, timeout=100)
        until = time.monotonic() + 60
        while not number.exists() and time.monotonic() < until:
            time.sleep(0.05)
        os.kill(int(number.read_text()), 0)  # the browser is still open
    finally:
        if number.exists():
            os.kill(int(number.read_text()), signal.SIGKILL)
    assert run.returncode == 0
    assert re.fullmatch(r"look on at http://127\.0\.0\.1:\d+/\S+/\n", run.stdout)


class Desktop(NoWindows):
    """Windows that are put to the front."""

    def __init__(self) -> None:
        self.front: list[str] = []

    def to_front(self, window: Window) -> None:
        self.front.append(window.title)


@pytest.mark.skipif(os.name == "nt", reason="there the system starts the browser")
@pytest.mark.parametrize("there_is_one", [True, False])
def test_the_page_is_opened_behind_the_game(
    there_is_one: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A browser that starts asks for the news; only then does its window lie over the game."""
    desktop, told = Desktop(), list[str]()

    _browser_is(tmp_path, monkeypatch, "" if there_is_one else "sys.exit(1)", "")
    game = Window(1, "Mines", Rect(0, 0, 9, 9))
    with ExitStack() as ways_out:
        view = serve(lambda text: None, ways_out)
        open_behind(view, desktop, game, told.append)
        open_behind(view, desktop, None, told.append)  # a desktop that does not say which window it is
    assert desktop.front == (["Mines"] if there_is_one else [])
    assert told == ([] if there_is_one else ["no browser could be opened: open that address yourself"] * 2)
