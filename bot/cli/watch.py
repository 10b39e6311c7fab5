"""`minebot watch`: looks on while a person plays, and records it."""

from __future__ import annotations

import click

from bot.cli import run
from bot.cli.parts.options import FIRST_CLICK_HELP, FIRST_CLICKS, record_option
from bot.cli.parts.words import completed
from bot.cli.parts.words.run_options import (
    KeptOptions,
    PlayOptions,
    Role,
    RunOptions,
    ShownOptions,
    WindowOptions,
)


@click.command("watch", epilog="Example: minebot watch --window Mines --games 5")
@click.option(
    "--target",
    type=completed.Named(completed.targets),
    metavar="NAME",
    help="Look only for windows of this theme or calibrated window.",
)
@click.option(
    "--window", metavar="TITLE", help="A part of its title, or its number where several were found."
)
@click.option(
    "--games",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="How many in a row.",
)
@click.option("--mines", type=int, metavar="N", help="The number of mines, where it cannot be read.")
@click.option(
    "--first-click",
    type=click.Choice(FIRST_CLICKS),
    metavar="RULE",
    help=f"{FIRST_CLICK_HELP} By default what the theme says.",
)
@record_option
@click.option("--keep", is_flag=True, help="These recordings never make room for later ones.")
@click.option("--verbose", is_flag=True, help="Write what was seen to a log file.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object a game.")
@click.pass_context
def command(
    context: click.Context,
    /,
    *,
    target: str | None,
    window: str | None,
    games: int,
    mines: int | None,
    first_click: str | None,
    record_dir: str | None,
    keep: bool,
    verbose: bool,
    as_json: bool,
) -> None:
    """Look on while you play a window, and record it.

    It never clicks and never moves the mouse, and says nothing before a game has ended. `minebot review`
    judges what was recorded, `minebot replay --html` shows it.
    """
    options = RunOptions(
        WindowOptions(target=target, title=window, mines=mines, first_click=first_click),
        PlayOptions(role=Role.WATCH, games=games),
        KeptOptions(record_dir=record_dir, keep=keep, verbose=verbose),
        ShownOptions(as_json=as_json),
    )
    context.exit(run.carry_out(options))
