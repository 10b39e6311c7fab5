"""The practice window on a virtual screen of its own: its pixels are those of the session."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from bot.board import Cell, Phase, Rules
from bot.errors import ScreenError
from bot.practice.session import PracticeSession
from bot.practice.window import TITLE, PracticeWindow
from bot.process import children

pytestmark = [
    pytest.mark.windows,
    # python-xlib leaves the file of `XAUTHORITY` to be closed by the garbage collector.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """A virtual screen: its display.

    It lives until the tests end, since Tk keeps its connection after the last window is closed, and ends
    the process when a screen that it knows goes away.
    """
    if shutil.which("Xvfb") is None:
        pytest.skip("there is no Xvfb: apt-get install xvfb")
    reading, writing = os.pipe()
    process = children.start(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x1024x24", "-nolisten", "tcp", "-ac"],
        pass_fds=[writing],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    try:
        if not select.select([reading], [], [], 30)[0]:
            pytest.fail("Xvfb gave no display within 30 s")
        yield f":{os.read(reading, 16).decode().strip()}"
    finally:
        os.close(reading)
        process.terminate()
        process.wait(10)


@pytest.fixture
def screen(server: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """The display of the virtual screen, which `DISPLAY` names too."""
    pytest.importorskip("tkinter")
    authority = tmp_path / "xauthority"
    authority.touch()
    monkeypatch.setenv("XAUTHORITY", str(authority))
    monkeypatch.setenv("DISPLAY", server)
    return server


@pytest.fixture
def session() -> PracticeSession:
    return PracticeSession(Rules(9, 9, 10), 1.0, 1, clock=lambda: 0.0)


def grabbed(display: str, place: tuple[int, int, int, int]) -> npt.NDArray[np.uint8]:
    import mss

    x, y, width, height = place
    with mss.MSS(display=display) as grabber:
        shot = grabber.grab({"left": x, "top": y, "width": width, "height": height})
        pixels = np.frombuffer(shot.bgra, np.uint8).reshape(height, width, 4)
    return pixels[:, :, :3]


class Pointer:
    """Real clicks, through XTest."""

    def __init__(self, display: str, window: PracticeWindow, session: PracticeSession) -> None:
        from Xlib import X
        from Xlib.display import Display

        self._display = Display(display)
        self._codes = X.MotionNotify, X.ButtonPress, X.ButtonRelease
        self._window, self._session = window, session

    def click(self, row: int, column: int, button: int = 1) -> None:
        center = self._session.layout.cell(row, column).center
        x, y, _, _ = self._window.place
        motion, press, release = self._codes
        self._display.xtest_fake_input(motion, x=x + center.x, y=y + center.y)
        self._display.xtest_fake_input(press, button)
        self._display.xtest_fake_input(release, button)
        self._display.sync()

    def close(self) -> None:
        self._display.close()


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0, 3.0])
def test_tk_shows_the_pixels_of_the_session(screen: str, scale: float) -> None:
    session = PracticeSession(Rules(9, 9, 10), scale, 1, marks=True, clock=lambda: 0.0)
    window = PracticeWindow(session, (40, 30))
    pointer = Pointer(screen, window, session)
    try:
        assert window.place[:2] == (40, 30)
        moves = ((0, 0, 1), (8, 8, 3), (8, 7, 3), (8, 7, 3), *((row, row, 1) for row in range(9)))
        for move in ((0, 0, 0), *moves):
            if move[2]:
                pointer.click(*move)
            window.update()
            assert np.array_equal(grabbed(screen, window.place), session.image())
        assert session.game.phase is not Phase.READY
    finally:
        pointer.close()
        window.close()


def test_a_burst_of_clicks_is_taken_whole(screen: str, session: PracticeSession) -> None:
    session.key("3")
    window = PracticeWindow(session)
    pointer = Pointer(screen, window, session)
    try:
        for row in range(16):
            for column in range(30):
                pointer.click(row, column, 3)
        window.update()
        assert session.game.board.count(Cell.FLAG) == 480
        assert np.array_equal(grabbed(screen, window.place), session.image())
    finally:
        pointer.close()
        window.close()


def test_another_level_makes_another_window_size(screen: str, session: PracticeSession) -> None:
    window = PracticeWindow(session)
    try:
        small = window.place
        session.key("3")
        window.redraw()
        window.update()
        assert window.place[2] > small[2]
        assert np.array_equal(grabbed(screen, window.place), session.image())
    finally:
        window.close()


def test_what_fails_in_an_event_comes_out_of_run(
    screen: str, session: PracticeSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(x: int, y: int, button: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(session, "press", broken)
    window = PracticeWindow(session)
    pointer = Pointer(screen, window, session)
    try:
        pointer.click(0, 0)
        with pytest.raises(KeyboardInterrupt):
            window.run()
    finally:
        pointer.close()


def test_the_command_opens_a_window_with_its_title_and_closes_by_a_key(screen: str) -> None:
    import sys
    import time

    from Xlib import XK, X
    from Xlib.display import Display

    process = subprocess.Popen(
        [sys.executable, "-m", "bot.cli.main", "practice", "--seed", "1", "--position", "30,20", "--verbose"],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        assert process.stdout.readline().strip() == "the window's inside is 164x216 at 30,20"
        display = Display(screen)
        windows = display.screen().root.query_tree().children
        assert TITLE in [window.get_wm_name() for window in windows]
        key = display.keysym_to_keycode(XK.string_to_keysym("q"))
        deadline = time.monotonic() + 20
        while process.poll() is None and time.monotonic() < deadline:
            display.xtest_fake_input(X.KeyPress, key)
            display.xtest_fake_input(X.KeyRelease, key)
            display.sync()
            time.sleep(0.1)
        display.close()
        assert process.poll() == 0
    finally:
        process.kill()
        process.wait(10)


def test_no_display_is_said_in_one_line(session: PracticeSession, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("tkinter")
    monkeypatch.setenv("DISPLAY", ":9999")
    with pytest.raises(ScreenError, match="minebot doctor"):
        PracticeWindow(session)
