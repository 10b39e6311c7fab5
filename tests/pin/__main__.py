"""`python -m tests.pin`: writes fingerprints of what the bot reads and clicks, compares and shows them."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path

import click

from tests.pin import record
from tests.pin.sections import SECTIONS
from tests.pin.work import pieces_of, prints_of, texts_of

ONLY = click.option(
    "--only", multiple=True, type=click.Choice(list(SECTIONS)), help="Only this section; may be repeated."
)
FILE = click.argument("file", type=click.Path(path_type=Path), default=record.DEFAULT)


@click.group(help=__doc__)
def main() -> None:
    """Choose one of the commands."""


@main.command()
@ONLY
@FILE
def write(only: Sequence[str], file: Path) -> None:
    """Write the fingerprints; those of other sections stay as they are."""
    begin = time.perf_counter()
    done, now = _now(only, quick=False)
    kept = record.load(file) if file.exists() else {}
    kept = {name: one for name, one in kept.items() if name.split("/", 1)[0] not in done}
    record.save(file, kept | now)
    click.echo(f"{file}: {len(now)} fingerprints written in {time.perf_counter() - begin:.0f} s")


@main.command()
@ONLY
@click.option("--quick", is_flag=True, help="Only what is quick: a fixed part, under a minute.")
@FILE
def check(only: Sequence[str], quick: bool, file: Path) -> None:
    """Compare with the fingerprints of a file; exit status 1 where one differs."""
    begin = time.perf_counter()
    was = record.load(file)
    pieces = pieces_of(only or list(SECTIONS), quick=quick)
    done, now = _now(only, quick=quick)
    # Only what the pieces give is missed where it is not there.
    was = {
        name: one
        for name, one in was.items()
        if (section := name.split("/", 1)[0]) in done
        and (not quick or any(piece.gives(name.split("/", 1)[1]) for piece in pieces[section]))
    }
    found = record.differences(was, now)
    for difference in found:
        click.echo(str(difference))
    seconds = time.perf_counter() - begin
    click.echo(f"{len(now)} fingerprints in {seconds:.0f} s: {len(found) or 'none'} differ")
    if found:
        click.echo("python -m tests.pin show NAME prints what one was made of, here and in another checkout")
        sys.exit(1)


@main.command()
@click.argument("name")
def show(name: str) -> None:
    """Print the text that a fingerprint is made of."""
    section, _, rest = name.partition("/")
    if section not in SECTIONS:
        raise click.UsageError(f"there is no section {section!r}: there are {', '.join(SECTIONS)}")
    texts = [
        text
        for piece in pieces_of([section])[section]
        if piece.gives(rest)
        for given, text in texts_of(piece, rest).items()
        if given == name
    ]
    if not texts:
        raise click.UsageError(f"there is no fingerprint {name!r}")
    click.echo(texts[0])


def _now(only: Sequence[str], *, quick: bool) -> tuple[set[str], record.Prints]:
    """The sections that could be done, and their fingerprints as they are now."""
    pieces = pieces_of(only or list(SECTIONS), quick=quick)
    for section, found in pieces.items():
        if not found:
            click.echo(f"{section}: nothing to read is here; left out")
    prints = prints_of([piece for found in pieces.values() for piece in found])
    return {section for section, found in pieces.items() if found}, prints


if __name__ == "__main__":
    main()
