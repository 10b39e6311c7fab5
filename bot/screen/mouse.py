"""The mouse and the keyboard, through pyautogui, which is imported nowhere else."""

from __future__ import annotations

import contextlib
import io
import time
from collections.abc import Iterator
from typing import Any, Literal, Protocol

from bot.errors import ScreenError, Stopped
from bot.geometry import Point
from bot.interrupts import uninterrupted

Button = Literal["left", "middle", "right"]


LOST = "the mouse can no longer be moved: is the screen gone? Run `minebot doctor`"


class Mouse(Protocol):
    """A mouse with a keyboard. Every way out of a method leaves no button down."""

    def position(self) -> Point:
        """Where the pointer is."""
        ...

    def in_corner(self) -> bool:
        """Whether the pointer is in a fail-safe corner."""
        ...

    def move(self, point: Point) -> None:
        """Put the pointer somewhere. Raises Stopped where it was found in a fail-safe corner."""
        ...

    def click(self, point: Point, button: Button, hold_s: float = 0.0) -> None:
        """Press and release a button there; with `hold_s`, rest so long before and after the press.

        Raises Stopped where the pointer was in a fail-safe corner.
        """
        ...

    def click_both(self, point: Point) -> None:
        """Press the left and the right button together, and release them."""
        ...

    def key(self, name: str) -> None:
        """Press and release a key: `enter`, `escape`, `f2`, a letter."""
        ...

    def write(self, text: str) -> None:
        """Type a text."""
        ...

    def release(self) -> None:
        """Let go of every button; raises nothing."""
        ...


class PyautoguiMouse:
    """The mouse of this machine, its fail-safe on: the pointer in a corner of the screen stops the bot."""

    def __init__(self) -> None:
        try:
            # Xlib prints a warning about missing authority on stdout, which belongs to --json.
            with contextlib.redirect_stdout(io.StringIO()):
                import pyautogui
        except SystemExit:  # pyautogui's mouseinfo exits where tkinter is missing
            raise ScreenError("the mouse needs tkinter: `apt-get install python3-tk`, or the like") from None
        except Exception as error:  # Xlib raises whatever it meets: KeyError, DisplayConnectionError, …
            message = f"the mouse cannot be used ({type(error).__name__}: {error}): run `minebot doctor`"
            raise ScreenError(message) from None
        self._gui: Any = pyautogui
        self._lost = False
        """Whether the screen has gone. python-xlib would wait for ever for the answer to anything more."""
        pyautogui.PAUSE = 0
        pyautogui.FAILSAFE = True
        width, height = pyautogui.size()
        corners = [(0, 0), (width - 1, 0), (0, height - 1), (width - 1, height - 1)]
        pyautogui.FAILSAFE_POINTS = corners
        self._corners = {Point(x, y) for x, y in corners}

    def position(self) -> Point:
        """Where the pointer is."""
        with self._stopping():
            x, y = self._gui.position()
        return Point(int(x), int(y))

    def in_corner(self) -> bool:
        """Whether the pointer is in one of the four corners of the main screen."""
        return self.position() in self._corners

    def move(self, point: Point) -> None:
        """Put the pointer somewhere."""
        with self._stopping():
            self._gui.moveTo(point.x, point.y, _pause=False)

    def click(self, point: Point, button: Button, hold_s: float = 0.0) -> None:
        """Press and release a button there."""
        with self._stopping():
            if hold_s <= 0:
                self._gui.click(point.x, point.y, button=button, _pause=False)
                return
            self._gui.moveTo(point.x, point.y, _pause=False)
            time.sleep(hold_s)
            try:
                self._gui.mouseDown(point.x, point.y, button=button, _pause=False)
                time.sleep(hold_s)
            finally:
                self._gui.platformModule._mouseUp(point.x, point.y, button)

    def click_both(self, point: Point) -> None:
        """Press left and right together."""
        with self._stopping():
            try:
                self._gui.mouseDown(point.x, point.y, button="left", _pause=False)
                self._gui.mouseDown(point.x, point.y, button="right", _pause=False)
            finally:
                self.release()

    def key(self, name: str) -> None:
        """Press and release a key."""
        with self._stopping():
            self._gui.press(name, _pause=False)

    def write(self, text: str) -> None:
        """Type a text."""
        with self._stopping():
            self._gui.write(text, _pause=False)

    def release(self) -> None:
        """Let go of every button."""
        if self._lost:
            return
        platform = self._gui.platformModule
        # Below the fail-safe check, which would keep a button down when the pointer is in a corner.
        try:
            with uninterrupted():
                x, y = self._gui.position()
                for button in ("left", "middle", "right"):
                    platform._mouseUp(x, y, button)
        except Exception:
            self._lost = True

    @contextlib.contextmanager
    def _stopping(self) -> Iterator[None]:
        if self._lost:
            raise ScreenError(LOST)
        try:
            with uninterrupted():
                yield
        except self._gui.FailSafeException:
            self.release()
            raise Stopped("the pointer is in a corner of the screen (fail-safe)") from None
        except KeyboardInterrupt:
            self.release()
            raise
        except Exception as error:  # Xlib raises whatever it meets when the screen goes
            self._lost = True
            raise ScreenError(LOST) from error
