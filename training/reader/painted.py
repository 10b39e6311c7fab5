"""Paints training pictures of boards with random looks: `python -m training.reader.painted --help`."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from bot.board import Board
from bot.vision.grid import Grid
from training.reader.paint.boards import paint_board
from training.reader.paint.colours import Rng
from training.reader.paint.effects import FILTERS, enlarged, scaled, spoiled
from training.reader.paint.fonts import name_missing_fonts
from training.reader.paint.readable import is_readable
from training.reader.paint.surroundings import draw_pointer, surround
from training.reader.positions import STAGES, random_position, random_size
from training.reader.samples import LabelledBoard, LabelledPicture, write_sample

USUAL_LARGEST = 144
"""Most cells of most training boards; the others have up to `largest`."""
LEAST_CELL, MOST_CELL = 11, 64
"""Range of the width of a cell in a finished picture, in pixels."""


def paint(rng: Rng, name: str, *, largest: int = 480, stage: str = "") -> LabelledPicture:
    """A picture with one board of at most `largest` cells, at a stage of a game (empty: any), that a person
    can read."""
    while True:
        columns, rows = random_size(
            rng, largest=min(USUAL_LARGEST, largest) if rng.random() < 0.85 else largest
        )
        board = random_position(rng, columns, rows, stage=stage)
        found = paint_once(rng, name, board)
        if found is not None:
            return found


def paint_once(rng: Rng, name: str, board: Board) -> LabelledPicture | None:
    """A picture of a board in a random look; None if that is not readable."""
    wanted, width, height, across, down, way = _sizes(rng)
    if wanted * board.columns > 1900 or wanted * board.rows > 1200:
        return None
    painted = paint_board(rng, board, width, height)
    picture, left, top, kind = surround(rng, painted)
    if way == "whole":
        picture = enlarged(picture, round(across))
    elif way != "none":
        picture, across, down = scaled(picture, across, down, way)
    picture, effects = spoiled(rng, picture)
    x, y = (left + painted.lattice) * across, (top + painted.lattice) * down
    grid = Grid(x, y, width * across, height * down, board.columns, board.rows)
    if not is_readable(picture, grid, board):
        return None
    picture = np.array(picture)
    if rng.random() < 0.1:
        _point(rng, picture, grid)
    look = {**painted.look, "around": kind, "scaled": way, "effects": " ".join(effects)}
    image = np.ascontiguousarray(picture[:, :, ::-1])
    return LabelledPicture(name, image, (LabelledBoard(grid, board, look),))


def _sizes(rng: Rng) -> tuple[float, int, int, float, float, str]:
    """The width of a cell in the picture, its size as drawn, and how the picture is scaled."""
    way = str(rng.choice(["none", "whole", "fraction"], p=[0.55, 0.07, 0.38]))
    wanted = float(
        rng.choice([rng.uniform(12, 20), rng.uniform(16, 36), rng.uniform(30, 64)], p=[0.25, 0.5, 0.25])
    )
    ratio = rng.uniform(0.75, 1.35) if rng.random() < 0.08 else 1.0
    factor = 1.0
    if way == "whole":
        factor = float(rng.choice([2, 2, 3]))
        wanted = max(wanted, 12 * factor)
    elif way == "fraction":
        factor = float(rng.uniform(0.4, 1) if rng.random() < 0.6 else rng.uniform(1, 2.2))
        way = str(rng.choice(list(FILTERS)))
    width = max(round(wanted / factor), LEAST_CELL + 1)
    height = max(round(width * ratio), LEAST_CELL + 1)
    down = factor * (rng.uniform(0.9, 1.1) if way in FILTERS and rng.random() < 0.08 else 1)
    if width * factor < LEAST_CELL or height * down < LEAST_CELL:
        return _sizes(rng)
    return width * factor, width, height, factor, down, way


def _point(rng: Rng, picture: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], grid: Grid) -> None:
    """Draw a mouse pointer: mostly beside the board, at times over it, where it covers a part of a cell."""
    height, width = picture.shape[:2]
    over = rng.random() < 0.2
    for _ in range(20):
        x, y = int(rng.integers(0, width)), int(rng.integers(0, height))
        beside_x = x < grid.x - 24 or x > grid.x + grid.columns * grid.cell_width + 2
        beside_y = y < grid.y - 30 or y > grid.y + grid.rows * grid.cell_height + 2
        if beside_x or beside_y or (over and grid.cell_width > 24):
            draw_pointer(rng, picture, (x, y))
            return


def fill(
    folder: Path, pictures: int, seed: int, prefix: str, draw: Callable[[Rng, str], LabelledPicture]
) -> None:
    """Draw pictures into a folder, each from a seed of its own; those that are there are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    begin, drawn = time.monotonic(), 0
    for index in range(pictures):
        name = f"{prefix}-{seed}-{index:05d}"
        if (folder / f"{name}.json").exists():
            continue
        write_sample(folder, draw(np.random.default_rng([seed, index]), name))
        drawn += 1
        if drawn % 100 == 0:
            rate = drawn / (time.monotonic() - begin)
            print(f"{index + 1} of {pictures}, {rate:.1f} a second", file=sys.stderr, flush=True)


def paint_folder(
    arguments: list[str] | None,
    about: str | None,
    prefix: str,
    paint_one: Callable[[Rng, str, int, str], LabelledPicture],
) -> None:
    """Paint the pictures that a command line asks for. `paint_one` is given a random generator, a name, the
    most cells of a board, and the stage of its game (empty: any)."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--largest", type=int, default=480, help="most cells of a board")
    parser.add_argument("--stage", default="", choices=["", *STAGES], help="of the games; empty: any")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(arguments)
    name_missing_fonts()
    fill(
        options.out,
        options.pictures,
        options.seed,
        prefix,
        lambda rng, name: paint_one(rng, name, options.largest, options.stage),
    )


def main(arguments: list[str] | None = None) -> None:
    """Paint the pictures that the command line asks for."""
    paint_folder(
        arguments,
        __doc__,
        "painted",
        lambda rng, name, largest, stage: paint(rng, name, largest=largest, stage=stage),
    )


if __name__ == "__main__":
    main()
