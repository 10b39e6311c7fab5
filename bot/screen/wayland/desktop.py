"""What every way into a Wayland desktop provides: `Desktop` and its `Monitor`s.

`capture` and `mouse` beside this module build the protocols of a screen on it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from bot.geometry import Point, Rect

if TYPE_CHECKING:
    from bot.vision.grid import Image


class Monitor(Protocol):
    """One monitor of a Wayland desktop."""

    @property
    def rect(self) -> Rect:
        """Where it lies on the desktop, in points."""
        ...

    def picture(self, part: Rect) -> Image:
        """A picture of a part of this monitor, given in points of the desktop: shape (height, width, 3),
        blue, green, red, in pixels. Raises ScreenError if it cannot be captured."""
        ...


class Desktop(Protocol):
    """A Wayland desktop that can be seen and clicked. Methods raise ScreenError if it has gone."""

    shows_pointer: bool
    """Whether the pointer may be seen in the pictures."""

    pointer_at: Point | None
    """Where we put the pointer last; None if we never did. No program may ask where it is now."""

    @property
    def frame_s(self) -> float:
        """Time between two frames of its monitors, in seconds, if each picture waits for the next frame; 0 if
        pictures come at once."""
        ...

    def monitors(self) -> list[Monitor]:
        """The monitors; at least one."""
        ...

    def demand_clicks(self) -> None:
        """Raise ScreenError, with what to do, if its user lets us see it but not use the mouse."""
        ...

    def move(self, point: Point) -> None:
        """Move the pointer there."""
        ...

    def button(self, code: int, down: bool) -> None:
        """Press or release a button where the pointer is; `code` is that of Linux' input events."""
        ...

    def click(self, code: int) -> None:
        """Press and release a button where the pointer is."""
        ...

    def type_key(self, keysym: int) -> None:
        """Press and release a key, by the keysym of X11 that it types."""
        ...

    def close(self) -> None:
        """Leave the desktop."""
        ...
