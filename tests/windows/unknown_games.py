"""Plays games that no theme knows by `minebot run`, each in a folder of its own, and says what came of them.

`PYTHONPATH=. python tests/windows/unknown_games.py [NAME ...] --games 10`: on a virtual screen with openbox,
before a window that counts the clicks and keys which miss the game. Prints a row of the table of
docs/windows-it-plays.md for each window, and what went wrong: games that failed or stopped, games lost on a
move that was not called a guess, an outcome that is not the one the game itself tells, anything clicked
beside the game, a program that was quit. Exits 1 where there was any of it.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from beside import TITLE, Beside
from google_page import GooglePage
from mines_page import MinesPage, listed

import bot
from bot.errors import BotError
from bot.screen.display import ensure_display
from bot.screen.programs.games import GnomeMines, WineMine, Xdemineur
from bot.screen.programs.started_program import Started, end, find_program
from tests.soak.losses import lost_without_guess

SCREEN = 1280, 1024

TK_GAME = Path(__file__).parent / "pages" / "tk_game.py"


class Opened(Protocol):
    """A game's window."""

    def stop(self) -> None:
        """Close it."""
        ...


class Missing(BotError):
    """The program is not installed."""


@dataclass
class Program:
    """A program in a session of its own."""

    words: Sequence[str]
    env: dict[str, str] = field(default_factory=dict)
    session_bus: bool = False
    """Whether it needs a session bus."""
    config: dict[str, str] = field(default_factory=dict)
    """Files of its settings, by their names."""

    def open(self) -> Program:
        """Start it and wait for its window."""
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
class Page:
    """Our own page in Chromium, behaving in this way."""

    behaviour: dict[str, str | int]

    def open(self) -> Page:
        """Open it."""
        if MinesPage.program() is None:
            raise Missing("there is no Chromium")
        self._page = MinesPage()
        self._page.open(**self.behaviour)
        return self

    @property
    def page(self) -> MinesPage:
        """The page that is open."""
        return self._page

    def stop(self) -> None:
        """Close it."""
        self._page.stop()


@dataclass
class Themed:
    """A game that a theme knows, the theme taken away."""

    game: Callable[[], Any]
    size: tuple[int, int, int] = (9, 9, 10)

    def open(self) -> Themed:
        """Start it."""
        self._game = self.game()
        self._game.start(*self.size)
        return self

    def stop(self) -> None:
        """End it."""
        self._game.stop()


@dataclass
class ThemedGoogle(Themed):
    """The page that stands in for the Google game, the theme taken away."""

    game: Callable[[], Any] = GooglePage

    def open(self) -> ThemedGoogle:
        """Start it."""
        self._game = self.game()
        self._game.open("easy")
        return self


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
    "Tk, New": lambda: tk_game("--bar", "New"),
    "Tk, no title": lambda: tk_game("--bar", "New", "--title", ""),
    "Tk, Quit first": lambda: tk_game("--bar", "Quit,Restart"),
    "Tk, Quit focused, F2": lambda: tk_game("--foot", "Exit", "--focus", "Exit", "--key", "F2"),
    "Tk, many": lambda: tk_game("--side", "Scores,Quit,Options,New game", "--end", "dialog"),
    "page, button": page(),
    "page, key": page(restart="key", motion="flip"),
    "page, board": page(restart="board"),
    "page, dialog, pulse": page(restart="dialog", motion="pulse"),
    "page, alert": page(restart="alert"),
    "page, reload, confetti": page(restart="reload", motion="confetti"),
    "page, flags": page(win="flagged"),
    "page, hit, flip": page(loss="hit", motion="flip"),
    "page, nothing": page(loss="nothing"),
    "page, Quit": page(bar="Quit,Scores,New game"),
    "page, Quit below": page(restart="key", foot="Quit,Settings"),
}
"""What opens each window."""


