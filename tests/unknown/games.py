"""Windows whose game no theme knows, each opened by its name."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from bot.errors import BotError
from bot.screen.programs.games import GnomeMines, Practice, WineMine, Xdemineur
from bot.screen.programs.started_program import Started, find_program

# The windows of the tests find each other by name.
WINDOWS = Path(__file__).parents[1] / "windows"
sys.path.append(str(WINDOWS))

from google_page import GooglePage, Told  # noqa: E402
from mines_page import MinesPage  # noqa: E402
from wine_prefixes import own_prefix  # noqa: E402

TK_GAME = WINDOWS / "pages" / "tk_game.py"


class Missing(BotError):
    """The program is not installed."""


class Shown(Protocol):
    """What a window says that it shows."""

    boards: set[str]
    """Every board, as text."""


class Opened(Protocol):
    """A game's window."""

    themed: bool
    """Whether a theme knows its game: that is taken away."""

    def stop(self) -> None:
        """Close it."""
        ...

    def outcomes(self) -> list[str] | None:
        """`won` or `lost` of each game that ended, as the window itself tells it; None where it does not."""
        ...

    def tells_boards(self) -> AbstractContextManager[Shown | None]:
        """Listens to what the window says that it shows, where it does."""
        ...

    def start_next(self) -> None:
        """Start the next game, as the person does who is asked to."""
        ...


class Window:
    """What most windows are: told nothing by, and asked for no game."""

    themed = False

    def outcomes(self) -> list[str] | None:
        """What the games were is not told."""
        return None

    def tells_boards(self) -> AbstractContextManager[Shown | None]:
        """Nor what is shown."""
        return nullcontext()

    def start_next(self) -> None:
        """It starts its games when it is asked in its own way."""


@dataclass
class Program(Window):
    """A program in a session of its own."""

    words: Sequence[str]
    env: dict[str, str] = field(default_factory=dict)
    session_bus: bool = False
    """Whether it needs a session bus."""
    config: dict[str, str] = field(default_factory=dict)
    """Files of its settings, by their names."""

    def open(self) -> Program:
        """Start it and wait for its window. Raises Missing."""
        path = find_program(self.words[0])
        if path is None:
            raise Missing(f"there is no {self.words[0]}")
        self._home = tempfile.TemporaryDirectory(prefix="minebot-game-", ignore_cleanup_errors=True)
        for name, text in self.config.items():
            (Path(self._home.name) / name).write_text(text)
        # Some write a log where they are started.
        start = ["env", "-C", self._home.name, *(["dbus-run-session", "--"] if self.session_bus else [])]
        # OpenCV names its own plug-ins for Qt, which no other program of Qt can load.
        env = {name: value for name, value in os.environ.items() if not name.startswith("QT_")}
        env |= {"HOME": self._home.name, "XDG_CONFIG_HOME": self._home.name} | self.env
        self.started = Started([*start, path, *self.words[1:]], env)
        self.started.window(lambda window: window.rect.width > 60)
        return self

    def stop(self) -> None:
        """End it."""
        self.started.end()
        self._home.cleanup()


def kmines(level: str) -> Program:
    """KDE's game at one of its levels."""
    return Program(
        ["kmines"],
        {"QT_QPA_PLATFORM": "xcb"},
        session_bus=True,
        config={"kminesrc": f"[KgDifficulty]\nLevel={level}\n"},
    )


def tk_game(*words: str) -> Program:
    """The game of our own in Tk."""
    return Program([sys.executable, str(TK_GAME), *words])


@dataclass
class Page(Window):
    """Our own page in Chromium, behaving in this way."""

    behaviour: dict[str, str | int]

    def open(self) -> Page:
        """Open it. Raises Missing."""
        if MinesPage.program() is None:
            raise Missing("there is no Chromium")
        self._page = MinesPage()
        self._page.open(**self.behaviour)
        return self

    def outcomes(self) -> list[str] | None:
        """The page tells them by its title, which the bot cannot use; a quit ends it."""
        told = self._page.done()
        return [*told.outcomes, *["quit"] * told.quits]

    def start_next(self) -> None:
        """The page does it at a key that minebot does not try."""
        subprocess.run(["xdotool", "key", "F8"], check=True, timeout=20)

    def stop(self) -> None:
        """Close it."""
        self._page.stop()


