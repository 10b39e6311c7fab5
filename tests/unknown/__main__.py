"""Play games that no theme knows on real windows, at once and learned beforehand; two tables.

`python -m tests.unknown [NAME ...]`: each window on a virtual screen with openbox, before one that counts the
clicks and keys that miss the game, and with a minebot that has a folder of its own. A name, or a part of one,
names windows of `tests/unknown/games.py`; all by default. First `minebot run` plays each at once, then
`minebot calibrate` learns each and `minebot run` plays it by what was learned. What went wrong is told: games
that failed or stopped, games lost on a move that was not called a guess, an outcome that is not the one that
the game itself tells, cells that were misread, anything clicked beside the game, a program that was quit or
started. Exits 1 where there was any of it.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

import click

from tests.unknown.games import GAMES, Missing
from tests.unknown.play import Row, learn, play

HEADS = {
    "run": ("window", "won", "lost on a guess", "first click", "a new game by"),
    "calibrate": ("window", "learned in", "games to learn", "won", "lost on a guess", "opened cells misread"),
}
"""The columns of the two tables."""


@click.command(help=__doc__)
@click.argument("names", nargs=-1)
@click.option("--games", default=10, show_default=True, help="How many games of each window.")
@click.option("--only", type=click.Choice(list(HEADS)), help="Only one of the two tables.")
@click.option("--keep", type=Path, help="Where recordings and what was learned go (default: nowhere).")
@click.option("--limit", default=1200.0, show_default=True, help="Seconds for each run of minebot.")
def command(names: tuple[str, ...], games: int, only: str | None, keep: Path | None, limit: float) -> None:
    """Play, learn and report."""
    if shutil.which("Xvfb") is None or shutil.which("openbox") is None:
        sys.exit("there is no Xvfb or no openbox: apt-get install xvfb openbox")
    chosen = [name for name in GAMES if not names or any(word in name for word in names)]
    wrong = 0
    for table in [only] if only else list(HEADS):
        head = HEADS[table]
        click.echo(f"| {' | '.join(head)} |\n{'| --- ' * len(head)}|")
        for name in chosen:
            with tempfile.TemporaryDirectory() as scratch:
                place = name.replace(" ", "-").replace(",", "")
                home = (Path(scratch) if keep is None else keep.resolve() / table) / place
                shutil.rmtree(home, ignore_errors=True)  # nothing may be known of a window before
                try:
                    row = (play if table == "run" else learn)(name, home, games, limit)
                except Missing as error:
                    click.echo(f"| {name} | not tried: {error} |{' |' * (len(head) - 2)}")
                    continue
                click.echo(f"| {' | '.join([name, *told(row, table)])} |")
                for text in row.wrong:
                    click.echo(f"WRONG {name}: {text}")
                wrong += len(row.wrong)
    sys.exit(1 if wrong else 0)


def told(row: Row, table: str) -> list[str]:
    """A row of a table, but for the name of its window."""
    won, lost = (str(row.outcomes.count(outcome)) for outcome in ("won", "lost"))
    if table == "run":
        return [won, lost, row.first_click, row.way]
    return [row.learned, str(row.lessons), won, lost, f"{row.cells[1]} of {row.cells[0]:,}"]


if __name__ == "__main__":
    command()
