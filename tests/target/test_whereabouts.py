"""Another level in the middle of a game: a part of the new board looks like the old one; it is not played."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from misbehaving import Wrapped, window_of
from playing import Told, impatient, no_record, recorder_in, screen_with, session, target_on

from bot.board import LEVELS, Observation, Phase, Result
from bot.geometry import Point
from bot.play import ANOTHER_GAME
from bot.practice.session import PracticeSession
from bot.recording.read import load
from bot.recording.replay import replay
from bot.screen.virtual import VirtualScreen
from bot.session import Play, run_games
from bot.strategy.base import Decision
from bot.strategy.registry import strategy
from bot.vision.grid import Image
from bot.vision.reader import Reader
from bot.vision.theme import Theme

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

PLAYED = {Result.WON, Result.LOST}


@pytest.fixture(scope="module")
def theme() -> Theme:
    return impatient()


@dataclass(kw_only=True)
class Witness(Told):
    """Sees that every decision is made on the board that the window has."""

    played: PracticeSession

    def decided(self, observation: Observation, decision: Decision, clicks: int, seconds: float) -> None:
        super().decided(observation, decision, clicks, seconds)
        assert np.array_equal(observation.board.codes, self.played.game.board.codes), "not the board there is"


@dataclass(kw_only=True)
class Levels(Wrapped):
    """A game of which somebody chooses another level when a click comes, so that the click is lost."""

    content: PracticeSession
    at: int
    key_name: str
    clicks: int = 0

    def press(self, x: int, y: int, button: int) -> None:
        self.clicks += 1
        if self.clicks == self.at:
            self.content.key(self.key_name)
        else:
            self.content.press(x, y, button)

    def release(self, x: int, y: int, button: int) -> None:
        if self.clicks != self.at:
            self.content.release(x, y, button)


class Page(Wrapped):
    """A window that keeps its size whatever level it shows, its game in the top left corner."""

    def image(self) -> Image:
        inner = self.content.image()
        page = np.full((480, 760, 3), 230, np.uint8)
        page[: inner.shape[0], : inner.shape[1]] = inner
        return page


@pytest.mark.parametrize("page", [False, True], ids=["window", "page"])
@pytest.mark.parametrize("at", [1, 2, 9])
@pytest.mark.parametrize(
    ("begins", "key", "size"), [("intermediate", "3", (30, 16)), ("expert", "1", (9, 9))]
)
def test_another_level_is_played_with_its_own_size(
    theme: Theme, tmp_path: Path, page: bool, at: int, begins: str, key: str, size: tuple[int, int]
) -> None:
    played = session(begins, 8)
    content = Levels(content=played, at=at, key_name=key)
    told = Witness(played=played)
    screen = screen_with(Page(content) if page else content)
    run_games(target_on(screen, theme, told), strategy("best"), Play(), recorder_in(tmp_path), told)
    thrown, other = told.lines
    assert (thrown.outcome, thrown.reason) == (Result.STOPPED, ANOTHER_GAME)
    assert (thrown.columns, thrown.rows, thrown.mines) == LEVELS[begins]
    assert other.outcome in PLAYED
    assert (other.columns, other.rows) == size
    assert any("shows another board now" in text for text in told.texts)
    for line in told.lines:
        assert line.recording is not None
        recording = load(Path(line.recording))
        reader = Reader(theme, recording.header.frame_grid())
        assert not replay(recording, reader, strategy("best")).differences


@dataclass(kw_only=True)
class BetweenGames(Wrapped):
    """A game of which somebody chooses another level as the next one is to be started: that click is lost."""

    content: PracticeSession
    key_name: str
    chosen: bool = False
    blind: int = 0
    """Clicks that came after that and hit neither the face nor a cell that was meant."""

    def press(self, x: int, y: int, button: int) -> None:
        if self.content.game.phase.over and not self.chosen:
            self.chosen = True
            self.content.key(self.key_name)
            return
        started = self.content.game.phase is not Phase.READY
        self.blind += self.chosen and not started and not self.content.layout.face.contains(Point(x, y))
        self.content.press(x, y, button)


@pytest.mark.parametrize("moods", [True, False], ids=["face seen", "face not known"])
@pytest.mark.parametrize("page", [False, True], ids=["window", "page"])
@pytest.mark.parametrize(("begins", "key", "size"), [("beginner", "3", (30, 16)), ("expert", "1", (9, 9))])
def test_another_level_between_two_games(
    monkeypatch: pytest.MonkeyPatch,
    theme: Theme,
    moods: bool,
    page: bool,
    begins: str,
    key: str,
    size: tuple[int, int],
) -> None:
    if not moods:
        monkeypatch.setattr(Reader, "has_faces", False)
    played = session(begins, 8)
    content, told = BetweenGames(content=played, key_name=key), Witness(played=played)
    screen = screen_with(Page(content) if page else content)
    run_games(target_on(screen, theme, told), strategy("best"), Play(2), no_record, told)
    first, second = told.lines
    assert (first.columns, first.rows, first.mines) == LEVELS[begins]
    assert first.outcome in PLAYED
    assert second.outcome in PLAYED, second.reason
    assert (second.columns, second.rows) == size
    assert content.blind <= 1  # the first click of the game itself


@pytest.mark.parametrize("moves", [False, True], ids=["once", "always"])
def test_what_changes_beside_a_board_keeps_nobody_from_playing_it(theme: Theme, moves: bool) -> None:
    played = session("beginner", 2)
    told, looks = Witness(played=played), itertools.count()

    class Blinking(Wrapped):
        def image(self) -> Image:
            picture: Image = self.content.image().copy()
            board = played.layout.board
            shade = next(looks) if moves else told.lines
            picture[board.y + 20 : board.y + 30, board.right + 1 : board.right + 3] = 100 if shade else 90
            return picture

    run_games(
        target_on(screen_with(Blinking(played)), theme, told), strategy("best"), Play(3), no_record, told
    )
    assert [line.outcome in PLAYED for line in told.lines] == [True] * 3


def test_a_larger_board_that_does_not_fit_on_the_screen_is_not_played(theme: Theme) -> None:
    played = session("intermediate", 8)
    content, told = Levels(content=played, at=1, key_name="3"), Witness(played=played)
    screen = VirtualScreen(500, 600)
    screen.open(window_of(content))
    run_games(target_on(screen, theme, told), strategy("best"), Play(), no_record, told)
    (line,) = told.lines
    assert line.outcome is Result.FAILED
    assert "was moved or resized, and its board is not to be seen there: show all of it" in line.reason
    assert len(told.decisions) == 1
    assert content.clicks == 1
