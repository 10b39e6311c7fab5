"""How `minebot run` goes on where the first board shows what its theme does not know."""

from __future__ import annotations

from contextlib import ExitStack
from types import SimpleNamespace
from typing import Any

import pytest

from bot.cli.parts import live_play
from bot.cli.parts.live_play import RunSetup, play_window
from bot.cli.parts.live_report import LiveReporter
from bot.cli.parts.words.run_options import PlayOptions, RunOptions, WindowOptions
from bot.config import Settings
from bot.errors import ThemeMisfit
from bot.strategy.partial import Partial
from bot.strategy.registry import strategy

PLAYER = strategy("best")
KNOWN: Any = "as the theme reads it"
OTHERWISE: Any = "as it is read without a theme"


class Played:
    """What games were played with, in place of playing them: the theme of the first ones misfits."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.tries: list[tuple[PlayOptions, Any, Any]] = []
        monkeypatch.setattr(live_play, "window_target", self._target)
        monkeypatch.setattr(live_play, "_play_games", self._play)
        monkeypatch.setattr(live_play, "read_otherwise", lambda target, error: OTHERWISE)

    @staticmethod
    def _target(setup: RunSetup, sighting: Any, screen: Any, mouse: Any) -> Any:
        return SimpleNamespace(name="classic", sighting=sighting)

    def _play(self, setup: RunSetup, player: Any, target: Any, ways_out: ExitStack) -> list[Any]:
        self.tries.append((setup.options.play, player, target.sighting))
        if target.sighting is KNOWN:
            raise ThemeMisfit("two cells are unread")
        return ["a line"]


def play(options: RunOptions) -> list[Any]:
    """Play a window that a theme seemed to know."""
    none: Any = None
    setup = RunSetup(options, Settings(), LiveReporter(1, as_json=False), log=None)
    with ExitStack() as ways_out:
        return play_window(setup, PLAYER, KNOWN, none, none, ways_out)


def test_a_theme_that_misfits_is_left_out_and_the_game_played_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    played = Played(monkeypatch)
    assert play(RunOptions(play=PlayOptions(new=True, games=4))) == ["a line"]
    first, second = played.tries
    assert first == (PlayOptions(new=True, games=4), PLAYER, KNOWN)
    assert second == (PlayOptions(resume=True, games=4), Partial(PLAYER), OTHERWISE)
    assert "the theme classic does not know all cells of this window" in capsys.readouterr().err


def test_a_theme_that_was_asked_for_is_not_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    played = Played(monkeypatch)
    with pytest.raises(ThemeMisfit, match="two cells are unread"):
        play(RunOptions(WindowOptions(target="classic")))
    assert len(played.tries) == 1
