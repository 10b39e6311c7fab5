"""The virtual screen behaves as a real one."""

from __future__ import annotations

from bot.board import Rules
from bot.geometry import Point
from bot.practice.session import PracticeSession
from bot.screen.virtual import VirtualScreen, VirtualWindow


def test_the_id_of_a_closed_window_is_not_given_to_another_one() -> None:
    screen, content = VirtualScreen(), PracticeSession(Rules(9, 9, 10), seed=0)
    opened = []
    for _ in range(20):
        screen.open(VirtualWindow(content, "Minesweeper", Point(0, 0)))
        opened += [window.id for window in screen.windows()]
        screen.stack.clear()
    assert len(set(opened)) == 20
