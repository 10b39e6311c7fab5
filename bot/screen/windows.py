"""The windows on the desktop: where they lie, what they are called, which one is on top."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from bot.errors import ScreenError
from bot.geometry import Rect
from bot.interrupts import uninterrupted

LOST = "the windows can no longer be listed: is the screen gone? Run `minebot doctor`"

GW_OWNER = 4
"""What GetWindow of Windows is asked for."""


@dataclass(frozen=True)
class Window:
    """A window that can be seen. Windows are listed from the bottom to the top."""

    id: int
    title: str
    rect: Rect
    """Its inside, without the frame and the title bar that the window manager draws."""
    program: str = ""
    """The program's own name for its windows; dialogs of a game share it with the game."""
    owner: int = 0
    """The id of the window that it belongs to, as a dialog does; 0 where there is none or none is known."""


class Windows(Protocol):
    """The list of windows."""

    @property
    def known(self) -> bool:
        """Whether this desktop tells which windows there are."""
        ...

    def windows(self) -> list[Window]:
        """The windows that are shown, from the bottom to the top; empty where that cannot be known."""
        ...

    def place(self, window: Window) -> Rect | None:
        """Where the inside of a window lies now; None where it is not shown. Quick enough for every click."""
        ...

    def focus(self, window: Window) -> None:
        """Give a window the keyboard; nothing where that cannot be done."""
        ...

    def close(self) -> None:
        """Let the desktop go."""
        ...


class NoWindows:
    """A desktop that tells nothing about its windows."""

    known = False

    def windows(self) -> list[Window]:
        """Nothing is known."""
        return []

    def place(self, window: Window) -> Rect | None:
        """Where it was: nothing more is known."""
        return window.rect

    def focus(self, window: Window) -> None:
        """Nothing can be done."""

    def close(self) -> None:
        """Nothing is held."""


class XWindows:
    """The windows of an X11 display, read from the tree of windows, with or without a window manager."""

    known = True

    def __init__(self) -> None:
        from Xlib import X, display, error

        self._x = X
        self._ignored = error.CatchError()
        self._error = error.XError
        self._closed = error.ConnectionClosedError
        self._lost = False
        """Whether the display has gone. python-xlib would wait for ever for the answer to anything more."""
        # Xlib prints a warning about missing authority on stdout, which belongs to --json.
        with contextlib.redirect_stdout(io.StringIO()):
            self._display = display.Display()

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
            except self._error:  # it closed while we looked
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
        except self._closed:
            self._lost = True
            raise ScreenError(LOST) from None

    @uninterrupted()
    def place(self, window: Window) -> Rect | None:
        """Its geometry: three questions to the X server, of the hundreds that the whole list takes."""
        with self._watched():
            resource = self._display.create_resource_object("window", window.id)
            try:
                shown = resource.get_attributes().map_state == self._x.IsViewable
                return self._rect(resource) if shown else None
            except self._error:  # it is gone
                return None

    @uninterrupted()
    def focus(self, window: Window) -> None:
        """Set the input focus, and ask a window manager to raise the window."""
        with self._watched(), contextlib.suppress(self._error):
            resource = self._display.create_resource_object("window", window.id)
            # A window that has just gone is no error; python-xlib would print that one on stderr.
            resource.set_input_focus(self._x.RevertToParent, self._x.CurrentTime, onerror=self._ignored)
            self._display.sync()

    @uninterrupted()
    def close(self) -> None:
        """Close the connection to the display."""
        if not self._lost:
            with contextlib.suppress(self._closed):
                self._display.close()

    def _named(self, top: Any) -> Window | None:
        """The window itself, or, in a window manager's frame, the first one inside that has a name."""
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
                        return Window(candidate.id, title, rect, program, owner_id)
                below += candidate.query_tree().children
            level = below
        return None

    def _title(self, window: Any) -> str:
        return self._text(window, "_NET_WM_NAME") or self._text(window, "WM_NAME")

    def _text(self, window: Any, name: str) -> str:
        """A property of a window; python-xlib's own functions stumble over what is not ASCII."""
        found = window.get_full_property(self._display.intern_atom(name), self._x.AnyPropertyType)
        value = b"" if found is None else found.value
        if not isinstance(value, bytes):
            return str(value)
        try:
            return value.decode()
        except UnicodeDecodeError:  # what X calls STRING
            return value.decode("latin-1")

    def _rect(self, window: Any) -> Rect:
        geometry = window.get_geometry()
        corner = self._display.screen().root.translate_coords(window, 0, 0)
        return Rect(corner.x, corner.y, geometry.width, geometry.height)


