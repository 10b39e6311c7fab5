"""The windows of a Windows desktop, through ctypes."""

from __future__ import annotations

from typing import Any

from bot.geometry import Rect
from bot.screen.windows import Window

GW_OWNER = 4
"""The argument of GetWindow that asks for the owner of a window."""


class Win32Windows:
    """The windows of a Windows desktop, through ctypes."""

    known = True

    def __init__(self) -> None:
        import ctypes

        self._ctypes: Any = ctypes
        self._user32: Any = ctypes.windll.user32  # type: ignore[attr-defined,unused-ignore]

    def windows(self) -> list[Window]:
        """Every visible top-level window with a title, from the bottom to the top."""
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
        """The client area of the window, in pixels; None if it is hidden or minimised."""
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
        """Does nothing: no connection is held."""
