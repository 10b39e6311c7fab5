"""The windows of an X11 display, through python-xlib."""

from __future__ import annotations

import contextlib
import io
import time
from collections.abc import Iterator
from typing import Any

from bot.errors import ScreenError
from bot.geometry import Rect
from bot.process.interrupts import uninterrupted
from bot.screen.windows import Window
from bot.screen.x11.gone import says_gone, until_gone
from bot.screen.x11.menus import has_menu
from bot.screen.x11.place_watch import PlaceWatch

LOST = "the windows can no longer be listed: is the screen gone? Run `minebot doctor`"

TAKES_FOCUS_S, LOOK_S = 0.3, 0.01
"""How long a program may take that takes the focus itself, and between two looks whether it has, in seconds:
Java gives it to a window of its own within that one."""

AS_A_PAGER = 2
"""Who asks for a window to be activated: not the program of the window, but the user, by another one."""


class XWindows:
    """The windows of an X11 display, read from the tree of windows, with or without a window manager."""

    known = True

    def __init__(self) -> None:
        from Xlib import X, display, error

        self._x = X
        self._ignored = error.CatchError()
        self._error = error.XError
        self._lost = False
        """Whether the display has gone. After that python-xlib would wait for ever for every answer."""
        # Xlib prints a warning about missing authority on stdout, which belongs to --json.
        with contextlib.redirect_stdout(io.StringIO()):
            self._display = display.Display()
        self._watch: PlaceWatch | None = None
        """On the window whose place was asked for last."""

    @uninterrupted()
    def windows(self) -> list[Window]:
        """Every mapped window with a name, from the bottom to the top."""
        with self._watched():
            return self._listed()

    def _listed(self) -> list[Window]:
        found: list[Window] = []
        for top in self._display.screen().root.query_tree().children:
            try:
                window = self._named(top)
            except self._error:  # it was closed meanwhile
                continue
            if window is not None:
                found.append(window)
        return found

    @contextlib.contextmanager
    def _watched(self) -> Iterator[None]:
        """Raise ScreenError where the display has gone."""
        if self._lost:
            raise ScreenError(LOST)
        try:
            yield
        except Exception as error:
            if not says_gone(error):
                raise
            self._lost = True
            raise ScreenError(LOST) from None

    @uninterrupted()
    def place(self, window: Window) -> Rect | None:
        """Where the window lies; None if it is not shown. The server tells when that changes, as it is asked
        for before each click; the whole list takes hundreds of requests."""
        with self._watched():
            if self._watch is None or self._watch.window != window.id:
                if self._watch is not None:
                    self._watch.end()
                self._watch = PlaceWatch(self._display, window.id)
            return self._watch.place()

    @uninterrupted()
    def focus(self, window: Window) -> bool:
        """Set the input focus, where the window or a part of it does not have it; False where it is gone. X11
        does not say whether a window manager leaves it there.

        A program that takes the focus itself, as those in Java do, is asked to (ICCCM 4.1.7), and gets a
        moment for that: it gives its keys to nothing else.
        """
        with self._watched(), contextlib.suppress(self._error):
            resource = self._display.create_resource_object("window", window.id)
            if self._focused_in(window.id):
                return True
            # A window may have been closed just now. python-xlib would print that error on stderr.
            resource.set_input_focus(self._x.RevertToParent, self._x.CurrentTime, onerror=self._ignored)
            take = self._display.intern_atom("WM_TAKE_FOCUS")
            if take in resource.get_wm_protocols():
                self._tell(resource, resource, self._display.intern_atom("WM_PROTOCOLS"), [take, 0, 0, 0, 0])
                self._display.sync()
                until = time.perf_counter() + TAKES_FOCUS_S
                while time.perf_counter() < until and self._focused_in(window.id) in (None, window.id):
                    time.sleep(LOOK_S)
            self._display.sync()
            resource.get_attributes()  # an error where the window is gone
            return True
        return False

    def _focused_in(self, window: int) -> int | None:
        """What has the focus, if that is a window or a part of it; None elsewhere."""
        with contextlib.suppress(self._error):  # what has the focus may go in between
            focused = at = self._display.get_input_focus().focus
            while hasattr(at, "query_tree"):
                if at.id == window:
                    return int(focused.id)
                at = at.query_tree().parent
        return None

    def _tell(self, to: Any, about: Any, kind: int, words: list[int], event_mask: int = 0) -> None:
        """Send a window a message about one, of five numbers."""
        from Xlib.protocol.event import ClientMessage

        message = ClientMessage(window=about, client_type=kind, data=(32, words))
        to.send_event(message, event_mask=event_mask, onerror=self._ignored)

    @uninterrupted()
    def to_front(self, window: Window) -> None:
        """Ask the window manager, or without one the X server."""
        root = self._display.screen().root
        with self._watched(), contextlib.suppress(self._error):
            resource = self._display.create_resource_object("window", window.id)
            activate = self._display.intern_atom("_NET_ACTIVE_WINDOW")
            supported = root.get_full_property(
                self._display.intern_atom("_NET_SUPPORTED"), self._x.AnyPropertyType
            )
            if supported is not None and activate in supported.value:
                mask = self._x.SubstructureRedirectMask | self._x.SubstructureNotifyMask
                self._tell(root, resource, activate, [AS_A_PAGER, self._x.CurrentTime, 0, 0, 0], mask)
            else:
                resource.configure(stack_mode=self._x.Above, onerror=self._ignored)
            self._display.sync()

    @uninterrupted()
    def has_menu(self, window: Window) -> bool:
        """Whether a menu of the window's program is open."""
        with self._watched():
            return has_menu(self._display, window.id)

    @uninterrupted()
    def close(self) -> None:
        """Close the connection to the display."""
        if not self._lost:
            with until_gone():
                self._display.close()

    def _named(self, top: Any) -> Window | None:
        """The top-level window, or the first named window inside the frame of a window manager; None if there
        is none."""
        level = [top]
        for _ in range(4):  # frames are one or two deep
            below: list[Any] = []
            for candidate in level:
                attributes = candidate.get_attributes()
                if attributes.map_state != self._x.IsViewable or attributes.win_class != self._x.InputOutput:
                    continue
                title = self._title(candidate)
                program = self._text(candidate, "WM_CLASS").split("\0")[0]
                if title or program:
                    rect = self._rect(candidate)
                    if rect.width > 1 and rect.height > 1:
                        owner = candidate.get_wm_transient_for()
                        owner_id = 0 if owner is None else int(owner.id)
                        process, client = self._process(candidate), self._client(candidate)
                        return Window(candidate.id, title, rect, program, owner_id, process, client)
                below += candidate.query_tree().children
            level = below
        return None

    def _process(self, window: Any) -> int:
        found = window.get_full_property(self._display.intern_atom("_NET_WM_PID"), self._x.AnyPropertyType)
        return 0 if found is None or not len(found.value) else int(found.value[0])

    def _client(self, window: Any) -> int:
        """The part of its number that all windows have in common which a program makes by one connection."""
        return int(window.id & ~self._display.display.info.resource_id_mask)

    def _title(self, window: Any) -> str:
        return self._text(window, "_NET_WM_NAME") or self._text(window, "WM_NAME")

    def _text(self, window: Any, name: str) -> str:
        """A text property of a window. python-xlib's own functions fail for text that is not ASCII."""
        found = window.get_full_property(self._display.intern_atom(name), self._x.AnyPropertyType)
        value = b"" if found is None else found.value
        if not isinstance(value, bytes):
            return str(value)
        try:
            return value.decode()
        except UnicodeDecodeError:  # the type STRING of X
            return value.decode("latin-1")

    def _rect(self, window: Any) -> Rect:
        geometry = window.get_geometry()
        corner = self._display.screen().root.translate_coords(window, 0, 0)
        return Rect(corner.x, corner.y, geometry.width, geometry.height)
