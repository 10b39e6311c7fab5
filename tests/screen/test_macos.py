"""A Mac's windows and permissions, answered by a Quartz that is made up after its documentation."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from bot.geometry import Rect
from bot.screen import checks
from bot.screen.macos.permissions import missing_permissions
from bot.screen.macos.windows import QuartzWindows
from bot.screen.windows import Window

Entry = dict[str, Any]

ONLY_ON_SCREEN, ABOUT_ONE, NO_DESKTOP = 1, 8, 16


def entry(number: int, owner: str, title: str | None = None, **more: Any) -> Entry:
    """A window as CGWindowListCopyWindowInfo describes it; numbers come as floats from Quartz' rectangles."""
    bounds = {"X": 10.0, "Y": 44.0, "Width": 300.0, "Height": 228.0}
    made = {
        "kCGWindowNumber": number,
        "kCGWindowOwnerName": owner,
        "kCGWindowOwnerPID": 500 + number,
        "kCGWindowLayer": 0,
        "kCGWindowAlpha": 1.0,
        "kCGWindowBounds": bounds,
        "kCGWindowIsOnscreen": True,
        **more,
    }
    # Without the permission to record the screen there is no name.
    return made if title is None else made | {"kCGWindowName": title}


@pytest.fixture
def mac(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A Mac; `entries` are its windows from the top to the bottom, None if it has no window server."""
    state = SimpleNamespace(entries=[], activated=[], allowed={"capture": True, "post": True})

    def describe(options: int, number: int) -> list[Entry] | None:
        if state.entries is None:
            return None
        if options == ABOUT_ONE:
            return [one for one in state.entries if one["kCGWindowNumber"] == number]
        assert (options, number) == (ONLY_ON_SCREEN | NO_DESKTOP, 0)
        return [one for one in state.entries if one["kCGWindowIsOnscreen"]]

    state.quartz = SimpleNamespace(
        kCGWindowListOptionOnScreenOnly=ONLY_ON_SCREEN,
        kCGWindowListOptionIncludingWindow=ABOUT_ONE,
        kCGWindowListExcludeDesktopElements=NO_DESKTOP,
        kCGNullWindowID=0,
        CGWindowListCopyWindowInfo=describe,
        CGPreflightScreenCaptureAccess=lambda: state.allowed["capture"],
        CGPreflightPostEventAccess=lambda: state.allowed["post"],
    )

    class Running:
        """NSRunningApplication."""

        @staticmethod
        def runningApplicationWithProcessIdentifier_(number: int) -> Any:
            if number == 599:  # it has ended
                return None
            note = lambda options: state.activated.append((number, options))  # noqa: E731
            return SimpleNamespace(activateWithOptions_=note)

    monkeypatch.setitem(sys.modules, "Quartz", state.quartz)
    monkeypatch.setitem(sys.modules, "AppKit", SimpleNamespace(NSRunningApplication=Running))
    return state


def test_windows_are_listed_from_the_bottom_to_the_top(mac: SimpleNamespace) -> None:
    mac.entries = [
        entry(1, "Window Server", "Menubar", kCGWindowLayer=24),
        entry(2, "Mines", "You won", kCGWindowLayer=8),
        entry(3, "Mines", "Mines"),
        entry(4, "Overlay", kCGWindowAlpha=0.0),
        entry(5, "Notes", ""),
        entry(6, "Dot", kCGWindowBounds={"X": 0.0, "Y": 0.0, "Width": 1.0, "Height": 1.0}),
        entry(7, "Hidden", kCGWindowIsOnscreen=False),
        entry(8, "Wallpaper", kCGWindowLayer=-2147483624),
    ]
    place = Rect(10, 44, 300, 228)
    assert QuartzWindows().windows() == [
        Window(5, "Notes", place, "Notes"),
        Window(3, "Mines", place, "Mines"),
        Window(2, "You won", place, "Mines"),
    ]


def test_without_the_permission_windows_have_the_names_of_their_programs(mac: SimpleNamespace) -> None:
    mac.entries = [entry(3, "Mines")]
    assert [window.title for window in QuartzWindows().windows()] == ["Mines"]


def test_where_there_is_no_window_server_no_window_is_listed(mac: SimpleNamespace) -> None:
    mac.entries = None
    assert QuartzWindows().windows() == []
    assert QuartzWindows().place(Window(3, "Mines", Rect(0, 0, 9, 9))) is None


def test_the_place_of_a_window_is_that_of_now(mac: SimpleNamespace) -> None:
    moved = {"X": -50.0, "Y": 30.0, "Width": 300.0, "Height": 228.0}
    mac.entries = [entry(3, "Mines", kCGWindowBounds=moved), entry(4, "Mines", kCGWindowIsOnscreen=False)]
    windows = QuartzWindows()
    assert windows.place(Window(3, "Mines", Rect(10, 44, 300, 228))) == Rect(-50, 30, 300, 228)
    assert windows.place(Window(4, "Mines", Rect(10, 44, 300, 228))) is None
    assert windows.place(Window(9, "Closed", Rect(10, 44, 300, 228))) is None


def test_a_window_gets_the_keyboard_with_its_program(mac: SimpleNamespace) -> None:
    mac.entries = [entry(3, "Mines"), entry(99, "Ended")]
    windows = QuartzWindows()
    for number in (3, 99, 5):
        assert windows.focus(Window(number, "Mines", Rect(10, 44, 300, 228))) is (number != 5), "5 is gone"
    assert mac.activated == [(503, 2)]


@pytest.mark.parametrize(
    ("capture", "post", "missing"),
    [
        (True, True, []),
        (False, True, ["Screen Recording"]),
        (True, False, ["Accessibility"]),
        (False, False, ["Screen Recording", "Accessibility"]),
    ],
)
def test_a_permission_that_is_missing_is_named(
    mac: SimpleNamespace, monkeypatch: pytest.MonkeyPatch, capture: bool, post: bool, missing: list[str]
) -> None:
    mac.allowed = {"capture": capture, "post": post}
    assert missing_permissions() == missing
    monkeypatch.setattr(sys, "platform", "darwin")
    check = checks.check_platform()
    assert check.ok == (not missing)
    assert all(name in check.finding and name in check.remedy for name in missing)


def test_an_old_mac_has_nothing_to_ask(mac: SimpleNamespace) -> None:
    del mac.quartz.CGPreflightScreenCaptureAccess, mac.quartz.CGPreflightPostEventAccess
    assert missing_permissions() == []