def main() -> int:
    """Play and report; 0 where every game kept its word."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", help="all by default; a part of a name names several")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument(
        "--keep", type=Path, help="where recordings and what was learned go (default: nowhere)"
    )
    parser.add_argument("--limit", type=float, default=900, help="seconds for the games of a window")
    words = parser.parse_args()
    names = [name for name in GAMES if not words.names or any(word in name for word in words.names)]
    sys.stdout.write(
        "| window | won | lost | first click | a new game by |\n| --- | --- | --- | --- | --- |\n"
    )
    wrong = 0
    for name in names:
        with tempfile.TemporaryDirectory() as scratch:
            home = (words.keep / name.replace(" ", "-").replace(",", "")) if words.keep else Path(scratch)
            try:
                wrong += len(played(name, home, words.games, words.limit))
            except Missing as error:
                sys.stdout.write(f"| {name} | not tried: {error} | | | |\n")
    return 1 if wrong else 0


def played(name: str, home: Path, games: int, limit_s: float) -> list[str]:
    """Play one window and print its row; gives what was wrong."""
    with ExitStack() as ways_out:
        ways_out.enter_context(ensure_display(headless=True, size=SCREEN))
        manager = subprocess.Popen(
            ["openbox"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        ways_out.callback(end, manager)
        time.sleep(1)
        beside = ways_out.enter_context(Beside(*SCREEN))
        game = GAMES[name]().open()
        ways_out.callback(game.stop)
        tree = without_themes(Path(ways_out.enter_context(tempfile.TemporaryDirectory())))
        done = minebot(
            home,
            limit_s,
            tree if isinstance(game, Themed) else None,
            "run",
            "--json",
            "--games",
            str(games),
            "--verbose",
        )
        wrong = [f"{beside.clicks} clicks and {beside.keys} keys beside the game"]
        if not beside.clicks and not beside.keys:
            wrong = []
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        outcomes = [line["outcome"] for line in lines]
        if isinstance(game, Page):
            told = game.page.done()
            wrong += [f"quit {told.quits} times"] if told.quits else []
            if [one for one in outcomes if one in ("won", "lost")] != told.outcomes[: len(outcomes)]:
                wrong.append(f"told {outcomes}, and it was {told.outcomes}")
        elif (isinstance(game, Program) and not game.started.runs) or not is_open():
            wrong.append("the program was quit")
    wrong += [
        f"{line['outcome']}: {line['reason']}" for line in lines if line["outcome"] not in ("won", "lost")
    ]
    for line in lines:
        if line["outcome"] == "lost" and (
            line["recording"] is None or lost_without_guess(Path(line["recording"]))
        ):
            wrong.append(f"lost without a guess: {line['recording']}")
    if len(lines) < games:
        wrong.append(f"{len(lines)} of {games} games: {done.stderr[-900:]}")
    way = [line for line in done.stderr.splitlines() if "a new game is started by" in line]
    won, lost = outcomes.count("won"), outcomes.count("lost")
    first = first_click_s(done.stderr)
    by = way[-1].split(" by ", 1)[1] if way else ""
    sys.stdout.write(f"| {name} | {won} | {lost} | {first} | {by} |\n")
    for text in wrong:
        sys.stdout.write(f"WRONG {name}: {text}\n")
    sys.stdout.flush()
    (home / "told.txt").write_text(done.stderr)
    return wrong


def is_open() -> bool:
    """Whether a window is there besides the one that counts what misses the game."""
    return any(window.title != TITLE for window in listed())


def first_click_s(told: str) -> str:
    """When the first click was made, in seconds after the start, by the log that a run tells of."""
    logs = [
        line.split("the log of this run: ", 1)[1]
        for line in told.splitlines()
        if "the log of this run: " in line
    ]
    if not logs:
        return ""
    clicks = [line for line in Path(logs[0]).read_text().splitlines() if line.split()[1:2] == ["clicked"]]
    return f"{float(clicks[0].split()[0]):.1f} s" if clicks else ""


def without_themes(tree: Path) -> Path:
    """Lay minebot out in a folder as it is, but knowing no game; gives the folder."""
    here = Path(bot.__file__).parents[1]
    (tree / "templates").mkdir()
    for name in ("bot", "calibration", "recordings", "maps"):
        (tree / name).symlink_to(here / name)
    return tree


def minebot(home: Path, limit_s: float, tree: Path | None, *words: str) -> subprocess.CompletedProcess[str]:
    """Run minebot with a folder of its own, but with the solver that is compiled already; the minebot that is
    laid out in a folder `tree`, if one is given."""
    from bot.files import user_cache

    compiled = home / "cache" / "solver"
    if not compiled.exists():
        compiled.parent.mkdir(parents=True, exist_ok=True)
        (user_cache() / "solver").mkdir(parents=True, exist_ok=True)
        compiled.symlink_to(user_cache() / "solver")
    process = subprocess.Popen(
        [sys.executable, "-m", "bot.cli.main", *words],
        env=os.environ | {"MINEBOT_HOME": str(home)} | ({"PYTHONPATH": str(tree)} if tree else {}),
        cwd=tree,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        out, told = process.communicate(timeout=limit_s)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGTERM)
        out, told = process.communicate()
        told += f"\nit did not end within {limit_s:.0f} s"
    return subprocess.CompletedProcess(process.args, process.returncode, out, told)


if __name__ == "__main__":
    if shutil.which("Xvfb") is None or shutil.which("openbox") is None:
        sys.exit("there is no Xvfb or no openbox: apt-get install xvfb openbox")
    sys.exit(main())
