"""`Desktop` over what remote controls of desktops have in common: `Control`."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from bot.errors import ScreenError
from bot.geometry import Point, Rect
from bot.screen.wayland.cast.frames import Frames, without_fourth
from bot.screen.wayland.desktop import Monitor
from bot.vision.grid import Image

NOTICED_S = 0.3
"""Time that programs take to notice a new pointer or keyboard, in seconds: presses before that are lost (5 of
6 first clicks at once, none of 3 after this)."""

SHIFT = 0xFFE1
"""The keysym of a key that types nothing."""


@dataclass(frozen=True)
class Cast:
    """One monitor that is shown to us."""

    name: int | str
    """What the control calls it where it is told of places on it."""
    rect: Rect
    """Where it lies on the desktop, in points."""
    frames: Frames


class Control(Protocol):
    """A session in which a desktop shows us its monitors and takes our clicks. Methods raise ScreenError if
    it has ended."""

    casts: list[Cast]

    pixels: bool
    """Whether places on a monitor are told in pixels of its picture; else in points."""

    def demand_clicks(self) -> None:
        """Raise ScreenError, with what to do, if the user lets us see the screen but not use the mouse."""
        ...

    def move(self, cast: Cast, x: float, y: float) -> None:
        """Move the pointer to a place on a monitor."""
        ...

    def button(self, code: int, down: bool) -> None:
        """Press or release a button; `code` is that of Linux' input events."""
        ...

    def key(self, keysym: int, down: bool) -> None:
        """Press or release the key that types a keysym of X11."""
        ...

    def close(self) -> None:
        """End the session."""
        ...


@dataclass(frozen=True)
class CastMonitor:
    """One monitor, and the pictures that are taken of it."""

    cast: Cast

    @property
    def rect(self) -> Rect:
        """Where it lies on the desktop."""
        return self.cast.rect

    def picture(self, part: Rect) -> Image:
        """A part of the latest frame. It comes at once, and may be older than what is shown by the time that
        frames take (15 to 75 ms)."""
        frame = self.cast.frames.latest()
        x_scale, y_scale = frame.shape[1] / self.rect.width, frame.shape[0] / self.rect.height
        left, top = round((part.x - self.rect.x) * x_scale), round((part.y - self.rect.y) * y_scale)
        right, bottom = (
            round((part.right - self.rect.x) * x_scale),
            round((part.bottom - self.rect.y) * y_scale),
        )
        return without_fourth(frame[top:bottom, left:right])


class CastDesktop:
    """A desktop that is seen and clicked through a `Control`."""

    shows_pointer = False
    """The control is asked for pictures without it."""

    frame_s = 0.0
    """The latest picture is given at once."""

    def __init__(self, control: Control) -> None:
        self._control = control
        self.pointer_at: Point | None = None
        self._has_moved = self._has_typed = False

    def monitors(self) -> list[Monitor]:
        """The monitors that are shown to us."""
        return [CastMonitor(cast) for cast in self._control.casts]

    def demand_clicks(self) -> None:
        """Raise ScreenError if the user does not let us use the mouse."""
        self._control.demand_clicks()

    def move(self, point: Point) -> None:
        """Move the pointer to a point; to the nearest one of a monitor if it lies on none."""
        cast = min(self._control.casts, key=lambda cast: _distance(cast.rect, point))
        rect = cast.rect
        x = min(max(point.x, rect.x), rect.right - 1) - rect.x
        y = min(max(point.y, rect.y), rect.bottom - 1) - rect.y
        scale = cast.frames.width / rect.width if self._control.pixels else 1.0
        self._control.move(cast, x * scale, y * scale)
        self.pointer_at = point
        if not self._has_moved:
            time.sleep(NOTICED_S)
            self._has_moved = True

    def button(self, code: int, down: bool) -> None:
        """Press or release a button where the pointer is."""
        self._control.button(code, down)

    def click(self, code: int) -> None:
        """Press and release a button where the pointer is."""
        self.button(code, True)
        self.button(code, False)

    def type_key(self, keysym: int) -> None:
        """Press and release a key."""
        if not self._has_typed:
            # Our keyboard appears with its first key, which programs do not notice.
            self._strike(SHIFT)
            time.sleep(NOTICED_S)
            self._has_typed = True
        self._strike(keysym)

    def _strike(self, keysym: int) -> None:
        self._control.key(keysym, True)
        self._control.key(keysym, False)

    def close(self) -> None:
        """Leave the desktop."""
        for cast in self._control.casts:
            cast.frames.close()
        with suppress(ScreenError):  # it may have gone before us
            self._control.close()


def _distance(rect: Rect, point: Point) -> int:
    """How far a point lies outside a rectangle, along both axes together."""
    across = max(rect.x - point.x, 0, point.x - (rect.right - 1))
    return across + max(rect.y - point.y, 0, point.y - (rect.bottom - 1))
