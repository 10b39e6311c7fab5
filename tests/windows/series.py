"""Plays many games on one real window and holds the bot to its word: `python tests/windows/series.py`.

Starts a desktop of its own, of X11 or Wayland, plays the games with `minebot run`, reads the recordings back,
and prints what came of it. Exits 1 where a game failed, or was lost on a move that was not called a guess.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import google_page
from played import run_lines

from bot.board import LEVELS
from bot.errors import BotError
from bot.lab.stats import wilson
from bot.recording.format import ClickEvent
from bot.recording.read import load
from bot.screen.programs.games import GnomeMines, Practice, WineMine, Xdemineur
from tests.soak.desktops import desktop
from tests.soak.losses import lost_without_guess
from tests.soak.plan import DESKTOPS


class Openable(Protocol):
    """A game's window."""

    def open(self, level: str) -> object:
        """Open it at a level."""
        ...

    def stop(self) -> None:
        """Close it."""
        ...


class _WineMine(WineMine):
    def open(self, level: str) -> object:
        return self.start(*LEVELS[level])


class _Practice(Practice):
    def open(self, level: str) -> object:
        return self.start(*LEVELS[level])


class _GnomeMines(GnomeMines):
    def open(self, level: str) -> object:
        # The largest of its levels are Minesweeper's own; its smallest has 8x8 cells.
        size = (8, 8, 10) if level == "beginner" else LEVELS[level]
        return self.start(*size, at=(20, 20))


class _Xdemineur(Xdemineur):
    def open(self, level: str) -> object:
        columns, rows, mines = LEVELS[level]
        return self.start(max(12, columns), rows, mines, at=(20, 20))


WINDOWS: dict[str, Callable[[], Openable]] = {
    "winmine": _WineMine,
    "practice": _Practice,
    "google": google_page.GooglePage,
    "gnome-mines": _GnomeMines,
    "xdemineur": _Xdemineur,
}


def main() -> int:
    """Play and report; 0 where every game kept its word."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--target", choices=list(WINDOWS), default="winmine")
    parser.add_argument("--level", help="beginner, intermediate or expert; of google easy, medium or hard")
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--strategy", default="seed")
    parser.add_argument("--desktop", choices=DESKTOPS, default="x11", help="x11 has no window manager")
    parser.add_argument("--flags", action="store_true")
    parser.add_argument("--keep", type=Path, help="where the recordings go (default: nowhere)")
    words = parser.parse_args()
    levels = google_page.LEVELS if words.target == "google" else LEVELS
    words.level = words.level or list(levels)[-1]
    if words.level not in levels:
        parser.error(f"--level of {words.target} is one of {', '.join(levels)}")
    with tempfile.TemporaryDirectory() as scratch, desktop(words.desktop):
        game = WINDOWS[words.target]()
        try:
            game.open(words.level)
            lines = play(words, words.keep or Path(scratch))
        finally:
            game.stop()
        return report(words, lines)


def play(words: argparse.Namespace, folder: Path) -> list[dict[str, Any]]:
    """Run the bot; gives the lines that it printed."""
    command = ["--target", words.target, "--games", str(words.games), "--strategy", words.strategy]
    return run_lines(*command, "--record", str(folder), *(["--flags"] if words.flags else []))


def report(words: argparse.Namespace, lines: list[dict[str, Any]]) -> int:
    """Print the figures and what is wrong; 1 where something is."""
    wrong: list[str] = []
    clicks = resent = 0
    layouts: set[str] = set()
    for line in lines:
        if line["recording"] is None:  # it failed before it began
            wrong.append(f"no recording: {line['outcome']}: {line['reason']}")
            continue
        recording = load(Path(line["recording"]))
        sent = [event for event in recording.events if isinstance(event, ClickEvent)]
        clicks += len(sent)
        resent += sum(event.attempt > 1 for event in sent)
        layouts.add(str([event.cells for event in recording.events if hasattr(event, "cells")][-1]))
        if line["outcome"] not in ("won", "lost"):
            wrong.append(f"{line['recording']}: {line['outcome']}: {line['reason']}")
        elif line["outcome"] == "lost" and lost_without_guess(Path(line["recording"])):
            wrong.append(f"{line['recording']}: lost on a move that was not called a guess")
    won = [line for line in lines if line["outcome"] == "won"]
    seconds = sum(line["seconds"] or 0.0 for line in lines)
    low, high = wilson(len(won), len(lines)) if lines else (0.0, 1.0)
    out = sys.stdout.write
    out(f"{words.target} {words.level}, {words.strategy}, {words.desktop}\n")
    out(f"games {len(lines)} of {words.games}, of them different {len(layouts)}\n")
    out(f"won {len(won)} ({len(won) / max(1, len(lines)):.1%}, 95 % interval {low:.1%} to {high:.1%})\n")
    if won:
        times = [line["seconds"] for line in won]
        out(f"seconds of a won game: median {statistics.median(times):.2f}, best {min(times):.2f}\n")
        paces = [line["clicks"] / line["seconds"] for line in won]
        values = [line["bbbv"] / line["seconds"] for line in won if line["bbbv"] is not None]
        out(f"clicks a second in won games: median {statistics.median(paces):.0f}")
        out(f", 3BV/s: median {statistics.median(values):.0f}\n" if values else "\n")
    out(f"clicks {clicks}, sent again {resent}, in {seconds:.0f} s of play\n")
    for text in wrong:
        out(f"WRONG {text}\n")
    out(f"games that broke their word: {len(wrong)}\n")
    return 1 if wrong or len(lines) < words.games else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BotError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(error.exit_status)
