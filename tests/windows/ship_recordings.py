"""Plays the games of recordings/ again, on real windows and at full speed: `make recordings`."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from played import run_lines

from bot.board import LEVELS
from bot.errors import BotError
from bot.files import shipped
from bot.screen.display import ensure_display
from bot.screen.programs.games import WineMine

MOST_GAMES = 100
"""Games after which none of the kind that is wanted is expected any more."""

Line = dict[str, Any]


@dataclass(frozen=True)
class Wanted:
    """A game that ships."""

    level: str
    fits: Callable[[Line], bool]
    """Whether a game that was played is such a one, by its line of `minebot run --json`."""
    words: tuple[str, ...] = ()
    practice: bool = False
    """Whether it is one of the built-in window, else of WineMine."""


WANTED = {
    "winmine-expert-won": Wanted("expert", lambda line: line["outcome"] == "won" and line["guesses"] > 2),
    "winmine-expert-lost": Wanted(
        "expert", lambda line: line["outcome"] == "lost" and line["guesses"] > 1 and line["clicks"] > 50
    ),
    "winmine-intermediate-flags": Wanted("intermediate", lambda line: line["outcome"] == "won", ("--flags",)),
    "practice-beginner": Wanted(
        "beginner", lambda line: line["outcome"] == "won", ("--scale", "2"), practice=True
    ),
}


def play(wanted: Wanted, folder: Path) -> Path:
    """Play until a game fits; gives its recording."""
    words = ["--no-db", "--record", str(folder), *wanted.words]
    words += ["--practice", "--level", wanted.level] if wanted.practice else ["--target", "winmine", "--new"]
    for _ in range(MOST_GAMES):
        lines = run_lines(*words)
        if not lines:
            raise BotError("no game was played: it said why above")
        if wanted.fits(lines[0]):
            return Path(lines[0]["recording"])
    raise BotError(f"none of {MOST_GAMES} games was as it is wanted: change WANTED")


def main() -> int:
    """Play those that are named, by default all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*WANTED, []], help="by default all")
    for name in parser.parse_args().names or WANTED:
        wanted = WANTED[name]
        with tempfile.TemporaryDirectory() as folder, ensure_display(headless=True, size=(1280, 1024)):
            game = WineMine()
            try:
                if not wanted.practice:
                    game.start(*LEVELS[wanted.level])
                recording = play(wanted, Path(folder))
            finally:
                game.stop()
            place = shipped("recordings") / name
            shutil.rmtree(place, ignore_errors=True)
            shutil.move(recording, place)
        print(name)  # noqa: T201
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BotError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(error.exit_status)
