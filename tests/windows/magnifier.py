"""A desktop that is scaled by a fraction, as far as a program can tell: other windows shown larger, smoothly.

`python tests/windows/magnifier.py :77 :78 1.25` gives every window of display :77 a twin on display :78,
drawn 1.25 times as large, each pixel blended of its neighbours as compositors blend them. The mouse, the
keyboard and the focus go back to the window that is shown. So any game can be played at any cell pitch.
"""

from __future__ import annotations

import math
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from bot.errors import BotError, WindowError
from bot.geometry import Rect
from bot.screen.capture import desktop
from bot.screen.display import ensure_display, environment
from bot.screen.programs.started_program import end
from bot.screen.this_machine import system_capture, system_windows
from bot.screen.windows import Window
from bot.vision.grid import Image, same_pixels

LIST_S = 0.05
"""Between two looks at which windows there are."""

LOOK_S = 0.005
"""Between two looks at what they show."""

APART_S = 0.002
"""Between what two buttons do."""

COMES_S = 20.0
"""How long a twin may take to be there."""

DRAWN_S = 0.5
"""How long it may take to be drawn, on a busy machine."""

TOLD_BY_POINTER = (5, 6, 7)
"""Details of a change of the focus that are none: NotifyPointer, NotifyPointerRoot, NotifyDetailNone."""


@dataclass
class Twin:
    """A window, and what shows it."""

    window: Window
    shown: Any
    """The window of X11 that shows it."""
    seen: Image | None = None
    """The picture that was seen last."""
    drawn: Image | None = None
    """The one that was drawn of it."""


