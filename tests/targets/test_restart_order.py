"""In which order ways to start a game are tried in a window that no theme knows."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from bot.geometry import Rect
from bot.screen.windows import Window
from bot.targets.window.events.restart_search import _ways
from bot.targets.window.sighting import View
from bot.vision.grid import Grid
from bot.vision.themes.behaviour import GameBehaviour, NewGameWay

PICTURE = np.full((300, 300, 3), 220, np.uint8)


def tried(program: str, *, over: bool = True, known: NewGameWay | None = None) -> list[NewGameWay]:
    view = View(Rect(0, 0, 300, 300), Grid(50, 60, 20, 20, 10, 10))
    observer: Any = SimpleNamespace(
        view=view,
        window=Window(1, "Mines", Rect(0, 0, 300, 300), program),
        behaviour=GameBehaviour(new_game=known),
    )
    return list(_ways(observer, PICTURE, None, over=over))


def keys(ways: list[NewGameWay]) -> list[str]:
    return [way.key for way in ways if way.kind == "key"]


@pytest.mark.parametrize("program", ["chromium", "Navigator", "localhost__mines", "home_me_mines.html"])
def test_a_page_is_loaded_again_last_and_no_window_is_opened(program: str) -> None:
    ways = tried(program)
    assert keys(ways) == ["f2", "n", "r", "space", "enter", "f5"]
    assert ways[-1].key == "f5"


def test_a_program_is_asked_by_its_keys_first() -> None:
    ways = tried("kmines")
    assert keys(ways) == ["f2", "ctrl+n", "n", "r", "space", "enter"]
    assert ways[1].key == "f2", "after the face above the board"


def test_the_board_is_clicked_only_once_the_game_is_over() -> None:
    assert any(way.kind == "end place" for way in tried("kmines"))
    assert not any(way.kind == "end place" for way in tried("kmines", over=False))


def test_what_is_known_comes_first() -> None:
    assert tried("kmines", known=NewGameWay("key", key="q"))[0].key == "q"
