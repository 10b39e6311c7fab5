"""The windows of a Mac's desktop, through Quartz."""

from __future__ import annotations

from typing import Any

from bot.geometry import Rect
from bot.screen.windows import Window

HIGHEST_LEVEL = 8
"""kCGModalPanelWindowLevel: windows of programs lie at level 0, floating ones at 3, their dialogs at 8; the
Dock, the menu bar and notifications lie higher."""

IGNORING_OTHER_APPS = 2
"""NSApplicationActivateIgnoringOtherApps: also while another program is active."""


class QuartzWindows:
    """The windows of a Mac's desktop, through Quartz (pyobjc), which pyautogui installs."""

    known = True

    def __init__(self) -> None:
        import AppKit
        import Quartz

        self._quartz: Any = Quartz
        self._appkit: Any = AppKit

    def windows(self) -> list[Window]:
        """Every window on the screen, from the bottom to the top; their rectangles include the frames.

        Without the permission to record the screen, windows have no titles: each then has its program's name.
        """
        quartz = self._quartz
        options = quartz.kCGWindowListOptionOnScreenOnly | quartz.kCGWindowListExcludeDesktopElements
        found: list[Window] = []
        # It is None where there is no window server, in a login by ssh for instance.
        for entry in quartz.CGWindowListCopyWindowInfo(options, quartz.kCGNullWindowID) or ():
            rect = self._rect(entry)
            owner = str(entry.get("kCGWindowOwnerName") or "")
            title = str(entry.get("kCGWindowName") or "") or owner
            level, opacity = entry.get("kCGWindowLayer", 0), entry.get("kCGWindowAlpha", 1.0)
            if 0 <= level <= HIGHEST_LEVEL and opacity > 0 and rect.width > 1 and rect.height > 1:
                found.append(Window(int(entry["kCGWindowNumber"]), title, rect, owner))
        return found[::-1]

    def place(self, window: Window) -> Rect | None:
        """Where the window lies, frame included; None if it is not shown. Asks about this window alone."""
        shown = [entry for entry in self._entries(window) if entry.get("kCGWindowIsOnscreen", False)]
        return self._rect(shown[0]) if shown else None

    def _entries(self, window: Window) -> list[Any]:
        """What Quartz says of one window: one entry, or none if it was closed."""
        quartz = self._quartz
        found = quartz.CGWindowListCopyWindowInfo(quartz.kCGWindowListOptionIncludingWindow, window.id)
        # Asked about a window that is gone, it may describe others.
        return [entry for entry in found or () if int(entry["kCGWindowNumber"]) == window.id]

    @staticmethod
    def _rect(entry: Any) -> Rect:
        bounds = entry.get("kCGWindowBounds") or {}
        return Rect(*(int(bounds.get(key, 0)) for key in ("X", "Y", "Width", "Height")))

    def focus(self, window: Window) -> bool:
        """Activate the program of the window, which needs no permission; False where that is gone. Whether
        macOS did so is unknown: it tells that only to programs with an event loop."""
        entries = self._entries(window)
        for entry in entries:
            running = self._appkit.NSRunningApplication
            program = running.runningApplicationWithProcessIdentifier_(int(entry["kCGWindowOwnerPID"]))
            if program is not None:
                program.activateWithOptions_(IGNORING_OTHER_APPS)
        return bool(entries)

    def to_front(self, window: Window) -> None:
        """The same as `focus`, which does that here."""
        self.focus(window)

    def has_menu(self, window: Window) -> bool:
        """False: it is unknown."""
        return False

    def close(self) -> None:
        """Does nothing: no connection is held."""
