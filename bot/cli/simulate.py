"""`minebot simulate`: play many games with no window."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from bot.cli.parts.options import (
    FIRST_CLICK_HELP,
    RULE_SET_NAMES,
    Sectioned,
    board_options,
    pair,
    strategy_option,
    think_option,
)
from bot.cli.parts.outputs import (
    STDOUT,
    OutputFile,
    is_own_file,
    json_text,
    refuse_beside_json,
    stdout_bytes,
    text_beside,
    told_place,
)
from bot.cli.parts.results_keeping import keep_options, refuse_same_files, results_keeper
from bot.cli.parts.words.run_settings import strategy_name
from bot.errors import BotError, FormatError, UsageError

if TYPE_CHECKING:
    from bot.board import Coordinate, Rules
    from bot.lab.games import Player, Tally, Task
    from bot.lab.study import ResultsStream, Study, StudyFiles

SECTIONS = {
    "The games": ("level", "size", "mines", "first_click", "rules", "no_hints", "games", "seed", "boards"),
    "How they are played": ("strategy", "think", "start", "jobs", "cluster"),
    "What is kept of them": ("results", "resume", "db", "no_db"),
}


@dataclass(frozen=True)
class GamesOptions:
    """Which games `minebot simulate` was asked to play; the fields are click's parameters."""

    level: str | None
    size: str | None
    mines: int | None
    first_click: str
    rules: str | None
    no_hints: bool
    games: int | None
    seed: int | None
    boards: Path | None


MOST_JOBS = 61 if sys.platform == "win32" else 512
"""Maximum number of processes: Windows waits for no more, and elsewhere each takes some 200 MB."""


@click.command(
    "simulate",
    cls=Sectioned,
    sections=SECTIONS,
    epilog="Example: minebot simulate --level expert --games 1000 --jobs 2",
)
@board_options(first_click=f"{FIRST_CLICK_HELP} With --boards, the rule that they were made by.")
@click.option(
    "--rules",
    type=click.Choice(RULE_SET_NAMES),
    metavar="RULES",
    help=f"The game of a rule set, {', '.join(RULE_SET_NAMES)}, of its usual size or --size and --mines.",
)
@click.option("--no-hints", is_flag=True, help="Ask for no hint, with --rules comp1511.")
@click.option("--games", type=click.IntRange(min=1), metavar="N", help="How many games (default: 1000; all).")
@click.option("--seed", type=click.IntRange(min=0), metavar="K", help="Which games (default: 0).")
@click.option(
    "--boards",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Play the games of a file instead, a line a game: width height mines cell cell …; or an .mbf board.",
)
@click.option(
    "--start",
    callback=pair("cell", "3,3"),
    metavar="ROW,COLUMN",
    help="The first click (default: the strategy's; 0,0 with --boards).",
)
@strategy_option()
@think_option
@click.option(
    "--jobs",
    type=click.IntRange(min=1, max=MOST_JOBS),
    metavar="J",
    help=f"How many processes (default: 1; at most {MOST_JOBS}).",
)
@click.option(
    "--cluster", metavar="ADDRESS", help="Play on a Dask cluster instead: the address of its scheduler."
)
@click.option(
    "--results",
    type=OutputFile(),
    metavar="FILE",
    help="Write 1 (won) or 0 there, a line a game, in the order of the games; - is stdout.",
)
@click.option("--resume", is_flag=True, help="Go on with the study of --results that was cut short.")
@keep_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    start: Coordinate | None,
    strategy: str | None,
    think: int,
    jobs: int | None,
    cluster: str | None,
    results: Path | None,
    resume: bool,
    db: Path | None,
    no_db: bool,
    as_json: bool,
    **given: Any,
) -> int:
    """Play many games with no window, and say how many were won.

    The rate comes with its 95 % interval (Wilson). The speeds leave out the compiling of the solver. The
    same games give the same results for any number of processes. Each game is kept for `minebot stats`.

    A study with --results that was cut short, even by a kill, is played on with the same words and --resume;
    one that is whole is told once more.
    """
    from bot.lab.games import Player, Tally, warm_up
    from bot.lab.keeper import Intake
    from bot.lab.simulate import simulate
    from bot.lab.study import UNCHECKED, StudyFiles, whole_games
    from bot.lab.workers import Cluster
    from bot.process.interrupts import stop_status

    refuse_beside_json(results, "--results", as_json)
    wanted = GamesOptions(**given)
    refuse_same_files(results, wanted.boards, db, no_db)
    if resume and results is None:
        raise UsageError("--resume goes with --results FILE: the file says what was played")
    if cluster is not None and jobs is not None:
        raise UsageError("--cluster and --jobs exclude each other: the cluster has its own workers")
    strategy = strategy_name(strategy)
    player = Player(strategy, think, start)
    player.made()
    _check(wanted)
    chosen = _generated(player, wanted) if wanted.boards is None else _of_file(player, wanted.boards, wanted)
    player, tasks = chosen.player, chosen.tasks
    # Before anything is compiled or written: a file without a board is told at once.
    first = next(tasks, None)
    if first is None:
        raise FormatError(
            f"{wanted.boards}: there is no board in it: give a line a game, as `minebot simulate --help` says"
        )
    tasks = chain((first,), tasks)

    study = _study(chosen, strategy, think, wanted)
    wins = whole_games(results, study) if resume and results and is_own_file(results) else None
    if wins is not None:
        _tell(f"{results} is whole: nothing is left to play; {UNCHECKED}")
        _print(Tally(wins, earlier=len(wins)).summary(0.0) | {"guesses": None}, strategy, as_json)
        return 0
    tally = Tally()
    stopped = False
    with ExitStack() as ways_out:
        workers = None
        if cluster is not None:
            workers = Cluster(cluster)
            ways_out.callback(workers.close)
        keeper = ways_out.enter_context(results_keeper(db, no_db, _tell))
        files: StudyFiles | ResultsStream | None = None
        if results is not None:
            opened = _results_file(results, study, resume)
            ways_out.enter_context(opened)
            files = opened
            study = opened.study
            if resume:
                tally.wins, tally.guesses, tally.earlier = list(opened.wins), opened.guesses, len(opened.wins)
                _tell(f"{tally.earlier} games were played before")
        advance = ways_out.enter_context(_progress(chosen.total, tally))
        if workers is None:
            warm_up(player)
        begun = time.perf_counter()
        intake = Intake(results, study.id, tally, keeper, files, advance)
        how = partial(simulate, player=player, jobs=jobs or 1, workers=workers, keep=keeper is not None)
        try:
            if keeper is not None and tally.earlier:
                # What the results file had not got yet when the study was cut short is played for it again.
                intake.number = min(tally.earlier, keeper.of_study(study.id))
                how(islice(tasks, intake.number, tally.earlier), played=intake.played_again)
            else:
                tasks = islice(tasks, tally.earlier, None)
            intake.number = tally.earlier
            how(tasks, played=intake.played)
        except KeyboardInterrupt:
            stopped = True
        seconds = time.perf_counter() - begun
        if files is not None and not stopped:
            files.finish()
    with text_beside(results):
        _print(tally.summary(seconds), strategy, as_json)
    if stopped:
        more = ": --resume plays on" if isinstance(files, StudyFiles) and study.can_be_resumed else ""
        click.echo(f"minebot: stopped after {len(tally.wins)} games{more}", err=True)
        return stop_status()
    return 0


