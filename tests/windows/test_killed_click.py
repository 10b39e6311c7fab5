"""A program that is killed in the middle of a click leaves no button down."""

from __future__ import annotations

import subprocess
import sys

import pytest
from conftest import Desk, without_manager

pytestmark = [pytest.mark.windows, pytest.mark.filterwarnings("ignore::ResourceWarning")]

KILLED = """
import os, signal, sys
from itertools import count

from Xlib.display import Display

from bot.geometry import Point
from bot.screen.pyautogui_mouse import PyautoguiMouse


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
for writes in count(1):
    process = os.fork()
    if process == 0:
        own = mouse._x11 = mouse._gui.platformModule._display = Display()
        mouse.move(Point(300, 300))
        own.display.socket = Watched(own.display.socket, writes)
        getattr(mouse, sys.argv[1])(Point(310, 300), *sys.argv[2:])
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
@pytest.mark.parametrize("words", [("click", "left"), ("click", "right"), ("click_both",)])
def test_no_button_is_down_after_any_write(desk: Desk, words: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", KILLED, *words],
        env=desk.environment(),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    # Where the pointer is, and the click: it was killed after each of them.
    assert int(done.stdout.split()[-1]) > 2
    assert not desk.buttons_down()
