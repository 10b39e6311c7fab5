"""`Mouse` on a Wayland desktop, whichever way its clicks go."""

from __future__ import annotations

import contextlib
import time

from bot.errors import ScreenError
from bot.geometry import Point
from bot.process.interrupts import uninterrupted
from bot.screen.capture import desktop as around
from bot.screen.mouse import Button
from bot.screen.wayland.desktop import Desktop
from bot.screen.wayland.keymap import keysym_of_letter, keysym_of_name
from bot.screen.windows import Window

CODES: dict[Button, int] = {"left": 0x110, "right": 0x111, "middle": 0x112}
"""The buttons of linux/input-event-codes.h."""


class WaylandMouse:
    """The mouse and the keyboard of a Wayland desktop.

    No program is told where a person puts the pointer. So a person who takes the mouse is not noticed, and no
    corner stops the bot: Ctrl-C does.
    """

    def __init__(self, desktop: Desktop) -> None:
        """Raises ScreenError if the desktop's user does not let us use the mouse."""
        desktop.demand_clicks()
        self._desktop = desktop
        area = around([monitor.rect for monitor in desktop.monitors()])
        self._at = area.center
        self._down: list[Button] = []

    def position(self) -> Point:
        """Where the bot put the pointer last, also where the capture has put it aside meanwhile; the middle
        of the desktop before that."""
        return self._at

    def in_corner(self) -> bool:
        """Never: it is unknown."""
        return False

    tells_last_place = False

    @uninterrupted()
    def move(self, point: Point) -> None:
        """Move the pointer to a point."""
        self._at = point
        self._desktop.move(point)

    def click(
        self,
        point: Point,
        button: Button,
        hold_s: float = 0.0,
        *,
        window: Window | None = None,
        popups: bool = False,
    ) -> bool:
        """Press and release a button there; where the window lies in that instant nobody can tell."""
        self.move(point)
        if not hold_s:
            with uninterrupted():
                self._desktop.click(CODES[button])
            return True
        try:
            self._press(button)
            time.sleep(hold_s)
        finally:
            self.release()
        return True

    def click_both(self, point: Point, *, window: Window | None = None) -> bool:
        """Press left and right together."""
        self.move(point)
        try:
            self._press("left")
            self._press("right")
        finally:
            self.release()
        return True

    @uninterrupted()
    def _press(self, button: Button) -> None:
        self._down.append(button)
        self._desktop.button(CODES[button], True)

    @uninterrupted()
    def key(self, name: str) -> None:
        """Press and release a key. Raises ScreenError for a name that has no key."""
        self._desktop.type_key(keysym_of_name(name))

    @uninterrupted()
    def write(self, text: str) -> None:
        """Type a text."""
        for letter in text:
            self._desktop.type_key(keysym_of_letter(letter))

    def release(self) -> None:
        """Release every button that is down."""
        with uninterrupted():
            while self._down:
                with contextlib.suppress(ScreenError):
                    self._desktop.button(CODES[self._down[-1]], False)
                self._down.pop()
