"""Which way to start a game fits which window."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from misbehaving import Plain, Wrapped, window_of
from playing import INTERVAL_S, Told, guess_a_mine, impatient, no_record, session, target_on, unknown_target

from bot.board import Result
from bot.errors import WindowError, WindowLost
from bot.geometry import Point
from bot.screen.mouse import Button
from bot.screen.virtual import VirtualScreen, VirtualWindow
from bot.session import Play, run_games
from bot.strategy.registry import strategy
from bot.targets.window.act.pointer import Pointer
from bot.targets.window.events import new_game
from bot.targets.window.locate.board_finder import choose, look_around
from bot.targets.window.play_settings import PlaySettings
from bot.targets.window.window_target import WindowTarget
from bot.vision.grid import Image
from bot.vision.themes.behaviour import GameBehaviour, NewGameWay
from bot.vision.themes.theme import Theme, load_theme

ASKED = {"asks_for_games": False, "is_unknown": False, "way_is_given": False}
"""What else the ways ask of a window whose theme is known."""


def fitting(behaviour: GameBehaviour, *, face: bool) -> list[str]:
    """The ways that fit, the one that is taken first."""
    observer: Any = SimpleNamespace(
        behaviour=behaviour, face_on_screen=lambda: object() if face else None, **ASKED
    )
    return [way.start.__name__ for way in new_game.WAYS if way.fits(observer)]


@pytest.mark.parametrize(
    ("name", "way"),
    [
        ("winmine", "by_face"),
        ("xdemineur", "by_face"),
        ("gnome-mines", "by_face"),
        ("practice", "by_face"),
        ("google", "by_end_button"),
        ("windows7", "by_end_dialog"),
    ],
)
def test_the_way_of_a_theme(name: str, way: str) -> None:
    theme = load_theme(name)
    assert fitting(theme.behaviour, face=theme.skin.face is not None)[0] == way


def test_what_was_learned_wins() -> None:
    learned = replace(load_theme("google").behaviour, new_game=NewGameWay("key", key="f2"))
    assert fitting(learned, face=True)[0] == "as_learned"


def test_where_no_way_is_known_it_says_so() -> None:
    observer = SimpleNamespace(behaviour=GameBehaviour(), face_on_screen=lambda: None, name="none", **ASKED)
    controls: Any = SimpleNamespace(observer=observer)
    tracker: Any = None
    with pytest.raises(WindowError, match="does not say how a new game is started"):
        new_game.start(controls, tracker, 1.0)


def test_what_nobody_knows_is_searched_unless_the_user_says_it() -> None:
    unknown: Any = SimpleNamespace(
        behaviour=GameBehaviour(), face_on_screen=lambda: None, **(ASKED | {"is_unknown": True})
    )
    assert [way.start.__name__ for way in new_game.WAYS if way.fits(unknown)] == ["by_search"]
    unknown.way_is_given = True
    unknown.behaviour = GameBehaviour(new_game=NewGameWay("key", key="f2"))
    assert [way.start.__name__ for way in new_game.WAYS if way.fits(unknown)] == ["as_learned"]
    unknown.asks_for_games = True
    assert next(way for way in new_game.WAYS if way.fits(unknown)).start.__name__ == "by_person"


EMPTY = 60
"""The width of what lies around a game in a larger window, in pixels."""


class Keyless(Wrapped):
    """A game that is told by its window where it went, and not by trying keys."""

    def key(self, name: str) -> None:
        raise AssertionError(f"{name} was struck")


class Slippery(VirtualScreen):
    """A screen on which a window is moved in the very instant of the first click above its cells."""

    window: VirtualWindow
    cells_y = 0
    is_moved = False

    def click(self, point: Point, button: Button, hold_s: float = 0.0, **meant: Any) -> bool:
        if point.y < self.cells_y and not self.is_moved:
            self.is_moved = True
            self.window.at = Point(self.window.at.x + 500, self.window.at.y + 300)
        return super().click(point, button, hold_s, **meant)


@pytest.fixture(scope="module")
def theme() -> Theme:
    return impatient()


@pytest.mark.parametrize("is_known", [True, False])
def test_no_click_falls_where_a_face_has_just_lain(theme: Theme, is_known: bool) -> None:
    screen, told = Slippery(), Told()
    below = Plain(1280, 1024)
    screen.open(VirtualWindow(below, "a desk", Point(0, 0), program="another"))
    screen.window = screen.open(window_of(Keyless(session(seed=2))))
    target = target_on(screen, theme, told) if is_known else unknown_target(screen, told)
    screen.cells_y = target.view.grid_on_screen().y
    run_games(target, strategy("best"), Play(games=3), no_record, told)
    assert screen.is_moved
    assert below.clicks == 0
    assert [line.outcome in (Result.WON, Result.LOST) for line in told.lines] == [True] * 3


class Framed(Wrapped):
    """A game in a larger window, to the right of and below an empty part of it."""

    def image(self) -> Image:
        return np.pad(self.content.image(), ((EMPTY, EMPTY), (EMPTY, EMPTY), (0, 0)))

    def press(self, x: int, y: int, button: int) -> None:
        self.content.press(x - EMPTY, y - EMPTY, button)

    def release(self, x: int, y: int, button: int) -> None:
        self.content.release(x - EMPTY, y - EMPTY, button)

    def move(self, x: int, y: int) -> None:
        self.content.move(x - EMPTY, y - EMPTY)


def test_a_place_that_another_window_covers_is_not_clicked(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a while a click would go through what still shows the cells."""
    monkeypatch.setattr(new_game, "LEARNED_TAKES_S", 0.02)
    screen, told, content = VirtualScreen(), Told(), session(seed=2)
    window = screen.open(window_of(content))
    face = content.layout.face.center
    settings = PlaySettings(restart=NewGameWay("place", face.x, face.y))
    target = unknown_target(screen, told, settings)
    guess_a_mine(target, content)
    target.observe()
    cover, above_face = Plain(12, 12), Point(window.at.x + face.x - 6, window.at.y + face.y - 6)
    screen.open(VirtualWindow(cover, "notes", above_face, "other"))
    with pytest.raises(WindowLost, match=r"is covered by 'notes': move that away"):
        target.new_game()
    assert cover.clicks == 0


def test_a_given_place_is_counted_from_the_corner_of_the_window(theme: Theme) -> None:
    """A theme's view is a part of its window alone."""
    screen, told, content = VirtualScreen(), Told(), session(seed=2)
    screen.open(window_of(Framed(content)))
    sighting = choose(look_around(screen, screen, [theme]), None)
    assert sighting.window is not None
    assert sighting.view.rect != sighting.window.rect
    face = content.layout.face.center
    settings = PlaySettings(restart=NewGameWay("place", face.x + EMPTY, face.y + EMPTY))
    target = WindowTarget(sighting, screen, screen, Pointer(screen, INTERVAL_S), settings)
    lines = run_games(target, strategy("best"), Play(games=2), no_record, told)
    assert [line.outcome in (Result.WON, Result.LOST) for line in lines] == [True] * 2
