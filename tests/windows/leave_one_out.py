"""Has `minebot calibrate` learn a real window, plays it by that alone, and counts misread cells.

`PYTHONPATH=. python tests/windows/leave_one_out.py NAME ... --games 10`: on a virtual screen with openbox and
in a folder of its own, with no theme but the one that was learned. Prints a row of the table of
docs/windows-it-plays.md for each window, and what went wrong. The names are those of
`tests/windows/unknown_games.py` besides the windows below. An opened cell is misread where it shows
another number than there are mines around it; where the mines were, the end of each game says: what a won
game left unopened, all the mines that a lost one shows. Games that do not tell are not counted. The Google
page, which hides its board at the end, itself tells what it showed. A window behind the game counts the
clicks and keys that miss it. Exits 1 where a window was not learned, a cell was misread, a game was lost
without a guess, something was clicked beside a game, or a program was quit.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import google_page
import numpy as np
import numpy.typing as npt
from beside import Beside
from unknown_games import GAMES, SCREEN, Missing, is_open

from bot.board import Action, Board, Cell, Codes, Phase, neighbour_sums
from bot.errors import BotError
from bot.recording.format import AnyEvent, BoardEvent, ClickEvent
from bot.recording.read import load
from bot.screen.display import ensure_display
from bot.screen.programs.games import GnomeMines, Practice, WineMine, Xdemineur
from bot.screen.programs.started_program import end
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


@dataclass(frozen=True)
class Others:
    """A window of a program by others, or a page of our own that behaves as one."""

    name: str
    options: tuple[str, ...] = ()

    def open(self) -> Any:
        """Open it; gives what closes it. Raises Missing where it is not installed."""
        return GAMES[self.name]().open()


WINDOWS: dict[str, Window | Others] = {
    "winmine": Window(WineMine),
    "practice": Window(Practice),
    "xdemineur": Window(Xdemineur, (16, 16, 40)),
    "gnome-mines": Window(GnomeMines, (8, 8, 10)),
    "google": Window(google_page.GooglePage, options=("--seconds", "225")),
} | {name: Others(name) for name in GAMES if name not in ("WineMine", "xdemineur", "gnome-mines", "Google")}


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
    sys.stdout.write(
        "| window | learned in | games to learn | won | opened cells misread |\n"
        "| --- | --- | --- | --- | --- |\n"
    )
    for name in words.windows or WINDOWS:
        with (
            tempfile.TemporaryDirectory() as scratch,
            ensure_display(headless=True, size=SCREEN),
            openbox(),
            Beside(*SCREEN) as beside,
        ):
            home = words.keep / name.replace(" ", "-").replace(",", "") if words.keep else Path(scratch)
            try:
                wrong += not one(name, words.games, home)
            except Missing as error:
                sys.stdout.write(f"| {name} | not tried: {error} | | | |\n")
            if beside.clicks or beside.keys:
                sys.stdout.write(
                    f"WRONG {name}: {beside.clicks} clicks, {beside.keys} keys beside the game\n"
                )
                wrong += 1
    return 1 if wrong else 0


@contextmanager
def openbox() -> Iterator[None]:
    """A window manager, as people have one."""
    manager = subprocess.Popen(
        ["openbox"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        time.sleep(1)
        yield
    finally:
        end(manager)


def one(name: str, games: int, home: Path) -> bool:
    """Learn and play one window; whether every cell was read right."""
    window = WINDOWS[name]
    game = window.open()
    try:
        begin = time.monotonic()
        learned = minebot(home, "calibrate", "--anew", "--name", "learned", "--json", *window.options)
        took_s = time.monotonic() - begin
        if learned.returncode:
            sys.stdout.write(f"WRONG {name}: not learned in {took_s:.0f} s: {learned.stderr}\n")
            return False
        told = json.loads(learned.stdout)
        play = ["run", "--target", "learned", "--new", "--json", "--games", str(games)]
        with ExitStack() as watched:
            shown = watched.enter_context(google_page.Told()).boards if name == "google" else set[str]()
            done = minebot(home, *play)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        quit_it = not is_open()
    finally:
        game.stop()
    counts = [misread(Path(line["recording"]), shown) for line in lines if line["recording"]]
    told_games = [count for count in counts if count is not None]
    cells, wrong = (sum(count[part] for count in told_games) for part in (0, 1))
    won, lost = (sum(line["outcome"] == outcome for line in lines) for outcome in ("won", "lost"))
    sys.stdout.write(
        f"| {name} | {took_s:.0f} s | {told['games']} | {won} of {games} | {wrong} of {cells:,} |\n"
        f"    {lost} lost, {len(told_games)} tell their mines; glyphs: {' '.join(told['glyphs'])}; mines:"
        f" {told['mines']}; a new game: {told['new_game']}; first click: {told['first_click']}\n"
    )
    bad = [
        line["recording"]
        for line in lines
        if line["outcome"] == "lost"
        and (line["recording"] is None or lost_without_guess(Path(line["recording"])))
    ]
    for recording in bad:
        sys.stdout.write(f"WRONG {name}: lost on a move that was not called a guess: {recording}\n")
    for line in lines:
        if line["outcome"] not in ("won", "lost"):
            sys.stdout.write(f"WRONG {name}: {line['outcome']}: {line['reason']}\n")
    if quit_it:
        sys.stdout.write(f"WRONG {name}: the program was quit\n")
    if won + lost != games:
        sys.stdout.write(f"WRONG {name}: {won + lost} of {games} games ended: {done.stderr}\n")
    sys.stdout.flush()
    return won + lost == games and wrong == 0 and len(told_games) > 0 and not (bad or quit_it)


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
    events = load(folder).events
    boards = [event for event in events if isinstance(event, BoardEvent) and not event.faults]
    if not boards:
        return None
    # Something may lie over the board of a game that is over.
    played = [event for event in boards if event.phase in (Phase.READY, Phase.PLAYING)]
    if shown:
        told = [Board.parse(text).codes for text in shown]
        return counted(played, lambda codes: min((opened_otherwise(codes, one) for one in told), key=np.sum))
    if boards[-1].phase is Phase.WON:
        mined = left_by(events)
    else:
        # A mine that was flagged may keep its flag in a lost game; a wrong flag is shown as one.
        last = Board.parse("\n".join(boards[-1].cells)).codes
        mined = np.isin(last, (Cell.MINE, Cell.EXPLODED, Cell.FLAG))
        mined = mined if int(mined.sum()) == boards[-1].mines else None
    if mined is None:
        return None
    mines = mined
    return counted(played, lambda codes: opened_wrong(codes, mines))


def left_by(events: Sequence[AnyEvent]) -> Mask | None:
    """What a won game has left unopened: its end may hide the board, so it is the last one that was read
    whole, less what was clicked or seen opened after it. None where what those clicks opened besides is not
    known."""
    whole = [
        index
        for index, event in enumerate(events)
        if isinstance(event, BoardEvent) and not event.faults and "!" not in "".join(event.cells)
    ]
    if not whole:
        return None
    last = events[whole[-1]]
    assert isinstance(last, BoardEvent)
    codes = Board.parse("\n".join(last.cells)).codes
    mined: Mask = codes > 8
    for event in events[whole[-1] :]:
        if isinstance(event, ClickEvent) and event.action is Action.OPEN:
            mined[event.row, event.column] = False
        elif isinstance(event, BoardEvent):
            later = Board.parse("\n".join(event.cells)).codes
            if not event.faults and later.shape == mined.shape:
                mined &= later > 8
    # A 0 among them has opened more, which is no mine: then more is left around some number than it says.
    return None if bool(((codes <= 8) & (codes < neighbour_sums(mined))).any()) else mined


def opened_wrong(codes: Codes, mined: Mask) -> Mask:
    """The opened cells of a board that do not show how many mines lie around them."""
    wrong: Mask = (codes <= 8) & ((codes != neighbour_sums(mined)) | mined)
    return wrong


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
