"""The README's table of strength: games on the boards of a benchmark, beside what another solver won on them.

python -m training.strength ../shared/bench
python -m training.strength ../shared/bench --games 500 --only beginner9_safe_00 --strategy exact

Of each set the folder holds `NAME.txt.gz`, a boards file, and `NAME.strongest_peer.gz`, the results of the
other solver: 1 for a game that it won, else 0, a line a game. Sets that are not there are left out. The
difference is that of the same games, with its paired 95 % interval, in percentage points. The table goes to
stdout, how far it has come to stderr.
"""

from __future__ import annotations

import argparse
import gzip
import os
import sys
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from bot.board import Coordinate, FirstClick
from bot.errors import FormatError
from bot.game.boards_file import read_boards
from bot.lab.games import Player, Tally, given, warm_up
from bot.lab.simulate import simulate
from bot.lab.stats import paired
from bot.strategy.registry import names
from training.files import run


@dataclass(frozen=True)
class BoardSet:
    """Games of one kind."""

    name: str
    """That of its files."""
    title: str
    start: Coordinate
    first_click: FirstClick

    @property
    def click(self) -> str:
        """The first click in words."""
        where = "corner" if self.start == (0, 0) else f"{self.start[0]},{self.start[1]}"
        return f"{where}, {'safe' if self.first_click is FirstClick.SAFE else 'opens a zero'}"


BOARD_SETS = (
    BoardSet("all_5x5_5_safe_00", "every 5x5 layout with 5 mines", (0, 0), FirstClick.SAFE),
    BoardSet("expert_safe_00", "Expert", (0, 0), FirstClick.SAFE),
    BoardSet("expert_zero_33", "Expert", (3, 3), FirstClick.ZERO),
    BoardSet("intermediate_safe_00", "Intermediate", (0, 0), FirstClick.SAFE),
    BoardSet("intermediate_zero_22", "Intermediate", (2, 2), FirstClick.ZERO),
    BoardSet("beginner9_safe_00", "Beginner", (0, 0), FirstClick.SAFE),
    BoardSet("beginner9_zero_22", "Beginner", (2, 2), FirstClick.ZERO),
)


def results_of(path: Path) -> list[bool]:
    """Whether each game was won, from a compressed file with 1 or 0 a line; raises FormatError for others."""
    try:
        with gzip.open(path, "rt", encoding="ascii") as lines:
            words = [line.strip() for line in lines if line.strip()]
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise FormatError(f"{path} cannot be read: {error}") from None
    if not words or not {"0", "1"}.issuperset(words):
        raise FormatError(f"{path} is no file of results: 1 for a game won, else 0, a line a game")
    return [word == "1" for word in words]


def line_of(boards: BoardSet, folder: Path, strategy: str, games: int | None, jobs: int) -> str:
    """Play a set, or its first games, and return its line of the table."""
    theirs = results_of(folder / f"{boards.name}.strongest_peer.gz")
    fields = read_boards(folder / f"{boards.name}.txt.gz", boards.start, boards.first_click)
    tally = Tally()

    def played(more: Tally) -> None:
        tally.add(more)
        print(f"\r{boards.name}: {len(tally.wins)} games", end="", file=sys.stderr, flush=True)

    tasks = islice(given(fields, boards.first_click), games)
    simulate(tasks, Player(strategy, start=boards.start), jobs=jobs, played=played)
    print(file=sys.stderr)
    ours, theirs = tally.wins, theirs[:games]
    if len(ours) != len(theirs):
        raise FormatError(
            f"{boards.name}: {len(ours)} boards and {len(theirs)} results are not the same games"
        )
    both = paired(ours, theirs)
    rates = " | ".join(f"{100 * sum(won) / both.games:.2f} %" for won in (ours, theirs))
    difference = f"{100 * both.difference:+.2f} ± {100 * (both.high - both.low) / 2:.2f}".replace("-", "−")
    return f"| {boards.title} | {boards.click} | {both.games:,} | {rates} | {difference} |"


def main(given_words: Sequence[str] | None = None) -> None:
    """Print the table, a line as soon as its games are played."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("folder", type=Path, help="where the boards and the other solver's results are")
    words.add_argument("--strategy", choices=names(), default=names()[0])
    words.add_argument("--games", type=int, help="only so many of each set")
    words.add_argument(
        "--only", action="append", choices=[one.name for one in BOARD_SETS], help="only this set"
    )
    words.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes that play")
    asked = words.parse_args(given_words)
    wanted = [one for one in BOARD_SETS if asked.only is None or one.name in asked.only]
    there = [one for one in wanted if (asked.folder / f"{one.name}.txt.gz").exists()]
    if not there:
        raise FormatError(f"{asked.folder} holds none of {', '.join(f'{one.name}.txt.gz' for one in wanted)}")
    warm_up(Player(asked.strategy))
    print(f"| boards | first click | games | `{asked.strategy}` | that solver | difference |")
    print("| --- | --- | --- | --- | --- | --- |", flush=True)
    for boards in there:
        print(line_of(boards, asked.folder, asked.strategy, asked.games, asked.jobs), flush=True)


if __name__ == "__main__":
    run(main)
