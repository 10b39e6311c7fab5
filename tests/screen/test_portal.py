"""The way through a desktop's portal, against a portal in a thread: consent, pictures, clicks and keys."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import numpy as np
import pytest

if sys.platform != "linux":
    pytest.skip("Wayland desktops are Linux'", allow_module_level=True)
pytest.importorskip("jeepney", reason="missing: pip install '.[wayland]'")

from fake_compositor import FakeCompositor, Screen
from fake_portal import FakeFrames, FakePortal, named_on_bus, own_bus, serving

from bot.errors import ScreenError
from bot.files import user_data
from bot.geometry import Point, Rect
from bot.screen import checks, this_machine
from bot.screen.display import ensure_display
from bot.screen.wayland import session, ways
from bot.screen.wayland.cast import cast_desktop, portal, portal_offer
from bot.screen.wayland.cast.consent import remember, remembered

NO_WLROOTS = ["zwlr_screencopy_manager_v1", "zwlr_virtual_pointer_manager_v1"]


@pytest.fixture
def desktop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakePortal]:
    """A desktop with a portal and without wlroots' protocols, which the environment names."""
    monkeypatch.setattr(cast_desktop, "NOTICED_S", 0.0)
    monkeypatch.setattr(portal, "pipewire_frames", lambda connect, node, size: FakeFrames(size))
    for variable in ("DISPLAY", "SWAYSOCK", ways.CHOICE):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-7")
    compositor = FakeCompositor([Screen(Rect(0, 0, 9, 9), np.zeros((9, 9, 4), np.uint8))])
    compositor.without = NO_WLROOTS
    with ExitStack() as stack:
        stack.enter_context(closing(compositor.listen(tmp_path / "wayland-7")))
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", stack.enter_context(own_bus()))
        yield stack.enter_context(serving(FakePortal()))
        session.leave()


def test_what_is_shared_is_seen_and_clicked(desktop: FakePortal) -> None:
    desktop.streams = [(41, (0, 0), (200, 100)), (42, (200, 0), (100, 80))]
    capture, mouse = this_machine.system_capture(), this_machine.system_mouse()
    assert capture.monitors() == [Rect(0, 0, 200, 100), Rect(200, 0, 100, 80)]
    assert capture.grab(Rect(30, 20, 5, 5))[2, 3].tolist() == [33, 22, 200]
    assert capture.grab(Rect(190, 20, 20, 5))[0, :, 0].tolist() == [*range(190, 200), *range(10)]
    mouse.click(Point(230, 7), "right")
    mouse.key("f2")
    assert desktop.notified() == [
        ("PointerMotionAbsolute", 42, 30.0, 7.0),
        ("PointerButton", 0x111, 1),
        ("PointerButton", 0x111, 0),
        ("KeyboardKeysym", cast_desktop.SHIFT, 1),  # the first key of a new keyboard is lost
        ("KeyboardKeysym", cast_desktop.SHIFT, 0),
        ("KeyboardKeysym", 0xFFBF, 1),
        ("KeyboardKeysym", 0xFFBF, 0),
    ]
    # Whole monitors, and their pictures without the pointer.
    sources = desktop.options("SelectSources")
    assert (sources["types"], sources["cursor_mode"]) == (portal_offer.MONITOR, portal.POINTER_HIDDEN)
    assert not this_machine.system_windows().known
    session.leave()
    assert desktop.asked[-1][0] == "Close"


def test_a_monitor_with_more_pixels_than_points(desktop: FakePortal, monkeypatch: pytest.MonkeyPatch) -> None:
    """The portal counts points, as its documentation says."""
    monkeypatch.setattr(portal, "pipewire_frames", lambda connect, node, size: FakeFrames(size, 1.25))
    capture, mouse = this_machine.system_capture(), this_machine.system_mouse()
    picture = capture.grab(Rect(40, 20, 20, 40))
    assert picture.shape == (50, 25, 3)
    assert picture[0, 0].tolist() == [50, 25, 200]
    mouse.move(Point(40, 20))
    assert desktop.notified() == [("PointerMotionAbsolute", 41, 40.0, 20.0)]


