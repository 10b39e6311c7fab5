"""A Ctrl-C between two games: each game has its line, and the next one is told as stopped."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from pathlib import Path

import pytest
from playing import Told, recorder_in, screen_with, session, target_on

from bot.board import Result
from bot.game_line import Ended, GameLine
from bot.recording.read import load
from bot.session import Play, run_games
from bot.strategy.registry import strategy
from bot.vision.themes.theme import load_theme


@dataclass
class Impatient(Told):
    """Presses Ctrl-C once the line of that game was told."""

    after: int = 1

    def game_over(self, line: GameLine) -> None:
        super().game_over(line)
        if len(self.lines) == self.after:
            signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize("games", [1, 3])
def test_a_ctrl_c_between_two_games_leaves_no_game_untold(tmp_path: Path, games: int) -> None:
    told, counted = Impatient(), list[Ended]()
    target = target_on(screen_with(session(seed=3)), load_theme("practice"), told)
    with pytest.raises(KeyboardInterrupt):
        run_games(target, strategy("best"), Play(games), recorder_in(tmp_path), told, counted.append)
    first, *others = told.lines
    assert first.outcome in (Result.WON, Result.LOST)
    # The one game that was asked for is over; of several the next one was not begun.
    assert [(line.outcome, line.clicks, line.recording) for line in others] == [
        (Result.STOPPED, 0, None) for _ in range(min(1, games - 1))
    ]
    assert [one.line for one in counted] == told.lines
    (recording,) = tmp_path.iterdir()
    assert load(recording).outcome is not None, "its recording is closed"
