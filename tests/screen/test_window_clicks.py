"""Clicks that X11 gives to the window that they are meant for, or to none."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

if sys.platform in ("win32", "darwin"):
    pytest.skip("there is no X11 here", allow_module_level=True)

from x_server import another_program, made, x_server

from bot.geometry import Point, Rect
from bot.process.interrupts import not_suspended
from bot.screen.windows import Window
from bot.screen.x11 import window_clicks
from bot.screen.x11.window_clicks import WindowClicks

GAME = Rect(110, 120, 300, 200)
INSIDE = Point(130, 150)

BUTTON_3 = 0x400
"""Among the buttons that X11 says are down."""


@pytest.fixture
def program() -> Iterator[Any]:
    """The connection of the game."""
    with x_server(), another_program() as connection:
        yield connection


@pytest.fixture
def clicks(program: Any) -> Iterator[WindowClicks]:
    """Those of minebot, through a connection of its own."""
    with another_program() as connection:
        yield WindowClicks(connection)


def listening(program: Any, window: Any) -> Any:
    """The same window, whose program is told of the buttons over it."""
    from Xlib import X

    window.change_attributes(event_mask=X.ButtonPressMask | X.ButtonReleaseMask)
    program.sync()
    return window


def presses(program: Any) -> list[Point]:
    """Where buttons went down since this was asked last, in the window that listens."""
    from Xlib import X

    program.sync()
    told = [program.next_event() for _ in range(program.pending_events())]
    return [Point(one.event_x, one.event_y) for one in told if one.type == X.ButtonPress]


def test_a_click_is_made_only_in_its_window_at_its_place(program: Any, clicks: WindowClicks) -> None:
    root = program.screen().root
    frame = made(program, root, Rect(100, 100, 320, 230))
    inside = listening(program, made(program, frame, Rect(10, 20, 300, 200)))
    window = Window(inside.id, "", GAME)

    def clicked() -> bool:
        done = clicks.click(INSIDE, ["left"], window)
        assert presses(program) == ([Point(20, 30)] if done else [])
        return done

    assert clicked()
    frame.configure(x=101)
    program.sync()
    assert not clicked()
    frame.configure(x=100)
    inside.configure(width=301)
    program.sync()
    assert not clicked()
    inside.configure(width=300)
    program.sync()
    assert clicked()
    over = made(program, root, Rect(120, 140, 40, 40))
    assert not clicked()
    over.configure(x=400)
    program.sync()
    assert clicked()
    assert clicks.click(INSIDE, ["left", "right"], window)
    assert presses(program) == [Point(20, 30)] * 2
    other = made(program, root, Rect(100, 100, 320, 230))
    inside.reparent(other, 10, 20)
    program.sync()
    assert clicked()
    frame.destroy()
    inside.destroy()
    program.sync()
    assert not clicked()


def test_a_button_goes_down_only_there_too(program: Any, clicks: WindowClicks) -> None:
    game = listening(program, made(program, program.screen().root, GAME))
    assert not clicks.press(INSIDE, "right", Window(game.id, "", Rect(110, 121, 300, 200)))
    assert presses(program) == []
    assert clicks.press(INSIDE, "right", Window(game.id, "", GAME))
    assert presses(program) == [Point(20, 30)]
    assert program.screen().root.query_pointer().mask & BUTTON_3


def test_a_window_that_lies_over_the_game_on_and_on_is_seen_through(
    program: Any, clicks: WindowClicks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Programs that draw over the screen have such windows; a dialog is drawn by then."""
    root = program.screen().root
    game = listening(program, made(program, root, GAME))
    over = listening(program, made(program, root, Rect(120, 140, 40, 40)))
    window = Window(game.id, "", GAME)
    monkeypatch.setattr(window_clicks, "SEE_THROUGH_S", 0.2)
    assert not clicks.click(INSIDE, ["left"], window)
    time.sleep(0.3)
    assert clicks.click(INSIDE, ["left"], window)
    assert presses(program) == [Point(10, 10)]
    over.unmap()
    made(program, root, Rect(120, 140, 40, 40))
    assert not clicks.click(INSIDE, ["left"], window), "that is another one"


