"""`Mouse` through pyautogui, which is imported nowhere else."""

from __future__ import annotations

import contextlib
import io
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any

from bot.errors import ScreenError, Stopped
from bot.geometry import Point
from bot.process.interrupts import uninterrupted
from bot.screen.mouse import CORNER, Button
from bot.screen.win32 import clicks as win32_clicks
from bot.screen.windows import Window
from bot.screen.x11 import clicks as x11_clicks
from bot.screen.x11.window_clicks import WindowClicks

FRESH_S = 0.002
"""For how long the place of the pointer that X11 has told counts as its place, in seconds. Each answer takes
a tenth of a millisecond, and one click asks for it up to four times; nobody moves a mouse far meanwhile."""

SIZED_S = 0.5
"""For how long the size of the screen counts, in seconds."""

LOST = "the mouse can no longer be moved: is the screen gone? Run `minebot doctor`"


class PyautoguiMouse:
    """The mouse of this machine. The fail-safe of pyautogui is on: with the pointer in a corner of the main
    screen every method but `release` raises Stopped. Raises ScreenError without a display."""

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
        """Whether the screen has gone. After that python-xlib would wait for ever for every answer."""
        pyautogui.PAUSE = 0
        pyautogui.FAILSAFE = True
        self._x11: Any = getattr(pyautogui.platformModule, "_display", None)
        """The connection of X11; None elsewhere. pyautogui itself asks the server ten times for each click,
        and each answer takes a tenth of a millisecond."""
        self._window_clicks = None if self._x11 is None else WindowClicks(self._x11)
        self._at, self._told_at = Point(0, 0), -FRESH_S
        """The place that X11 has told last, and when, on `time.perf_counter`."""
        self._corners: set[Point] = set()
        with self._stopping():
            self._note_size()

    def _note_size(self) -> None:
        """Ask where the corners of the screen are: a monitor may be plugged in, and that of a virtual machine
        follows its window. Xlib goes on telling the size that the screen had at first."""
        self._sized_at = time.perf_counter()
        if self._x11 is None:
            width, height = self._gui.size()
        else:
            root = self._x11.screen().root.get_geometry()
            width, height = root.width, root.height
        corners = [(0, 0), (width - 1, 0), (0, height - 1), (width - 1, height - 1)]
        self._gui.FAILSAFE_POINTS = corners
        self._corners = {Point(x, y) for x, y in corners}

    def _is_corner(self, point: Point) -> bool:
        """Whether a point is a corner of the main screen."""
        if time.perf_counter() - self._sized_at > SIZED_S:
            self._note_size()
        return point in self._corners

    def position(self) -> Point:
        """Where the pointer is."""
        with self._stopping():
            return self._position()

    def in_corner(self) -> bool:
        """Whether the pointer is in one of the four corners of the main screen."""
        with self._stopping():
            return self._is_corner(self._position())

    @property
    def tells_last_place(self) -> bool:
        """Whether `move` says where the pointer was: on X11."""
        return self._x11 is not None

    def move(self, point: Point) -> Point | None:
        """Move the pointer to a point; on X11 it says where it was right before."""
        with self._stopping():
            if self._x11 is None:
                self._gui.moveTo(point.x, point.y, _pause=False)
                return None
            before, after = x11_clicks.move(self._x11, point)
            self._told(after)
            if self._is_corner(before):
                raise self._gui.FailSafeException
            return before

    def click(
        self,
        point: Point,
        button: Button,
        hold_s: float = 0.0,
        *,
        window: Window | None = None,
        popups: bool = False,
    ) -> bool:
        """Press and release a button there. On X11 it is made in `window` or not at all."""
        with self._stopping():
            if hold_s <= 0:
                return self._click_at_once(point, (button,), window, popups=popups)
            self._gui.moveTo(point.x, point.y, _pause=False)
            try:
                if self._window_clicks is None or window is None:
                    self._gui.mouseDown(point.x, point.y, button=button, _pause=False)
                elif not self._window_clicks.press(point, button, window, popups=popups):
                    return False
                time.sleep(hold_s)
            finally:
                self._gui.platformModule._mouseUp(point.x, point.y, button)
            return True

    def click_both(self, point: Point, *, window: Window | None = None) -> bool:
        """Press left and right together."""
        with self._stopping():
            return self._click_at_once(point, ("left", "right"), window)

    def _click_at_once(
        self, point: Point, buttons: Sequence[Button], window: Window | None, *, popups: bool = False
    ) -> bool:
        """Press buttons together, and release them with nothing in between, so far as the system can."""
        if self._window_clicks is not None:
            self._check_fail_safe()
            if window is not None:
                return self._window_clicks.click(point, buttons, window, popups=popups)
            x11_clicks.press_and_release(self._x11, point, buttons)
        elif sys.platform == "win32":
            self._gui.moveTo(point.x, point.y, _pause=False)
            win32_clicks.press_and_release(buttons)
        elif len(buttons) == 1:
            self._gui.click(point.x, point.y, button=buttons[0], _pause=False)
        else:
            try:
                for button in buttons:
                    self._gui.mouseDown(point.x, point.y, button=button, _pause=False)
            finally:
                self.release()
        return True

    def _position(self) -> Point:
        if self._x11 is None:
            x, y = self._gui.position()
            return Point(int(x), int(y))
        if time.perf_counter() - self._told_at >= FRESH_S:
            self._told(x11_clicks.position(self._x11))
        return self._at

    def _told(self, at: Point) -> None:
        """X11 has told the place of the pointer."""
        self._at, self._told_at = at, time.perf_counter()

    def _check_fail_safe(self) -> None:
        """pyautogui's own check, without its question where X11 has just answered it."""
        if self._is_corner(self._position()):
            raise self._gui.FailSafeException

    def key(self, name: str) -> None:
        """Press and release a key, or several at once: `ctrl+n`."""
        with self._stopping():
            if "+" in name:
                self._gui.hotkey(*name.split("+"), _pause=False)
            else:
                self._gui.press(name, _pause=False)

    def write(self, text: str) -> None:
        """Type a text."""
        with self._stopping():
            self._gui.write(text, _pause=False)

    def release(self) -> None:
        """Release every button."""
        if self._lost:
            return
        platform = self._gui.platformModule
        # Calls below the fail-safe check, which would leave a button down while the pointer is in a corner.
        try:
            with uninterrupted():
                if sys.platform == "win32":
                    win32_clicks.release_what_is_down()
                    return
                x, y = self._gui.position()
                for button in ("left", "middle", "right"):
                    platform._mouseUp(x, y, button)
        except Exception:
            self._lost = True

    @contextlib.contextmanager
    def _stopping(self) -> Iterator[None]:
        """Release every button and raise Stopped at the fail-safe; raise ScreenError if the screen has
        gone."""
        if self._lost:
            raise ScreenError(LOST)
        try:
            with uninterrupted():
                yield
        except self._gui.FailSafeException:
            self.release()
            raise Stopped(CORNER) from None
        except KeyboardInterrupt:
            self.release()
            raise
        except Exception as error:  # Xlib raises whatever it meets when the screen goes
            self._lost = True
            raise ScreenError(LOST) from error
