"""Real windows on virtual screens of their own, with a window manager and without."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeVar

import pytest
from beside import Beside, nothing_is_quit_or_started
from google_page import GooglePage
from loaded import Run, loader
from wine_prefixes import own_prefix

from bot.process import children
from bot.screen.programs.games import GnomeMines, WineMine, Xdemineur
from bot.screen.programs.started_program import end

WIDTH, HEIGHT = 1280, 1024

collect_ignore_glob = ["*/test_*.py"] if sys.platform == "win32" else []
"""Windows' own windows are played by tests/windows_python."""


without_manager = pytest.mark.parametrize("session_desk", ["no window manager"], indirect=True)
"""For what does not depend on a window manager: one screen is enough."""

with_manager = pytest.mark.parametrize("session_desk", ["openbox"], indirect=True)
"""For what needs one, and for what does not depend on it."""

HOLDS_NONE = "openbox that holds no click"

for_moved_windows = pytest.mark.parametrize("session_desk", [HOLDS_NONE], indirect=True)
"""For windows that are moved while they are clicked.

A window manager that raises what is clicked takes each click first, and lets it go on once it has done what
it was asked before. Where that was to move the window, the X server gives the click to what lies there
then, and no program can tell: of 3,573 clicks in a window that was moved 100 times a second 21 went
so with openbox as it is, and none of 11,457 with one that holds no clicks (by a script that is not kept).
"""

NO_MOUSE = '<openbox_config xmlns="http://openbox.org/3.4/rc"><mouse></mouse></openbox_config>'
"""The configuration of an openbox that does nothing with the mouse."""


@dataclass
class Desk:
    """A virtual screen that a bot can be run on."""

    display: str
    manager: str
    started: list[Run] = field(default_factory=list)
    """Every minebot that was started here; what a failed test leaves running is ended after it."""
    is_watched: bool = False
    """Whether a test fails in which minebot quits a program, or starts one."""
    in_process: Callable[..., Any] = field(init=False, repr=False)
    """Runs minebot to its end in the process of the tests, for what looks at no screen."""

    def end_started(self) -> None:
        """End what a test has left running."""
        for process in self.started:
            process.close()
        self.started.clear()

    def environment(self) -> dict[str, str]:
        return os.environ | {"DISPLAY": self.display}

    def popen(self, *words: str, stdin: int = subprocess.DEVNULL) -> Run:
        """Start minebot on this screen; its output is text."""
        process = loader().run(words, self.environment(), stdin)
        self.started.append(process)
        return process

    def minebot(self, *words: str, limit_s: float = 240) -> subprocess.CompletedProcess[str]:
        """Run minebot to its end."""
        with nothing_is_quit_or_started(self.display) if self.is_watched else nullcontext():
            process = self.popen(*words)
            try:
                out, told = process.communicate(timeout=limit_s)
            except subprocess.TimeoutExpired:
                process.kill()
                out, told = process.communicate()
                pytest.fail(f"minebot {' '.join(words)} did not end within {limit_s:.0f} s: {told[-2000:]}")
        return subprocess.CompletedProcess(process.args, process.returncode, out, told)

    def play(self, *words: str, limit_s: float = 240) -> list[dict[str, Any]]:
        """Run `minebot run --json` to its end, which must be a good one; gives the lines of the games."""
        done = self.minebot("run", "--json", *words, limit_s=limit_s)
        assert done.returncode == 0, done.stderr + done.stdout
        return [json.loads(line) for line in done.stdout.splitlines()]

    def pointer(self, *words: str) -> None:
        """Drive the pointer and the keyboard as a person would."""
        subprocess.run(["xdotool", *words], env=self.environment(), check=True, timeout=20)

    def unfocus(self) -> None:
        """Take the keyboard from whatever window has it."""
        from Xlib import X
        from Xlib.display import Display

        display = Display(self.display)
        display.screen().root.set_input_focus(X.RevertToPointerRoot, X.CurrentTime)
        display.sync()
        display.close()

    def buttons_down(self) -> bool:
        """Whether any mouse button is down."""
        from Xlib.display import Display

        display = Display(self.display)
        mask = int(display.screen().root.query_pointer().mask)
        display.close()
        return bool(mask & 0x1F00)