@pytest.mark.parametrize("clicked", [True, False])
def test_a_window_that_was_over_the_game_before_is_not_seen_through_when_it_comes_again(
    program: Any, clicks: WindowClicks, monkeypatch: pytest.MonkeyPatch, clicked: bool
) -> None:
    """Minutes later it got a click that was meant for a cell."""
    root, now = program.screen().root, 1000.0
    game = listening(program, made(program, root, GAME))
    over = listening(program, made(program, root, Rect(120, 140, 40, 40)))
    window = Window(game.id, "", GAME)
    monkeypatch.setattr(time, "perf_counter", lambda: now)
    assert not clicks.click(INSIDE, ["left"], window)
    over.unmap()
    program.sync()
    if clicked:
        assert clicks.click(INSIDE, ["left"], window), "it is gone"
        assert presses(program) == [Point(20, 30)]
        now += 3.0
    else:
        now += 300.0
    over.map()
    program.sync()
    assert not clicks.click(INSIDE, ["left"], window)
    assert presses(program) == []


def test_a_window_over_a_part_of_the_game_is_waited_for_once(
    program: Any, clicks: WindowClicks, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, now = program.screen().root, 1000.0
    game = listening(program, made(program, root, GAME))
    listening(program, made(program, root, Rect(120, 140, 40, 40)))
    window = Window(game.id, "", GAME)
    monkeypatch.setattr(time, "perf_counter", lambda: now)
    assert not clicks.click(INSIDE, ["left"], window)
    for _ in range(3):
        now += 5.0
        assert clicks.click(Point(300, 300), ["left"], window), "beside it"
        assert clicks.click(INSIDE, ["left"], window)
    assert presses(program) == [Point(190, 180), Point(10, 10)] * 3


def test_a_menu_of_the_program_takes_a_click_that_is_meant_for_it(program: Any, clicks: WindowClicks) -> None:
    """No window manager holds a menu, and no window names another one as its owner."""
    root = program.screen().root
    game = listening(program, made(program, root, GAME))
    window = Window(game.id, "", GAME)
    menu = listening(program, made(program, root, Rect(120, 140, 40, 40)))
    assert not clicks.click(INSIDE, ["left"], window)
    assert not clicks.click(INSIDE, ["left"], window, popups=True), "a dialog is no menu"
    menu.change_attributes(override_redirect=True)
    program.sync()
    assert clicks.click(INSIDE, ["left"], window, popups=True)
    assert clicks.press(INSIDE, "left", window, popups=True)
    assert presses(program) == [Point(10, 10)] * 2
    menu.unmap()
    program.sync()
    with another_program() as other:
        strange = made(other, other.screen().root, Rect(120, 140, 40, 40))
        strange.change_attributes(override_redirect=True)
        other.sync()
        assert not clicks.click(INSIDE, ["left"], window, popups=True), "that is none of the game"
    game.configure(x=400)
    program.sync()
    assert not clicks.click(INSIDE, ["left"], window, popups=True)


MOVES = """
import sys
from Xlib.display import Display

display = Display()
window = display.create_resource_object("window", int(sys.argv[1]))
print("moves", flush=True)
while True:
    for x in (110, 400):
        window.configure(x=x)
        display.sync()
"""


def test_no_click_falls_where_a_window_has_just_lain(program: Any, clicks: WindowClicks) -> None:
    """The window goes to and fro while it is clicked; without a grab one click in a few lies elsewhere."""
    game = listening(program, made(program, program.screen().root, GAME))
    window = Window(game.id, "", GAME)
    mover = subprocess.Popen([sys.executable, "-c", MOVES, str(game.id)], stdout=subprocess.PIPE)
    assert mover.stdout is not None
    assert mover.stdout.readline() == b"moves\n"
    try:
        done = [clicks.click(INSIDE, ["left"], window) for _ in range(1000)]
    finally:
        mover.kill()
        mover.communicate()
    assert presses(program) == [Point(20, 30)] * sum(done)
    assert 0 < sum(done) < 1000, "it lay there now and then"


def test_a_ctrl_z_waits_until_the_server_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    raised: list[int] = []
    monkeypatch.setattr(signal, "raise_signal", raised.append)
    with not_suspended():
        os.kill(os.getpid(), signal.SIGTSTP)
        assert raised == []
    assert raised == [signal.SIGTSTP]
    assert signal.getsignal(signal.SIGTSTP) is signal.SIG_DFL
    with not_suspended():
        pass
    assert raised == [signal.SIGTSTP]


def test_a_ctrl_z_that_is_ignored_stays_so() -> None:
    before = signal.signal(signal.SIGTSTP, signal.SIG_IGN)
    try:
        with not_suspended():
            os.kill(os.getpid(), signal.SIGTSTP)
        assert signal.getsignal(signal.SIGTSTP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGTSTP, before)
