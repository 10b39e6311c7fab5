"""The windows of a Mac's desktop, through Quartz."""

from __future__ import annotations

from typing import Any

from bot.geometry import Rect
from bot.screen.windows import Window


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
