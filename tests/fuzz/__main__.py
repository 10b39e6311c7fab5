"""`python -m tests.fuzz`: tries odd inputs of every kind and prints those that minebot took badly."""

from __future__ import annotations

import os
import shlex
import sys
import tempfile
from pathlib import Path
from random import Random

import click

# Before anything calls it: a process that is copied must not have threads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import cv2

from tests.fuzz.inputs import KINDS, QUICK, minebot
from tests.fuzz.trial import Tried, tried

WARM = (
    ("solve", "1#2##/12###/#####", "--mines", "4"),
    ("solve", "1#2##/12###/#####", "--mines", "4", "--think", "2"),
    ("simulate", "--games", "1", "--no-db", *QUICK),
    ("run", "--practice", "--virtual", "--dry-run", *QUICK),
)
"""Commands that load what most inputs need, so that each copy has it."""


@click.command(help=__doc__)
@click.option(
    "--inputs", default=2000, show_default=True, metavar="N", help="How many, of all kinds together."
)
@click.option("--kind", "kinds", multiple=True, type=click.Choice(list(KINDS)), help="Only this kind.")
@click.option("--only", type=int, metavar="K", help="Only input K of each kind, and what came of it.")
@click.option("--seed", default=0, show_default=True, metavar="S", help="Which inputs.")
def command(inputs: int, kinds: tuple[str, ...], only: int | None, seed: int) -> None:
    """Try them; exits with 1 if one was taken badly."""
    chosen = kinds or tuple(KINDS)
    cv2.setNumThreads(0)
    warm_up()
    bad = number = 0
    slowest, largest = 0.0, 0
    for number in range(inputs):
        kind, place = chosen[number % len(chosen)], number // len(chosen)
        if only is not None and place != only:
            continue
        words, came = _one(kind, place, seed)
        slowest, largest = max(slowest, came.seconds), max(largest, came.memory_kb)
        if came.wrong or only is not None:
            click.echo(
                f"{kind} {place} (seed {seed}): minebot {shlex.join(words)}\n    {came.wrong or 'fine'}"
            )
        if only is not None:
            click.echo(
                f"    status {came.status}, {came.seconds:.1f} s\n{came.out[-2000:]}{came.err[-4000:]}"
            )
        bad += bool(came.wrong)
    click.echo(
        f"{number + 1} inputs, {bad} taken badly; the longest took {slowest:.1f} s,"
        f" the largest {largest / 2**20:.2f} GB"
    )
    sys.exit(1 if bad else 0)


def warm_up() -> None:
    """Load and compile here what the copies need."""
    import bot.solver.jit.cache  # noqa: F401  its folder is that of the user, not of an input
    from bot.board import Board
    from bot.solver.decision import decide
    from bot.vision.themes.theme import load_themes

    decide(Board.parse("1#2##\n12###\n#####"), 4)
    load_themes()
    # What is compiled by commands alone: in a copy, which keeps it in the cache, before there is a limit.
    for words in WARM:
        if os.fork() == 0:
            with tempfile.TemporaryDirectory() as home:
                for stream in (1, 2):
                    os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
                os.environ["MINEBOT_HOME"] = home
                try:
                    minebot(*words).run()
                finally:
                    os._exit(0)
        os.wait()


def _one(kind: str, place: int, seed: int) -> tuple[tuple[str, ...], Tried]:
    """Make an input and try it."""
    with tempfile.TemporaryDirectory(prefix="minebot-fuzz-") as name:
        folder = Path(name)
        one = KINDS[kind](Random(f"{seed} {kind} {place}"), folder)
        return one.words, tried(one.run, folder)


if __name__ == "__main__":
    command()
