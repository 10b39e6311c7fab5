"""A Ctrl-C between two games: each game has its line, and the next one is told as stopped."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from playing import Told, no_record, recorder_in, screen_with, session, target_on

from bot.board import Cell, Move, Observation, Result
from bot.game_line import Ended, GameLine
from bot.recording.read import load
from bot.session import Play, run_games
from bot.strategy.base import Decision, Kind
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


@dataclass(frozen=True)
class Guessing:
    """Guesses the first cell that is covered."""

    name: str = "guessing"
    version: int = 1

    def decide(self, observation: Observation, turn: int) -> Decision:
        cell = observation.board.where(Cell.COVERED)[0]
        return Decision(Kind.GUESS, "first", safe=(cell,), survival=0.5)


def test_a_guess_that_was_kept_back_is_none_of_an_interrupted_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """It counted once it was decided, and again when it was decided anew."""
    told = Told()
    target = target_on(screen_with(session(seed=3)), load_theme("practice"), told)
    act, tries = target.act, 0

    def tried(moves: Sequence[Move], *, certain: bool = True) -> int:
        nonlocal tries
        tries += 1
        if tries == 1:
            return 0
        if tries == 3:
            raise KeyboardInterrupt
        return act(moves, certain=certain)

    monkeypatch.setattr(target, "act", tried)
    with pytest.raises(KeyboardInterrupt):
        run_games(target, Guessing(), Play(), no_record, told)
    (line,) = told.lines
    assert (line.outcome, line.guesses, line.survival) == (Result.STOPPED, 1, 0.5)
