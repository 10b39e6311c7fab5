"""Which way to start a game fits which window."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from bot.errors import WindowError
from bot.targets.window.events import new_game
from bot.vision.themes.behaviour import GameBehaviour, NewGameWay
from bot.vision.themes.theme import load_theme

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
