"""Windows that are opened with a board of a given number, and games of minebot on it.

In: the name of a window, the number of a board, the working tree whose minebot plays. Out: how the game went,
and where the mines lay. The boards of other people's programs are made the same by `same_board.c`, which
needs a C compiler; the page that stands in for Google's takes the number in its address.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import comb
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[1]
# The windows and the desktop are those of the tests.
sys.path += [str(ROOT), str(ROOT / "tests" / "windows")]

from series import WINDOWS, Openable  # noqa: E402

from bot.board import Action, Board, Cell, Coordinate, FirstClick, Phase, Rules  # noqa: E402
from bot.errors import BotError  # noqa: E402
from bot.game.game import Game  # noqa: E402
from bot.game.minefield import Minefield  # noqa: E402
from bot.recording.format import BoardEvent, ClickEvent, DecisionEvent  # noqa: E402
from bot.recording.read import load  # noqa: E402
from bot.screen.display import environment  # noqa: E402

LIMIT_S = 180.0
"""How long minebot may take for a game, in seconds, the search for the window included."""


@dataclass(frozen=True)
class Answer:
    """Where the mines of a board lie, and the cell that opens it."""

    minefield: Minefield
    first: Coordinate

    def fewest(self) -> list[Coordinate]:
        """The fewest cells whose clicks open every safe one: the first, the openings, then the rest."""
        field = self.minefield
        game = Game(Rules(field.columns, field.rows, field.total, FirstClick.ANY), minefield=field)
        safe = [(r, c) for r in range(field.rows) for c in range(field.columns) if not field.mines[r, c]]
        found = []
        for cell in sorted(safe, key=lambda cell: (cell != self.first, field.counts[cell] > 0)):
            if game.board[cell] == Cell.COVERED:
                game.open(*cell)
                found.append(cell)
        return found

    def mines(self) -> list[Coordinate]:
        """The cells that are mines."""
        return [divmod(cell, self.minefield.columns) for cell in self.minefield.cells]


@dataclass(frozen=True)
class Played:
    """A game that minebot has played."""

    won: bool
    seconds: float
    """From the first click until the end was seen."""
    clicks: int
    answer: Answer | None
    """Where the mines lay; None where the game was lost, or its end hid some of them."""


@dataclass(frozen=True)
class SameBoards:
    """A window whose boards have numbers."""

    target: str
    """The name of its theme."""
    level: str
    boards: tuple[int, ...] = ()
    """Numbers of boards that need few guesses: most games on others are lost, and say nothing."""

    def number(self, turn: int) -> int:
        """The board of a turn, 0 and up: those of `boards` first, then all others."""
        others = (number for number in range(1, turn + 2 + len(self.boards)) if number not in self.boards)
        return (*self.boards, *others)[turn]

    def open(self, number: int, library: Path) -> Openable:
        """Open the window with the board of this number; `library` is `same_board.c`, compiled."""
        game = WINDOWS[self.target]()
        if self.target == "google":
            game.open(self.level, seed=number)  # type: ignore[call-arg]
            return game
        with environment(LD_PRELOAD=str(library), SAME_BOARD=str(number)):
            game.open(self.level)
        return game

    def play(self, number: int, library: Path, tree: Path = ROOT) -> Played:
        """Let the minebot of a working tree play a board. Raises BotError where the game has no end."""
        game = self.open(number, library)
        words = "run", "--json", "--target", self.target, "--no-db"
        try:
            with tempfile.TemporaryDirectory() as scratch:
                done = subprocess.run(
                    [sys.executable, "-m", "bot.cli.main", *words, "--record", scratch],
                    cwd=tree,
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    text=True,
                    check=False,
                    timeout=LIMIT_S,
                )
                lines = [json.loads(line) for line in done.stdout.splitlines()]
                if not lines or lines[0]["outcome"] not in ("won", "lost"):
                    raise BotError(f"{self.target}, board {number}, {tree}: no end: {lines} {done.stderr}")
                won = lines[0]["outcome"] == "won"
                answer = _answer(Path(lines[0]["recording"])) if won else None
        finally:
            game.stop()
        return Played(won, lines[0]["seconds"], lines[0]["clicks"], answer)


WINDOWS_BY_NAME = {
    "winmine": SameBoards("winmine", "expert", (1, 8, 10, 11, 15, 18, 25, 31, 32)),
    "gnome-mines": SameBoards("gnome-mines", "expert", (1,)),
    "xdemineur": SameBoards("xdemineur", "expert", (2, 3)),
    "google-easy": SameBoards("google", "easy"),
    "google-hard": SameBoards("google", "hard"),
}


def _answer(recording: Path) -> Answer | None:
    """Where the mines lay in a game that was won, by what it showed and what was certain in it; None where
    that is not all of them."""
    game = load(recording)
    rules, events = game.header.game_rules(), game.events
    clicks = [event for event in events if isinstance(event, ClickEvent)]
    mines = np.ones((rules.rows, rules.columns), bool)
    for click in clicks:
        mines[click.row, click.column] &= click.action is Action.FLAG
    for event in events:
        if isinstance(event, BoardEvent) and event.phase in (Phase.PLAYING, Phase.WON):
            mines &= Board.parse("\n".join(event.cells)).codes > 8
    if np.count_nonzero(mines) != rules.mines:
        # The end of some games hides what the last clicks have opened: what was certainly a mine is left.
        certain = [event.mines for event in events if isinstance(event, DecisionEvent)][-1]
        known = np.zeros(mines.shape, bool)
        for row, column in certain:
            known[row, column] = True
        mines &= known
    if np.count_nonzero(mines) != rules.mines:
        return None
    return Answer(Minefield(mines), (clicks[0].row, clicks[0].column))


def compiled(folder: Path) -> Path:
    """`same_board.c`, compiled into a folder. Raises BotError without a compiler."""
    library = folder / "same_board.so"
    source = Path(__file__).with_name("same_board.c")
    try:
        subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", library, source, "-ldl"], check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise BotError(
            f"same_board.c cannot be compiled ({error}): `apt-get install gcc libc6-dev`"
        ) from None
    return library


def median_interval(values: Sequence[float]) -> tuple[float, float, float]:
    """The median, and an interval that holds that of all games in 95 of 100 cases, however they are
    distributed; with fewer than six values, which cannot say as much, from the least to the largest.

    The number of values below the median of all is binomial (W. J. Conover, "Practical Nonparametric
    Statistics", on the sign test).
    """
    ranked = sorted(values)
    count = len(ranked)
    below = list(accumulate(comb(count, left) / 2**count for left in range(count)))
    left_out = sum(chance <= 0.025 for chance in below)
    lowest = max(0, left_out - 1)
    return statistics.median(ranked), ranked[lowest], ranked[count - 1 - lowest]
