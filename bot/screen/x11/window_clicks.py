"""Clicks that reach the window they are meant for, or are not made.

Between the last look at a window's place and a click the window may go, or another one come over it. So the
X server is asked for both, and gets the click, while it serves nobody else (GrabServer). A program that is
killed meanwhile leaves no grab behind, as the server ends it with the connection.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Sequence
from typing import Any

from bot.geometry import Point, Rect
from bot.process.interrupts import not_suspended
from bot.screen.mouse import Button
from bot.screen.windows import Window
from bot.screen.x11.clicks import queue_click, queue_press
from bot.screen.x11.menus import are_of_one_program

SEE_THROUGH_S = 2.0
"""For how long another window over the place of a click keeps it from being made, in seconds. A dialog that
has just come may not be drawn yet; what still shows the cells after that is seen through, as the windows of
programs that draw over the screen, and is no reason to wait."""

FORGOTTEN_S = 10.0
"""After so long in which it was not met over a click, in seconds, it counts as one that has just come: it may
have gone meanwhile. What lies over a part of the board is met now and then, and shall not be waited for each
time."""


class WindowClicks:
    """Clicks through one connection, a `Display` of python-xlib, for windows of its display."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._top = (0, 0)
        """The number of the window that was clicked last, and of what holds it right below the root."""
        self._over = (0, 0.0, 0.0)
        """The number of the window that lay over it last, since when, and when it was met there last, on
        `time.perf_counter`."""

    def click(self, point: Point, buttons: Sequence[Button], window: Window, *, popups: bool = False) -> bool:
        """Press buttons together at a point of the root window, and release them.

        False, and nothing is pressed, where `window` does not lie at its `rect` any more or another one lies
        over the point; with `popups` a menu of the same program may.
        """
        with self._alone():
            if not self._is_hit(point, window, popups=popups):
                return False
            queue_click(self._connection, point, buttons)
        return True

    def press(self, point: Point, button: Button, window: Window, *, popups: bool = False) -> bool:
        """The same for a button that is pressed and stays down."""
        with self._alone():
            if not self._is_hit(point, window, popups=popups):
                return False
            queue_press(self._connection, point, button)
        return True

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """While the body runs the server serves this connection alone."""
        with not_suspended():
            self._connection.grab_server()
            try:
                yield
            finally:
                self._connection.ungrab_server()
                self._connection.flush()

    def _is_hit(self, point: Point, window: Window, *, popups: bool) -> bool:
        """Whether a click at a point would reach the window, and at its place; with `popups`, or a menu of
        its program. All is asked at once, as each answer that is waited for takes a tenth of a
        millisecond."""
        from Xlib import error
        from Xlib.protocol import request

        display, root = self._connection.display, self._connection.screen().root
        size = request.GetGeometry(display=display, defer=1, drawable=window.id)
        corner = request.TranslateCoords(
            display=display, defer=1, src_wid=window.id, dst_wid=root, src_x=0, src_y=0
        )
        under = request.TranslateCoords(
            display=display, defer=1, src_wid=root, dst_wid=root, src_x=point.x, src_y=point.y
        )
        try:
            for asked in (size, corner, under):
                asked.reply()
            if Rect(corner.x, corner.y, size.width, size.height) != window.rect:
                return False
            top = int(getattr(under.child, "id", under.child))
            if popups and self._is_popup(top, window.id):
                return True
            if self._belongs(top, window.id):
                self._forget_hidden()
                return True
            return self._is_seen_through(top)
        except error.XError:  # it is gone
            return False

    def _is_popup(self, top: int, window: int) -> bool:
        """Whether `top` is what the program of a window has laid over it, and no window manager manages."""
        if top in (0, window) or not are_of_one_program(self._connection, top, window):
            return False
        made = self._connection.create_resource_object("window", top)
        return bool(made.get_attributes().override_redirect)

    def _belongs(self, top: int, window: int) -> bool:
        """Whether the window lies in `top`, which is right below the root."""
        if self._top != (window, top):
            self._top = (window, self._top_of(window))
        return self._top == (window, top)

    def _top_of(self, window: int) -> int:
        root, number = self._connection.screen().root.id, window
        while True:
            parent = self._connection.create_resource_object("window", number).query_tree().parent
            above = 0 if not parent else int(parent.id)
            if above in (0, root):
                return number
            number = above

    def _is_seen_through(self, over: int) -> bool:
        """Whether the window `over` has lain over the place for so long that what is seen is seen through
        it."""
        now = time.perf_counter()
        before, since, met = self._over
        if before != over or now - met > FORGOTTEN_S:
            since = now
        self._over = (over, since, now)
        return over != 0 and now - since > SEE_THROUGH_S

    def _forget_hidden(self) -> None:
        """Forget what lay over the window if it is closed or not shown now: should it come again, it has just
        come."""
        from Xlib import X, error

        if not self._over[0]:
            return
        over = self._connection.create_resource_object("window", self._over[0])
        try:
            is_shown = over.get_attributes().map_state == X.IsViewable
        except error.XError:
            is_shown = False
        if not is_shown:
            self._over = (0, 0.0, 0.0)
