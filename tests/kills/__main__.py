"""`python -m tests.kills 100`: kills minebot so often; exits with 1 if a kill left something wrong."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import click

from bot.screen.display import ensure_display
from tests.kills.killing import kill_once
from tests.kills.linux import Linux


@click.command(help=__doc__)
@click.argument("kills", type=int, default=100)
@click.option("--first", default=0, show_default=True, metavar="N", help="The number of the first one.")
def command(kills: int, first: int) -> None:
    """Kill it on a screen of our own."""
    bad = 0
    with ensure_display(headless=True):
        machine = Linux()
        for number in range(first, first + kills):
            with tempfile.TemporaryDirectory(prefix="minebot-kill-") as folder:
                what, wrong = kill_once(number, Path(folder), machine)
            bad += bool(wrong)
            click.echo(f"{number:4}  {what}: {'; '.join(wrong) or 'fine'}")
    click.echo(f"{kills} kills, {bad} left something wrong")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    command()