def _check(wanted: GamesOptions) -> None:
    """Raise UsageError where --rules or --boards contradict the other options."""
    rules, boards = wanted.rules, wanted.boards
    if wanted.no_hints and rules != "comp1511":
        raise UsageError("--no-hints goes with --rules comp1511: no other game gives any")
    source = click.get_current_context().get_parameter_source("first_click")
    if rules is not None and source is not click.core.ParameterSource.DEFAULT:
        raise UsageError("--rules excludes --first-click: a rule set has its own")
    if rules is not None and boards is not None:
        raise UsageError("--boards excludes --rules: say by --first-click how its boards were made")
    if boards is not None and (wanted.level, wanted.size, wanted.mines, wanted.seed) != (None,) * 4:
        raise UsageError("--boards excludes --level, --size, --mines and --seed: the file has the games")


class _Chosen(NamedTuple):
    """The games that are to be played, and by whom."""

    tasks: Iterator[Task]
    total: int
    """How many there are; 0 where nobody knows."""
    player: Player
    rules: Rules | None
    """The rules of all of them; None for games of a file."""


def _generated(player: Player, wanted: GamesOptions) -> _Chosen:
    """Games that are dealt by a seed."""
    from bot.board import FirstClick
    from bot.game.levels import rules_from
    from bot.lab.games import generated

    if wanted.rules is None:
        played = rules_from(wanted.level, wanted.size, wanted.mines, FirstClick(wanted.first_click))
    else:
        played, player = _of_rule_set(wanted.rules, wanted, player)
    start = player.start
    if start is not None and not (0 <= start[0] < played.rows and 0 <= start[1] < played.columns):
        raise UsageError(f"--start {start[0]},{start[1]} is not on a board of {played.size}")
    total = 1000 if wanted.games is None else wanted.games
    tasks = generated(played, total, wanted.seed or 0, rule_set=wanted.rules, hints=not wanted.no_hints)
    return _Chosen(tasks, total, player, played)


