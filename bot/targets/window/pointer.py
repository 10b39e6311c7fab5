"""The bot's hands: paced clicks, and an eye on the person who may want the mouse back."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

from bot.board import Action
from bot.errors import Stopped
from bot.geometry import Point
from bot.screen.mouse import Mouse

SLACK = 3
"""Pixels by which the pointer may be off where we left it before a person is thought to have moved it."""

SETTLE_S = 0.1
"""How long the pointer may be anywhere before a person is thought to have moved it."""

SETTLE_LOOKS = 5
"""And in how many looks, one after the other: on a busy machine much time may pass between two."""

FROZEN_S = 5.0
"""How long it may stay where we had put it before: a window manager's grab freezes it after a click,
for long on a busy machine. A person would have moved it somewhere else."""

FASTEST_S = 0.001
"""The shortest time between two clicks: Wine takes 200 to 900 a second."""

SLOWEST = 4
"""How many times its first interval a window that loses clicks is given at the most."""

LOOK_S = 0.02
"""In a longer wait the pointer is looked at so often."""

HOLD_S = 0.01
"""How long a slow click rests before and after the press."""

REST_S = 0.5
"""How long the pointer must lie still before a person is thought to have let go of it."""

CORNER = "the pointer is in a corner of the screen (fail-safe)"

Takeover = Callable[[Callable[[], bool]], None]
"""Called when a person has moved the mouse. Returns when asked to go on, raises Stopped when not; the
function it is given says whether the pointer is in a fail-safe corner meanwhile."""


def stop_at_takeover(_: Callable[[], bool]) -> None:
    """With nobody to ask, a person who takes the mouse stops the bot."""
    raise Stopped("somebody moved the mouse, and there is no terminal to ask on whether to go on")


class PointerRest:
    """Whether the pointer has lain still for `REST_S`, as far as it was looked at."""

    def __init__(self, mouse: Mouse) -> None:
        self._mouse = mouse
        self._at = mouse.position()
        self._since = time.perf_counter()

    def lasts(self) -> bool:
        """Look at the pointer. Raises Stopped where it is in a fail-safe corner."""
        at, now = self._mouse.position(), time.perf_counter()
        if self._mouse.in_corner():
            raise Stopped(CORNER)
        if at != self._at:
            self._at, self._since = at, now
        return now - self._since >= REST_S


def wait_for_rest(mouse: Mouse, tell: Callable[[], None]) -> Takeover:
    """A takeover that asks nobody: the bot goes on once the person lets the pointer lie still.

    `tell` is called when the wait begins.
    """

    def wait(_: Callable[[], bool]) -> None:
        tell()
        rest = PointerRest(mouse)
        while not rest.lasts():
            time.sleep(LOOK_S)

    return wait


def _near(one: Point, other: Point) -> bool:
    return abs(one.x - other.x) <= SLACK and abs(one.y - other.y) <= SLACK


class Pointer:
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
        self._trail: deque[Point] = deque(maxlen=4)
        """Where we had left the pointer before that."""
        self._next = 0.0
        self.takeovers = 0
        """How often a person had the mouse."""

    def undisturbed(self) -> bool:
        """Whether the pointer is where we left it.

        Where it is not, a person has it: waits until they let us go on, and says False, because the
        board may have changed meanwhile. Raises Stopped for the fail-safe corner and where they stop us.
        """
        if self._left_at is None:
            if self.mouse.in_corner():
                raise Stopped(CORNER)
            return True
        if self._is_left_alone(self._left_at):
            return True
        self._left_at = None
        self.takeovers += 1
        self._takeover(self.mouse.in_corner)
        return False

    def _is_left_alone(self, left_at: Point) -> bool:
        """Whether the pointer is there, or comes there soon. Raises Stopped for the fail-safe corner."""
        begin = time.perf_counter()
        elsewhere, since = 0, begin
        while not _near(at := self.mouse.position(), left_at):
            if self.mouse.in_corner():
                raise Stopped(CORNER)
            now = time.perf_counter()
            if any(_near(at, point) for point in self._trail):
                elsewhere, since = 0, now
                if now - begin > FROZEN_S:
                    return False
            else:
                elsewhere += 1
                if elsewhere >= SETTLE_LOOKS and now - since > SETTLE_S:
                    return False
            time.sleep(0.002)
        return True

    def click(self, point: Point, action: Action, chord: str = "middle", *, slow: bool = False) -> bool:
        """Make one click when its time has come; False, and no click, where a person had the mouse.

        A `slow` one is held down for a while: for windows that have lost a quick one.
        """
        before = self.takeovers
        self.wait_for_turn()
        if not self.undisturbed() or self.takeovers != before:
            return False
        self._move(point)
        # Pressed while a window manager's grab still freezes the pointer, or while a person pulls at it,
        # the button would go down somewhere else.
        if not self.undisturbed():
            return False
        self._next = time.perf_counter() + self._interval_s
        if action is Action.CHORD and chord == "both":
            self.mouse.click_both(point)
        else:
            chord_button = "left" if chord == "left" else "middle"
            buttons = {Action.OPEN: "left", Action.FLAG: "right", Action.CHORD: chord_button}
            self.mouse.click(point, buttons[action], HOLD_S if slow else 0.0)  # type: ignore[arg-type]
        return True

    def quicker(self) -> None:
        """Every click of a batch was taken: try a little faster."""
        self._interval_s = max(self._fastest_s, 0.85 * self._interval_s)

    def slower(self) -> None:
        """A click was lost: give the window more time for each."""
        self._interval_s = min(self._slowest_s, 2 * self._interval_s)

    def wait_for_turn(self) -> None:
        """Wait until the next click may be made, with an eye on the pointer."""
        while (wait := self._next - time.perf_counter()) > 0:
            time.sleep(min(wait, LOOK_S))
            if wait > LOOK_S:
                self.undisturbed()

    def park(self, point: Point) -> None:
        """Leave the pointer where it hides nothing, once the last click has had its time."""
        self.wait_for_turn()
        if self.undisturbed() and self._left_at != point:
            self._move(point)

    def _move(self, point: Point) -> None:
        # Said before it is done: a stop between the two must not look like a person's movement.
        if self._left_at is not None:
            self._trail.append(self._left_at)
        self._left_at = point
        self.mouse.move(point)

    def give(self) -> PointerRest:
        """Let a person have the mouse: that the pointer moves is no takeover until the next click.

        What is returned says when the person has let go of it.
        """
        self._left_at = None
        self._trail.clear()
        return PointerRest(self.mouse)

    def let_go(self) -> None:
        """Release every button and forget where the pointer was left."""
        self._left_at = None
        self.mouse.release()
