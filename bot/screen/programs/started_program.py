"""Programs that we start and end, and the windows that they open."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path

from bot.errors import ScreenError, WindowError
from bot.geometry import Rect
from bot.process import children
from bot.screen.this_machine import system_windows
from bot.screen.windows import Window

START_S = 60.0
"""Time limit for the window of a program, in seconds: wine is slow the first time."""

PARTING = getattr(signal, "SIGKILL", signal.SIGTERM)
"""What a program gets when we have died. Windows has no SIGKILL, and ends it without a signal."""

GONE_S = 10.0
"""Time limit for the windows of an ended program to disappear, in seconds."""


class Started:
    """A program in a session of its own, so that it ends together with everything that it started. It ends
    too when we are killed."""

    def __init__(self, words: Sequence[str], env: Mapping[str, str] | None = None, name: str = "") -> None:
        """Start it. `name` is its name in messages; by default that of the program."""
        self._name = name or Path(words[0]).name
        self._before = window_ids()
        self._shown: set[int] = set()
        # A file, because a full pipe that is not read would stop the program.
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115
        self._process = children.start(
            words,
            parting=PARTING,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._stderr,
        )

    def window(self, wanted: Callable[[Window], bool], limit_s: float = START_S) -> Window:
        """The topmost of its windows for which `wanted` is true, once it has stopped moving.

        Raises WindowError after `limit_s` seconds, if the program ends before that, and if this screen does
        not list its windows.
        """
        until = time.monotonic() + limit_s
        last: Window | None = None
        with closing(system_windows()) as windows:
            if not windows.known:
                raise WindowError("the windows of this screen cannot be listed: run `minebot doctor`")
            while time.monotonic() < until:
                if self._process.poll() is not None:
                    raise WindowError(f"{self._name} ended before it showed a window: {self._last_words()}")
                seen = windows.windows()
                # X11 reuses the numbers of closed windows for those of the next program.
                self._before &= {window.id for window in seen}
                ours = [window for window in seen if window.id not in self._before and wanted(window)]
                self._shown |= {window.id for window in ours}
                if ours and ours[-1] == last:
                    return last
                last = ours[-1] if ours else None
                time.sleep(0.1)
        raise WindowError(f"{self._name} showed no window within {limit_s:.0f} s: try it by hand")

    def _last_words(self) -> str:
        self._stderr.seek(0)
        lines = self._stderr.read().decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else "try it by hand"

    @property
    def runs(self) -> bool:
        """Whether the program has not ended by itself."""
        return self._process.poll() is None

    def end(self) -> None:
        """End the program and everything that it started, and wait until its windows are gone.

        The window of a killed program stays listed for a moment, and a window of the next program may get its
        number.
        """
        end(self._process)
        self._stderr.close()
        until = time.monotonic() + GONE_S
        with suppress(ScreenError), closing(system_windows()) as windows:
            while self._shown & {window.id for window in windows.windows()} and time.monotonic() < until:
                time.sleep(0.02)


def find_program(name: str) -> str | None:
    """The path of a program; None if it is not installed. Debian's folder of games is not on root's PATH."""
    return shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/games"]))


def move_window(window: Window, to: tuple[int, int], size: tuple[int, int] | None = None) -> None:
    """Move a window of X11 to `to` (x, y), and give it another `size` (width, height) if one is given."""
    from Xlib.display import Display

    with closing(Display()) as display:
        resource = display.create_resource_object("window", window.id)
        resource.configure(x=to[0], y=to[1])
        if size is not None:
            resource.configure(width=size[0], height=size[1])
        display.sync()


def windows_known() -> bool:
    """Whether this desktop lists its windows."""
    with closing(system_windows()) as windows:
        return windows.known


def window_ids() -> set[int]:
    """The ids of all windows that are shown now."""
    with closing(system_windows()) as windows:
        return {window.id for window in windows.windows()}


def settled(window: Window, limit_s: float = START_S) -> Window:
    """The window with its place once it has stopped moving. Raises WindowError after `limit_s` seconds."""
    until = time.monotonic() + limit_s
    last: Rect | None = None
    with closing(system_windows()) as windows:
        while time.monotonic() < until:
            now = next((one for one in windows.windows() if one.id == window.id), None)
            if now is not None and now.rect == last:
                return now
            last = None if now is None else now.rect
            time.sleep(0.1)
    raise WindowError(f"the window {window.title!r} is gone, or never came to rest")


def end(process: subprocess.Popen[bytes]) -> None:
    """End a program that was started in a session of its own, and everything that it started."""
    _signal_all(process, signal.SIGTERM)
    try:
        process.wait(3)
    except subprocess.TimeoutExpired:
        _signal_all(process, PARTING)
        process.wait(3)


def _signal_all(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """Send a signal to a program and to what it started. Windows knows no groups: the program is ended."""
    if sys.platform == "win32":
        process.terminate()
        return
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)
