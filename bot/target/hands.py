"""The bot's hands: paced clicks, and an eye on the person who may want the mouse back."""

from __future__ import annotations

import time
from collections.abc import Callable

from bot.board import Action
from bot.errors import Stopped
from bot.geometry import Point
from bot.screen.mouse import Mouse

SLACK = 3
"""Pixels by which the pointer may be off where we left it before a person is thought to have moved it."""

SETTLE_S = 0.1
"""How long the pointer may seem to lag behind: a window manager's grab freezes it after a click."""

FASTEST_S = 0.001
"""The shortest time between two clicks: Wine takes 200 to 900 a second."""

SLOWEST = 4
"""How many times its first interval a window that loses clicks is given at the most."""

HOLD_S = 0.01
"""How long a slow click rests before and after the press."""

CORNER = "the pointer is in a corner of the screen (fail-safe)"

Takeover = Callable[[Callable[[], bool]], None]
"""Called when a person has moved the mouse. Returns when asked to go on, raises Stopped when not; the
function it is given says whether the pointer is in a fail-safe corner meanwhile."""


def stop_at_takeover(_: Callable[[], bool]) -> None:
    """With nobody to ask, a person who takes the mouse stops the bot."""
    raise Stopped("somebody moved the mouse, and there is no terminal to ask on whether to go on")


class Hands:
    """Clicks no faster than the window takes them, and only while nobody else moves the mouse."""

    def __init__(
        self,
        mouse: Mouse,
        interval_s: float,
        takeover: Takeover = stop_at_takeover,
        *,
        fastest_s: float = FASTEST_S,
    ) -> None:
        """Begin with a click every `interval_s`; `quicker` and `slower` change that, down to `fastest_s`."""
        self.mouse = mouse
        self._interval_s = max(interval_s, fastest_s)
        self._slowest_s = SLOWEST * self._interval_s
        self._fastest_s = fastest_s
        self._takeover = takeover
        self._left_at: Point | None = None
        self._next = 0.0

    def undisturbed(self) -> bool:
        """Whether the pointer is where we left it.

        Where it is not, a person has it: waits until they let us go on, and says False, because the
        board may have changed meanwhile. Raises Stopped for the fail-safe corner and where they stop us.
        """
        if self._left_at is None:
            if self.mouse.in_corner():
                raise Stopped(CORNER)
            return True
        until = time.perf_counter() + SETTLE_S
        while not self._is_at(self._left_at):
            if self.mouse.in_corner():
                raise Stopped(CORNER)
            if time.perf_counter() > until:
                break
            time.sleep(0.002)
        else:
            return True
        self._left_at = None
        self._takeover(self.mouse.in_corner)
        return False

    def _is_at(self, point: Point) -> bool:
        at = self.mouse.position()
        return abs(at.x - point.x) <= SLACK and abs(at.y - point.y) <= SLACK

    def click(self, point: Point, action: Action, chord: str = "middle", *, slow: bool = False) -> bool:
        """Make one click when its time has come; False, and no click, where a person had the mouse.

        A `slow` one is held down for a while: for windows that have lost a quick one.
        """
        self._wait_for_turn()
        if not self.undisturbed():
            return False
        # Said before the click: a stop between the two must not look like a person's movement.
        self._left_at = point
        self._next = time.perf_counter() + self._interval_s
        if action is Action.CHORD and chord == "both":
            self.mouse.click_both(point)
        else:
            buttons = {Action.OPEN: "left", Action.FLAG: "right", Action.CHORD: "middle"}
            self.mouse.click(point, buttons[action], HOLD_S if slow else 0.0)  # type: ignore[arg-type]
        return True

    def quicker(self) -> None:
        """Every click of a batch was taken: try a little faster."""
        self._interval_s = max(self._fastest_s, 0.85 * self._interval_s)

    def slower(self) -> None:
        """A click was lost: give the window more time for each."""
        self._interval_s = min(self._slowest_s, 2 * self._interval_s)

    def _wait_for_turn(self) -> None:
        wait = self._next - time.perf_counter()
        if wait > 0:
            time.sleep(wait)

    def park(self, point: Point) -> None:
        """Leave the pointer where it hides nothing, once the last click has had its time."""
        self._wait_for_turn()
        if self.undisturbed() and self._left_at != point:
            self._left_at = point
            self.mouse.move(point)

    def let_go(self) -> None:
        """Release every button and forget where the pointer was left."""
        self._left_at = None
        self.mouse.release()