class Magnifier:
    """Shows the windows of one display on another."""

    def __init__(self, source: str, target: str, scale: float) -> None:
        """`source` and `target` are displays; a window is shown `scale` times as large."""
        from Xlib import X
        from Xlib.display import Display

        self._x, self._scale = X, scale
        with environment(DISPLAY=source):
            self._windows, self._capture = system_windows(), system_capture()
        self._source, self._target = Display(source), Display(target)
        self._screen = desktop(self._capture.monitors())
        self._twins: dict[int, Twin] = {}
        """By the id of what shows them."""

    def run(self) -> None:
        """Show them until this program is ended, or one of the displays."""
        listed = 0.0
        while True:
            if time.monotonic() - listed > LIST_S:
                self._follow_windows()
                listed = time.monotonic()
            while self._target.pending_events():
                self._pass_on(self._target.next_event())
            for twin in self._twins.values():
                self._draw(twin)
            self._target.flush()
            select.select([self._target.fileno()], [], [], LOOK_S)

    # Windows

    def _follow_windows(self) -> None:
        """Have one twin for each window, at its place and of its size."""
        by_source = {twin.window.id: twin for twin in self._twins.values()}
        for window in self._windows.windows():
            twin = by_source.pop(window.id, None)
            if twin is None:
                self._open(window)
            elif twin.window != window:
                if twin.window.rect != window.rect:
                    place = self._scaled(window.rect)
                    twin.shown.configure(x=place.x, y=place.y, width=place.width, height=place.height)
                self._name(twin.shown, window)
                twin.window, twin.seen = window, None
        for twin in by_source.values():
            twin.shown.destroy()
            del self._twins[twin.shown.id]

    def _scaled(self, rect: Rect) -> Rect:
        x, y, width, height = (
            round(value * self._scale) for value in (rect.x, rect.y, rect.width, rect.height)
        )
        return Rect(x, y, width, height)

    def _open(self, window: Window) -> None:
        from Xlib import Xatom, Xutil

        x, place, screen = self._x, self._scaled(window.rect), self._target.screen()
        heard = x.ButtonPressMask | x.ButtonReleaseMask | x.PointerMotionMask | x.LeaveWindowMask
        heard |= x.KeyPressMask | x.KeyReleaseMask | x.FocusChangeMask | x.ExposureMask
        shown = screen.root.create_window(
            place.x, place.y, place.width, place.height, 0, screen.root_depth, event_mask=heard
        )
        self._name(shown, window)
        # Where it lies is said by its user: window managers have their own idea of where windows belong.
        shown.set_wm_normal_hints(flags=Xutil.USPosition)
        owner = next((twin for twin in self._twins.values() if twin.window.id == window.owner), None)
        if owner is not None:
            # The library's own function for it takes no window.
            shown.change_property(Xatom.WM_TRANSIENT_FOR, Xatom.WINDOW, 32, [owner.shown.id])
        shown.map()
        self._twins[shown.id] = Twin(window, shown)

    def _name(self, shown: Any, window: Window) -> None:
        shown.set_wm_name(window.title)
        shown.set_wm_class(window.program, window.program)

    # What they show

    def _draw(self, twin: Twin) -> None:
        """Draw what has changed."""
        rect = twin.window.rect.clipped(self._screen)
        picture = self._capture.grab(rect)
        if twin.seen is not None and same_pixels(picture, twin.seen):
            return
        factor = self._scale
        drawn = np.asarray(
            cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_LINEAR), np.uint8
        )
        before, twin.seen, twin.drawn = twin.drawn, picture, drawn
        if before is None or before.shape != drawn.shape:
            self._put(twin, Rect(0, 0, drawn.shape[1], drawn.shape[0]))
            return
        rows, columns = np.nonzero((before != drawn).any(axis=2))
        if len(rows):
            left, top = int(columns.min()), int(rows.min())
            self._put(twin, Rect(left, top, int(columns.max()) + 1 - left, int(rows.max()) + 1 - top))

    def _put(self, twin: Twin, part: Rect) -> None:
        """Send a part of the picture, in as many requests as it takes."""
        assert twin.drawn is not None
        with_fourth = cv2.cvtColor(twin.drawn[part.y : part.bottom, part.x : part.right], cv2.COLOR_BGR2BGRA)
        at_once = max(1, (4 * self._target.display.info.max_request_length - 64) // (4 * part.width))
        context = twin.shown.create_gc()
        for top in range(0, part.height, at_once):
            rows = with_fourth[top : top + at_once]
            place = part.x, part.y + top, part.width, len(rows)
            depth = self._target.screen().root_depth
            twin.shown.put_image(context, *place, self._x.ZPixmap, depth, 0, rows.tobytes())
        context.free()

    # What is done with them

    def _pass_on(self, event: Any) -> None:
        """Do to the window what was done to its twin."""
        # Some events are of no window: another map of the keyboard, for one.
        window = getattr(event, "window", None)
        x, kind, twin = self._x, event.type, None if window is None else self._twins.get(window.id)
        if twin is None:
            return
        if kind == x.Expose and twin.drawn is not None and event.count == 0:
            self._put(twin, Rect(0, 0, twin.drawn.shape[1], twin.drawn.shape[0]))
        elif kind == x.FocusIn and event.detail not in TOLD_BY_POINTER:
            self._windows.focus(twin.window)
        elif kind == x.FocusOut and event.detail not in TOLD_BY_POINTER:
            self._source.screen().root.set_input_focus(x.RevertToPointerRoot, x.CurrentTime)
        elif kind in (x.KeyPress, x.KeyRelease):
            self._source.xtest_fake_input(kind, event.detail)
        elif kind in (x.MotionNotify, x.ButtonPress, x.ButtonRelease, x.LeaveNotify):
            across, down = (math.floor((at + 0.5) / self._scale) for at in (event.event_x, event.event_y))
            rect = twin.window.rect
            self._source.xtest_fake_input(x.MotionNotify, x=rect.x + across, y=rect.y + down)
            if kind in (x.ButtonPress, x.ButtonRelease):
                self._source.xtest_fake_input(kind, event.detail)
                # What was waiting here would else come all at once: no mouse clicks twice at one time.
                self._source.flush()
                time.sleep(APART_S)
        self._source.flush()


@contextmanager
def magnified(display: str, scale: float) -> Iterator[Callable[[Window], None]]:
    """A screen for programs to be started on while the body runs; `DISPLAY` names it. Its windows are shown
    on another display, `scale` times as large.

    Gives what waits until one of them is shown there.
    """

    def shown(wanted: Window) -> None:
        until = time.monotonic() + COMES_S
        with environment(DISPLAY=display), closing(system_windows()) as windows:
            while not any(window.program == wanted.program for window in windows.windows()):
                if time.monotonic() > until:
                    raise WindowError(f"{wanted.title!r} is not shown on {display}")
                time.sleep(0.05)
        time.sleep(DRAWN_S)

    with ensure_display(headless=True, size=(1280, 1024)) as source:
        words = [sys.executable, str(Path(__file__)), source.name, display, str(scale)]
        process = subprocess.Popen(words, start_new_session=True)
        try:
            yield shown
        finally:
            end(process)


def main() -> int:
    """Show the windows of one display on another until one of them ends."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    source, target, scale = sys.argv[1:]
    with suppress(BotError, ConnectionError):
        Magnifier(source, target, float(scale)).run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
