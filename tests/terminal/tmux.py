"""A real terminal for tests: tmux, to which keys and mouse presses are sent and whose screen is read."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator

import pytest

PATIENCE_S = 60.0
"""Seconds for what is waited for: the solver may have to be compiled on a busy machine."""

WHOLE_S = 1.0
"""Seconds for a frame to be whole once a part of it is drawn."""


class Terminal:
    """One tmux server with one window, in which `minebot terminal …` runs. Use `close` at the end."""

    def __init__(self, *words: str, columns: int = 80, lines: int = 24) -> None:
        self._server = f"minebot-{uuid.uuid4().hex[:12]}"
        command = shlex.join([sys.executable, "-m", "bot.cli.main", "terminal", *words])
        # What runs afterwards keeps the window, and shows what the game has left behind. Ctrl-C is for the
        # game alone.
        script = f"trap : INT; {command}; echo status=$?; exec cat"
        self._tmux(
            *("-f", "/dev/null", "new-session", "-d", "-x", f"{columns}", "-y", f"{lines}"),
            *("-e", f"MINEBOT_HOME={os.environ['MINEBOT_HOME']}", "-e", "TERM=screen-256color"),
            *("sh", "-c", script),
        )
        self._tmux("set", "-g", "status", "off")
        self._tmux("set", "-g", "window-size", "manual")
        self.resize(columns, lines)

    def _tmux(self, *words: str) -> str:
        done = subprocess.run(
            ["tmux", "-L", self._server, *words], capture_output=True, text=True, timeout=30, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def close(self) -> None:
        subprocess.run(["tmux", "-L", self._server, "kill-server"], capture_output=True, check=False)

    def keys(self, *names: str) -> None:
        """Keys by tmux's names: `Up`, `Space`, `C-c`, a letter."""
        self._tmux("send-keys", *names)

    def line(self, text: str) -> None:
        """A line that is typed."""
        self._tmux("send-keys", "-l", text)
        self.keys("Enter")

    def press(self, column: int, line: int, button: int = 0) -> None:
        """A mouse press and its release, columns and lines from 0; button 0 is the left one, 2 the right."""
        for end in "Mm":
            sequence = f"\x1b[<{button};{column + 1};{line + 1}{end}"
            self._tmux("send-keys", "-H", *(f"{byte:02x}" for byte in sequence.encode()))

    def resize(self, columns: int, lines: int) -> None:
        self._tmux("resize-window", "-x", f"{columns}", "-y", f"{lines}")

    def screen(self) -> list[str]:
        """What is shown, a text a line, without the blanks at its end."""
        return [line.rstrip() for line in self._tmux("capture-pane", "-p").split("\n")]

    def colours(self) -> str:
        """What is shown, with the escape sequences of its colours."""
        return self._tmux("capture-pane", "-p", "-e")

    def shows(self, text: str, patience_s: float = PATIENCE_S) -> list[str]:
        """Wait until a text is on the screen, and give the screen as soon as the rest of it is drawn too."""
        end = whole_by = time.monotonic() + patience_s
        shown: list[str] | None = None
        while True:
            screen = self.screen()
            there = any(text in line for line in screen)
            # A screen may be taken between two writes of one frame: it is whole when it is the same twice,
            # and where it never is (a bot plays on it), or the text is gone again, the last one counts.
            if shown is not None and (screen == shown or not there or time.monotonic() > whole_by):
                return shown
            if there:
                if shown is None:
                    whole_by = time.monotonic() + WHOLE_S
                shown = screen
            assert time.monotonic() < end, f"{text!r} is not on the screen:\n" + "\n".join(screen)
            time.sleep(0.05)

    def changes(self, before: list[str]) -> list[str]:
        """Wait until the screen is another one, and give it."""
        end = time.monotonic() + PATIENCE_S
        while (now := self.screen()) == before:
            assert time.monotonic() < end, "the screen does not change"
            time.sleep(0.05)
        return now

    def rests(self) -> list[str]:
        """Wait until the solver is there and the screen has not changed for half a second, except for a clock
        at the end of its first line, and give it."""
        end = time.monotonic() + PATIENCE_S
        seen, since = self.screen(), time.monotonic()
        while time.monotonic() - since < 0.5:
            assert time.monotonic() < end, "the screen does not come to rest"
            time.sleep(0.05)
            now = self.screen()
            if _no_clock(now) != _no_clock(seen) or any("loading" in line for line in now):
                seen, since = now, time.monotonic()
        return seen

    def clean(self) -> bool:
        """Whether the terminal is as programs expect it: no mouse, a cursor, the normal screen, echo."""
        modes = "#{mouse_any_flag} #{mouse_sgr_flag} #{alternate_on} #{cursor_flag}"
        if self._tmux("display", "-p", modes).split() != ["0", "0", "0", "1"]:
            return False
        device = self._tmux("display", "-p", "#{pane_tty}").strip()
        settings = subprocess.run(["stty", "-a", "-F", device], capture_output=True, text=True, check=True)
        words = settings.stdout.replace(";", " ").split()
        return "echo" in words and "icanon" in words

    def process(self) -> int:
        """The process of the game."""
        shell = self._tmux("display", "-p", "#{pane_pid}").strip()
        children = subprocess.run(["pgrep", "-P", shell], capture_output=True, text=True, check=True)
        return int(children.stdout.split()[0])


Open = Callable[..., Terminal]
"""Opens a terminal in which `minebot terminal` runs with these words, of so many `columns` and `lines`."""


@pytest.fixture
def terminal() -> Iterator[Open]:
    opened: list[Terminal] = []

    def open_one(*words: str, columns: int = 80, lines: int = 24) -> Terminal:
        opened.append(Terminal(*words, columns=columns, lines=lines))
        return opened[-1]

    yield open_one
    for each in opened:
        each.close()


MISSING = None if shutil.which("tmux") else "tmux is not installed: ./install.sh --test installs it"


def _no_clock(screen: list[str]) -> list[str]:
    return [re.sub(" [0-9]{3} *$", "", line) if number == 0 else line for number, line in enumerate(screen)]
