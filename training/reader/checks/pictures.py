"""Labelled pictures in folders, and what comes of all of them, worked out side by side."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

Result = TypeVar("Result")

TOLD = 100
"""After every so many pictures it is said on standard error how many are done."""


def labelled_pictures(folders: Sequence[Path], limit: int | None = None) -> list[Path]:
    """The paths of the labels in some folders, at most so many of each."""
    return [path for folder in folders for path in sorted(folder.glob("*.json"))[:limit]]


def side_by_side(work: Callable[[Path], list[Result]], paths: Sequence[Path], jobs: int) -> Iterator[Result]:
    """All that some `work`, a function that other processes can be given, makes of each path, in order."""
    if jobs <= 1:
        yield from _counted(map(work, paths), len(paths))
        return
    with get_context("spawn").Pool(jobs) as pool:
        yield from _counted(pool.imap(work, paths, chunksize=4), len(paths))


def _counted(results: Iterable[list[Result]], count: int) -> Iterator[Result]:
    begun = time.monotonic()
    for number, result in enumerate(results, 1):
        if number % TOLD == 0:
            seconds = time.monotonic() - begun
            print(f"{number} of {count} pictures, {seconds:.0f} s", file=sys.stderr)
        yield from result
