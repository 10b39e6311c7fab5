"""`minebot review`: judges how games were played, move by move."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bot.cli.parts.options import refuse_overwriting, think_option
from bot.cli.parts.outputs import (
    STDOUT,
    OutputFile,
    json_text,
    refuse_beside_json,
    refuse_same,
    text_beside,
    told_place,
    write,
)
from bot.cli.parts.words import completed
from bot.errors import BotError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.review.judge import Judge
    from bot.review.verdicts import Review

NAMED = 3
"""Moves of a game that are named: those that cost the most."""


@click.command("review", epilog="Example: minebot review winmine-expert-won --html review.html")
@click.argument("games", nargs=-1, required=True, type=completed.Named(completed.games), metavar="GAME...")
@think_option
@click.option(
    "--html",
    type=OutputFile((".html", ".htm"), "page"),
    metavar="OUT.html",
    help="Write it as a page: of one game each move, of several a summary; - is stdout.",
)
@click.option(
    "--rawvf",
    type=OutputFile((".rawvf", ".txt"), "RAWVF"),
    metavar="OUT.rawvf",
    help="Write one game as RAWVF, marked as played by a program; - is stdout.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object a game.")
@click.pass_context
def command(
    context: click.Context,
    /,
    games: tuple[str, ...],
    think: int,
    html: Path | None,
    rawvf: Path | None,
    as_json: bool,
) -> None:
    """Judge how games were played, the bot's or a person's.

    A GAME is a recording (a folder, or a name that `minebot replay` lists), a text in RAWVF (.rawvf), or a
    video file of another program (.avf, .evf, .mvf, .rmv; these need `.venv/bin/pip install '.[review]'`).

    Every move is certain, a guess that was forced (no other was better or worse), the best or a weaker one, a
    needless guess (something was certain), or a mistake (it was certain to be a mine). The judge is the
    strategy best. What a move cost is exact where every way to play on could be searched, else "about", with
    how far it may be off: 95 of 100 are nearer. Luck is what the guesses won beyond their chances.
    """
    from bot.config import load_settings
    from bot.process.progress import told
    from bot.recording.store import recordings_folder
    from bot.review.game_files import read_game
    from bot.review.judge import Judge
    from bot.review.report import line, review_page

    for path, option in ((html, "--html"), (rawvf, "--rawvf")):
        refuse_beside_json(path, option, as_json)
        if path is not None:
            refuse_overwriting(path, option, [Path(name) for name in games])
    if rawvf is not None and len(games) > 1:
        raise UsageError("--rawvf writes one game: name one")
    refuse_same({"--html": html, "--rawvf": rawvf})
    root = recordings_folder(load_settings().record_dir)
    judge = Judge(think)
    reviews: list[Review] = []
    is_only_printed = html is None and rawvf is None
    status = 0
    for number, name in enumerate(games, start=1):
        try:
            with told(partial("judging {} ({} of {})".format, name, number, len(games))):
                review = judge.review(read_game(name, root))
        except BotError as error:
            status = max(status, error.exit_status)
            text = str(error) if name in str(error) else f"{name}: {error}"
            if as_json:
                click.echo(json_text({"game": name, "error": text}))
            click.echo(f"minebot: {text}", err=True)
            continue
        reviews.append(review)
        if as_json and is_only_printed:
            click.echo(json_text(line(review)))
    # Files first: whoever reads the tables may close the pipe, as `head` does.
    if html is not None and reviews:
        with told(lambda: f"drawing {html}"):
            write(html, review_page(reviews, judge).encode())
    if rawvf is not None and reviews:
        _write_rawvf(reviews[0], rawvf)
    if as_json and not is_only_printed:
        for review in reviews:
            click.echo(json_text(line(review)))
    if reviews and not as_json:
        with text_beside(STDOUT if STDOUT in (html, rawvf) else None):
            _print(reviews, judge)
    context.exit(status)


def _write_rawvf(review: Review, path: Path) -> None:
    from bot import __version__
    from bot.review.rawvf import NO_RANKING, write_rawvf

    write(path, write_rawvf(review.game, __version__).encode())
    click.echo(f"minebot: {told_place(path)}: {NO_RANKING}", err=True)


def _print(reviews: Sequence[Review], judge: Judge) -> None:
    from bot.cli.parts.tables import print_table
    from bot.review.report import line, lost_points, summary, titled, worst

    titles = ("game", "what", "moves", "forced", "best", "weaker", "needless", "mistakes", "lost", "luck")
    rows = []
    for review in reviews:
        found = line(review)
        counts = [str(found[name]) for name in ("moves", "forced", "best", "weaker", "needless", "mistakes")]
        rows.append(
            [found["game"], titled(review.game), *counts, lost_points(found, 1), f"{found['luck']:+.2f}"]
        )
    print_table(titles, rows, naming=2)
    for review in reviews:
        for each in worst(review, NAMED):
            row, column = each.cell
            click.echo(
                f"  {review.game.name}, move {each.number + 1}, row {row}, column {column}:"
                f" {each.verdict.value}: {each.text}"
            )
    told: dict[str, Any] = summary(reviews)
    if len(reviews) > 1:
        most = f", most of it by what is called {told['favourite']}" if told["favourite"] else ""
        click.echo(
            f"{told['games']} games: {lost_points(told, 2)} points lost a game{most};"
            f" {told['needless']} needless guesses, {told['mistakes']} mistakes"
        )
    click.echo(
        f"lost is in points of the chance to win, ± what 95 of 100 are off by at most, luck in guesses;"
        f" judged by {judge}"
    )
