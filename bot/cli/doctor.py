"""`minebot doctor`: what this machine lacks for playing a window, and the mend."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from bot.screen.checks import Check

NAMES = (
    "python",
    "opencv",
    "tkinter",
    "display",
    "virtual-screen",
    "wayland",
    "capture",
    "mouse",
    "scale",
    "windows",
    "fonts",
    "platform",
    "settings",
    "recordings",
    "solver-cache",
)
"""The names of the checks, here so that the help need not import them; a test holds them to be the same."""

NEEDED = frozenset({"python", "opencv", "tkinter", "capture", "mouse", "platform", "settings"})
"""What no window can be played without, besides a display."""


@click.command(epilog="Example: minebot doctor --only display")
@click.option(
    "--only",
    multiple=True,
    type=click.Choice(NAMES),
    metavar="CHECK",
    help=f"Make this check alone; may be given again. One of {', '.join(NAMES)}.",
)
@click.option("--mouse", "move_mouse", is_flag=True, help="Move the mouse by a pixel and back, too.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a check.")
def command(only: tuple[str, ...], move_mouse: bool, as_json: bool) -> None:
    """Say what this machine lacks for playing a window, and what to do about it.

    Exits with 0 where a window can be played (with --only: where those checks are all well), else with 1.
    """
    from bot.screen.checks import examine

    found = []
    for check in examine(only or NAMES, move_mouse):
        _tell(check, as_json)
        found.append(check)
    if only:
        able = all(check.ok for check in found)
    else:
        well = {check.name for check in found if check.ok}
        able = well >= NEEDED and bool(well & {"display", "virtual-screen"})
        if not as_json:
            click.echo(f"\n{_verdict(able, well)}")
    sys.exit(0 if able else 1)


def _verdict(able: bool, well: set[str]) -> str:
    """What the checks come to, in a line; `well` are the names of those that found nothing amiss."""
    if able:
        return "A window can be played here."
    if "settings" not in well:
        return "Nothing can be played here before the settings can be read."
    return "No window can be played here yet; `minebot run --practice --virtual` plays in memory."


def _tell(check: Check, as_json: bool) -> None:
    if as_json:
        from dataclasses import asdict

        from bot.cli.parts.outputs import json_text

        click.echo(json_text(asdict(check)))
        return
    mark = click.style(" ok ", fg="green") if check.ok else click.style("look", fg="yellow")
    click.echo(f"{mark}  {check.name:<15} {check.finding}")
    if check.remedy:
        click.echo(f"{'':<21} {check.remedy}")
