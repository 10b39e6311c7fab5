"""Pictures, clicks and keys through wlroots' protocols, against a compositor in a thread."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import numpy as np
import pytest

if sys.platform != "linux":
    pytest.skip("Wayland desktops are Linux'", allow_module_level=True)

from fake_compositor import FakeCompositor, Screen

from bot.errors import ScreenError
from bot.geometry import Point, Rect
from bot.screen import checks, this_machine
from bot.screen.display import ensure_display
from bot.screen.wayland import session, wlroots
from bot.screen.wayland.capture import WaylandCapture
from bot.screen.wayland.mouse import WaylandMouse
from bot.screen.wayland.pixels import picture_of, upright
from bot.screen.wayland.wire import REGISTRY, Connection, encode
from bot.screen.wayland.wlroots import WlrootsDesktop


def painted(rect: Rect, scale: float = 1, **more: object) -> Screen:
    """A screen whose pixels are all different: blue is the column, green the row."""
    height, width = round(rect.height * scale), round(rect.width * scale)
    pixels = np.zeros((height, width, 4), np.uint8)
    pixels[..., 0] = np.arange(width)
    pixels[..., 1] = np.arange(height)[:, None]
    pixels[..., 2] = 200
    return Screen(rect, pixels, **more)  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wlroots, "NOTICED_S", 0.0)


@pytest.fixture
def ways_out() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def desktop(compositor: FakeCompositor, ways_out: ExitStack) -> WlrootsDesktop:
    return ways_out.enter_context(closing(WlrootsDesktop(Connection(sock=compositor.serve()))))


def test_a_picture_shows_the_pixels_of_its_rectangle(ways_out: ExitStack) -> None:
    screen = painted(Rect(0, 0, 200, 100))
    capture = WaylandCapture(desktop(FakeCompositor([screen]), ways_out))
    assert capture.monitors() == [screen.rect]
    for rect in (Rect(20, 30, 40, 50), Rect(0, 0, 200, 100), Rect(20, 30, 40, 50)):
        picture = capture.grab(rect)
        wanted = screen.pixels[rect.y : rect.bottom, rect.x : rect.right, :3]
        np.testing.assert_array_equal(picture, wanted)


def test_pictures_stay_as_they_were_when_the_next_is_taken(ways_out: ExitStack) -> None:
    screen = painted(Rect(0, 0, 20, 10))
    capture = WaylandCapture(desktop(FakeCompositor([screen]), ways_out))
    first = capture.grab(screen.rect)
    screen.pixels[:] = 7
    assert (capture.grab(screen.rect) == 7).all()
    assert first[0, 5, 0] == 5


def test_a_hundred_pictures_need_no_new_numbers_of_objects(ways_out: ExitStack) -> None:
    screen = painted(Rect(0, 0, 20, 10))
    one = desktop(FakeCompositor([screen]), ways_out)
    capture = WaylandCapture(one)
    for _ in range(100):
        capture.grab(screen.rect)
    assert one.connection.new(REGISTRY).id < 40


def test_monitors_beside_each_other_and_of_two_scales(ways_out: ExitStack) -> None:
    left, right = painted(Rect(0, 0, 40, 40)), painted(Rect(40, 0, 40, 40), scale=1.5)
    capture = WaylandCapture(desktop(FakeCompositor([left, right]), ways_out))
    assert capture.grab(Rect(50, 10, 20, 10)).shape == (15, 30, 3)
    both = capture.grab(Rect(30, 0, 20, 10))
    assert both.shape == (15, 30, 3)
    assert both[0, 0, 0] == 30  # the left monitor, drawn larger
    assert both[0, 15:, 0].tolist() == list(range(15))  # the right one, pixel by pixel


def test_what_lies_on_no_monitor_any_more_is_black(ways_out: ExitStack) -> None:
    """The window manager moves a window off a monitor that was unplugged only after a while."""
    screen = painted(Rect(0, 0, 40, 40), scale=1.5)
    capture = WaylandCapture(desktop(FakeCompositor([screen]), ways_out))
    partly = capture.grab(Rect(30, 0, 20, 10))
    assert partly.shape == (15, 30, 3)
    assert partly[0, :15, 0].tolist() == list(range(45, 60))
    assert not partly[:, 15:].any()
    gone = capture.grab(Rect(50, 0, 20, 10))
    assert gone.shape == (15, 30, 3)
    assert not gone.any()


@pytest.mark.parametrize("moved", [False, True])
def test_a_monitor_that_is_switched_on_later_is_seen(moved: bool, ways_out: ExitStack) -> None:
    """Before the first move of the pointer none was: a monitor that came back from sleep was gone."""
    compositor = FakeCompositor([painted(Rect(0, 0, 40, 40))])
    one = desktop(compositor, ways_out)
    if moved:
        one.move(Point(5, 5))
    compositor.plug_in(painted(Rect(40, 0, 30, 20)))
    one.monitors()  # takes what the compositor has told, and asks where it lies
    one.connection.roundtrip()
    capture = WaylandCapture(one)
    assert capture.monitors() == [Rect(0, 0, 40, 40), Rect(40, 0, 30, 20)]
    assert capture.grab(Rect(45, 0, 10, 10))[0, 0, 0] == 5


def test_rows_from_the_bottom_up_and_a_turned_monitor(ways_out: ExitStack) -> None:
    screen = painted(Rect(0, 0, 30, 20), inverted=True)
    capture = WaylandCapture(desktop(FakeCompositor([screen]), ways_out))
    np.testing.assert_array_equal(capture.grab(screen.rect), screen.pixels[..., :3])
    turned = painted(Rect(0, 0, 30, 20), transform=2)
    capture = WaylandCapture(desktop(FakeCompositor([turned]), ways_out))
    np.testing.assert_array_equal(capture.grab(turned.rect), turned.pixels[::-1, ::-1, :3])


@pytest.mark.parametrize(
    ("name", "pixel"),
    [
        (b"AB24", bytes([30, 20, 10, 255])),
        (b"XR24", bytes([10, 20, 30, 255])),
        (b"RG24", bytes([10, 20, 30])),
        (b"BG24", bytes([30, 20, 10])),
        (b"XR30", ((30 << 2) << 20 | (20 << 2) << 10 | 10 << 2).to_bytes(4, "little")),
        (b"XB30", ((10 << 2) << 20 | (20 << 2) << 10 | 30 << 2).to_bytes(4, "little")),
    ],
)
def test_formats_of_pixels(name: bytes, pixel: bytes) -> None:
    stride = 16
    raw = (pixel * 2 + bytes(stride - 2 * len(pixel))) * 3
    picture = picture_of(raw, int.from_bytes(name, "little"), 2, 3, stride)
    assert picture.shape == (3, 2, 3)
    assert (picture == (10, 20, 30)).all()


def test_an_unknown_format_is_told() -> None:
    with pytest.raises(ScreenError, match="0x12345"):
        picture_of(bytes(64), 0x12345, 2, 2, 8)


def test_quarter_turns_undo_each_other() -> None:
    picture = np.arange(24, dtype=np.uint8).reshape(2, 4, 3)
    assert upright(picture, 1).shape == (4, 2, 3)
    np.testing.assert_array_equal(upright(upright(picture, 1), 3), picture)
    np.testing.assert_array_equal(upright(picture, 4), picture[:, ::-1])


def test_a_click_moves_presses_and_releases(ways_out: ExitStack) -> None:
    compositor = FakeCompositor([painted(Rect(-50, 0, 100, 100)), painted(Rect(50, 0, 100, 100))])
    mouse = WaylandMouse(desktop(compositor, ways_out))
    mouse.click(Point(-50, 20), "right")
    asked = compositor.requests("motion", "motion_absolute", "button")
    # It moves once before it is used: programs notice it so. Places are in half points of the desktop.
    assert [(name, arguments[1:]) for name, arguments in asked] == [
        ("motion", [0.0, 0.0]),
        ("motion_absolute", [1, 41, 400, 200]),
        ("button", [0x111, 1]),
        ("button", [0x111, 0]),
    ]
    assert mouse.position() == Point(-50, 20)
    assert not mouse.in_corner()


def test_both_buttons_are_down_together(ways_out: ExitStack) -> None:
    compositor = FakeCompositor([painted(Rect(0, 0, 100, 100))])
    WaylandMouse(desktop(compositor, ways_out)).click_both(Point(5, 5))
    buttons = [arguments[1:] for _, arguments in compositor.requests("button")]
    assert buttons == [[0x110, 1], [0x111, 1], [0x111, 0], [0x110, 0]]


def test_an_interrupted_click_leaves_no_button_down(
    ways_out: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    compositor = FakeCompositor([painted(Rect(0, 0, 100, 100))])
    mouse = WaylandMouse(desktop(compositor, ways_out))

    def interrupted(_: float) -> None:
        raise KeyboardInterrupt

    mouse.move(Point(1, 1))
    monkeypatch.setattr("bot.screen.wayland.mouse.time.sleep", interrupted)
    with pytest.raises(KeyboardInterrupt):
        mouse.click(Point(5, 5), "left", hold_s=0.1)
    assert [arguments[1:] for _, arguments in compositor.requests("button")] == [[0x110, 1], [0x110, 0]]


def test_the_pointer_goes_aside_where_it_would_be_in_the_picture(ways_out: ExitStack) -> None:
    compositor = FakeCompositor([painted(Rect(0, 0, 200, 200))])
    one = desktop(compositor, ways_out)
    capture, mouse = WaylandCapture(one), WaylandMouse(one)
    capture.grab(Rect(50, 50, 40, 40))  # nobody has moved it: it stays
    assert compositor.requests("motion_absolute") == []
    mouse.click(Point(60, 60), "left")
    for _ in range(2):
        capture.grab(Rect(50, 50, 40, 40))
    places = [arguments[1:3] for _, arguments in compositor.requests("motion_absolute")]
    assert places == [[121, 121], [179, 179]]
    assert mouse.position() == Point(60, 60)  # nobody took the mouse
    capture.grab(Rect(150, 150, 40, 40))  # it lies within a pointer's size of that: aside of it, too
    capture.grab(Rect(0, 0, 40, 40))  # far from it
    assert len(compositor.requests("motion_absolute")) == 3


def test_a_part_of_the_last_picture_is_cut_from_it_until_the_next_frame(
    ways_out: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr("bot.screen.wayland.capture.time.perf_counter", lambda: now[0])
    compositor = FakeCompositor([painted(Rect(0, 0, 200, 100))], refresh_mhz=50_000)
    one = desktop(compositor, ways_out)
    capture, mouse = WaylandCapture(one), WaylandMouse(one)

    def taken() -> int:
        return len(compositor.requests("copy"))

    capture.grab(Rect(20, 10, 100, 80))
    mouse.click(Point(60, 60), "left")
    now[0] += 0.019
    picture = capture.grab(Rect(50, 50, 30, 20))
    np.testing.assert_array_equal(picture, compositor.screens[0].pixels[50:70, 50:80, :3])
    assert taken() == 1
    # No picture of the pointer was needed, so that it stays where it was put.
    assert len(compositor.requests("motion_absolute")) == 1
    capture.grab(Rect(20, 10, 100, 80))  # the same again is a look at what is new
    assert taken() == 2
    capture.grab(Rect(10, 10, 100, 80))  # not all of it is in the last one
    assert taken() == 3
    now[0] += 0.021
    capture.grab(Rect(50, 50, 30, 20))
    assert taken() == 4


def test_a_part_of_a_scaled_picture_is_taken_by_itself(ways_out: ExitStack) -> None:
    compositor = FakeCompositor([painted(Rect(0, 0, 100, 100), scale=2)], refresh_mhz=1)
    capture = WaylandCapture(desktop(compositor, ways_out))
    capture.grab(Rect(0, 0, 100, 100))
    capture.grab(Rect(10, 10, 20, 20))
    assert len(compositor.requests("copy")) == 2


def test_a_click_is_one_write(ways_out: ExitStack, monkeypatch: pytest.MonkeyPatch) -> None:
    one = desktop(FakeCompositor([painted(Rect(0, 0, 100, 100))]), ways_out)
    mouse = WaylandMouse(one)
    mouse.move(Point(5, 5))
    monkeypatch.setattr(one.connection, "roundtrip", lambda: None)
    written: list[bytes] = []
    real = one.connection._socket

    class Watched:
        def sendall(self, message: bytes) -> None:
            written.append(bytes(message))

    monkeypatch.setattr(one.connection, "_socket", Watched())
    one.click(0x110)
    monkeypatch.setattr(one.connection, "_socket", real)
    (message,) = written  # else a kill between two of them would leave the button down
    assert len(message) == 2 * (20 + 8)


def test_keys_type_what_they_are_called(ways_out: ExitStack) -> None:
    compositor = FakeCompositor([painted(Rect(0, 0, 100, 100))])
    mouse = WaylandMouse(desktop(compositor, ways_out))
    mouse.key("escape")
    mouse.write("aő")
    typed = []
    for _, (_, code, down) in compositor.requests("key"):
        if down:
            line = next(
                line for line in compositor.keymaps[-1].splitlines() if line.endswith(f"= {code + 8};")
            )
            name = line.split()[0]
            keys = [line for line in compositor.keymaps[-1].splitlines() if line.startswith(f"key {name} ")]
            typed.append(keys[0].split()[4])
    assert typed == ["0xff1b", "0x61", "0x1000151"]
    # Sway tells programs of a new layout only with a new keyboard.
    assert len(compositor.requests("create_virtual_keyboard")) == 2
    with pytest.raises(ScreenError, match="no key is called 'hyper'"):
        mouse.key("hyper")


def test_a_desktop_without_keys_says_so_only_when_one_is_wanted(ways_out: ExitStack) -> None:
    compositor = FakeCompositor([painted(Rect(0, 0, 9, 9))], without=["zwp_virtual_keyboard_manager_v1"])
    mouse = WaylandMouse(desktop(compositor, ways_out))
    mouse.click(Point(5, 5), "left")
    with pytest.raises(ScreenError, match="answer the dialog yourself"):
        mouse.key("enter")


def test_what_a_desktop_does_not_offer_is_named() -> None:
    compositor = FakeCompositor([painted(Rect(0, 0, 9, 9))], without=["zwlr_screencopy_manager_v1"])
    with pytest.raises(ScreenError, match="zwlr_screencopy_manager_v1"):
        WlrootsDesktop(Connection(sock=compositor.serve()))


def test_no_picture_and_no_monitor_are_told(ways_out: ExitStack) -> None:
    compositor = FakeCompositor([painted(Rect(0, 0, 9, 9))], fails=True)
    with pytest.raises(ScreenError, match="switched off"):
        WaylandCapture(desktop(compositor, ways_out)).grab(Rect(0, 0, 9, 9))
    with pytest.raises(ScreenError, match="no monitor"):
        WaylandCapture(desktop(FakeCompositor([]), ways_out)).monitors()


def test_a_desktop_that_goes_is_told_and_release_raises_nothing(ways_out: ExitStack) -> None:
    compositor = FakeCompositor([painted(Rect(0, 0, 9, 9))], broken_by="button")
    one = desktop(compositor, ways_out)
    mouse = WaylandMouse(one)
    with pytest.raises(ScreenError, match="has gone"):
        mouse.click(Point(5, 5), "left")
    mouse.release()
    with pytest.raises(ScreenError, match="has gone"):
        WaylandCapture(one).grab(Rect(0, 0, 9, 9))


def test_a_refused_request_is_told(ways_out: ExitStack) -> None:
    compositor = FakeCompositor([painted(Rect(0, 0, 9, 9))], refuses="button")
    mouse = WaylandMouse(desktop(compositor, ways_out))
    with pytest.raises(ScreenError, match=r"refused a request to zwlr_virtual_pointer_v1 \(3: no\)"):
        mouse.click(Point(5, 5), "left")


def test_a_silent_desktop_is_given_up(ways_out: ExitStack) -> None:
    one = desktop(FakeCompositor([painted(Rect(0, 0, 9, 9))]), ways_out)
    with pytest.raises(ScreenError, match="unlock its screen"):
        one.connection.wait(lambda: False, limit_s=0.01)


def test_texts_and_numbers_on_the_wire() -> None:
    body, fds = encode("uifs", [7, -1, 1.5, "abc"])
    assert body == b"\7\0\0\0" + b"\xff" * 4 + b"\x80\1\0\0" + b"\4\0\0\0abc\0"
    assert fds == []


@pytest.fixture
def offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ways_out: ExitStack) -> Iterator[FakeCompositor]:
    """The desktop that the environment names, with no X display beside it."""
    compositor = FakeCompositor([painted(Rect(0, 0, 90, 80))])
    ways_out.enter_context(closing(compositor.listen(tmp_path / "wayland-7")))
    monkeypatch.delenv("DISPLAY")
    monkeypatch.delenv("SWAYSOCK", raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-7")
    yield compositor
    session.leave()


def test_the_session_chooses_wayland(offered: FakeCompositor, tmp_path: Path) -> None:
    with ensure_display() as screen:
        # A desktop of the same name elsewhere has a mouse of its own, and another lock.
        assert (screen.name, screen.virtual) == (str(tmp_path / "wayland-7"), False)
        assert this_machine.system_capture().grab(Rect(0, 0, 9, 9))[0, 3, 0] == 3
        this_machine.system_mouse().click(Point(1, 1), "left")
        assert not this_machine.system_windows().known
    # One desktop for pictures and clicks: the capture knows where the pointer was put.
    assert len(offered.requests("create_virtual_pointer")) == 1


def test_doctor_says_which_way_and_what_it_lacks(offered: FakeCompositor) -> None:
    display, wayland = checks.check_display(), checks.check_wayland()
    assert (display.ok, display.finding) == (True, "Wayland, by wlroots' protocols")
    assert wayland.ok
    assert "no list of windows" in wayland.finding
    assert "Ctrl-C stops minebot" in wayland.finding
    assert "no keys" not in wayland.finding
    assert checks.check_capture().finding == "90x80 pixels"
    assert "one of our own" in checks.check_mouse().finding
    assert "found by their pixels" in checks.check_windows().finding
    offered.without = ["zwp_virtual_keyboard_manager_v1"]
    assert "no keys" in checks.check_wayland().finding
    offered.screens[0].pixels[:] = 0
    assert "all black" in checks.check_capture().finding


def test_a_desktop_with_no_way_in_says_so_in_a_line(offered: FakeCompositor) -> None:
    offered.without = ["zwlr_virtual_pointer_manager_v1"]
    with pytest.raises(ScreenError, match=r"lacks zwlr_virtual_pointer_manager_v1.*X11"), ensure_display():
        pass
    check = checks.check_wayland()
    assert not check.ok
    assert "X11" in check.remedy