def _of_file(player: Player, boards: Path, wanted: GamesOptions) -> _Chosen:
    """The first games of a file, or all of them."""
    from bot.board import FirstClick
    from bot.game.boards_file import read_boards
    from bot.lab.games import given

    start, rule = player.start or (0, 0), FirstClick(wanted.first_click)
    tasks = islice(given(read_boards(boards, start, rule), rule), wanted.games)
    return _Chosen(tasks, wanted.games or 0, replace(player, start=start), None)


def _study(chosen: _Chosen, strategy: str, think: int, wanted: GamesOptions) -> Study:
    """What the results say of how they came about."""
    from bot.lab.study import Study, hash_of, new_id

    player, played, boards = chosen.player, chosen.rules, wanted.boards
    return Study(
        id=new_id(),
        strategy=strategy,
        version=player.made().version,
        think=think,
        first_click=wanted.first_click if played is None else played.first_click.value,
        start=player.start,
        size=None if played is None else played.size,
        mines=None if played is None else played.mines,
        seed=None if boards else wanted.seed or 0,
        games=wanted.games if boards else chosen.total,
        boards=None if boards is None else hash_of(boards),
        rules=wanted.rules,
        hints=None if wanted.rules is None else not wanted.no_hints,
    )


def _results_file(results: Path, study: Study, resume: bool) -> StudyFiles | ResultsStream:
    """What takes the results of the study; a device, a pipe or stdout is written through."""
    from bot.files import opened_through
    from bot.lab.study import ResultsStream, StudyFiles

    if resume and not study.can_be_resumed:
        raise UsageError("--resume goes with --boards in a file: what came through a pipe is gone")
    if is_own_file(results):
        return StudyFiles(results, study, resume=resume)
    if resume:
        raise UsageError("--resume goes with --results in a file: what goes elsewhere does not lie there")
    try:
        file = stdout_bytes() if results == STDOUT else opened_through(results)
    except OSError as error:
        raise BotError(f"{told_place(results)} cannot be written: {error.strerror or error}") from None
    return ResultsStream(told_place(results), study, file)


def _of_rule_set(name: str, wanted: GamesOptions, player: Player) -> tuple[Rules, Player]:
    """The rules of a rule set's game, and who plays it."""
    from bot.game.levels import rules_from
    from bot.game.rule_sets import rule_set

    of_name = rule_set(name)
    played = of_name.rules()
    if (wanted.level, wanted.size, wanted.mines) != (None, None, None):
        other = rules_from(wanted.level, wanted.size, wanted.mines)
        played = of_name.rules(other.columns, other.rows, other.mines)
    return played, replace(player, asks=not wanted.no_hints and of_name.hints > 0)


def _tell(line: str) -> None:
    click.echo(f"minebot: {line}", err=True)


def _print(summary: dict[str, float | int | None], strategy: str, as_json: bool) -> None:
    if as_json:
        click.echo(json_text(summary))
        return
    if not summary["games"]:
        click.echo(f"{strategy}: no game was finished")
        return
    rate, low, high = (100 * (summary[key] or 0) for key in ("rate", "low", "high"))
    text = f"{strategy}: {summary['won']} of {summary['games']} games won,"
    text += f" {rate:.2f} % ({low:.2f} to {high:.2f})"
    if summary["guesses"] is not None:
        text += (
            f"; {summary['guesses']} guesses;"
            f" {summary['seconds']:.1f} s, {summary['games_per_second'] or 0:.1f} games a second"
            f" ({summary['games_per_core_second'] or 0:.1f} a core second)"
        )
    click.echo(text)


@contextmanager
def _progress(total: int, tally: Tally) -> Iterator[Callable[[], None]]:
    """A bar on stderr where that is a terminal, with the rate so far, and a line now and then elsewhere; a
    total of 0 is an unknown one."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    from bot.lab.stats import wilson
    from bot.process.progress import told

    progress = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(20),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=sys.stderr is None or not sys.stderr.isatty(),
    )

    def rate() -> str:
        games = len(tally.wins)
        low, high = wilson(tally.won, games)
        return f"{100 * tally.won / max(games, 1):.2f} % won ({100 * low:.2f} to {100 * high:.2f})"

    if progress.disable:
        whole = f" of {total:,}" if total else ""
        with told(lambda: f"{len(tally.wins):,}{whole} games, {rate()}"):
            yield lambda: None
        return
    with progress:
        bar = progress.add_task("games", total=total or None)

        def advance() -> None:
            progress.update(bar, completed=len(tally.wins), description=rate())

        if tally.wins:
            advance()
        yield advance
