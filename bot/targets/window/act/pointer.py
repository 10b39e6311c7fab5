"""The bot's pointer: paces clicks to what the window takes, and notices a person who takes the mouse.

In: points of the desktop to click. Out: clicks, or the news that a person had the mouse. Times are in
seconds.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator

from bot.board import Action
from bot.errors import Stopped
from bot.geometry import Point
from bot.screen.mouse import CORNER, Button, Mouse
from bot.screen.windows import Window

POSITION_TOLERANCE = 3
"""Maximum difference between the pointer and the place where we left it, in points along each axis, that does
not count as moved by a person."""

TAKEOVER_AFTER_S = 0.1
"""Time that the pointer must be somewhere else before it counts as moved by a person."""

TAKEOVER_AFTER_CHECKS = 5
"""Number of consecutive checks that must find the pointer somewhere else as well: on a busy machine much time
may pass between two checks."""

MAX_FROZEN_S = 5.0
"""Maximum time that the pointer may stay at one of the places where it was before, or be told to be there.
The grab of a window manager freezes it after a click, and Wine tells the place that a window's late message
names, on a busy machine for long. A person would move it to another place."""

MIN_INTERVAL_S = 0.001
"""Default minimum time between two clicks: Wine takes 200 to 900 clicks a second."""

MAX_SLOWDOWN = 4
"""Maximum factor by which the first interval grows in a window that loses clicks."""

SPEEDUP = 0.85
"""Factor for the interval after a batch of clicks without loss."""

SLOWDOWN = 2
"""Factor for the interval after a lost click."""

CHECK_S = 0.02
"""Time between two checks of the pointer during a wait."""

FREEZE_CHECK_S = 0.002
"""Time between two checks while the pointer is not where we left it."""

HOLDS_S = (0.0, 0.01, 0.06, 0.15, 0.3)
"""Pause before the press and between press and release of the first attempt at a click, the second, and so
on, in seconds: some programs look only now and then whether a button is down."""

STAY_S, LEAST_STAY_S = 0.1, 0.04
"""How long the pointer stays where it has clicked before it is parked, in seconds, and how long where all
clicks are seen to have worked: many programs (most with pygame) ask where the pointer is when they look for
clicks, and not where it was when the button went down. What they take for clicked may then be another cell,
and a mine. A cell that another click has opened is seen to work before its own click was looked for."""

SLOW = 3
"""The attempt whose pause a click has that is made once."""

RELEASED_AFTER_S = 0.5
"""Time that the pointer must lie still before a person counts as having let go of it."""

TRAIL = 16
"""Number of earlier places that are remembered: a frozen pointer lies at one of them, and a late message
names one. That many clicks may wait in a busy window."""

Takeover = Callable[[Callable[[], bool]], None]
"""Called when a person has moved the mouse. Returns when the bot may go on and raises Stopped when it must
stop. Its argument says whether the pointer is now in a fail-safe corner."""


def stop_at_takeover(_: Callable[[], bool]) -> None:
    """The takeover for a bot that has nobody to ask: raises Stopped."""
    raise Stopped("somebody moved the mouse, and there is no terminal to ask on whether to go on")


class PointerRest:
    """Whether a person has let go of the pointer: whether it lay still for `RELEASED_AFTER_S` at every
    check."""

    def __init__(self, mouse: Mouse) -> None:
        self._mouse = mouse
        self._at = mouse.position()
        self._since = time.perf_counter()

    def lasts(self) -> bool:
        """Check the pointer: whether it has lain still for long enough. Raises Stopped in a fail-safe
        corner."""
        at, now = self._mouse.position(), time.perf_counter()
        if self._mouse.in_corner():
            raise Stopped(CORNER)
        if at != self._at:
            self._at, self._since = at, now
        return now - self._since >= RELEASED_AFTER_S


def wait_for_rest(mouse: Mouse, tell: Callable[[], None]) -> Takeover:
    """A takeover that asks nobody: the bot goes on once the person has let the pointer lie still.

    `tell` is called when the wait begins.
    """

    def wait(_: Callable[[], bool]) -> None:
        tell()
        rest = PointerRest(mouse)
        while not rest.lasts():
            time.sleep(CHECK_S)

    return wait


def is_near(one: Point, other: Point) -> bool:
    """Whether two places of the pointer count as one."""
    return abs(one.x - other.x) <= POSITION_TOLERANCE and abs(one.y - other.y) <= POSITION_TOLERANCE


class Pointer:
    """Clicks at the pace that the window takes, and only while no person moves the mouse."""

    def __init__(
        self,
        mouse: Mouse,
        interval_s: float,
        takeover: Takeover = stop_at_takeover,
        *,
        min_interval_s: float = MIN_INTERVAL_S,
    ) -> None:
        """Start with one click every `interval_s`; `quicker` and `slower` change the interval, which stays at
        `min_interval_s` or more. `takeover` is called when a person has moved the mouse."""
        self.mouse = mouse
        self._interval_s = max(interval_s, min_interval_s)
        self._min_interval_s = min_interval_s
        self._max_interval_s = MAX_SLOWDOWN * self._interval_s
        self._takeover = takeover
        self._left_at: Point | None = None
        self._trail: deque[Point] = deque(maxlen=TRAIL)
        """The places where the pointer was before that: where we left it, and first where a person did."""
        self._next = 0.0
        """The earliest time of the next click, by `time.perf_counter`."""
        self._least_hold_s = 0.0
        """The pause that the window needs."""
        self._stay_s = 0.0
        """For how long the pointer stays where it has clicked."""
        self._clicked_at = self._stays_until = 0.0
        """When it clicked last, and until when it is not parked, by `time.perf_counter`."""
        self._soonest = 0.0
        """The same if the click before is seen to work."""
        self.takeovers = 0
        """Number of times that a person took the mouse."""
        self._taken_s = 0.0
        """For how long a person had it in all, in seconds."""

    def undisturbed(self) -> bool:
        """Whether the pointer is where we left it.

        If it is not, a person has it: waits until the takeover returns, then gives False, because the board
        may have changed meanwhile. Raises Stopped in the fail-safe corner and if the person stops the bot.
        """
        if self._left_at is None:
            if self.mouse.in_corner():
                raise Stopped(CORNER)
            return True
        if self._is_left_alone(self._left_at):
            return True
        self._left_at = None
        self.takeovers += 1
        since = time.perf_counter()
        self._takeover(self.mouse.in_corner)
        self._taken_s += time.perf_counter() - since
        return False

    def _is_left_alone(self, left_at: Point) -> bool:
        """Whether the pointer is at `left_at`, or arrives there soon. Raises Stopped in the fail-safe
        corner."""
        begin = time.perf_counter()
        checks, since = 0, begin  # how often, and since when, it was somewhere else
        while not is_near(at := self.mouse.position(), left_at):
            if self.mouse.in_corner():
                raise Stopped(CORNER)
            now = time.perf_counter()
            if any(is_near(at, point) for point in self._trail):
                checks, since = 0, now
                if now - begin > MAX_FROZEN_S:
                    return False
            else:
                checks += 1
                if checks >= TAKEOVER_AFTER_CHECKS and now - since > TAKEOVER_AFTER_S:
                    return False
            time.sleep(FREEZE_CHECK_S)
        return True

    def click(
        self,
        point: Point,
        action: Action,
        chord: str = "middle",
        *,
        attempt: int = 1,
        last_look: Callable[[], bool] = lambda: True,
        window: Window | None = None,
        popups: bool = False,
    ) -> bool:
        """Wait for the turn of the next click and make it at `point` of the desktop.

        False, without a click, if a person had the mouse, or if the `last_look` says so, which comes when the
        pointer lies there already; or if the system can tell that the `window` that it is meant for would not
        get it at its `rect`. With `popups` a menu that its program has laid over it may get it. `chord` is
        how the game chords: `left`, `middle` or `both`. Each `attempt` waits for longer than the one before
        (`HOLDS_S`), before the press and with the button down, for windows that lost a quick one.
        """
        takeovers = self.takeovers
        self.wait_for_turn()
        # While the grab of a window manager still freezes the pointer, or while a person moves it, the button
        # would go down somewhere else.
        if not self._go(point) or self.takeovers != takeovers or not self.undisturbed():
            return False
        both = action is Action.CHORD and chord == "both"
        hold_s = max(self._least_hold_s, HOLDS_S[min(attempt, len(HOLDS_S)) - 1])
        if hold_s and not both:
            # A slow window is told where the pointer is before the press. Much may come in that time.
            time.sleep(hold_s)
            if not self.undisturbed():
                return False
        if not last_look():
            return False
        now = time.perf_counter()
        self._next, self._soonest = now + self._interval_s, now + self._min_interval_s
        if both:
            return self.mouse.click_both(point, window=window)
        chord_button: Button = "left" if chord == "left" else "middle"
        buttons: dict[Action, Button] = {
            Action.OPEN: "left",
            Action.FLAG: "right",
            Action.CHORD: chord_button,
        }
        made = self.mouse.click(point, buttons[action], hold_s, window=window, popups=popups)
        if made:
            self._clicked_at = time.perf_counter()
            self._stays_until = self._clicked_at + max(self._stay_s, hold_s)
        return made

    def hold(self, attempt: int) -> None:
        """Hold the button down for at least as long as this attempt does from now on."""
        self._least_hold_s = max(self._least_hold_s, HOLDS_S[min(attempt, len(HOLDS_S)) - 1])

    def stay(self) -> None:
        """Let the pointer stay where it has clicked for `STAY_S` from now on, before it is parked."""
        self._stay_s = STAY_S

    @property
    def stays(self) -> bool:
        """Whether the pointer had better stay where it has clicked."""
        return time.perf_counter() < self._stays_until

    def end_stay(self) -> None:
        """All clicks were seen to work: the pointer may be parked soon."""
        self._stays_until = min(self._stays_until, self._clicked_at + LEAST_STAY_S)

    def quicker(self) -> None:
        """Shorten the interval a little: every click of a batch was taken."""
        self._interval_s = max(self._min_interval_s, SPEEDUP * self._interval_s)

    def slower(self) -> None:
        """Lengthen the interval: a click was lost."""
        self._interval_s = min(self._max_interval_s, SLOWDOWN * self._interval_s)

    @property
    def wait_s(self) -> float:
        """For how long no click may be made yet, in seconds; 0 or less where one may."""
        return self._next - time.perf_counter()

    def end_wait(self) -> None:
        """The click before was seen to work: the next one may be made once the minimum time is over."""
        self._next = min(self._next, self._soonest)

    def wait_for_soonest_turn(self) -> None:
        """Wait for the minimum time between two clicks, which is kept whatever the window takes."""
        self._wait_until(self._soonest)

    def wait_for_turn(self) -> None:
        """Wait until the next click may be made; a longer wait also checks whether a person takes the
        mouse."""
        self._wait_until(self._next)

    def _wait_until(self, then: float) -> None:
        while (wait := then - time.perf_counter()) > 0:
            time.sleep(min(wait, CHECK_S))
            if wait > CHECK_S:
                self.undisturbed()

    def looks(self, limit_s: float, poll_s: float) -> Iterator[float]:
        """Yield the time, in seconds of `time.perf_counter`, for one look after the other until the limit.

        Sleeps for `poll_s` in between, and waits while a person has the mouse, which does not count: the
        window could do nothing for us, and may look otherwise after that, so there is one more look.
        Whoever waits for something in a window waits here. Raises Stopped if the person stops the bot.
        """
        begin, takeovers = time.perf_counter() - self._taken_s, self.takeovers
        while (now := time.perf_counter()) - self._taken_s - begin < limit_s or self.takeovers != takeovers:
            takeovers = self.takeovers
            yield now
            self.undisturbed()
            time.sleep(poll_s)

    def park(self, point: Point) -> None:
        """Move the pointer to a point where it covers nothing, once the interval after the last click is
        over, and it need not stay there any longer."""
        self._wait_until(max(self._next, self._stays_until))
        if self._left_at != point:
            self._go(point)
        else:
            self.undisturbed()

    def stir(self) -> None:
        """Move the pointer by a point: a program that has a dialog open takes no movement, and goes on after
        that as if the pointer still lay where it was before."""
        if self._left_at is not None and self.undisturbed():
            self._move(Point(self._left_at.x + 1, self._left_at.y))

    def _go(self, point: Point) -> bool:
        """Move the pointer to a point, unless a person has it, as `undisturbed` tells."""
        left_at = self._left_at
        if left_at is not None and self.mouse.tells_last_place:
            before = self._move(point)
            if before is None or any(is_near(before, place) for place in self._trail):
                return True
            # Somebody has moved it: it goes back to where they had it, and is looked at as ever.
            self._left_at = left_at
            self.mouse.move(before)
        if not self.undisturbed():
            return False
        self._move(point)
        return True

    def _move(self, point: Point) -> Point | None:
        # Noted before the move: an interrupt between the two must not look like a person's movement. Before
        # the first one the pointer is where a person left it, and may be frozen there as anywhere.
        self._trail.append(self.mouse.position() if self._left_at is None else self._left_at)
        self._left_at = point
        return self.mouse.move(point)

    def give(self) -> PointerRest:
        """Leave the mouse to a person: until our next click, movement of the pointer is no takeover.

        The result says when the person has let go of it.
        """
        self._left_at = None
        self._trail.clear()
        return PointerRest(self.mouse)

    def let_go(self) -> None:
        """Release every button and forget where the pointer was left."""
        self._left_at = None
        self.mouse.release()
