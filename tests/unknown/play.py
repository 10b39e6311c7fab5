"""Plays or learns one window on a screen of its own, watched by what must not happen."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from beside import TITLE, Beside, Programs
from mines_page import listed

import bot
from bot.files import user_cache
from bot.screen.display import ensure_display
from bot.screen.programs.started_program import end
from tests.soak.losses import lost_without_guess
from tests.unknown.games import GAMES, Opened
from tests.unknown.misread import misread

SCREEN = 1280, 1024

ASKS = "start the next one, I go on when I see it"
"""What a run says that has found no way to a new game."""

LEARN_OPTIONS = {"Google": ("--seconds", "225")}
"""What `minebot calibrate` is told besides, of a window: the animations of this one take long."""


@dataclass
class Row:
    """What came of the games of a window."""

    outcomes: list[str]
    wrong: list[str]
    """What must not have happened, a line each."""
    first_click: str = ""
    """When the first click was made after the start, as `1.2 s`."""
    way: str = ""
    """What starts a new game, in the words of the run."""
    learned: str = ""
    """How long it took to learn the window, as `40 s`."""
    lessons: int = 0
    """How many games it took."""
    cells: tuple[int, int] = (0, 0)
    """Opened cells that were read, and how many of them wrongly."""


@dataclass
class Ran:
    """A run of minebot that has ended."""

    status: int
    out: str
    told: str
    lines: list[dict[str, Any]] = field(init=False)

    def __post_init__(self) -> None:
        self.lines = [json.loads(line) for line in self.out.splitlines()]


@dataclass
class Watched:
    """A window on a screen of its own, and minebot with a folder of its own."""

    game: Opened
    home: Path
    limit_s: float
    """When a run is given up, in seconds."""
    wrong: list[str]

    def minebot(self, *words: str) -> Ran:
        """Run minebot to its end; the person whom it asks for the next game starts one."""
        compiled, tree = self.home / "cache" / "solver", self.home / "tree"
        if not compiled.exists():
            compiled.parent.mkdir(parents=True, exist_ok=True)
            (user_cache() / "solver").mkdir(parents=True, exist_ok=True)
            compiled.symlink_to(user_cache() / "solver")
        env = os.environ | {"MINEBOT_HOME": str(self.home)}
        if self.game.themed:
            without_themes(tree)
            env |= {"PYTHONPATH": str(tree)}
        process = subprocess.Popen(
            [sys.executable, "-m", "bot.cli.main", *words],
            env=env,
            cwd=tree if self.game.themed else None,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert process.stdout is not None
        assert process.stderr is not None
        told: list[str] = []
        listener = threading.Thread(target=self._listen, args=(process.stderr, told))
        listener.start()
        too_long = threading.Timer(self.limit_s, lambda: os.killpg(process.pid, signal.SIGTERM))
        too_long.start()
        out = process.stdout.read()
        status = process.wait()
        too_long.cancel()
        listener.join()
        return Ran(status, out, "".join(told))

    def _listen(self, told: IO[str], lines: list[str]) -> None:
        for line in told:
            lines.append(line)
            if ASKS in line:
                self.game.start_next()


@contextmanager
def watched(name: str, home: Path, limit_s: float) -> Iterator[Watched]:
    """Open a window before one that counts the clicks and keys that miss it; what was quit, started or missed
    meanwhile is said in `wrong` at the end. Raises Missing."""
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
        home.mkdir(parents=True, exist_ok=True)
        programs = Programs(os.environ["DISPLAY"])
        one = Watched(game, home, limit_s, [])
        yield one
        if changed := programs.changed():
            one.wrong.append(changed)
        if not any(window.title != TITLE for window in listed()):
            one.wrong.append("the program was quit")
        if beside.clicks or beside.keys:
            one.wrong.append(f"{beside.clicks} clicks and {beside.keys} keys beside the game")


def play(name: str, home: Path, games: int, limit_s: float) -> Row:
    """Play so many games of a window at once, with nothing set up. Raises Missing."""
    with watched(name, home, limit_s) as window:
        ran = window.minebot("run", "--json", "--games", str(games), "--verbose")
        told = window.game.outcomes()
        (home / "told.txt").write_text(ran.told)
        ways = [line for line in ran.told.splitlines() if "a new game is started by" in line]
        row = _row(ran, games, told, window.wrong)
        row.first_click = _first_click(ran.told)
        row.way = ways[-1].split(" by ", 1)[1] if ways else "nobody but a person" * (ASKS in ran.told)
    return row


def learn(name: str, home: Path, games: int, limit_s: float) -> Row:
    """Learn a window beforehand, and play so many games of it by what was learned. Raises Missing."""
    with watched(name, home, limit_s) as window:
        begin = time.monotonic()
        options = LEARN_OPTIONS.get(name, ())
        learned = window.minebot("calibrate", "--anew", "--name", "learned", "--json", *options)
        took_s = time.monotonic() - begin
        if learned.status:
            row = Row([], window.wrong)
            row.wrong.append(f"not learned in {took_s:.0f} s: {learned.told[-900:]}")
            return row
        with window.game.tells_boards() as shown:
            ran = window.minebot("run", "--target", "learned", "--new", "--json", "--games", str(games))
        boards = set[str]() if shown is None else shown.boards
        (home / "told.txt").write_text(learned.told + ran.told)
        row = _row(ran, games, None, window.wrong)
        row.learned, row.lessons = f"{took_s:.0f} s", learned.lines[0]["games"]
        counts = [misread(Path(line["recording"]), boards) for line in ran.lines if line["recording"]]
        row.cells = tuple(sum(count[part] for count in counts if count) for part in (0, 1))  # type: ignore[assignment]
        if row.cells[1] or not row.cells[0]:
            row.wrong.append(f"{row.cells[1]} cells of {row.cells[0]} were misread")
    return row


def _row(ran: Ran, games: int, told: Sequence[str] | None, wrong: list[str]) -> Row:
    """What came of the games of a run; `told` are their outcomes, as the window itself tells them."""
    outcomes = [line["outcome"] for line in ran.lines]
    ended = [one for one in outcomes if one in ("won", "lost")]
    if told is not None and ("quit" in told or ended != list(told[: len(outcomes)])):
        wrong.append(f"told {outcomes}, and it was {told}")
    for line in ran.lines:
        if line["outcome"] not in ("won", "lost"):
            wrong.append(f"{line['outcome']}: {line['reason']}")
        elif line["outcome"] == "lost" and (
            line["recording"] is None or lost_without_guess(Path(line["recording"]))
        ):
            wrong.append(f"lost without a guess: {line['recording']}")
    if len(ran.lines) < games:
        wrong.append(f"{len(ran.lines)} of {games} games: {ran.told[-900:]}")
    return Row(outcomes, wrong)


def _first_click(told: str) -> str:
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


def without_themes(tree: Path) -> None:
    """Lay minebot out in a folder as it is, but knowing no game."""
    here = Path(bot.__file__).parents[1]
    (tree / "templates").mkdir(parents=True, exist_ok=True)
    for name in ("bot", "calibration", "recordings", "maps"):
        if not (tree / name).exists():
            (tree / name).symlink_to(here / name)
