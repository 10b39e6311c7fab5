"""What a click writes to the X server: a program that is killed in the middle of it leaves no button down,
and few answers are waited for."""

from __future__ import annotations

import subprocess
import sys

import pytest
from conftest import Desk, without_manager

pytestmark = [pytest.mark.windows, pytest.mark.filterwarnings("ignore::ResourceWarning")]

KILLED = """
import os, signal, sys, time
from itertools import count

from Xlib.display import Display

from bot.geometry import Point, Rect
from bot.screen.pyautogui_mouse import FRESH_S, PyautoguiMouse
from bot.screen.windows import Window
from bot.screen.x11.window_clicks import WindowClicks


class Watched:
    '''The connection's socket; it kills this process after a number of writes.'''

    def __init__(self, inner, writes):
        self.inner, self.writes = inner, writes

    def __getattr__(self, name):
        return getattr(self.inner, name)

    def send(self, content):
        sent = self.inner.send(content)
        self.writes -= 1
        if self.writes == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return sent


def buttons_down(server):
    return server.screen().root.query_pointer().mask & 0x1F00


mouse = PyautoguiMouse()
server = Display()
game = server.screen().root.create_window(200, 200, 300, 200, 0, server.screen().root_depth)
game.map()
server.sync()
meant = {"window": Window(game.id, "", Rect(200, 200, 300, 200))} if sys.argv[1] == "meant" else {}
for writes in count(1):
    process = os.fork()
    if process == 0:
        own = mouse._x11 = mouse._gui.platformModule._display = Display()
        mouse.move(Point(300, 300))
        time.sleep(2 * FRESH_S)  # where the pointer is must be asked again
        own.display.socket = Watched(own.display.socket, writes)
        mouse._window_clicks = WindowClicks(own)
        assert getattr(mouse, sys.argv[2])(Point(310, 300), *sys.argv[3:], **meant)
        os._exit(0)
    _, status = os.waitpid(process, 0)
    if buttons_down(server):
        sys.exit(f"a button is down after write {writes}")
    if status == 0:
        break
    assert os.WTERMSIG(status) == signal.SIGKILL
print(writes)
"""


@without_manager
@pytest.mark.parametrize("how", ["anywhere", "meant"])
@pytest.mark.parametrize("words", [("click", "left"), ("click", "right"), ("click_both",)])
def test_no_button_is_down_after_any_write(desk: Desk, words: tuple[str, ...], how: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", KILLED, how, *words],
        env=desk.environment(),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    # Where the pointer is, and the click: it was killed after each of them.
    assert int(done.stdout.split()[-1]) > 2
    assert not desk.buttons_down()


WRITES = """
from Xlib.display import Display

from bot.geometry import Point, Rect
from bot.screen import pyautogui_mouse
from bot.screen.x11.windows import XWindows


class Counted:
    '''A connection's socket.'''

    def __init__(self, display):
        self.inner, self.writes = display.socket, 0
        display.socket = self

    def __getattr__(self, name):
        return getattr(self.inner, name)

    def fileno(self):
        return self.inner.fileno()

    def send(self, content):
        self.writes += 1
        return self.inner.send(content)


def writes(socket, does):
    before = socket.writes
    return does(), socket.writes - before


pyautogui_mouse.FRESH_S = 60  # however busy the machine is
mouse = pyautogui_mouse.PyautoguiMouse()
own = Counted(mouse._x11.display)
place = Point(300, 300)
mouse.move(place)  # its first use asks for XTest
assert writes(own, mouse.position) == (place, 0)
assert writes(own, lambda: mouse.move(place)) == (place, 1)
assert writes(own, lambda: mouse.click(place, "left")) == (True, 1)
assert writes(own, mouse.position) == (place, 0)
pyautogui_mouse.FRESH_S = 0
assert writes(own, lambda: mouse.move(place)) == (place, 1)
assert writes(own, mouse.position) == (place, 1)

game = Display()
window = game.screen().root.create_window(40, 50, 120, 90, 0, game.screen().root_depth)
window.set_wm_name("a game")
window.map()
game.sync()
windows = XWindows()
(seen,) = windows.windows()
own = Counted(windows._display.display)
assert windows.place(seen) == Rect(40, 50, 120, 90)
assert writes(own, lambda: windows.place(seen)) == (Rect(40, 50, 120, 90), 0)
pyautogui_mouse.FRESH_S = 60
pressing = Counted(mouse._x11.display)
inside = Point(60, 70)
assert mouse.click(inside, "left", window=seen)
# The place and the click; what holds the window is known.
assert writes(pressing, lambda: mouse.click(inside, "left", window=seen)) == (True, 2)
window.unmap()
game.sync()
assert windows.place(seen) is None
window.destroy()
game.sync()
assert windows.place(seen) is None
"""


@without_manager
def test_one_answer_is_waited_for_where_the_window_is_and_one_for_each_step_of_a_click(desk: Desk) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WRITES], env=desk.environment(), capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
