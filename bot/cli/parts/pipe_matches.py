"""`minebot terminal comp1511 --bot`: plays matches over pipes and prints their results."""

from __future__ import annotations

import random
import shlex
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from bot.cli.parts.outputs import json_text
from bot.errors import BotError, UsageError

if TYPE_CHECKING:
    from bot.board import Rules


def play_pipes(
    strategy: str,
    rules: Rules,
    games: int,
    seed: int | None,
    hints: bool,
    program: str | None,
    as_json: bool,
) -> int:
    """Play `games` games of comp1511 by these rules over pipes, print how many were won, return the exit
    status.

    `program` is the command of the game; None for our own. With a `seed`, game i has the mines of game i of
    `minebot simulate --rules comp1511 --seed`. Ctrl-C and SIGTERM end the run with their status, 130 or 143.
    """
    from bot.board import Result
    from bot.game.minefield import Minefield
    from bot.game.rule_sets import COMP1511
    from bot.game_loop import play
    from bot.lab.stats import wilson
    from bot.process.interrupts import stop_status
    from bot.solver.deduction.ladder import warm_up
    from bot.strategy.hinted import player_of
    from bot.targets.pipe import Match, PipeTarget

    player = player_of(strategy)
    ours = [sys.executable, "-m", "bot.cli.main", "terminal", "comp1511", "--side", str(rules.rows)]
    command = words_of(program) if program is not None else ours
    begin = random.SystemRandom().getrandbits(31) if seed is None else seed
    allowed = COMP1511.hints if hints else 0
    played = won = asked = commands = guesses = 0
    stopped = False
    failed: BotError | None = None
    warm_up()
    begun = time.perf_counter()
    with _progress(games) as advance:
        try:
            for index in range(games):
                minefield = Minefield.generate(rules, (0, 0), random.Random((begin << 32) + index))
                with Match(command, minefield) as match:
                    target = PipeTarget(match, rules, allowed)
                    report = play(target, player, chords=False)
                played += 1
                won += report.outcome.result is Result.WON
                guesses += len(report.guesses)
                asked += allowed - report.observation.hints
                commands += target.commands
                advance()
        except KeyboardInterrupt:
            stopped = True
        except BotError as error:
            if not played:
                raise
            failed = error  # what was played before counts, and is told
    seconds = time.perf_counter() - begun
    low, high = wilson(won, played)
    if as_json:
        rate = won / played if played else None
        summary = {"games": played, "won": won, "rate": rate, "low": low, "high": high}
        more = {"guesses": guesses, "hints": asked, "commands": commands, "seconds": round(seconds, 3)}
        click.echo(json_text(summary | more))
    elif played:
        click.echo(
            f"{strategy}: {won} of {played} games won, {won / played:.2%} ({low:.2%} to {high:.2%});"
            f" {guesses} guesses, {asked} hints, {commands} commands; {seconds:.1f} s"
        )
    else:
        click.echo(f"{strategy}: no game was finished")
    if stopped:
        click.echo(f"minebot: stopped after {played} games", err=True)
        return stop_status()
    if failed is not None:
        raise BotError(f"game {played + 1} of {games}: {failed}") from failed
    return 0


def words_of(program: str) -> list[str]:
    """The words of a command, as a shell takes them apart. On Windows a backslash is a part of a path.

    Raises UsageError where there are none, and where a quotation mark is not closed.
    """
    lexer = shlex.shlex(program, posix=True, punctuation_chars=False)
    lexer.whitespace_split = True
    lexer.commenters = ""
    if sys.platform == "win32":
        lexer.escape = ""
    try:
        words = list(lexer)
    except ValueError as error:
        told = str(error).lower()
        raise UsageError(f"--program {program}: {told}: give a command as a shell takes it") from None
    if not words:
        raise UsageError("--program names no program: give its command, as in --program ./minesweeper")
    return words


@contextmanager
def _progress(total: int) -> Iterator[Callable[[], None]]:
    """A progress bar on stderr, if that is a terminal, and a line now and then elsewhere; yields a function
    that counts a game."""
    from rich.console import Console
    from rich.progress import Progress

    from bot.process.progress import told

    if sys.stderr is None or not sys.stderr.isatty():
        done = 0

        def count() -> None:
            nonlocal done
            done += 1

        with told(lambda: f"{done} of {total} games"):
            yield count
        return
    with Progress(console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task("games", total=total)
        yield lambda: progress.advance(bar)
