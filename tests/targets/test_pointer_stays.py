"""Programs that ask where the pointer is when they look for clicks: it stays where it has clicked."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import pytest
from misbehaving import Wrapped, window_of
from playing import Told, no_record, session, unknown_target

from bot.board import Action, Result
from bot.geometry import Point, Rect
from bot.practice.session import PracticeSession
from bot.screen.virtual import VirtualScreen
from bot.session import Play, run_games
from bot.strategy.registry import strategy
from bot.targets.window.act import pointer as pointers
from bot.targets.window.act.pointer import LEAST_STAY_S, STAY_S, Pointer
from bot.vision.grid import Image


class LookedAt(VirtualScreen):
    """A screen whose one window draws before each look."""

    def grab(self, rect: Rect) -> Image:
        (window,) = self.stack
        assert isinstance(window.content, AsksWhere)
        window.content.draw()
        return super().grab(rect)


@dataclass
class AsksWhere(Wrapped):
    """Looks for clicks before it draws, and takes each for one where the pointer lies then, or at the cell
    that is nearest to that: as games in pygame do, with `pygame.mouse.get_pos()`."""

    content: PracticeSession
    screen: VirtualScreen
    waiting: list[tuple[Point, int]] = field(default_factory=list)
    misplaced: int = 0

    def press(self, x: int, y: int, button: int) -> None:
        self.waiting.append((Point(x, y), button))

    def release(self, x: int, y: int, button: int) -> None:
        pass

    def draw(self) -> None:
        waiting, self.waiting = self.waiting, []
        for point, button in waiting:
            at = self._there()
            self.misplaced += abs(at.x - point.x) > 2 or abs(at.y - point.y) > 2
            self.content.press(at.x, at.y, button)
            self.content.release(at.x, at.y, button)

    def _there(self) -> Point:
        (window,), board = self.screen.stack, self.content.layout.board
        x, y = self.screen.pointer.x - window.at.x, self.screen.pointer.y - window.at.y
        return Point(min(max(x, board.x), board.right - 1), min(max(y, board.y), board.bottom - 1))


@pytest.mark.parametrize("seed", [2, 5])
def test_a_click_is_seen_to_work_before_the_pointer_is_parked(seed: int) -> None:
    """A game in pygame opened the cell in the top row above which the pointer was parked."""
    screen, told = LookedAt(), Told()
    window = AsksWhere(session(seed=seed), screen)
    screen.open(window_of(window))
    (line,) = run_games(unknown_target(screen, told), strategy("best"), Play(), no_record, told)
    assert window.misplaced == 0
    assert line.outcome in (Result.WON, Result.LOST), line.reason


def test_the_pointer_stays_for_a_while_and_for_as_long_as_it_was_held() -> None:
    screen = VirtualScreen()
    pointer = Pointer(screen, 0.001)
    parked = Point(100, 100)

    def stayed_s(attempt: int) -> float:
        assert pointer.click(Point(50, 60), Action.OPEN, attempt=attempt)
        begin = time.perf_counter()
        pointer.park(parked)
        assert screen.pointer == parked
        return time.perf_counter() - begin

    assert stayed_s(attempt=4) >= pointers.HOLDS_S[3] - 0.001
    pointer.stay()
    assert stayed_s(attempt=1) >= STAY_S - 0.001


def test_it_may_go_soon_where_all_clicks_were_seen_to_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pointers, "STAY_S", 600.0)
    screen = VirtualScreen()
    pointer = Pointer(screen, 0.001)
    pointer.stay()
    assert pointer.click(Point(50, 60), Action.OPEN)
    begin = time.perf_counter()
    assert pointer.stays
    pointer.end_stay()
    pointer.park(Point(100, 100))
    assert screen.pointer == Point(100, 100)
    assert LEAST_STAY_S - 0.001 <= time.perf_counter() - begin < 600.0
