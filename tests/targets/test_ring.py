"""The ring around the cells of a board."""

from __future__ import annotations

from playing import impatient, session

from bot.geometry import Point, Rect
from bot.screen.virtual import VirtualScreen, VirtualWindow
from bot.targets.window.locate.board_finder import choose, look_around
from bot.targets.window.observe.observer import WindowObserver
from bot.vision.grid import Image


class Keeping(VirtualScreen):
    """Keeps what it has given, as the capture of a Wayland desktop does to cut parts from it."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: Image | None = None

    def grab(self, rect: Rect) -> Image:
        self.kept = super().grab(rect)
        return self.kept


def test_the_cells_are_blackened_in_a_picture_of_our_own() -> None:
    """A click within the frame of that picture met black cells, and was held back."""
    screen = Keeping()
    screen.open(VirtualWindow(session(), "a game", Point(100, 100)))
    observer = WindowObserver(choose(look_around(screen, screen, [impatient()]), None), screen, screen)
    ring = observer.grab_around(8)
    assert screen.kept is not None
    assert (ring != screen.kept).any()
    assert screen.kept[ring.shape[0] // 2, ring.shape[1] // 2].any()
    assert not ring[ring.shape[0] // 2, ring.shape[1] // 2].any()
