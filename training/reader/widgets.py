"""Draws pictures only for judging readers, with renderers that no training has seen.

`python -m training.reader.widgets --family tk --pictures 150 --seed 7 --out FOLDER`
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.board import Board
from training.reader.paint.colours import Rng
from training.reader.paint.fonts import name_missing_fonts
from training.reader.painted import fill
from training.reader.positions import random_position, random_size
from training.reader.samples import LabelledPicture

Drawing = Callable[[Rng, str, Board], LabelledPicture | None]


@contextmanager
def _opencv(_sources: list[Path]) -> Iterator[Drawing]:
    from training.reader.toolkits import hershey

    yield hershey.draw


@contextmanager
def _tk(_sources: list[Path]) -> Iterator[Drawing]:
    from training.reader.toolkits.tk_windows import screen

    with screen() as windows:
        yield windows.draw


@contextmanager
def _qt(_sources: list[Path]) -> Iterator[Drawing]:
    from training.reader.toolkits import qt_windows

    qt_windows.start()
    yield qt_windows.draw


@contextmanager
def _terminal(_sources: list[Path]) -> Iterator[Drawing]:
    from training.reader.toolkits.terminals import screen

    with screen() as terminals:
        yield terminals.draw


@contextmanager
def _scaled(sources: list[Path]) -> Iterator[Drawing]:
    from training.reader.toolkits.rescaled import Rescaler

    yield Rescaler(sources).draw


PAINTERS = {"tk": _tk, "qt": _qt, "opencv": _opencv, "terminal": _terminal, "scaled": _scaled}
"""Each family's painter; it imports its toolkit only when it begins."""


def until_readable(drawing: Drawing, rng: Rng, name: str, largest: int) -> LabelledPicture:
    """A picture of a random board, drawn again in another look while it cannot be read."""
    while True:
        columns, rows = random_size(rng, largest=largest)
        found = drawing(rng, name, random_position(rng, columns, rows))
        if found is not None:
            return found


def main(arguments: list[str] | None = None) -> None:
    """Draw the pictures that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--family", choices=list(PAINTERS), required=True)
    parser.add_argument("--pictures", type=int, default=150)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--largest", type=int, default=480, help="most cells of a board")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument(
        "--source", type=Path, action="append", default=[], help="folders of pictures that `scaled` may use"
    )
    options = parser.parse_args(arguments)
    name_missing_fonts()
    with PAINTERS[options.family](options.source) as drawing:
        fill(
            options.out,
            options.pictures,
            options.seed,
            options.family,
            lambda rng, name: until_readable(drawing, rng, name, options.largest),
        )


if __name__ == "__main__":
    main()