class Win32Windows:
    """The windows of a Windows desktop, through ctypes."""

    known = True

    def __init__(self) -> None:
        import ctypes

        self._ctypes: Any = ctypes
        self._user32: Any = ctypes.windll.user32  # type: ignore[attr-defined,unused-ignore]

    def windows(self) -> list[Window]:
        """Every visible top window with a title; EnumWindows goes from the top to the bottom."""
        ctypes, user32 = self._ctypes, self._user32
        from ctypes import wintypes

        found: list[Window] = []

        def visit(handle: int, _: int) -> bool:
            if user32.IsWindowVisible(handle) and not user32.IsIconic(handle):
                title = ctypes.create_unicode_buffer(256)
                user32.GetWindowTextW(handle, title, 256)
                program = ctypes.create_unicode_buffer(256)
                user32.GetClassNameW(handle, program, 256)
                rect = self._rect(handle)
                process = wintypes.DWORD()
                user32.GetWindowThreadProcessId(handle, ctypes.byref(process))
                if rect.width > 1 and rect.height > 1 and title.value:
                    owner = int(user32.GetWindow(handle, GW_OWNER) or 0)
                    name = f"process {process.value}"
                    found.append(Window(int(handle), title.value, rect, name, owner))
            return True

        prototype = ctypes.WINFUNCTYPE(wintypes.BOOL, wintypes.HWND, wintypes.LPARAM)
        user32.EnumWindows(prototype(visit), 0)
        return found[::-1]

    def place(self, window: Window) -> Rect | None:
        """Its client area."""
        if not self._user32.IsWindowVisible(window.id) or self._user32.IsIconic(window.id):
            return None
        return self._rect(window.id)

    def _rect(self, handle: int) -> Rect:
        from ctypes import wintypes

        inside, corner = wintypes.RECT(), wintypes.POINT(0, 0)
        self._user32.GetClientRect(handle, self._ctypes.byref(inside))
        self._user32.ClientToScreen(handle, self._ctypes.byref(corner))
        return Rect(corner.x, corner.y, inside.right, inside.bottom)

    def focus(self, window: Window) -> None:
        """Bring the window to the front."""
        self._user32.SetForegroundWindow(window.id)

    def close(self) -> None:
        """Nothing is held."""


class QuartzWindows:
    """The windows of a Mac's desktop, through Quartz, which pyautogui brings."""

    known = True

    def __init__(self) -> None:
        import Quartz

        self._quartz: Any = Quartz

    def windows(self) -> list[Window]:
        """Every window on the screen; Quartz lists them from the top to the bottom, frames included."""
        quartz = self._quartz
        options = quartz.kCGWindowListOptionOnScreenOnly | quartz.kCGWindowListExcludeDesktopElements
        found: list[Window] = []
        for entry in quartz.CGWindowListCopyWindowInfo(options, quartz.kCGNullWindowID):
            rect = self._rect(entry)
            owner = str(entry.get("kCGWindowOwnerName", ""))
            title = str(entry.get("kCGWindowName", "")) or owner
            if entry.get("kCGWindowLayer", 0) == 0 and rect.width > 1 and rect.height > 1:
                found.append(Window(int(entry["kCGWindowNumber"]), title, rect, owner))
        return found[::-1]

    def place(self, window: Window) -> Rect | None:
        """As the window server tells it of this one window."""
        quartz = self._quartz
        entries = quartz.CGWindowListCopyWindowInfo(quartz.kCGWindowListOptionIncludingWindow, window.id)
        shown = [entry for entry in entries or () if entry.get("kCGWindowIsOnscreen", False)]
        return self._rect(shown[0]) if shown else None

    @staticmethod
    def _rect(entry: Any) -> Rect:
        bounds = entry.get("kCGWindowBounds", {})
        return Rect(*(int(bounds.get(key, 0)) for key in ("X", "Y", "Width", "Height")))

    def focus(self, window: Window) -> None:
        """Not to be had without further permissions; a click gives the focus."""

    def close(self) -> None:
        """Nothing is held."""


def system_windows() -> Windows:
    """The list of windows of this machine, or one that knows nothing where it cannot be had."""
    try:
        if sys.platform == "win32":
            return Win32Windows()
        if sys.platform == "darwin":
            return QuartzWindows()
        return XWindows()
    except Exception:  # whatever Xlib or Quartz stumble over: the board is found without them
        return NoWindows()