def test_gnome_counts_pixels_and_takes_none_beyond_the_points(
    desktop: FakePortal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(portal, "pipewire_frames", lambda connect, node, size: FakeFrames(size, 1.25))
    with named_on_bus(portal.MUTTER):
        mouse = this_machine.system_mouse()
    mouse.move(Point(40, 20))
    assert desktop.notified() == [("PointerMotionAbsolute", 41, 50.0, 25.0)]
    mouse.move(Point(180, 20))  # 225 pixels, of which 199 are allowed: the rest are 20.8 points
    assert desktop.notified()[1:] == [
        ("PointerMotionAbsolute", 41, 199.0, 25.0),
        ("PointerMotion", 20.8, 0.0),
    ]


def test_consent_is_said_beforehand_and_remembered(desktop: FakePortal) -> None:
    with ensure_display() as screen:
        assert "now asks whether minebot may see the screen" in screen.notice
        assert "each start" not in screen.notice
        assert not desktop.asked  # only looked at so far
        this_machine.system_capture()
    assert "restore_token" not in desktop.options("SelectDevices")
    assert desktop.options("SelectDevices")["persist_mode"] == portal.UNTIL_REVOKED
    session.leave()
    desktop.token = "two"
    with ensure_display() as screen:
        assert "knows that minebot may see" in screen.notice
        this_machine.system_capture()
    assert desktop.options("SelectDevices")["restore_token"] == "one"
    assert remembered() == "two"  # each token holds once
    assert (user_data() / "desktop-consent").stat().st_mode & 0o077 == 0


def test_a_portal_that_cannot_remember_says_so(desktop: FakePortal) -> None:
    desktop.version = 1
    with ensure_display() as screen:
        assert "it cannot remember the answer" in screen.notice
        this_machine.system_capture()
    assert set(desktop.options("SelectDevices")) == {"types", "handle_token"}
    assert remembered() is None


def test_a_token_that_is_no_token_is_left_out() -> None:
    for text in ("", "x" * 5000, "two\nlines"):
        remember(text)
        assert remembered() is None
    remember(None)
    remember(None)
    assert not (user_data() / "desktop-consent").exists()


@pytest.mark.parametrize(
    ("response", "told"),
    [(1, "told not to let minebot in: run it again"), (2, "ended its question for consent")],
)
def test_consent_that_is_not_given(desktop: FakePortal, response: int, told: str) -> None:
    desktop.response = response
    with pytest.raises(ScreenError, match=told):
        this_machine.system_capture()


def test_a_question_that_nobody_answers(desktop: FakePortal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portal, "CONSENT_S", 0.1)
    desktop.response = None
    with pytest.raises(ScreenError, match="nobody answered the desktop's question"):
        this_machine.system_mouse()


def test_a_screen_that_may_be_seen_but_not_clicked(desktop: FakePortal) -> None:
    remember("old")
    desktop.granted = 0
    assert this_machine.system_capture().grab(Rect(0, 0, 9, 9)).shape == (9, 9, 3)
    with pytest.raises(ScreenError, match=r"not use the mouse.*Allow Remote Interaction"):
        this_machine.system_mouse()
    assert remembered() is None  # else the desktop would never ask again


def test_keys_that_may_not_be_typed(desktop: FakePortal) -> None:
    desktop.granted = portal_offer.POINTER
    with pytest.raises(ScreenError, match="answer the dialog yourself"):
        this_machine.system_mouse().key("enter")


def test_no_monitor_was_chosen(desktop: FakePortal) -> None:
    desktop.streams = []
    with pytest.raises(ScreenError, match="choose the monitor with the game"):
        this_machine.system_capture()


def test_a_session_that_the_desktop_ends(desktop: FakePortal) -> None:
    mouse = this_machine.system_mouse()
    desktop.over = True
    with pytest.raises(ScreenError, match="no longer shows its screen"):
        mouse.move(Point(3, 3))


def test_doctor_asks_nobody(desktop: FakePortal, monkeypatch: pytest.MonkeyPatch) -> None:
    desktop.version = 1
    assert checks.check_display().finding == "Wayland, by its portal (RemoteDesktop, version 1)"
    finding = checks.check_wayland().finding
    assert "no list of windows" in finding
    assert "asks at each start" in finding
    (capture,) = checks.examine(["capture"])
    assert (capture.ok, capture.finding[:9]) == (True, "not tried")
    assert not desktop.asked


def test_a_desktop_without_a_portal_says_what_it_lacks(desktop: FakePortal) -> None:
    desktop.devices = portal_offer.KEYBOARD
    with pytest.raises(ScreenError, match=r"lacks zwlr_.*, a portal with org\.freedesktop.*X11"):
        ways.way_in()


def test_a_session_without_a_bus_says_so(desktop: FakePortal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")
    with pytest.raises(ScreenError, match=r"a message bus, DBUS_SESSION_BUS_ADDRESS.*X11"):
        ways.way_in()


def test_packages_that_are_missing_are_named(desktop: FakePortal, monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "pipewire_capture" else found(name)
    )
    with pytest.raises(ScreenError, match=r"pip install .*\[wayland\]"):
        ways.way_in()


def test_a_way_can_be_chosen(desktop: FakePortal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ways.CHOICE, "wlroots")
    with pytest.raises(ScreenError, match="zwlr"):
        ways.way_in()
    monkeypatch.setenv(ways.CHOICE, "mutter")
    assert ways.way_in().kind == "mutter"
    with pytest.raises(ScreenError, match="CreateSession"):
        this_machine.system_capture()  # this desktop is not Mutter's
    monkeypatch.setenv(ways.CHOICE, "windows")
    with pytest.raises(ScreenError, match="set it to wlroots, portal or mutter"):
        ways.way_in()
