"""`minebot practice`: the built-in game window."""

from __future__ import annotations

import click

from bot.cli.parts.options import board_options, pair


@click.command("practice", epilog="Example: minebot practice --level expert --scale 1.5 --first-click zero")
@board_options()
@click.option(
    "--scale",
    type=float,
    default=1.0,
    show_default=True,
    metavar="S",
    help="The size of the drawing, 1 to 3.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    metavar="K",
    help="Makes the games the same each time: K, K+1, K+2, …",
)
@click.option("--marks/--no-marks", help="Put a question mark between a flag and a covered cell.")
@click.option(
    "--position",
    callback=pair("place", "40,40"),
    metavar="X,Y",
    help="Where on the screen the window opens, in pixels.",
)
@click.option("--verbose", is_flag=True, help="Print where the window is.")
def command(
    level: str | None,
    size: str | None,
    mines: int | None,
    first_click: str,
    scale: float,
    seed: int | None,
    marks: bool,
    position: tuple[int, int] | None,
    verbose: bool,
) -> None:
    """Open the built-in Minesweeper window.

    Left opens, right flags, the middle button or left and right together open around a number whose
    flags are all set. The face, F2 or N starts a new game; 1, 2 and 3 choose a level; Q quits.
    """
    from bot.board import FirstClick
    from bot.game.levels import rules_from
    from bot.practice.session import PracticeSession
    from bot.practice.window import PracticeWindow

    session = PracticeSession(
        rules_from(level, size, mines, FirstClick(first_click)), scale, seed, marks=marks
    )
    window = PracticeWindow(session, position)
    if verbose:
        x, y, width, height = window.place
        click.echo(f"the window's inside is {width}x{height} at {x},{y}")
    if not window.fits_the_screen:
        click.echo("minebot: the window is larger than the screen: use a smaller --scale or --size", err=True)
    window.run()
