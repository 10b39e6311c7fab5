"""Has `minebot calibrate` learn a real window, plays it by that alone, and counts misread cells.

`python tests/windows/leave_one_out.py winmine practice xdemineur gnome-mines google`: on a virtual screen and
in a folder of its own, with no theme but the one that was learned. An opened cell is misread where it shows
another number than there are mines around it; where the mines were, the end of each game says: what a won
game left unopened, all the mines that a lost one shows. Games that do not tell are not counted. The Google
page, which hides its board at the end, itself tells what it showed. Exits 1 where a window was not learned, a
cell was misread, or a game was lost without a guess.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import google_page
import numpy as np
import numpy.typing as npt

from bot.board import Board, Cell, Codes, Phase, neighbour_sums
from bot.errors import BotError
from bot.recording.format import BoardEvent
from bot.recording.read import load
from bot.screen.display import ensure_display
from bot.screen.programs.games import GnomeMines, Practice, WineMine, Xdemineur
from tests.soak.losses import lost_without_guess

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Window:
    """A window, and how it is learned."""

    game: Any
    size: tuple[int, int, int] = (9, 9, 10)
    """Columns, rows and mines; the page has levels instead."""
    options: tuple[str, ...] = ()

    def open(self) -> Any:
        """Open it; gives what closes it."""
        game = self.game()
        if self.game is google_page.GooglePage:
            game.open("easy", tell=1)
        else:
            game.start(*self.size)
        return game


WINDOWS = {
    "winmine": Window(WineMine),
    "practice": Window(Practice),
    "xdemineur": Window(Xdemineur, (16, 16, 40)),
    "gnome-mines": Window(GnomeMines, (8, 8, 10)),
    "google": Window(google_page.GooglePage, options=("--seconds", "225")),
}


def main() -> int:
    """Learn, play and report; 0 where all went well."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("windows", nargs="*", choices=[*WINDOWS, []], help="all of them by default")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument(
        "--keep", type=Path, help="where what was learned and the recordings go (default: nowhere)"
    )
    words = parser.parse_args()
    wrong = 0
    for name in words.windows or WINDOWS:
        with tempfile.TemporaryDirectory() as scratch, ensure_display(headless=True, size=(1280, 1024)):
            wrong += not one(name, words.games, words.keep / name if words.keep else Path(scratch))
    return 1 if wrong else 0


def one(name: str, games: int, home: Path) -> bool:
    """Learn and play one window; whether every cell was read right."""
    window = WINDOWS[name]
    game = window.open()
    try:
        begin = time.monotonic()
        learned = minebot(home, "calibrate", "--anew", "--name", "learned", "--json", *window.options)
        took_s = time.monotonic() - begin
        if learned.returncode:
            sys.stdout.write(f"{name}: not learned in {took_s:.0f} s: {learned.stderr}\n")
            return False
        told = json.loads(learned.stdout)
        play = ["run", "--target", "learned", "--new", "--json", "--games", str(games)]
        with google_page.Told() as shown:
            done = minebot(home, *play)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
    finally:
        game.stop()
    counts = [misread(Path(line["recording"]), shown.boards) for line in lines]
    told_games = [count for count in counts if count is not None]
    cells, wrong = (sum(count[part] for count in told_games) for part in (0, 1))
    won, lost = (sum(line["outcome"] == outcome for line in lines) for outcome in ("won", "lost"))
    sys.stdout.write(
        f"{name}: learned in {took_s:.0f} s and {told['games']} games"
        f" (glyphs: {' '.join(told['glyphs'])}); {won} of {games} games won, {lost} lost,"
        f" {len(told_games)} tell their mines: {wrong} of {cells} opened cells misread\n"
    )
    bad = [
        line["recording"]
        for line in lines
        if line["outcome"] == "lost" and lost_without_guess(Path(line["recording"]))
    ]
    for recording in bad:
        sys.stdout.write(f"{name}: lost on a move that was not called a guess: {recording}\n")
    if won + lost != games:
        sys.stdout.write(f"{name}: {done.stderr}\n")
    sys.stdout.flush()
    return won + lost == games and wrong == 0 and len(told_games) > 0 and not bad


def minebot(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run minebot with a folder of its own, but with the solver that is compiled already."""
    compiled = home / "cache" / "solver"
    if not compiled.exists():
        from bot.files import user_cache

        compiled.parent.mkdir(parents=True, exist_ok=True)
        (user_cache() / "solver").mkdir(parents=True, exist_ok=True)
        compiled.symlink_to(user_cache() / "solver")
    return subprocess.run(
        [sys.executable, "-m", "bot.cli.main", *words],
        env=os.environ | {"MINEBOT_HOME": str(home)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def misread(folder: Path, shown: set[str]) -> tuple[int, int] | None:
    """The opened cells of a recording, and how many are misread; None where nothing tells what they were.

    `shown`: every board that the window said it showed; empty for windows that do not say it.
    """
    boards = [event for event in load(folder).events if isinstance(event, BoardEvent) and not event.faults]
    if not boards:
        return None
    if shown:
        told = [Board.parse(text).codes for text in shown]
        boards = [event for event in boards if event.phase in (Phase.READY, Phase.PLAYING)]
        return counted(boards, lambda codes: min((opened_otherwise(codes, one) for one in told), key=np.sum))
    last = Board.parse("\n".join(boards[-1].cells)).codes
    won = boards[-1].phase is Phase.WON
    # A mine that was flagged may keep its flag in a lost game; a wrong flag is shown as one.
    shows = (Cell.MINE, Cell.EXPLODED, Cell.FLAG)
    mined = (last > 8) & (last != Cell.UNREAD) if won else np.isin(last, shows)
    if int(mined.sum()) != boards[-1].mines:
        return None
    truth = neighbour_sums(mined)
    return counted(boards, lambda codes: (codes <= 8) & ((codes != truth) | mined))


def counted(boards: Sequence[BoardEvent], wrong: Callable[[Codes], Mask]) -> tuple[int, int]:
    """The opened cells of some boards, and how many of them are wrong."""
    every = [Board.parse("\n".join(event.cells)).codes for event in boards]
    return sum(int((codes <= 8).sum()) for codes in every), sum(int(wrong(codes).sum()) for codes in every)


def opened_otherwise(codes: Codes, told: Codes) -> Mask:
    """Where one board shows a number, and the other one something else."""
    if codes.shape != told.shape:
        return np.ones(codes.shape, bool)
    wrong: Mask = (codes <= 8) & (codes != told)
    return wrong


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BotError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(error.exit_status)
