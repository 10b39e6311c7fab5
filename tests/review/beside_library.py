"""`python -m tests.review.beside_library FILE...`: the measures of video files, ours beside `ms_toollib`'s.

Prints a line for each measure that differs; the exit status is then 1. Real files come with the sources of
the libraries that read them: `pip download --no-deps --no-binary :all: sweeping-view` has AVF, EVF and RMV.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.errors import BotError
from bot.review.game_files import read_game
from bot.review.played_game import to_story
from bot.review.video_child import READERS
from bot.show.game_page import measures

EXACT = {
    "3BV": "bbbv",
    "3BV solved": "bbbv_solved",
    "openings": "op",
    "islands": "isl",
    "clicks": "cl",
    "left": "left",
    "right": "right",
    "chords": "double",
    "effective clicks": "ce",
    "ZiNi": "zini",
}
"""Counts by their names on our pages, and their names in the library."""

NEAR = {
    "seconds": "rtime",
    "3BV/s": "bbbv_s",
    "clicks/s": "cl_s",
    "IOE": "ioe",
    "corr": "corr",
    "ThrP": "thrp",
    "RQP": "rqp",
    "STNB": "stnb",
}
"""The same of what is a share or a time."""


def video_of(path: Path) -> Any:
    """The file as the library has it, at its end."""
    ms_toollib = pytest.importorskip("ms_toollib", reason="pip install '.[review]'")
    video = getattr(ms_toollib, READERS[path.suffix[1:]])(str(path))
    video.parse()
    video.analyse()
    video.current_time = 1e6
    return video


def differences(path: Path, theirs_of: Path | None = None) -> Iterator[tuple[str, Any, Any]]:
    """The measures that differ: the name, ours, theirs. Raises BotError for a file that we do not read.

    `theirs_of` is the same game in a file that the library reads, where it does not read this one.
    """
    ours = measures(to_story(read_game(str(path), path.parent)))
    video = video_of(path if theirs_of is None else theirs_of)
    for name, theirs in EXACT.items():
        if ours[name] != getattr(video, theirs):
            yield name, ours[name], getattr(video, theirs)
    for name, theirs in NEAR.items():
        # They say 0 for what is not defined.
        if (ours.get(name) or 0) != pytest.approx(getattr(video, theirs), nan_ok=True):
            yield name, ours.get(name), getattr(video, theirs)


def main() -> int:
    """Compare the files that the words name; the exit status."""
    status = 0
    for word in sys.argv[1:]:
        try:
            found = list(differences(Path(word)))
        except BotError as error:
            sys.stdout.write(f"{error}\n")
            status = 1
            continue
        for name, ours, theirs in found:
            sys.stdout.write(f"{word}: {name}: ours {ours}, theirs {theirs}\n")
        if not found:
            sys.stdout.write(f"{word}: all {len(EXACT) + len(NEAR)} measures are equal\n")
        status |= bool(found)
    return status


if __name__ == "__main__":
    sys.exit(main())
