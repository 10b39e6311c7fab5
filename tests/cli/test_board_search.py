"""Looking for boards on the screen before a run."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from bot.cli.parts import board_search
from bot.cli.parts.board_search import find_all_boards, look_until_drawn
from bot.geometry import Rect
from bot.screen.virtual import VirtualScreen
from bot.targets.window.locate import board_finder
from bot.vision.grid import Image


@pytest.mark.parametrize(("limit_s", "looks"), [(20.0, 3), (0.0, 1)])
def test_a_window_that_is_not_drawn_yet_is_looked_for_again(
    monkeypatch: pytest.MonkeyPatch, limit_s: float, looks: int
) -> None:
    made: list[int] = []

    def drawn_late(*_: Any) -> list[Any]:
        made.append(1)
        return ["the board"] if len(made) == 3 else []

    monkeypatch.setattr(board_finder, "look_around", drawn_late)
    monkeypatch.setattr(board_finder, "without_doubles", lambda _, others: others)
    screen = VirtualScreen(64, 64)
    found: list[Any] = find_all_boards(screen, screen, [], {}, limit_s=limit_s)
    assert len(made) == looks
    assert found == (["the board"] if limit_s else [])


class DrawnLate(VirtualScreen):
    """A screen on which so many pixels come to be drawn after a number of pictures."""

    def __init__(self, pixels: int, after: int) -> None:
        super().__init__(64, 64)
        self._pixels, self._after, self.pictures = pixels, after, 0

    def grab(self, rect: Rect) -> Image:
        picture = super().grab(rect)
        self.pictures += 1
        if self.pictures > self._after:
            picture.reshape(-1, 3)[: self._pixels] = 255 - picture.reshape(-1, 3)[: self._pixels]
        return picture


@pytest.mark.parametrize(
    ("pixels", "after", "looks"),
    [(2000, 1, 2), (2000, 3, 2), (200, 1, 1), (2000, 10**6, 1)],
    ids=["while it looks", "soon after it", "a cursor", "nothing"],
)
@pytest.mark.parametrize("first", [[], [SimpleNamespace(problem="97 cells cannot be read")]])
def test_a_screen_that_is_being_drawn_is_looked_at_again(
    monkeypatch: pytest.MonkeyPatch, pixels: int, after: int, looks: int, first: list[Any]
) -> None:
    """Also where a board was seen that is still moving, and whose cells cannot be read."""
    if looks == 1:
        monkeypatch.setattr(board_search, "STILL_S", 0.2)
    screen, made = DrawnLate(pixels, after), 0

    def look() -> list[Any]:
        nonlocal made
        made += 1
        return whole if made == 2 else first

    whole: list[Any] = [SimpleNamespace(problem="")]
    found: list[Any] = look_until_drawn(screen, look)
    assert made == looks
    assert found is (whole if looks == 2 else first)


def test_a_board_that_can_be_played_is_not_waited_for() -> None:
    both: list[Any] = [SimpleNamespace(problem="its top edge cannot be seen"), SimpleNamespace(problem="")]
    made: list[int] = []

    def look() -> list[Any]:
        made.append(1)
        return both

    assert look_until_drawn(DrawnLate(2000, 1), look) is both
    assert len(made) == 1


def test_a_film_beside_no_board_ends_the_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_search, "CHANGES_S", 0.1)
    screen = DrawnLate(0, 0)

    def grab(rect: Rect) -> Image:
        screen.pictures += 1
        return np.full((rect.height, rect.width, 3), screen.pictures % 256, np.uint8)

    monkeypatch.setattr(screen, "grab", grab)
    assert look_until_drawn(screen, lambda: []) == []
    assert screen.pictures >= 2
