"""`minebot watch`: looks on while a person plays, and records it."""

from __future__ import annotations

from typing import Any

import click

from bot.cli import run
from bot.cli.parts.options import FIRST_CLICK_HELP, FIRST_CLICKS


@click.command("watch", epilog="Example: minebot watch --window Mines --games 5")
@click.option("--target", metavar="NAME", help="Look only for windows of this theme or calibrated window.")
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
@click.option("--record", "record_dir", metavar="DIR", help="Keep the recordings in this folder.")
@click.option("--keep", is_flag=True, help="These recordings never make room for later ones.")
@click.option("--verbose", is_flag=True, help="Write what was seen to a log file.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object a game.")
@click.pass_context
def command(context: click.Context, /, **words: Any) -> None:
    """Look on while you play a window, and record it.

    It never clicks and never moves the mouse, and says nothing before a game has ended. `minebot review`
    judges what was recorded, `minebot replay --html` shows it.
    """
    defaults = run.command.make_context("run", [], parent=context).params
    run.carry_out(context, defaults | words | {"hint": True, "watch": True, "no_record": False})
