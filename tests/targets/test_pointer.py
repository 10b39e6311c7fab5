"""Paced clicks, and an eye on the person."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from bot.board import Action
from bot.errors import Stopped
from bot.geometry import Point, Rect
from bot.screen.mouse import Button
from bot.screen.windows import Window
from bot.targets.window.act.pointer import HOLDS_S, Pointer


class FakeMouse:
    """A mouse whose pointer arrives only after so many looks, or never; it notes where buttons went down."""

    def __init__(self, arrives_after: int = 0) -> None:
        self.at = Point(500, 500)
        self.arrives_after = arrives_after
        self.pressed: list[Point] = []
        self.cornered = False
        self.window_at = Rect(0, 0, 600, 600)
        """Where every window lies."""
        self._goal = self.at
        self._looks = 0

    def position(self) -> Point:
        self._looks += 1
        if self._looks > self.arrives_after:
            self.at = self._goal
        return self.at

    def in_corner(self) -> bool:
        return self.cornered

    tells_last_place = False

    def move(self, point: Point) -> Point | None:
        if point != self._goal:
            self._goal, self._looks = point, 0
        return None

    def click(
        self, point: Point, button: Button, hold_s: float = 0.0, window: Window | None = None, **meant: Any
    ) -> bool:
        if window is not None and window.rect != self.window_at:
            return False
        self.pressed.append(self.at)
        return True

    def click_both(self, point: Point, *, window: Window | None = None) -> bool:
        return self.click(point, "left", window=window)

    def key(self, name: str) -> None:
        raise AssertionError("no key was asked for")

    def write(self, text: str) -> None:
        raise AssertionError("no text was asked for")

    def release(self) -> None:
        pass


class TellingMouse(FakeMouse):
    """One that says where the pointer was, and counts how often it was asked."""

    tells_last_place = True

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0
        self.been: list[Point] = []

    def position(self) -> Point:
        self.asked += 1
        return super().position()

    def move(self, point: Point) -> Point:
        before = self._goal
        self.been.append(point)
        super().move(point)
        return before


def go_on(_: Callable[[], bool]) -> None:
    pass


@pytest.mark.parametrize("looks", [0, 1, 3])
def test_a_button_goes_down_only_where_the_pointer_has_arrived(looks: int) -> None:
    mouse = FakeMouse(looks)
    pointer = Pointer(mouse, 0.001)
    for x in (10, 20, 30):
        assert pointer.click(Point(x, 7), Action.OPEN)
    assert mouse.pressed == [Point(10, 7), Point(20, 7), Point(30, 7)]


def test_where_the_pointer_cannot_go_nothing_is_pressed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.targets.window.act.pointer.MAX_FROZEN_S", 0.3)
    mouse = FakeMouse(10**9)
    pointer = Pointer(mouse, 0.001, go_on)
    assert not pointer.click(Point(10, 7), Action.OPEN)
    assert mouse.pressed == []
    assert pointer.takeovers == 1


def test_the_last_look_comes_when_the_pointer_lies_there_and_refuses_the_click() -> None:
    """WineMine was moved between the look at its place and the click, which went to what lay there then."""
    mouse = FakeMouse()
    seen: list[Point] = []

    def look() -> bool:
        seen.append(mouse.position())
        return len(seen) > 1

    pointer = Pointer(mouse, 0.001)
    assert not pointer.click(Point(10, 7), Action.OPEN, last_look=look)
    assert pointer.click(Point(20, 7), Action.OPEN, last_look=look)
    assert seen == [Point(10, 7), Point(20, 7)]
    assert mouse.pressed == [Point(20, 7)]


@pytest.mark.parametrize("action", [Action.OPEN, Action.FLAG, Action.CHORD])
def test_the_last_look_comes_after_the_pause_before_a_slow_press(
    action: Action, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A dialog that came in the pause got the click where the system cannot tell what lies there."""
    mouse = FakeMouse()
    pointer = Pointer(mouse, 0.001)
    done: list[float | str] = []

    def look() -> bool:
        done.append("look")
        return False

    monkeypatch.setattr("bot.targets.window.act.pointer.time.sleep", done.append)
    assert not pointer.click(Point(10, 10), action, attempt=len(HOLDS_S), last_look=look)
    assert done[-2:] == [HOLDS_S[-1], "look"]
    assert not mouse.pressed


