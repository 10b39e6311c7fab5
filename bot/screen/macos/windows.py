"""The windows of a Mac's desktop, through Quartz."""

from __future__ import annotations

from typing import Any

from bot.geometry import Rect
from bot.screen.windows import Window


class QuartzWindows:
    """The windows of a Mac's desktop, through Quartz (pyobjc), which pyautogui installs."""

    known = True

    def __init__(self) -> None:
        import Quartz

        self._quartz: Any = Quartz

    def windows(self) -> list[Window]:
        """Every window on the screen, from the bottom to the top; their rectangles include the frames."""
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
        """Where the window lies, frame included; None if it is not shown. Asks about this window alone."""
        quartz = self._quartz
        entries = quartz.CGWindowListCopyWindowInfo(quartz.kCGWindowListOptionIncludingWindow, window.id)
        shown = [entry for entry in entries or () if entry.get("kCGWindowIsOnscreen", False)]
        return self._rect(shown[0]) if shown else None

    @staticmethod
    def _rect(entry: Any) -> Rect:
        bounds = entry.get("kCGWindowBounds", {})
        return Rect(*(int(bounds.get(key, 0)) for key in ("X", "Y", "Width", "Height")))

    def focus(self, window: Window) -> None:
        """Does nothing: it would need further permissions, and a click gives the focus."""

    def close(self) -> None:
        """Does nothing: no connection is held."""
