"""The dialog of a game that was won: whatever becomes of it, the game is won."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from misbehaving import Plain, Wrapped, window_of
from playing import Told, impatient, recorder_in, session, target_on
from test_window_target import with_dialog

from bot.board import Cell, Observation, Phase, Result
from bot.errors import Stopped
from bot.geometry import Point
from bot.practice.session import PracticeSession
from bot.recording.read import load
from bot.screen.virtual import VirtualScreen, VirtualWindow
from bot.session import Play, run_games
from bot.strategy.base import Decision, Kind
from bot.targets.window.events import dialogs


@dataclass
class Wins:
    """Opens every cell that is no mine."""

    content: PracticeSession
    name: str = "wins"
    version: int = 1

    def decide(self, observation: Observation, turn: int) -> Decision:
        truth = self.content.game.truth_for_simulators
        if truth is None:
            return Decision(Kind.FIRST, "middle", ((4, 4),))
        mines = np.asarray(truth.mines)
        safe = tuple(cell for cell in observation.board.where(Cell.COVERED) if not mines[cell])
        return Decision(Kind.CERTAIN, "seen", safe)


@dataclass
class Congratulates(Wrapped):
    """Opens a dialog at each win."""

    content: PracticeSession
    congratulate: Callable[[], None]

    def release(self, x: int, y: int, button: int) -> None:
        was_won = self.content.game.phase is Phase.WON
        self.content.release(x, y, button)
        if self.content.game.phase is Phase.WON and not was_won:
            self.congratulate()


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialogs, "CLOSES_S", 0.1)
    monkeypatch.setattr(dialogs, "STAYS_S", 0.1)


def play(folder: Path, told: Told, games: int, on_key: Callable[[VirtualScreen], None]) -> None:
    """Play with a dialog at each win, and call `on_key` at each key that it gets."""
    screen, content, dialog = VirtualScreen(), session(seed=1), Plain(120, 30)
    window = VirtualWindow(dialog, "Congratulations!", Point(600, 90), program="practice")
    dialog.on_key = lambda _: on_key(screen)
    screen.open(window_of(Congratulates(content, lambda: screen.stack.append(window))))
    target = target_on(screen, with_dialog(impatient()), told)
    run_games(target, Wins(content), Play(games), recorder_in(folder), told)


@pytest.mark.parametrize("games", [1, 2])
def test_a_game_is_won_though_its_dialog_stays_and_the_next_one_tells_why_it_fails(
    tmp_path: Path, games: int
) -> None:
    told = Told()
    play(tmp_path, told, games, lambda _: None)
    won, *others = told.lines
    assert (won.outcome, won.reason) == (Result.WON, "")
    assert any("does not close" in text for text in told.texts)
    assert [line.outcome for line in others] == [Result.FAILED] * (games - 1)
    assert all("'Congratulations!' does not close" in line.reason for line in others)


@pytest.mark.parametrize("games", [1, 2])
def test_who_stops_the_bot_at_the_dialog_of_a_game_that_is_won_stops_the_next_one(
    tmp_path: Path, games: int
) -> None:
    def to_corner(screen: VirtualScreen) -> None:
        screen.pointer = Point(0, 0)

    told = Told()
    with pytest.raises(Stopped, match="fail-safe"):
        play(tmp_path, told, games, to_corner)
    won, *others = told.lines
    assert [line.outcome for line in others] == [Result.STOPPED] * (games - 1)
    assert won.outcome is Result.WON
    recording = load(next(tmp_path.iterdir()))
    assert recording.outcome is not None
    assert recording.outcome.result is Result.WON


def test_a_ctrl_c_at_the_dialog_of_a_game_that_is_won_leaves_it_won(tmp_path: Path) -> None:
    def interrupt(_: VirtualScreen) -> None:
        raise KeyboardInterrupt

    told = Told()
    with pytest.raises(KeyboardInterrupt):
        play(tmp_path, told, 1, interrupt)
    assert [line.outcome for line in told.lines] == [Result.WON]