@pytest.mark.parametrize(("action", "chord"), [(Action.OPEN, "left"), (Action.CHORD, "both")])
def test_a_click_that_does_not_reach_its_window_counts_as_none(action: Action, chord: str) -> None:
    mouse = FakeMouse()
    pointer = Pointer(mouse, 0.001)
    window = Window(5, "mines", mouse.window_at)
    assert pointer.click(Point(10, 7), action, chord, window=window)
    mouse.window_at = Rect(9, 0, 600, 600)
    assert not pointer.click(Point(20, 7), action, chord, window=window)
    assert mouse.pressed == [Point(10, 7)]


def test_the_corner_is_noticed_while_a_slow_click_waits_for_its_turn() -> None:
    mouse = FakeMouse()
    pointer = Pointer(mouse, 60.0, min_interval_s=60.0)
    assert pointer.click(Point(10, 7), Action.OPEN)
    mouse.move(Point(0, 0))
    mouse.cornered = True
    began = time.perf_counter()
    with pytest.raises(Stopped, match="fail-safe"):
        pointer.click(Point(20, 7), Action.OPEN)
    assert time.perf_counter() - began < 30
    assert mouse.pressed == [Point(10, 7)]


@pytest.mark.parametrize(("min_interval_s", "waits"), [(60.0, True), (0.0, False)])
def test_a_click_that_was_seen_to_work_ends_the_wait_but_for_the_minimum(
    min_interval_s: float, waits: bool
) -> None:
    pointer = Pointer(FakeMouse(), 60.0, min_interval_s=min_interval_s)
    assert pointer.click(Point(10, 7), Action.OPEN)
    pointer.end_wait()
    assert (pointer.wait_s > 0) == waits


def test_a_person_who_takes_the_mouse_while_a_click_waits_keeps_it_from_being_made() -> None:
    mouse = FakeMouse()
    pointer = Pointer(mouse, 0.1, go_on, min_interval_s=0.1)
    assert pointer.click(Point(10, 7), Action.OPEN)
    mouse.move(Point(900, 900))
    assert not pointer.click(Point(20, 7), Action.OPEN)
    assert pointer.click(Point(20, 7), Action.OPEN)
    assert mouse.pressed == [Point(10, 7), Point(20, 7)]


@pytest.mark.parametrize("limit_s", [0.01, 60.0])
def test_the_time_in_which_a_person_has_the_mouse_is_no_waiting(limit_s: float) -> None:
    """A window that a person had for longer than the limit was given up without another look at it."""
    mouse = FakeMouse()
    pointer = Pointer(mouse, 0.001, lambda _: time.sleep(100.0))
    pointer.park(Point(10, 10))
    looks, since = 0, time.perf_counter()
    for _ in pointer.looks(limit_s, 1.0):
        looks += 1
        if looks == 1:
            mouse._goal = Point(300, 300)
    assert pointer.takeovers == 1
    assert looks >= max(2, limit_s / 2), "it is looked for all of the limit, and once after the person"
    assert time.perf_counter() - since < 100 + limit_s + 20


class Frozen(FakeMouse):
    """Stays where it was for a while after each movement, and thaws between two looks at any place."""

    def __init__(self, for_s: float, looks_at_the_end: int) -> None:
        super().__init__()
        self.for_s = for_s
        self.looks_at_the_end = looks_at_the_end
        self._until = 0.0
        self._late = 0

    def move(self, point: Point) -> None:
        if point != self._goal:
            self._goal, self._until, self._late = point, time.perf_counter() + self.for_s, 0

    def position(self) -> Point:
        if time.perf_counter() > self._until:
            self._late += 1
        if self._late > self.looks_at_the_end:
            self.at = self._goal
        return self.at


