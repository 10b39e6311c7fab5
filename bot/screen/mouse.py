"""The mouse and the keyboard: the protocol `Mouse`."""

from __future__ import annotations

from typing import Literal, Protocol

from bot.geometry import Point
from bot.screen.windows import Window

Button = Literal["left", "middle", "right"]

CORNER = "the pointer is in a corner of the screen (fail-safe): move it out of there, then start once more"
"""Why a run stops, or does not begin, where the pointer is in a fail-safe corner."""


class Mouse(Protocol):
    """A mouse with a keyboard. Points are those of the desktop.

    Every way out of a method leaves no button down. Each method but `release` raises ScreenError if the
    screen has gone, and those that move, click or type raise Stopped if the pointer is in a fail-safe corner.
    """

    def position(self) -> Point:
        """Where the pointer is."""
        ...

    def in_corner(self) -> bool:
        """Whether the pointer is in a fail-safe corner."""
        ...

    def move(self, point: Point) -> Point | None:
        """Move the pointer to a point. Where the system says so with the same answer: where the pointer was
        right before."""
        ...

    @property
    def tells_last_place(self) -> bool:
        """Whether `move` says where the pointer was."""
        ...

    def click(
        self,
        point: Point,
        button: Button,
        hold_s: float = 0.0,
        *,
        window: Window | None = None,
        popups: bool = False,
    ) -> bool:
        """Press and release a button at a point.

        `hold_s` is a pause between the two, in seconds. `window` is the one that the click is meant for:
        where the system can tell in the same instant that it does not lie at its `rect`, or that another one
        lies over the point, nothing is pressed, and the answer is False. With `popups` one that the same
        program has laid over it, as a menu, may take the click.
        """
        ...

    def click_both(self, point: Point, *, window: Window | None = None) -> bool:
        """Press the left and the right button together at a point, and release them; the same."""
        ...

    def key(self, name: str) -> None:
        """Press and release a key: `enter`, `escape`, `f2`, a letter; or several at once: `ctrl+n`."""
        ...

    def write(self, text: str) -> None:
        """Type a text."""
        ...

    def release(self) -> None:
        """Release every button; raises nothing."""
        ...
