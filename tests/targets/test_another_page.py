"""Another page comes in place of a game whose end hides its board, on a desktop that lists no windows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import cv2
import numpy as np
import pytest
from meadow import meadow
from playing import INTERVAL_S, Told

from bot.board import Phase, Rules
from bot.errors import WindowLost
from bot.game.game import Game
from bot.geometry import Point, Rect
from bot.screen.virtual import VirtualScreen, VirtualWindow
from bot.screen.windows import NoWindows
from bot.targets.window.act.pointer import Pointer
from bot.targets.window.locate.board_finder import look_around
from bot.targets.window.play_settings import PlaySettings
from bot.targets.window.window_target import WindowTarget
from bot.vision.grid import Image
from bot.vision.themes.theme import load_theme

AT = Point(40, 40)


@dataclass
class Page:
    """A picture that keeps what is clicked."""

    picture: Image
    clicks: list[Point] = field(default_factory=list)

    def image(self) -> Image:
        return self.picture

    def press(self, x: int, y: int, button: int) -> None:
        self.clicks.append(Point(x, y))

    def release(self, x: int, y: int, button: int) -> None: ...

    def move(self, x: int, y: int) -> None: ...

    def key(self, name: str) -> None: ...


def with_bar(board: Rect) -> Image:
    """A pale page with a button over the middle of a board."""
    page = np.full((600, 600, 3), 250, np.uint8)
    x, y = board.center.x, board.center.y
    cv2.rectangle(page, (x - 60, y - 20), (x + 60, y + 15), (90, 160, 60), -1)
    cv2.putText(page, "Save", (x - 30, y + 6), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (255, 255, 255), 2)
    return page


def blue(_: Rect) -> Image:
    """A page of the colour of a won board."""
    return np.full((600, 600, 3), (200, 120, 40), np.uint8)


@pytest.mark.parametrize("another", [with_bar, blue])
def test_a_page_that_comes_without_a_click_ends_no_game(another: Callable[[Rect], Image]) -> None:
    game, screen, no_windows = Game(Rules(10, 8, 10), 3), VirtualScreen(), NoWindows()
    game.open(4, 4)
    picture, grid = meadow(game.board, 30)
    screen.open(VirtualWindow(Page(picture), "a page", AT))
    (sighting,) = look_around(screen, no_windows, [load_theme("google")])
    pointer = Pointer(screen, INTERVAL_S)
    target = WindowTarget(
        sighting, screen, no_windows, pointer, PlaySettings(look_limit_s=1.5), tell=Told().texts.append
    )
    assert target.observe().phase is Phase.PLAYING
    page = Page(another(grid.rect))
    screen.open(VirtualWindow(page, "another", AT))
    with pytest.raises(WindowLost, match="is not to be seen any more"):
        target.observe()
    assert not page.clicks