@dataclass
class Themed(Window):
    """A game that a theme knows, the theme taken away."""

    game: Callable[[], Any]
    size: tuple[int, int, int] = (9, 9, 10)
    """Columns, rows and mines."""

    themed = True

    def open(self) -> Themed:
        """Start it. Raises Missing."""
        self._ways_out = ExitStack()
        if missing := self.game().missing():
            raise Missing(f"missing: apt-get install {' '.join(missing)}")
        self._game: Any = self.game()
        if self.game is WineMine:  # one prefix draws on one screen alone
            self._game = WineMine(self._ways_out.enter_context(own_prefix()))
        self._start()
        return self

    def _start(self) -> None:
        self._game.start(*self.size)

    def stop(self) -> None:
        """End it."""
        self._game.stop()
        self._ways_out.close()


class ThemedGoogle(Themed):
    """The page that stands in for the Google game, the theme taken away."""

    def __init__(self) -> None:
        super().__init__(GooglePage)

    def _start(self) -> None:
        self._game.open("easy", tell=1)

    def tells_boards(self) -> AbstractContextManager[Shown | None]:
        """It hides its board at the end, and tells by its title what it showed."""
        return Told()


def page(**behaviour: str | int) -> Callable[[], Page]:
    """What opens a page."""
    return lambda: Page(behaviour)


GAMES: dict[str, Callable[[], Any]] = {
    "kmines Easy": lambda: kmines("Easy"),
    "kmines Medium": lambda: kmines("Medium"),
    "kmines Hard": lambda: kmines("Hard"),
    "sgt-mines 9x9n10": lambda: Program(["sgt-mines", "9x9n10"]),
    "sgt-mines 30x16n99": lambda: Program(["sgt-mines", "30x16n99"]),
    "xbomb 1": lambda: Program(["xbomb", "-square", "-1"]),
    "xbomb 3": lambda: Program(["xbomb", "-square", "-3"]),
    "minegauler": lambda: Program(["minegauler"]),
    "WineMine": lambda: Themed(WineMine),
    "gnome-mines": lambda: Themed(GnomeMines, (8, 8, 10)),
    "xdemineur": lambda: Themed(Xdemineur, (16, 16, 40)),
    "Google": ThemedGoogle,
    "practice": lambda: Themed(Practice),
    "Tk, New": lambda: tk_game("--bar", "New"),
    "Tk, no title": lambda: tk_game("--bar", "New", "--title", ""),
    "Tk, Quit first": lambda: tk_game("--bar", "Quit,Restart"),
    "Tk, Quit focused, F2": lambda: tk_game("--foot", "Exit", "--focus", "Exit", "--key", "F2"),
    "Tk, many": lambda: tk_game("--side", "Scores,Quit,Options,New game", "--end", "dialog"),
    "Tk, pictures": lambda: tk_game("--icons", "new,scores,help,quit"),
    "page, button": page(),
    "page, key": page(restart="key", motion="flip"),
    "page, board": page(restart="board"),
    "page, dialog, pulse": page(restart="dialog", motion="pulse"),
    "page, alert": page(restart="alert"),
    "page, reload, confetti": page(restart="reload", motion="confetti"),
    "page, confetti": page(motion="confetti"),
    "page, flags": page(win="flagged"),
    "page, hit, flip": page(loss="hit", motion="flip"),
    "page, hit, pulse": page(loss="hit", motion="pulse"),
    "page, nothing": page(loss="nothing"),
    "page, Quit": page(bar="Quit,Scores,New game"),
    "page, Quit below": page(restart="key", foot="Quit,Settings"),
    "page, none": page(restart="none", bar="Quit"),
}
"""What opens each window."""
