"""`minebot simulate`: play many games with no window."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from bot.cli.keep import keep_options, keeper
from bot.cli.options import FIRST_CLICK_HELP, STRATEGY_NAMES, board_options, pair, think_option
from bot.errors import BotError, FormatError, UsageError

if TYPE_CHECKING:
    from bot.board import Coordinate
    from bot.lab.games import Tally, Task


@click.command(
    "simulate",
    epilog="Example: minebot simulate --level expert --games 1000 --jobs 2",
)
@board_options(first_click=f"{FIRST_CLICK_HELP} With --boards, the rule that they were made by.")
@click.option("--games", type=click.IntRange(min=1), metavar="N", help="How many games (default: 1000; all).")
@click.option("--seed", type=click.IntRange(min=0), metavar="K", help="Which games (default: 0).")
@click.option(
    "--boards",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Play the games of a file instead, a line a game: width height mines cell cell …; or an .mbf board.",
)
@click.option(
    "--start",
    callback=pair("cell", "3,3"),
    metavar="ROW,COLUMN",
    help="The first click (default: the strategy's; 0,0 with --boards).",
)
@click.option(
    "--strategy",
    default="best",
    show_default=True,
    metavar="S",
    help=f"Who plays: {', '.join(STRATEGY_NAMES)}.",
)
@think_option
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="J",
    help="How many processes.",
)
@click.option(
    "--results",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write 1 (won) or 0 there, a line a game, in the order of the games.",
)
@keep_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    level: str | None,
    size: str | None,
    mines: int | None,
    first_click: str,
    games: int | None,
    seed: int | None,
    boards: Path | None,
    start: Coordinate | None,
    strategy: str,
    think: int,
    jobs: int,
    results: Path | None,
    db: Path | None,
    no_db: bool,
    as_json: bool,
) -> int:
    """Play many games with no window, and say how many were won.

    The rate comes with its 95 % interval (Wilson). The speeds leave out the compiling of the solver. The
    same games give the same results for any number of processes. Each game is kept for `minebot stats`.
    """
    from bot.board import FirstClick
    from bot.game.boards_file import read_boards
    from bot.game.levels import rules_from
    from bot.lab.games import Player, Tally, generated, given, warm_up
    from bot.lab.simulate import simulate

    player = Player(strategy, think, start)
    player.made()
    rule = FirstClick(first_click)
    tasks: Iterator[Task]
    if boards is None:
        rules = rules_from(level, size, mines, rule)
        if start is not None and not (0 <= start[0] < rules.rows and 0 <= start[1] < rules.columns):
            raise UsageError(f"--start {start[0]},{start[1]} is not on a board of {rules.size}")
        total = 1000 if games is None else games
        tasks = generated(rules, total, seed or 0)
    else:
        if (level, size, mines, seed) != (None, None, None, None):
            raise UsageError("--boards excludes --level, --size, --mines and --seed: the file has the games")
        start = start or (0, 0)
        player = replace(player, start=start)
        total = games or 0
        tasks = islice(given(read_boards(boards, start, rule), rule), games)
    # Before anything is compiled or written: a file without a board is told at once.
    first = next(tasks, None)
    if first is None:
        raise FormatError(
            f"{boards}: there is no board in it: give a line a game, as `minebot simulate --help` says"
        )
    tasks = chain((first,), tasks)

    tally = Tally()
    stopped = False
    with (
        keeper(db, no_db, _tell) as keep,
        _results_file(results) as file,
        _progress(total) as advance,
    ):
        warm_up(player)
        begun = time.perf_counter()

        def played(some: Tally) -> None:
            tally.add(some)
            advance(len(some.wins))
            if keep is not None:
                keep.add(some.played)
            if file is not None:
                file.writelines("1\n" if won else "0\n" for won in some.wins)
                file.flush()

        try:
            simulate(tasks, player, jobs=jobs, keep=keep is not None, played=played)
        except KeyboardInterrupt:
            stopped = True
        seconds = time.perf_counter() - begun
    _print(tally.summary(seconds), strategy, as_json)
    if stopped:
        click.echo(f"minebot: stopped after {len(tally.wins)} games", err=True)
        return 130
    if results is not None:
        _partial(results).replace(results)
    return 0


def _tell(line: str) -> None:
    click.echo(f"minebot: {line}", err=True)


def _print(summary: dict[str, float | int | None], strategy: str, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(summary))
        return
    if not summary["games"]:
        click.echo(f"{strategy}: no game was finished")
        return
    rate, low, high = (100 * (summary[key] or 0) for key in ("rate", "low", "high"))
    click.echo(
        f"{strategy}: {summary['won']} of {summary['games']} games won,"
        f" {rate:.2f} % ({low:.2f} to {high:.2f}); {summary['guesses']} guesses;"
        f" {summary['seconds']:.1f} s, {summary['games_per_second'] or 0:.1f} games a second"
        f" ({summary['games_per_core_second'] or 0:.1f} a core second)"
    )


def _partial(results: Path) -> Path:
    return results.with_name(f"{results.name}.partial")


@contextmanager
def _results_file(results: Path | None) -> Iterator[IO[str] | None]:
    """Beside its place, until it is whole."""
    if results is None:
        yield None
        return
    try:
        file = _partial(results).open("w", encoding="ascii", newline="\n")
    except OSError as error:
        raise BotError(f"{results} cannot be written: {error.strerror or error}") from error
    with file:
        yield file


@contextmanager
def _progress(total: int) -> Iterator[Callable[[int], None]]:
    """A bar on stderr where that is a terminal; a total of 0 is an unknown one."""
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn

    progress = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=sys.stderr is None or not sys.stderr.isatty(),
    )
    with progress:
        bar = progress.add_task("games", total=total or None)
        yield lambda games: progress.advance(bar, games)