def _start_xvfb(folder: Path) -> tuple[subprocess.Popen[bytes], str]:
    # Reset when its last client leaves, it would throw a window manager out that is about to come.
    reading, writing = os.pipe()
    words = ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-nolisten", "tcp"]
    # Tests that are killed leave no screen behind.
    process = children.start(
        [*words, "-ac", "-noreset"], pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    os.close(writing)
    with os.fdopen(reading) as answer:
        number = answer.readline().strip()
    if not number:
        pytest.fail("Xvfb gave no display")
    return process, f":{number}"


def _wait_for_manager(environment: dict[str, str]) -> None:
    """A window that comes before its manager is no managed one. It says that it is there at the root."""
    for _ in range(300):
        told = subprocess.run(
            ["xprop", "-root", "_NET_SUPPORTING_WM_CHECK"], env=environment, capture_output=True, text=True
        )
        if "window id" in told.stdout:
            return
        time.sleep(0.1)
    pytest.fail("the window manager does not come")


@pytest.fixture(scope="session", params=["no window manager", "openbox"])
def session_desk(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """One screen for all tests with this window manager."""
    if shutil.which("Xvfb") is None:
        pytest.skip("there is no Xvfb: apt-get install xvfb")
    if request.param != "no window manager" and shutil.which("openbox") is None:
        pytest.skip("there is no openbox: apt-get install openbox")
    folder = tmp_path_factory.mktemp("screen")
    process, display = _start_xvfb(folder)
    manager: subprocess.Popen[bytes] | None = None
    environment = os.environ | {"DISPLAY": display}
    if request.param != "no window manager":
        words = ["openbox"]
        if request.param == HOLDS_NONE:
            (folder / "rc.xml").write_text(NO_MOUSE)
            words += ["--config-file", str(folder / "rc.xml")]
        manager = subprocess.Popen(words, env=environment, stderr=subprocess.DEVNULL, start_new_session=True)
        _wait_for_manager(environment)
    yield Desk(display, request.param)
    for one in (manager, process):
        if one is not None:
            end(one)


@pytest.fixture
def desk(
    session_desk: Desk,
    minebot: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Desk]:
    """The screen, named by `DISPLAY` during the test, its pointer in the middle."""
    authority = tmp_path_factory.mktemp("authority") / "xauthority"
    authority.touch()
    monkeypatch.setenv("XAUTHORITY", str(authority))
    monkeypatch.setenv("DISPLAY", session_desk.display)
    for variable in ("WAYLAND_DISPLAY", "XDG_SESSION_TYPE"):
        monkeypatch.delenv(variable, raising=False)
    if shutil.which("xdotool") is None:
        pytest.skip("there is no xdotool: apt-get install xdotool")
    session_desk.in_process = minebot
    session_desk.pointer("mousemove", str(WIDTH // 2), str(HEIGHT - 100))
    yield session_desk
    session_desk.end_started()


@pytest.fixture
def watched(desk: Desk) -> Iterator[None]:
    """Fails the test where a click or a key misses the games on the screen, and where a run of minebot quits
    a program or starts one."""
    with Beside(WIDTH, HEIGHT) as beside:
        desk.is_watched = True
        yield
        desk.is_watched = False
    assert (beside.clicks, beside.keys) == (0, 0), "clicks and keys that missed the games"


class Startable(Protocol):
    """A real game of the tests."""

    @staticmethod
    def missing() -> list[str]:
        """The Debian packages that it needs and that are not installed."""

    def stop(self) -> None:
        """End it."""


AnyGame = TypeVar("AnyGame", bound=Startable)


@contextmanager
def stopped_after(game: AnyGame) -> Iterator[AnyGame]:
    """A game, not started yet, that is ended after the body; skips the test where it is not installed."""
    if missing := game.missing():
        pytest.skip(f"missing: apt-get install {' '.join(missing)}")
    try:
        yield game
    finally:
        game.stop()


@pytest.fixture(scope="session")
def wine_prefix() -> Iterator[None]:
    """A wine prefix of this process's own, which the environment names; its programs end with the tests."""
    if missing := WineMine.missing():
        pytest.skip(f"missing: apt-get install {' '.join(missing)}")
    with own_prefix() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("MINEBOT_WINEPREFIX", str(folder))
        yield


@pytest.fixture
def winemine(desk: Desk, wine_prefix: None) -> Iterator[WineMine]:
    """WineMine, not started yet; it ends with the test."""
    with stopped_after(WineMine()) as game:
        yield game


@pytest.fixture
def gnome_mines(desk: Desk) -> Iterator[GnomeMines]:
    """GNOME Mines, not started yet; it ends with the test."""
    with stopped_after(GnomeMines()) as game:
        yield game


@pytest.fixture
def xdemineur(desk: Desk) -> Iterator[Xdemineur]:
    """xdemineur, not started yet; it ends with the test."""
    with stopped_after(Xdemineur()) as game:
        yield game


@pytest.fixture
def page(desk: Desk) -> Iterator[GooglePage]:
    """The page, not opened yet; it closes with the test."""
    with stopped_after(GooglePage()) as one:
        yield one
