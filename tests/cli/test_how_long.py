"""How long `minebot run` plays, and how it is told to start a game."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

from bot.board import Result
from bot.cli.parts.words.how_long import check_restart, restart_way, seconds_of
from bot.cli.run import command
from bot.errors import UsageError
from bot.geometry import Rect
from bot.screen.windows import Window
from bot.session import Play
from bot.vision.themes.behaviour import NewGameWay


@pytest.mark.parametrize(("text", "seconds"), [("90s", 90), ("10m", 600), ("1.5h", 5400), ("20", 20)])
def test_times(text: str, seconds: float) -> None:
    assert seconds_of(text) == seconds


@pytest.mark.parametrize("text", ["", "0s", "ten", "-3m", "5d"])
def test_what_is_no_time(text: str) -> None:
    with pytest.raises(UsageError, match="--for takes a time"):
        seconds_of(text)


def seen_at(scale: float) -> Any:
    """A board in a window of 300x200 points."""
    window = Window(1, "Mines", Rect(50, 40, 300, 200))
    return SimpleNamespace(view=SimpleNamespace(scale=scale, rect=window.rect), window=window, title="Mines")


def test_ways_to_start_a_game() -> None:
    assert restart_way("Ctrl+N", seen_at(1.0)) == NewGameWay("key", key="ctrl+n")
    assert restart_way("20,14", seen_at(2.0)) == NewGameWay("place", 40, 28)


@pytest.mark.parametrize("text", ["300,20", "20,200", "5000,5000", "999999,1"])
def test_a_place_outside_the_window_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=f"{text} lies outside the window 'Mines', which is 300x200 points"):
        restart_way(text, seen_at(2.0))


@pytest.mark.parametrize("text", ["!", "-5,-5", "5,", ""])
def test_what_is_neither_key_nor_place(text: str) -> None:
    with pytest.raises(UsageError, match="--restart takes a key"):
        check_restart(text)


@pytest.mark.parametrize("text", ["foo", "f13", "foo+n", "n+ctrl"])
def test_keys_that_there_are_not(text: str) -> None:
    with pytest.raises(UsageError, match=r"no such key: give a letter, a digit, f1 to f12 or one of enter, "):
        check_restart(text)


@pytest.mark.parametrize("text", ["foo", "-5,-5"])
def test_a_way_that_cannot_be_is_told_before_anything_is_looked_for(text: str) -> None:
    done = CliRunner().invoke(command, ["--restart", text])
    assert isinstance(done.exception, UsageError)


def test_when_enough_was_played() -> None:
    class Line:
        def __init__(self, outcome: Result) -> None:
            self.outcome = outcome

    lost: Any = [Line(Result.LOST)]
    won: Any = [Line(Result.LOST), Line(Result.WON)]
    assert Play(9, until_won=True).goes_on(lost, 0)
    assert not Play(9, until_won=True).goes_on(won, 0)
    assert Play(9).goes_on(won, 1e9)
    assert Play(9, time_s=60).goes_on(lost, 59)
    assert not Play(9, time_s=60).goes_on(lost, 61)
    assert Play(9, time_s=60).goes_on([], 61), "one game is played in any case"


def test_wrong_words_are_told_before_anything_is_looked_for() -> None:
    done = CliRunner().invoke(command, ["--practice", "--virtual", "--for", "soon"])
    assert isinstance(done.exception, UsageError)
