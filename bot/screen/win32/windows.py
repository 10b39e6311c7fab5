"""The windows of a Windows desktop, through ctypes."""

from __future__ import annotations

import ctypes
from ctypes import wintypes
from pathlib import PureWindowsPath
from typing import Any

from bot.geometry import Rect
from bot.process.interrupts import uninterrupted
from bot.screen.windows import Window

GW_OWNER = 4
"""The argument of GetWindow that asks for the owner of a window."""

DWMWA_CLOAKED = 14
"""The attribute of DwmGetWindowAttribute that says that a window is drawn nowhere: that of an app that is
suspended, or on another virtual desktop. Its rectangle and its title are those of a window that is shown."""

TITLE_LENGTH = 256
"""Maximum length of a title or a class name, in characters; a longer one is cut."""

PATH_LENGTH = 32768
"""Maximum length of the path of a file, in characters."""

PROCESS_QUERY_LIMITED_INFORMATION = 0x1000
"""The right that OpenProcess is asked for: to be told the file that a process runs."""


class Win32Windows:
    """The windows of a Windows desktop, through ctypes. Raises OSError if its libraries are missing."""

    known = True

    def __init__(self) -> None:
        # Our own handles of the libraries: those of `ctypes.windll` are shared with pyautogui, and so would
        # be the types of arguments that are set here.
        library: Any = ctypes.WinDLL  # type: ignore[attr-defined,unused-ignore]
        self._user32: Any = library("user32")
        self._user32.GetWindow.restype = self._user32.GetForegroundWindow.restype = wintypes.HWND
        self._kernel32: Any = library("kernel32")
        self._programs: dict[tuple[int, int], str] = {}
        """The program of each window that was met, by the handle of the window and the number of its process:
        all windows are listed many times a second."""
        self._kernel32.OpenProcess.restype = wintypes.HANDLE
        try:
            self._dwmapi: Any = library("dwmapi")
        except OSError:  # Windows without the desktop window manager cloaks nothing
            self._dwmapi = None

    def windows(self) -> list[Window]:
        """Every window with a title that is shown, from the bottom to the top."""
        with uninterrupted():  # Python drops what is raised within a callback
            handles = self._handles()
        found = (self._described(handle) for handle in reversed(handles))
        return [window for window in found if window is not None]

    def _handles(self) -> list[int]:
        """All top-level windows, from the top to the bottom."""
        handles: list[int] = []

        def visit(handle: int | None, _: int) -> bool:
            if handle is not None:
                handles.append(handle)
            return True

        function: Any = ctypes.WINFUNCTYPE  # type: ignore[attr-defined,unused-ignore]
        self._user32.EnumWindows(function(wintypes.BOOL, wintypes.HWND, wintypes.LPARAM)(visit), 0)
        return handles

    def _described(self, handle: int) -> Window | None:
        """One window; None if it has no title, shows nothing, or was closed meanwhile."""
        if not self._is_shown(handle):
            return None
        window = wintypes.HWND(handle)
        title = ctypes.create_unicode_buffer(TITLE_LENGTH)
        self._user32.GetWindowTextW(window, title, TITLE_LENGTH)
        rect = self._rect(handle)
        if not title.value or rect is None or rect.width <= 1 or rect.height <= 1:
            return None
        process = wintypes.DWORD()
        self._user32.GetWindowThreadProcessId(window, ctypes.byref(process))
        owner = int(self._user32.GetWindow(window, GW_OWNER) or 0)
        met = handle, process.value
        if met not in self._programs:
            self._programs[met] = self._program(process.value)
        return Window(handle, title.value, rect, self._programs[met], owner, process.value)

    def _program(self, process: int) -> str:
        """The name of the file that a process runs, without its folder and its ending: the next process of
        the program has it too. Empty where Windows does not tell."""
        opened = self._kernel32.OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, False, process)
        handle = wintypes.HANDLE(opened)
        if not handle:
            return ""
        path, length = ctypes.create_unicode_buffer(PATH_LENGTH), wintypes.DWORD(PATH_LENGTH)
        try:
            told = self._kernel32.QueryFullProcessImageNameW(handle, 0, path, ctypes.byref(length))
        finally:
            self._kernel32.CloseHandle(handle)
        return PureWindowsPath(path.value).stem if told else ""

    def _is_shown(self, handle: int) -> bool:
        """Whether a window is visible, not minimised and not cloaked."""
        window = wintypes.HWND(handle)
        if not self._user32.IsWindowVisible(window) or self._user32.IsIconic(window):
            return False
        if self._dwmapi is None:
            return True
        cloaked = wintypes.DWORD()
        # Its result says whether this Windows knows the attribute, which came with Windows 8.
        status = self._dwmapi.DwmGetWindowAttribute(
            window, DWMWA_CLOAKED, ctypes.byref(cloaked), ctypes.sizeof(cloaked)
        )
        return status != 0 or not cloaked.value

    def place(self, window: Window) -> Rect | None:
        """The client area of the window, in pixels; None if it is not shown."""
        return self._rect(window.id) if self._is_shown(window.id) else None

    def _rect(self, handle: int) -> Rect | None:
        """The client area of a window, in pixels; None if it was closed."""
        inside, corner = wintypes.RECT(), wintypes.POINT(0, 0)
        window = wintypes.HWND(handle)
        if not self._user32.GetClientRect(window, ctypes.byref(inside)):
            return None
        if not self._user32.ClientToScreen(window, ctypes.byref(corner)):
            return None
        return Rect(corner.x, corner.y, inside.right, inside.bottom)

    def focus(self, window: Window) -> bool:
        """Bring the window to the front; False if Windows refuses, which keeps the front for the program that
        the user works with."""
        self._user32.SetForegroundWindow(wintypes.HWND(window.id))
        return int(self._user32.GetForegroundWindow() or 0) == window.id

    def to_front(self, window: Window) -> None:
        """The same as `focus`, which does that here."""
        self.focus(window)

    def has_menu(self, window: Window) -> bool:
        """False: it is unknown."""
        return False

    def close(self) -> None:
        """Does nothing: no connection is held."""
