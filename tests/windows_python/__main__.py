"""Live games under Windows' Python: `python -m tests.windows_python FOLDER [--only CASE]`.

FOLDER is what `layout/lay_out.sh` made. The project is installed there from its wheel and runs in a folder
whose name has a space. Everything is shown on a virtual screen of our own. One line a case says what came
of it; exits with 1 if any of them failed. A run of all cases that was cut off, or in which some failed,
goes on with those that were not well yet, as long as the project's files are the same.
"""

from __future__ import annotations

import fcntl
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import click

from bot.errors import BotError
from bot.screen.display import ensure_display
from tests.windows_python import commands, ends, games, killed, suite
from tests.windows_python.progress import Progress
from tests.windows_python.windows_python import Failed, WindowsPython

SCREEN = (1600, 1000)
"""Width and height of the virtual screen, in pixels."""

COMPILING_S = 3600.0
"""Time limit of the first command, which compiles the solver, in seconds: a minute on an idle machine."""

SHORT: dict[str, Callable[[WindowsPython], str]] = {
    "doctor": commands.sees_the_machine,
    "installed": commands.is_installed,
    "little": games.plays_a_little,
    "ctrl-c": ends.stops_at_ctrl_c,
    "killed": ends.leaves_no_window_when_killed,
}
"""The cases that `make test` has: minutes, and nothing is compiled."""

CASES: dict[str, Callable[[WindowsPython], str]] = {
    **SHORT,
    "code-page": commands.says_all_in_an_old_code_page,
    "two-bots": ends.refuses_a_second_bot,
    "processes": commands.plays_in_many_processes,
    "winemine": games.plays_winemine,
    "practice": games.plays_practice,
    "flags": games.plays_with_flags,
    "assist": games.assists,
    "calibrate": games.calibrates,
    "recordings": games.records_anywhere,
    "kills": killed.leaves_nothing_when_killed,
    "one-file": commands.plays_as_one_file,
    **suite.cases(),
}


@click.command(help=__doc__)
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--only", type=click.Choice(list(CASES)), multiple=True, help="This case; may be given again.")
@click.option("--short", is_flag=True, help="Only the cases that take seconds each.")
@click.option("--installed", is_flag=True, help="Take the minebot that is installed there.")
@click.option("--kills", default=killed.KILLS, show_default=True, metavar="N", help="Kills of that case.")
@click.option("--first", default=0, show_default=True, metavar="N", help="The number of the first kill.")
def command(
    folder: Path, only: tuple[str, ...], short: bool, installed: bool, kills: int, first: int
) -> None:
    """Play the cases, one after the other; another run waits until they are done."""
    cases = CASES | {"kills": partial(killed.leaves_nothing_when_killed, kills=kills, first=first)}
    chosen = only or tuple(SHORT if short else CASES)
    python = WindowsPython(folder)
    progress = None if only or short else Progress(folder / "progress.json")
    failed = 0
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with ensure_display(headless=True, size=SCREEN), python.desktop():
            if not installed:
                failed += not _case("install", WindowsPython.install, python)
            if set(chosen) - set(SHORT):
                failed += not _case("compile", _compiles, python)
            failed += sum(not _case(name, cases[name], python, progress) for name in chosen)
    if progress is not None and not failed:
        progress.begin_again()
    sys.exit(1 if failed else 0)


def _case(
    name: str,
    play: Callable[[WindowsPython], object],
    python: WindowsPython,
    progress: Progress | None = None,
) -> bool:
    """Play a case and say what came of it; whether it was well, now or in the run that this one goes on
    with."""
    if progress is not None and name in progress.well:
        click.echo(f"{name:16} {progress.well[name]}, before")
        return True
    begun = time.monotonic()
    try:
        result, well = f"ok    {play(python) or ''}", True
    except (Failed, BotError) as error:
        result, well = f"FAIL  {error}", False
    result = f"{time.monotonic() - begun:4.0f} s  {result}"
    click.echo(f"{name:16} {result}")
    if progress is not None and well:
        progress.note(name, result)
    return well


def _compiles(python: WindowsPython) -> None:
    """What the cases that are not short need of the solver."""
    python.minebot("solve", "1#\n##", "--mines", "1", limit_s=COMPILING_S).check()


if __name__ == "__main__":
    command()
