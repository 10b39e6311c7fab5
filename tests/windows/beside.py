"""Windows beside a game and over it, which tell what arrives in them, and what runs beside it: nothing must
arrive there, no program be quit, and none be started."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

import pytest

from bot.screen.this_machine import system_windows

COVER = """
import sys, tkinter
window = tkinter.Tk()
window.title("a cover")
window.geometry("400x250+200+200")
window.configure(bg="#804020")
window.bind("<Button>", lambda event: open(sys.argv[1], "a").write("clicked"))
window.withdraw()
window.update()
print(flush=True)
sys.stdin.readline()
window.attributes("-topmost", True)
window.deiconify()
window.mainloop()
"""
"""A window that shows itself above all others once it is told to (a window manager may put a new window of a
program that runs already below others), and writes a word into a file where it is clicked."""

SERVE = {"dbus-daemon", "systemd"}
"""What starts services when a program first asks for one, as for its settings."""

TITLE = "somebody's letters"
"""What the window beside a game is called."""


class Cover:
    """A window that can be laid over a game at once, however busy the machine is; it closes with the `with`
    block."""

    def __init__(self, clicked: Path) -> None:
        """`clicked`: the file that is there once the window was clicked."""
        self._command = [sys.executable, "-c", COVER, str(clicked)]

    def __enter__(self) -> Cover:
        self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._process.stdout is not None
        self._process.stdout.readline()
        return self

    def show(self) -> None:
        """Lay it over the game."""
        assert self._process.stdin is not None
        self._process.stdin.write(b"\n")
        self._process.stdin.flush()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.communicate()


class Beside:
    """A window that fills the screen behind a game and counts what arrives in it; it closes with the `with`
    block."""

    def __init__(self, width: int, height: int) -> None:
        self._size = width, height
        self.clicks = 0
        """How many mouse buttons were pressed in it."""
        self.keys = 0
        """How many keys were struck in it."""

    def __enter__(self) -> Beside:
        from Xlib import X, Xatom
        from Xlib.display import Display

        with contextlib.redirect_stdout(io.StringIO()):
            self._display = Display()
        screen = self._display.screen()
        self._window = screen.root.create_window(
            0, 0, *self._size, 0, screen.root_depth, X.InputOutput, background_pixel=0x607060
        )
        self._window.change_attributes(event_mask=X.ButtonPressMask | X.KeyPressMask | X.StructureNotifyMask)
        self._window.set_wm_name(TITLE)
        self._window.set_wm_class("letters", "Letters")
        # Below all others, whatever is clicked or gets the keyboard.
        below = self._display.intern_atom("_NET_WM_STATE_BELOW")
        state = self._display.intern_atom("_NET_WM_STATE")
        self._window.change_property(state, Xatom.ATOM, 32, [below])
        self._window.map()
        self._display.sync()
        self._mapped = threading.Event()
        self._thread = threading.Thread(target=self._count, daemon=True)
        self._thread.start()
        self._mapped.wait(10)
        return self

    def _count(self) -> None:
        from Xlib import X, error

        with contextlib.suppress(error.ConnectionClosedError):
            while True:
                event = self._display.next_event()
                if event.type == X.MapNotify:
                    self._mapped.set()
                elif event.type == X.ButtonPress:
                    self.clicks += 1
                elif event.type == X.KeyPress:
                    self.keys += 1
                elif event.type == X.DestroyNotify:
                    return

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        from Xlib.display import Display

        with contextlib.redirect_stdout(io.StringIO()):
            other = Display()
        other.create_resource_object("window", self._window.id).destroy()
        other.sync()
        other.close()
        self._thread.join(10)
        self._display.close()


def programs(display: str) -> set[str]:
    """The names of the programs that were started to draw on a screen, as `:99`, but for services."""
    names: set[str] = set()
    wanted = f"DISPLAY={display}".encode()
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended meanwhile, or is somebody else's
            draws_here = wanted in (process / "environ").read_bytes().split(b"\0")
            if draws_here and _parent(process) not in SERVE:
                names.add((process / "comm").read_text().strip())
    return names


def _parent(process: Path) -> str:
    """The name of the program that started a process, given by its folder in /proc."""
    stat = (process / "stat").read_text()
    number = stat.rpartition(")")[2].split()[1]
    return (process.parent / number / "comm").read_text().strip()


def shown() -> set[str]:
    """The programs that show a window; a dialog, which may have a name of its own, belongs to another one."""
    with contextlib.closing(system_windows()) as windows:
        return {window.program for window in windows.windows() if not window.owner}


class Programs:
    """The programs on a screen, as they were when this was made."""

    def __init__(self, display: str) -> None:
        assert os.environ["DISPLAY"] == display
        self._display = display
        self._ran, self._showed = programs(display), shown()

    def changed(self) -> str:
        """What has changed since: which programs that showed a window have ended, and which others came;
        empty for nothing."""
        runs, shows = programs(self._display), shown()
        gone, new = self._showed - shows, (runs - self._ran) | (shows - self._showed)
        if not gone and not new:
            return ""
        return f"programs that were quit: {sorted(gone) or 'none'}; started: {sorted(new) or 'none'}"


@contextlib.contextmanager
def nothing_is_quit_or_started(display: str) -> Iterator[None]:
    """Fail the test if a program that shows a window ends in the body, or another program comes."""
    before = Programs(display)
    yield
    if changed := before.changed():
        pytest.fail(changed)
