"""Which boxes beside a board may be buttons that start a game, and which are never clicked."""

from __future__ import annotations

import cv2
import numpy as np

from bot.geometry import Rect
from bot.targets.window.events.new_game_places import standing_buttons
from bot.vision.grid import Grid, Image

GRID = Grid(10, 60, 20, 20, 16, 9)


def window(*buttons: Rect) -> Image:
    """A window with a board in it, and framed buttons."""
    picture = np.full((320, 360, 3), 235, np.uint8)
    cv2.rectangle(picture, (10, 60), (329, 239), (120, 120, 120), -1)
    for box in buttons:
        cv2.rectangle(picture, (box.x, box.y), (box.right - 1, box.bottom - 1), (0, 0, 0), 2)
        cv2.putText(picture, "new", (box.x + 8, box.y + 16), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (0, 0, 0))
    return picture


def row(count: int, y: int) -> list[Rect]:
    return [Rect(10 + 60 * index, y, 56, 24) for index in range(count)]


def test_the_last_of_many_side_by_side_is_left_alone_for_it_may_quit() -> None:
    found = standing_buttons(window(*row(5, 20)), GRID)
    assert [box.center.x // 60 for box in found] == [0, 1, 2, 3]


def test_those_above_the_board_come_first_and_from_the_left() -> None:
    found = standing_buttons(window(*row(2, 270), *row(2, 20)), GRID)
    assert [(box.center.x // 60, box.y < 60) for box in found] == [
        (0, True),
        (1, True),
        (0, False),
        (1, False),
    ]


def test_a_window_without_buttons_has_none() -> None:
    assert standing_buttons(window(), GRID) == []
