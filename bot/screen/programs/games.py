"""Real games that are started at a given size, for cutting glyphs and for the tests.

Each has `start`, which returns its window, and `stop`. Columns and rows are in cells, places and sizes in
pixels.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import ClassVar

from bot.errors import BotError, WindowError
from bot.geometry import Rect
from bot.screen.programs.started_program import (
    START_S,
    Started,
    find_program,
    move_window,
    settled,
    windows_known,
)
from bot.screen.wayland.ways import on_wayland
from bot.screen.windows import Window

WINEMINE_CELL, WINEMINE_FRAME = 16, 10
"""Width of a cell of WineMine, and of what lies left and right of its cells, in pixels."""

STARTS = 2
"""How often WineMine is started at most."""

DRAWN_S = 1.0
"""Time that gnome-mines needs to draw its board on a busy machine, in seconds."""


class WineMine:
    """Wine's own Minesweeper, in a wine prefix of ours. 9x9 to 30x24 cells."""

    title = "WineMine"

    def __init__(self, prefix: Path | None = None) -> None:
        self._prefix = prefix or default_prefix()
        self._program: Started | None = None

    @staticmethod
    def missing() -> list[str]:
        """The Debian packages that it needs and that are not installed."""
        return [] if shutil.which("wine") else ["wine", "wine64"]

    def environment(self) -> dict[str, str]:
        """The environment in which wine runs, quiet and with no questions about Mono and Gecko."""
        return os.environ | {
            "WINEPREFIX": str(self._prefix),
            "WINEARCH": "win64",
            "WINEDEBUG": "-all",
            "WINEDLLOVERRIDES": "mscoree,mshtml=",
        }

    def start(
        self, columns: int, rows: int, mines: int, *, level: int = 3, at: tuple[int, int] = (100, 100)
    ) -> Window:
        """Start a game and wait for its window. Games of `level` 0 to 2 keep records, those of 3 do not.

        A game that ended just before may write its own size after ours, and the part of wine that goes with
        it may take the new one along: then it is started once more. Raises BotError if wine is missing, the
        window does not appear, or its size stays another one.
        """
        self.set_up()
        for number in range(1, STARTS + 1):
            self._write_registry(columns, rows, mines, level, at)
            self._program = Started(["wine", "winemine"], self.environment())
            try:
                window = self._program.window(lambda window: window.title == self.title)
            except WindowError:
                if self._program.runs or number == STARTS:
                    raise
                self.stop()
                continue
            shown, rest = divmod(window.rect.width - WINEMINE_FRAME, WINEMINE_CELL)
            if shown == columns or rest:  # what is no whole number of cells is scaled by the desktop
                return window
            self.stop()
        raise BotError(
            f"WineMine shows {shown} columns where {columns} were asked: end what runs in {self._prefix}"
            " (`wineserver -k`) and try again"
        )

    def set_up(self) -> None:
        """Make the wine prefix where there is none yet: half a minute. Raises BotError if wine is missing."""
        if missing := self.missing():
            raise BotError(f"wine is not installed: `apt-get install {' '.join(missing)}`")
        if not (self._prefix / "system.reg").exists():
            self._prefix.parent.mkdir(parents=True, exist_ok=True)
            self._do("wine", "wineboot", "-i")
            # The registry is written when wine ends.
            self._do("wineserver", "-w")

    def stop(self) -> None:
        """Kill the game, so that it writes nothing to the registry."""
        if self._program is not None:
            self._program.end()
            self._program = None

    def shut_down(self) -> None:
        """End all of wine."""
        self.stop()
        with suppress(OSError, subprocess.SubprocessError):
            subprocess.run(["wineserver", "-k"], env=self.environment(), timeout=20, check=False)

    def _do(self, *words: str) -> None:
        subprocess.run(
            words,
            env=self.environment(),
            timeout=180,
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def _write_registry(self, columns: int, rows: int, mines: int, level: int, at: tuple[int, int]) -> None:
        numbers = {
            "Width": columns,
            "Height": rows,
            "Mines": mines,
            "Difficulty": level,
            "Mark": 1,
            "Xpos": at[0],
            "Ypos": at[1],
            "Time1": 999,
            "Time2": 999,
            "Time3": 999,
        }
        lines = ["REGEDIT4", "", r"[HKEY_CURRENT_USER\Software\Microsoft\WinMine]"]
        lines += [f'"{name}"=dword:{value:08x}' for name, value in numbers.items()]
        file = self._prefix / "drive_c" / "minebot.reg"
        file.write_text("\r\n".join([*lines, ""]))
        self._do("wine", "regedit", "/S", r"C:\minebot.reg")


class Practice:
    """The built-in window, as a program of its own."""

    title = "minebot practice"

    def __init__(self) -> None:
        self._program: Started | None = None

    @staticmethod
    def missing() -> list[str]:
        """The Debian packages that it needs and that are not installed."""
        return [] if find_spec("tkinter") else ["python3-tk"]

    def start(
        self,
        columns: int,
        rows: int,
        mines: int,
        *options: str,
        at: tuple[int, int] = (100, 100),
    ) -> Window:
        """Open the window and wait for it. Raises BotError if it does not appear."""
        words = ["--size", f"{columns}x{rows}", "--mines", str(mines), "--position", f"{at[0]},{at[1]}"]
        command = [sys.executable, "-m", "bot.cli.main", "practice", *words, *options]
        self._program = Started(command, name="the practice window")
        return self._program.window(lambda window: window.title.startswith(self.title))

    def stop(self) -> None:
        """Close the window."""
        if self._program is not None:
            self._program.end()
            self._program = None


class GnomeMines:
    """GNOME Mines with settings and records of its own. 4x4 to 100x100 cells, in three themes."""

    title = "Mines"
    program = "gnome-mines"
    bus_name = "org.gnome.Mines"

    beside_cells = 36 + 174 + 5
    """Width of the window without its cells, in pixels: margins, the buttons at the right, and 5 more,
    without which some cells become a pixel smaller."""
    around_cells = 36
    """Height of the window without its cells and its title bar, in pixels."""

    levels: ClassVar[dict[tuple[int, int, int], str]] = {
        (8, 8, 10): "small-size",
        (16, 16, 40): "medium-size",
        (30, 16, 99): "large-size",
    }
    """Its own sizes (columns, rows, mines) and the action that starts each. Small boards of other sizes get
    fewer mines than asked for."""

    def __init__(self, theme: str = "classic") -> None:
        self._theme = theme
        self._folder: Path | None = None
        self._program: Started | None = None

    @staticmethod
    def missing() -> list[str]:
        """The Debian packages that it needs and that are not installed."""
        needed = {
            "gnome-mines": "gnome-mines",
            "dbus-run-session": "dbus-daemon",
            "gapplication": "libglib2.0-bin",
        }
        return [package for program, package in needed.items() if find_program(program) is None]

    def start(
        self,
        columns: int,
        rows: int,
        mines: int,
        *,
        at: tuple[int, int] = (100, 100),
        cell: int = 32,
        size: tuple[int, int] | None = None,
        marks: bool = True,
    ) -> Window:
        """Start a game and wait for its window.

        The window gets the `size` (width, height in pixels, without its title bar), or by default the size at
        which a cell has `cell` pixels. `marks`: whether there are question marks. On a desktop that lists no
        windows what is returned has no size. Raises BotError if a package is missing or the window does not
        appear.
        """
        if missing := self.missing():
            raise BotError(f"missing: `apt-get install {' '.join(missing)}`")
        self.stop()
        self._folder = Path(tempfile.mkdtemp(prefix="minebot-gnome-"))
        width, height = size or (columns * cell + self.beside_cells, rows * cell + self.around_cells)
        self._settings = {
            "mode": "3",
            "xsize": str(columns),
            "ysize": str(rows),
            "nmines": str(mines),
            "window-width": str(width),
            "window-height": str(height),
            "use-question-marks": "true" if marks else "false",
        }
        self._write_settings()
        script = 'echo "$DBUS_SESSION_BUS_ADDRESS" >"$1"; exec "$0"'
        self._program = Started(
            ["dbus-run-session", "--", "sh", "-c", script, str(find_program(self.program)), str(self._bus)],
            self.environment(),
        )
        if not windows_known():
            # Its place stays unknown; it lies where the desktop puts it.
            self._wait_for_bus()
            self.choose(columns, rows, mines)
            time.sleep(DRAWN_S)
            return Window(0, self.title, Rect(0, 0, 0, 0), self.program)
        # GTK shows a window of 10 pixels first.
        window = self._program.window(
            lambda window: window.program == self.program and window.rect.width > 100
        )
        # The window first asks for the size of the game, which cannot be given earlier.
        self.choose(columns, rows, mines)
        # On Wayland the desktop alone says where windows lie.
        if at != (window.rect.x, window.rect.y) and not on_wayland():
            move_window(window, at)
        # The window appears before its board is drawn, and this module does not look at pixels.
        time.sleep(DRAWN_S)
        return settled(window)

    def choose(self, columns: int, rows: int, mines: int) -> None:
        """Start a game of one of its own sizes, as its buttons do, or else of the size that `start` was
        given."""
        subprocess.run(
            [
                "gapplication",
                "action",
                self.bus_name,
                self.levels.get((columns, rows, mines), "start-custom"),
            ],
            env=self.environment() | {"DBUS_SESSION_BUS_ADDRESS": self._bus.read_text().strip()},
            timeout=START_S,
            check=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def _wait_for_bus(self) -> None:
        """Wait until it can be told what to do. Raises BotError after `START_S` seconds."""
        until = time.monotonic() + START_S
        while not (self._bus.exists() and self._bus.read_text().strip()):
            if time.monotonic() > until:
                raise BotError("gnome-mines does not start: try it by hand")
            time.sleep(0.05)
        words = ["gdbus", "wait", "--session", "--timeout", str(round(START_S)), self.bus_name]
        environment = self.environment() | {"DBUS_SESSION_BUS_ADDRESS": self._bus.read_text().strip()}
        if subprocess.run(words, env=environment, check=False, capture_output=True).returncode:
            raise BotError("gnome-mines does not start: try it by hand")

    @property
    def _bus(self) -> Path:
        """The file with the address of its message bus."""
        assert self._folder is not None
        return self._folder / "bus"

    def environment(self) -> dict[str, str]:
        """The environment in which it runs: in English, without the user's own settings."""
        assert self._folder is not None
        return os.environ | {
            "GSETTINGS_BACKEND": "keyfile",
            "XDG_CONFIG_HOME": str(self._folder / "config"),
            "XDG_DATA_HOME": str(self._folder / "data"),
            "XDG_CACHE_HOME": str(self._folder / "cache"),
            "GDK_BACKEND": "wayland" if on_wayland() else "x11",
            "NO_AT_BRIDGE": "1",
            "LC_ALL": "C.UTF-8",
        }

    def set_theme(self, theme: str) -> None:
        """Change the skin, also of a running game: `classic`, `default` or `bgcolors`."""
        self._theme = theme
        if self._folder is not None:
            self._write_settings()

    def _write_settings(self) -> None:
        assert self._folder is not None
        file = self._folder / "config" / "glib-2.0" / "settings" / "keyfile"
        file.parent.mkdir(parents=True, exist_ok=True)
        lines = [f"{name}={value}" for name, value in self._settings.items()]
        file.write_text("\n".join(["[org/gnome/Mines]", f"theme='{self._theme}'", *lines, ""]))

    def stop(self) -> None:
        """End the game and delete its settings and records."""
        if self._program is not None:
            self._program.end()
            self._program = None
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None


class Xdemineur:
    """xdemineur, a game for plain X11. At least 12 columns."""

    program = "xdemineur"

    def __init__(self) -> None:
        self._program: Started | None = None

    @staticmethod
    def missing() -> list[str]:
        """The Debian packages that it needs and that are not installed."""
        return [] if find_program("xdemineur") else ["xdemineur"]

    def start(self, columns: int, rows: int, mines: int, *, at: tuple[int, int] = (100, 100)) -> Window:
        """Start a game and wait for its window. Raises BotError if the game is not installed or its window
        does not appear."""
        if missing := self.missing():
            raise BotError(f"missing: `apt-get install {' '.join(missing)}`")
        place = f"{columns}x{rows}+{at[0]}+{at[1]}"
        self._program = Started([str(find_program(self.program)), "-geometry", place, "-m", str(mines)])
        # The name of the window is the command, which may be a whole path.
        return self._program.window(lambda window: Path(window.program).name == self.program)

    def stop(self) -> None:
        """End the game."""
        if self._program is not None:
            self._program.end()
            self._program = None


def default_prefix() -> Path:
    """The wine prefix of the tests and of cutting; `MINEBOT_WINEPREFIX` moves it. It takes 700 MB."""
    if "MINEBOT_WINEPREFIX" in os.environ:
        return Path(os.environ["MINEBOT_WINEPREFIX"])
    import platformdirs

    return Path(platformdirs.user_cache_dir("minebot", appauthor=False)) / "wine"
