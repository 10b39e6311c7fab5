"""Windows' own calls, answered by a desktop that is made up: also those that Wine refuses."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from ctypes import wintypes
from dataclasses import dataclass
from typing import Any

import pytest

from bot.geometry import Rect
from bot.process.dpi import claim_dpi_awareness
from bot.screen.mouse import Button
from bot.screen.win32.clicks import press_and_release, release_what_is_down
from bot.screen.win32.session import cautions
from bot.screen.win32.windows import Win32Windows
from bot.screen.windows import Window

PLACE = Rect(10, 20, 300, 200)

E_INVALIDARG = -2147024809
E_ACCESSDENIED = -2147024891


@dataclass
class Shown:
    """A window of the desktop."""

    title: str
    rect: Rect = PLACE
    visible: bool = True
    minimised: bool = False
    cloaked: bool = False
    owner: int = 0
    closes: bool = False
    """Whether it is closed while it is asked about."""
    file: str = "C:\\Games (old)\\Mines 2.0.exe"
    """What its process runs; empty where Windows does not tell."""


class User32:
    """The calls of user32.dll that list windows."""

    def __init__(self, windows: dict[int, Shown]) -> None:
        self.shown = windows
        self.front = 0
        self.front_is_kept = False
        self.GetWindow = lambda window, which: self._owner(window, which)  # a function takes a result type
        self.GetForegroundWindow = lambda: self.front

    def EnumWindows(self, visit: Callable[[int, int], bool], _: int) -> bool:
        return all(visit(handle, 0) for handle in self.shown)

    def IsWindowVisible(self, window: wintypes.HWND) -> bool:
        return self._one(window).visible

    def IsIconic(self, window: wintypes.HWND) -> bool:
        return self._one(window).minimised

    def GetWindowTextW(self, window: wintypes.HWND, text: Any, length: int) -> int:
        text.value = self._one(window).title[: length - 1]
        return len(text.value)

    def GetWindowThreadProcessId(self, window: wintypes.HWND, process: Any) -> int:
        process._obj.value = 40 + int(window.value or 0)
        return 1

    def _owner(self, window: wintypes.HWND, which: int) -> int | None:
        assert which == 4
        return self._one(window).owner or None

    def GetClientRect(self, window: wintypes.HWND, inside: Any) -> bool:
        rect = self._one(window).rect
        inside._obj.right, inside._obj.bottom = rect.width, rect.height
        return not self._one(window).closes

    def ClientToScreen(self, window: wintypes.HWND, corner: Any) -> bool:
        rect = self._one(window).rect
        corner._obj.x, corner._obj.y = rect.x, rect.y
        return not self._one(window).closes

    def SetForegroundWindow(self, window: wintypes.HWND) -> bool:
        if not self.front_is_kept:
            self.front = int(window.value or 0)
        return not self.front_is_kept

    def _one(self, window: wintypes.HWND) -> Shown:
        assert isinstance(window, wintypes.HWND), "a number alone would be cut to 32 bits"
        return self.shown[int(window.value or 0)]


class Kernel32:
    """The calls of kernel32.dll that tell which file a process runs."""

    def __init__(self, windows: dict[int, Shown]) -> None:
        self.shown = windows
        self.open: list[int] = []
        self.OpenProcess = lambda rights, inherits, process: self._opened(rights, process)

    def _opened(self, rights: int, process: int) -> int | None:
        assert rights == 0x1000, "more is refused for the processes of others"
        if self.shown[process - 40].file == "no right":
            return None
        self.open.append(process)
        return process

    def QueryFullProcessImageNameW(self, handle: wintypes.HANDLE, form: int, path: Any, length: Any) -> bool:
        file = self.shown[int(handle.value or 0) - 40].file
        assert (form, length._obj.value > len(file)) == (0, True)
        path.value = file
        return file != ""

    def CloseHandle(self, handle: wintypes.HANDLE) -> bool:
        self.open.remove(int(handle.value or 0))
        return True


class Dwmapi:
    """dwmapi.dll of Windows 8 and later, or of 7, which does not know the question."""

    def __init__(self, user32: User32, knows: bool) -> None:
        self._user32 = user32
        self._knows = knows

    def DwmGetWindowAttribute(self, window: wintypes.HWND, which: int, value: Any, size: int) -> int:
        assert (which, size) == (14, ctypes.sizeof(wintypes.DWORD))
        if not self._knows:
            return E_INVALIDARG
        value._obj.value = 2 * self._user32.shown[int(window.value or 0)].cloaked
        return 0


@pytest.fixture
def desktop(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Win32Windows, User32]]:
    def make(windows: dict[int, Shown], dwm: bool | None = True) -> tuple[Win32Windows, User32]:
        user32, kernel32 = User32(windows), Kernel32(windows)

        def library(name: str) -> object:
            if name == "dwmapi" and dwm is None:
                raise OSError("not found")
            return {"user32": user32, "kernel32": kernel32, "dwmapi": Dwmapi(user32, knows=bool(dwm))}[name]

        monkeypatch.setattr(ctypes, "WinDLL", library, raising=False)
        monkeypatch.setattr(ctypes, "WINFUNCTYPE", lambda *_: lambda function: function, raising=False)
        return Win32Windows(), user32

    return make


Desktop = Callable[..., tuple[Win32Windows, User32]]


def test_the_windows_that_are_shown_are_listed_from_the_bottom_to_the_top(desktop: Desktop) -> None:
    windows, _ = desktop(
        {
            7: Shown("You won", owner=5),
            5: Shown("Mines", Rect(-300, 40, 640, 400)),
            3: Shown("hidden", visible=False),
            4: Shown("minimised", minimised=True),
            6: Shown(""),
            8: Shown("a line", Rect(0, 0, 300, 1)),
            2: Shown("Desktop"),
        }
    )
    assert windows.windows() == [
        Window(2, "Desktop", Rect(10, 20, 300, 200), "Mines 2.0", process=42),
        Window(5, "Mines", Rect(-300, 40, 640, 400), "Mines 2.0", process=45),
        Window(7, "You won", Rect(10, 20, 300, 200), "Mines 2.0", owner=5, process=47),
    ]


def test_a_window_has_the_name_of_the_file_that_its_process_runs(desktop: Desktop) -> None:
    """A calibration keeps it: it had the number of the process, which is another one at each start."""
    files = "C:\\winmine.EXE", "D:\\Spiele\\Räumer.exe", "", "no right"
    windows, _ = desktop({number: Shown("Mines", file=file) for number, file in enumerate(files, 1)})
    assert [one.program for one in reversed(windows.windows())] == ["winmine", "Räumer", "", ""]
    assert windows._kernel32.open == [], "each process that was opened is closed"


@pytest.mark.parametrize(("dwm", "titles"), [(True, ["Mines"]), (False, ["Mail", "Mines"])])
def test_a_suspended_app_shows_no_window(desktop: Desktop, dwm: bool, titles: list[str]) -> None:
    windows, _ = desktop({1: Shown("Mines"), 2: Shown("Mail", cloaked=True)}, dwm)
    assert [window.title for window in windows.windows()] == titles
    assert (windows.place(Window(2, "Mail", Rect(0, 0, 9, 9))) is None) == dwm


def test_without_a_desktop_window_manager_nothing_is_cloaked(desktop: Desktop) -> None:
    windows, _ = desktop({1: Shown("Mines")}, None)
    assert [window.title for window in windows.windows()] == ["Mines"]


def test_a_window_that_is_closed_meanwhile_is_left_out(desktop: Desktop) -> None:
    windows, _ = desktop({1: Shown("Mines"), 2: Shown("Gone", closes=True)})
    assert [window.title for window in windows.windows()] == ["Mines"]
    assert windows.place(Window(2, "Gone", Rect(10, 20, 300, 200))) is None


def test_a_failure_while_the_windows_are_described_is_raised(
    desktop: Desktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    windows, user32 = desktop({1: Shown("Mines")})

    def fail(_: wintypes.HWND) -> bool:
        raise OSError("access violation")

    monkeypatch.setattr(user32, "IsIconic", fail)
    with pytest.raises(OSError, match="access violation"):
        windows.windows()


def test_a_handle_keeps_all_its_bits(desktop: Desktop) -> None:
    handle = 0x1_0002_0003
    windows, _ = desktop({handle: Shown("Mines")})
    assert [window.id for window in windows.windows()] == [handle]


@pytest.mark.parametrize("kept", [False, True])
def test_whether_a_window_got_the_keyboard_is_told(desktop: Desktop, kept: bool) -> None:
    windows, user32 = desktop({1: Shown("Mines"), 2: Shown("Letter")})
    user32.front, user32.front_is_kept = 2, kept
    assert windows.focus(Window(1, "Mines", Rect(0, 0, 9, 9))) == (not kept)


class Libraries:
    """`ctypes.windll` of a Windows that takes the calls named and refuses or lacks the others."""

    def __init__(self, takes: str, *, lacks: tuple[str, ...] = ()) -> None:
        self.calls: list[str] = []
        self.user32 = self.shcore = self
        self._takes, self._lacks = takes, lacks

    def __getattr__(self, name: str) -> Callable[..., int]:
        if name in self._lacks:
            raise AttributeError(name)

        def call(*arguments: Any) -> int:
            self.calls.append(name)
            if name == "SetProcessDpiAwarenessContext":
                (context,) = arguments
                assert isinstance(context, ctypes.c_void_p), "a handle is as wide as a pointer"
                assert context.value == 2 ** (8 * ctypes.sizeof(ctypes.c_void_p)) - 4
            refused = E_ACCESSDENIED if name == "SetProcessDpiAwareness" else 0
            taken = 0 if name == "SetProcessDpiAwareness" else 1
            return taken if name == self._takes else refused

        return call


V2, V1, SYSTEM = "SetProcessDpiAwarenessContext", "SetProcessDpiAwareness", "SetProcessDPIAware"


@pytest.mark.parametrize(
    ("takes", "lacks", "calls"),
    [
        (V2, (), [V2]),
        (V1, (), [V2, V1]),
        (V1, (V2,), [V1]),
        (SYSTEM, (V2, V1), [SYSTEM]),
        ("none", (), [V2, V1, SYSTEM]),
        ("none", (V2, V1, SYSTEM), []),
    ],
)
def test_the_newest_call_for_real_pixels_that_this_windows_takes(
    monkeypatch: pytest.MonkeyPatch, takes: str, lacks: tuple[str, ...], calls: list[str]
) -> None:
    libraries = Libraries(takes, lacks=lacks)
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(ctypes, "windll", libraries, raising=False)
    assert claim_dpi_awareness() == (takes != "none")
    assert libraries.calls == calls


@pytest.mark.parametrize(("remote", "admin", "told"), [(1, 0, 2), (0, 0, 1), (0, 1, 0)])
def test_a_session_with_limits_says_so(
    monkeypatch: pytest.MonkeyPatch, remote: int, admin: int, told: int
) -> None:
    class Session:
        def __init__(self) -> None:
            self.user32 = self.shell32 = self

        def GetSystemMetrics(self, which: int) -> int:
            assert which == 0x1000
            return remote

        def IsUserAnAdmin(self) -> int:
            return admin

    monkeypatch.setattr(ctypes, "windll", Session(), raising=False)
    assert len(cautions()) == told


@pytest.mark.parametrize(
    ("buttons", "events"), [(("left",), [0x2, 0x4]), (("left", "right"), [0x2, 0x8, 0x4, 0x10])]
)
def test_a_click_is_one_call(
    buttons: tuple[Button, ...], events: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that no kill falls between press and release."""
    calls = []

    class Library:
        def SendInput(self, count: int, inputs: Any, size: int) -> int:
            assert size == 40  # what Windows expects of 64-bit programs
            calls.append([(one.type, one.mi.dwFlags) for one in inputs])
            return count if len(calls) == 1 else 0

    monkeypatch.setattr(ctypes, "WinDLL", lambda name: Library(), raising=False)
    press_and_release(buttons)
    assert calls == [[(0, flag) for flag in events]]
    with pytest.raises(OSError, match=f"took 0 of {len(events)} inputs"):
        press_and_release(buttons)


@pytest.mark.parametrize(("down", "released"), [((), []), ((1,), [0x4]), ((1, 2, 4), [0x4, 0x10, 0x40])])
def test_only_what_is_down_is_released(
    down: tuple[int, ...], released: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A release by itself opens a cell of WineMine, and elsewhere a menu."""
    sent: list[int] = []

    class Library:
        def GetAsyncKeyState(self, key: int) -> int:
            return -0x8000 if key in down else 1  # 1: it was pressed since somebody asked last

        def SendInput(self, count: int, inputs: Any, size: int) -> int:
            sent.extend(one.mi.dwFlags for one in inputs)
            return count

    monkeypatch.setattr(ctypes, "WinDLL", lambda name: Library(), raising=False)
    release_what_is_down()
    assert sent == released
