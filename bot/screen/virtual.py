"""A screen in memory with windows in it, for tests and for machines without a display.

`VirtualScreen` implements `Capture`, `Mouse` and `Windows` at once. The bot sees pixels and sends clicks as
on any screen; it cannot tell the difference.
"""

from __future__ import annotations

from itertools import count
from typing import Protocol

import numpy as np

from bot.errors import Stopped
from bot.geometry import Point, Rect
from bot.screen.mouse import CORNER, Button
from bot.screen.windows import Window
from bot.vision.grid import Image

BUTTONS: dict[Button, int] = {"left": 1, "middle": 2, "right": 3}

BACKGROUND = (96, 72, 40)
"""Blue, green, red of the empty screen."""

_new_id = count(1).__next__


class Content(Protocol):
    """What a window shows and how it reacts to the mouse; `x` and `y` are pixels of its inside."""

    def image(self) -> Image:
        """The whole inside: shape (height, width, 3), blue, green, red."""
        ...

    def press(self, x: int, y: int, button: int) -> None:
        """A button goes down: 1 left, 2 middle, 3 right."""
        ...

    def release(self, x: int, y: int, button: int) -> None:
        """A button goes up."""
        ...

    def move(self, x: int, y: int) -> None:
        """The pointer moves over the window."""
        ...

    def key(self, name: str) -> None:
        """A key is pressed and released."""
        ...


class VirtualWindow:
    """A window of the virtual screen."""

    def __init__(self, content: Content, title: str, at: Point, program: str = "virtual") -> None:
        self.id = _new_id()
        """No other window has it, not even once this one is closed, as an address in memory might."""
        self.content = content
        self.title = title
        self.at = at
        self.program = program

    @property
    def rect(self) -> Rect:
        """Where its inside lies on the screen."""
        height, width = self.content.image().shape[:2]
        return Rect(self.at.x, self.at.y, width, height)


class VirtualScreen:
    """A screen with one monitor of `width` x `height` pixels, one pixel a point."""

    known = True

    def __init__(self, width: int = 1280, height: int = 1024) -> None:
        self._area = Rect(0, 0, width, height)
        self._ground: Image = np.full((height, width, 3), BACKGROUND, np.uint8)
        self.stack: list[VirtualWindow] = []
        """The windows, from the bottom to the top."""
        self.pointer = Point(width // 2, height // 2)
        self.held: set[Button] = set()
        """The buttons that are down."""
        self.hold_s = 0.0
        """For how long the button of the last click is to be held down; nobody waits for that here."""

    def open(self, window: VirtualWindow) -> VirtualWindow:
        """Put a window on top."""
        self.stack.append(window)
        return window

    def monitors(self) -> list[Rect]:
        """The one monitor."""
        return [self._area]

    def grab(self, rect: Rect) -> Image:
        """The pixels of a rectangle of the screen."""
        on_screen = rect.clipped(self._area)
        if on_screen != rect:
            black: Image = np.zeros((rect.height, rect.width, 3), np.uint8)
            if on_screen.width and on_screen.height:
                left, top = on_screen.x - rect.x, on_screen.y - rect.y
                seen_part = self.grab(on_screen)
                black[top : top + on_screen.height, left : left + on_screen.width] = seen_part
            return black
        picture: Image | None = None
        for window in self.stack:
            inside, at = window.content.image(), window.at
            seen = Rect(at.x, at.y, inside.shape[1], inside.shape[0]).clipped(rect)
            if not (seen.width and seen.height):
                continue
            part = inside[seen.y - at.y : seen.bottom - at.y, seen.x - at.x : seen.right - at.x]
            if seen == rect:
                picture = part.copy()  # nothing below it is seen
                continue
            if picture is None:
                picture = self._bare(rect)
            picture[seen.y - rect.y : seen.bottom - rect.y, seen.x - rect.x : seen.right - rect.x] = part
        return self._bare(rect) if picture is None else picture

    def _bare(self, rect: Rect) -> Image:
        """The pixels of a rectangle where no window lies."""
        bare: Image = self._ground[: rect.height, : rect.width].copy()
        return bare

    def close(self) -> None:
        """Does nothing."""

    def windows(self) -> list[Window]:
        """The windows, from the bottom to the top."""
        return [Window(window.id, window.title, window.rect, window.program) for window in self.stack]

    def place(self, window: Window) -> Rect | None:
        """Where a window lies now; None if it is closed."""
        return next((own.rect for own in self.stack if own.id == window.id), None)

    def focus(self, window: Window) -> bool:
        """Raise a window; the topmost one has the keyboard. False if it is closed."""
        for own in self.stack:
            if own.id == window.id:
                self.stack.remove(own)
                self.stack.append(own)
                return True
        return False

    def to_front(self, window: Window) -> None:
        """The same as `focus`, which does that here."""
        self.focus(window)

    def has_menu(self, window: Window) -> bool:
        """False: it is unknown."""
        return False

    def position(self) -> Point:
        """Where the pointer is."""
        return self.pointer

    def in_corner(self) -> bool:
        """Whether the pointer is in one of the four corners."""
        return self.pointer.x in (0, self._area.right - 1) and self.pointer.y in (0, self._area.bottom - 1)

    tells_last_place = False

    def move(self, point: Point) -> None:
        """Move the pointer; raises Stopped if it was in a corner."""
        if self.in_corner():
            raise Stopped(CORNER)
        self.pointer = point
        window = self._under(point)
        if window is not None:
            window.content.move(point.x - window.at.x, point.y - window.at.y)

    def click(
        self,
        point: Point,
        button: Button,
        hold_s: float = 0.0,
        *,
        window: Window | None = None,
        popups: bool = False,
    ) -> bool:
        """Press and release a button there, if `window`, where one is named, is what lies there."""
        self.hold_s = hold_s
        self.move(point)
        if not self._is_meant(self.pointer, window, popups=popups):
            return False
        try:
            self._press(self.pointer, button)
        finally:
            self._let_go(self.pointer, button)
        return True

    def click_both(self, point: Point, *, window: Window | None = None) -> bool:
        """Press left and right together."""
        self.move(point)
        if not self._is_meant(self.pointer, window):
            return False
        try:
            self._press(self.pointer, "left")
            self._press(self.pointer, "right")
        finally:
            self.release()
        return True

    def key(self, name: str) -> None:
        """Press and release a key in the topmost window."""
        if self.stack:
            self.stack[-1].content.key(name)

    def write(self, text: str) -> None:
        """Type letter by letter."""
        for letter in text:
            self.key(letter)

    def release(self) -> None:
        """Release every button that is down."""
        for button in sorted(self.held):
            self._let_go(self.pointer, button)

    def _press(self, point: Point, button: Button) -> None:
        self.held.add(button)
        window = self._under(point)
        if window is not None:
            window.content.press(point.x - window.at.x, point.y - window.at.y, BUTTONS[button])

    def _let_go(self, point: Point, button: Button) -> None:
        self.held.discard(button)
        window = self._under(point)
        if window is not None:
            window.content.release(point.x - window.at.x, point.y - window.at.y, BUTTONS[button])

    def _is_meant(self, point: Point, window: Window | None, *, popups: bool = False) -> bool:
        """Whether a click at a point reaches the window, and at its place; with `popups`, or another one of
        its program."""
        if window is None:
            return True
        under = self._under(point)
        if under is None or self.place(window) != window.rect:
            return False
        return under.id == window.id or (popups and under.program == window.program)

    def _under(self, point: Point) -> VirtualWindow | None:
        return next((window for window in reversed(self.stack) if window.rect.contains(point)), None)
