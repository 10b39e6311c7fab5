"""Keeps the results of games for `minebot stats`: the options --db and --no-db, and what writes the
results."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from bot.cli.parts.options import refuse_overwriting
from bot.cli.parts.outputs import is_own_file, refuse_same
from bot.errors import BotError, UsageError

if TYPE_CHECKING:
    from bot.game_line import Ended
    from bot.lab.keeper import Keeper
    from bot.strategy.base import Strategy

Command = TypeVar("Command", bound=Callable[..., Any])

DB_HELP = "The results file (default: results.sqlite in the user's data folder)."

db_option = click.option(
    "--db", type=click.Path(dir_okay=False, path_type=Path), metavar="PATH", help=DB_HELP
)


def keep_options(command: Command) -> Command:
    """Add --db and --no-db."""
    no_db = click.option("--no-db", is_flag=True, help="Keep no results of these games for `minebot stats`.")
    return db_option(no_db(command))


def refuse_same_files(results: Path | None, boards: Path | None, db: Path | None, no_db: bool) -> None:
    """Raise UsageError where the files of `simulate --results` would be written over its boards, or over the
    results that are kept for `minebot stats`."""
    from bot.lab.results import default_path
    from bot.lab.study import files_of

    if results is None or not is_own_file(results):
        return
    kept = None if no_db else db or default_path()
    for path in files_of(Path(os.path.realpath(results))):
        refuse_overwriting(path, "--results", [] if boards is None else [boards])
        refuse_same({"--db": kept, "--results": path})


@contextmanager
def results_keeper(
    db: Path | None, no_db: bool, tell: Callable[[str], None], *, each: bool = False
) -> Iterator[Keeper | None]:
    """The keeper of results while the body runs; None for --no-db. `each`: every game is written at once.

    If the default file cannot be used, that is reported to `tell` and the games are not kept. Raises BotError
    if the file that the user named cannot be used, UsageError if it is given together with --no-db.
    """
    from bot.lab.keeper import HOLD_S, Keeper
    from bot.lab.results import default_path

    if no_db:
        if db is not None:
            raise UsageError("--db and --no-db exclude each other: leave out one of them")
        yield None
        return
    try:
        opened = Keeper(db or default_path(), tell, hold_s=0.0 if each else HOLD_S)
    except BotError as error:
        if db is not None:
            raise
        tell(f"these games are not kept for `minebot stats`: {error}")
        yield None
        return
    with opened:
        yield opened


def game_saver(keeper: Keeper | None, player: Strategy, think: int) -> Callable[[Ended], None] | None:
    """A function that keeps the result of each live game at its end; None if results are not kept."""
    if keeper is None:
        return None
    from bot.lab.results import GameResult, board_id, now

    def ended(game: Ended) -> None:
        line, minefield, first = game.line, game.minefield, game.first
        board = None if minefield is None or first is None else board_id(minefield, first)
        keeper.add(
            [
                GameResult(
                    target=line.target,
                    columns=line.columns,
                    rows=line.rows,
                    mines=line.mines,
                    first_click=line.first_click,
                    strategy=player.name,
                    strategy_version=player.version,
                    outcome=line.outcome,
                    gave_up=game.gave_up,
                    guesses=game.guesses,
                    seconds=line.seconds,
                    clicks=line.clicks,
                    bbbv=line.bbbv,
                    think=think,
                    board=board,
                    played_at=now(),
                    recording=line.recording,
                )
            ]
        )

    return ended