@pytest.mark.parametrize("looks", [0, 1, 2, 3])
def test_a_pointer_that_thaws_between_two_looks_was_moved_by_nobody(looks: int) -> None:
    mouse = Frozen(0.15, looks)
    mouse.for_s = 0.0
    pointer = Pointer(mouse, 0.001)
    assert pointer.click(Point(10, 7), Action.OPEN)
    mouse.for_s = 0.15
    assert pointer.click(Point(30, 7), Action.OPEN)
    assert mouse.pressed == [Point(10, 7), Point(30, 7)]


def test_a_pointer_that_is_frozen_where_the_person_left_it_was_moved_by_nobody() -> None:
    mouse = Frozen(0.15, 0)
    pointer = Pointer(mouse, 0.001)
    assert pointer.click(Point(10, 7), Action.OPEN)
    assert mouse.pressed == [Point(10, 7)]


class Late(Frozen):
    """Tells after each movement for a while that it is at an earlier place."""

    told = Point(10, 7)

    def move(self, point: Point) -> None:
        super().move(point)
        self.at = self.told


def test_a_place_of_many_clicks_ago_is_that_of_a_late_message() -> None:
    mouse = Late(0.0, 0)
    pointer = Pointer(mouse, 0.001)
    for x in range(10, 200, 20):
        assert pointer.click(Point(x, 7), Action.OPEN)
    mouse.for_s = 0.15
    assert pointer.click(Point(300, 7), Action.OPEN)
    assert mouse.pressed[-1] == Point(300, 7)


def test_a_pointer_that_is_looked_at_seldom_was_moved_by_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """On its way it is somewhere else, and the machine does something else before the next look."""
    mouse = FakeMouse(2)
    pointer = Pointer(mouse, 0.001)
    monkeypatch.setattr("bot.targets.window.act.pointer.time.sleep", lambda _, rest=time.sleep: rest(0.12))
    assert pointer.click(Point(10, 7), Action.OPEN)
    assert mouse.pressed == [Point(10, 7)]


def test_a_pointer_that_lies_where_it_shall_is_moved_all_the_same() -> None:
    """Programs take no movement while they have a dialog open, and do not ask where the pointer is after."""
    mouse = FakeMouse()
    pointer = Pointer(mouse, 0.001)
    pointer.stir()
    assert mouse.position() == Point(500, 500), "it is a person's"
    pointer.park(Point(20, 30))
    pointer.stir()
    assert mouse.position() == Point(21, 30)
    assert pointer.undisturbed()
    assert not pointer.takeovers
    pointer.park(Point(20, 30))
    assert mouse.position() == Point(20, 30)


def test_where_the_pointer_was_is_not_asked_for_besides() -> None:
    mouse = TellingMouse()
    pointer = Pointer(mouse, 0.001)
    for x in (10, 20, 30):
        assert pointer.click(Point(x, 7), Action.OPEN)
    assert mouse.pressed == [Point(10, 7), Point(20, 7), Point(30, 7)]
    assert mouse.asked <= 4, "once for each click, and where a person left it"


def test_a_pointer_that_a_person_has_moved_goes_back_to_them() -> None:
    mouse = TellingMouse()
    pointer = Pointer(mouse, 0.001, go_on)
    assert pointer.click(Point(10, 7), Action.OPEN)
    mouse.move(Point(900, 900))
    assert not pointer.click(Point(20, 7), Action.OPEN)
    assert mouse.been[-2:] == [Point(20, 7), Point(900, 900)]
    assert pointer.takeovers == 1
    assert mouse.pressed == [Point(10, 7)]
    assert pointer.click(Point(20, 7), Action.OPEN)
