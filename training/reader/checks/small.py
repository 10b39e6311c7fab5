"""Whether boards are read whose digits are much smaller than their cells, or whose cells are much wider than
high, which no training draws.

`python -m training.reader.checks.small [--seed 1] [--boards 200]` draws boards as toolkits do that keep the
size of their letters whatever the size of a button is, and boards of long cells, reads them on their true
grids, with a closer look and without, and counts what comes out as `training.reader.checks.boards` does. It
draws in the fonts of this machine.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from unittest import mock

import numpy as np
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from bot.board import Board, Cell
from bot.vision.general import cell_reader
from bot.vision.general.cell_reader import CellReader
from bot.vision.general.labelling import label_cells
from bot.vision.grid import Grid, Image
from training.reader.paint.colours import CLASSIC
from training.reader.paint.fonts import TEXT_CODES, font_families
from training.reader.positions import random_position, random_size

LETTERS, LEAST_LETTER = (0.16, 0.34), 8
"""The size of the letters, as a part of the height of a cell, and the least in pixels: digits are some 0.72
of that high."""

LONG_LETTERS, SHORT_SIDES, RATIOS, TALL = (0.4, 0.75), (22, 40), (1.3, 4.0), 0.15
"""Of long cells the size of the letters, as a part of the shorter side; that in pixels; how many times as
long the other one is; and how often they are higher than wide."""

SIDES, LARGEST = (36, 66), 200
"""Width of the cells, in pixels, and the most cells of a board."""

Font = Callable[[int], ImageFont.FreeTypeFont | ImageFont.ImageFont]
"""A font at a size in pixels."""


def drawn(seed: int, fonts: Sequence[Font], *, are_long: bool = False) -> tuple[Image, Grid, Board]:
    """A picture (height, width, 3) of a board in the middle of a game, in one of some fonts, where its cells
    lie and what they show. The digits are small, or the cells long."""
    rng = np.random.default_rng(seed)
    columns, rows = random_size(rng, largest=LARGEST)
    stage = str(rng.choice(["first", "middle", "middle", "late"]))
    board = random_position(rng, columns, rows, usual=True, stage=stage)
    if are_long:
        height = int(rng.integers(*SHORT_SIDES))
        width, letter = int(height * rng.uniform(*RATIOS)), rng.uniform(*LONG_LETTERS) * height
        width, height = (height, width) if rng.random() < TALL else (width, height)
    else:
        width = int(rng.integers(*SIDES))
        height = width if rng.random() < 0.6 else int(width * rng.uniform(0.8, 1))
        letter = rng.uniform(*LETTERS) * height
    font = fonts[int(rng.integers(len(fonts)))](max(LEAST_LETTER, int(letter)))
    has_one_ink, has_bevels, has_zeros = (bool(rng.random() < share) for share in (0.5, 0.4, 0.3))
    opened = (int(rng.integers(215, 250)),) * 3
    covered = (192, 192, 192) if has_bevels else tuple(rng.integers(120, 205, 3).tolist())
    ink = "#" + 3 * f"{rng.integers(0, 130):02x}"
    picture = Pillow.new("RGB", (columns * width + 60, rows * height + 80), (236, 236, 236))
    pen = ImageDraw.Draw(picture)
    pen.fontmode = "1" if rng.random() < 0.2 else "L"
    signs = {int(Cell.EMPTY): "0" if has_zeros else "", int(Cell.FLAG): "F", int(Cell.QUESTION): "?"}
    grid = Grid(30, 50, width, height, columns, rows)
    for row, column in np.ndindex(grid.shape):
        code, box = board[row, column], grid.cell_rect(row, column)
        x, y, right, bottom = box.x, box.y, box.right - 1, box.bottom - 1
        pen.rectangle((x, y, right, bottom), opened if code <= 8 else covered, (130, 130, 130))
        if code > 8 and has_bevels:
            pen.line((x, bottom, x, y, right, y), (255, 255, 255), 2)
            pen.line((x + 1, bottom, right, bottom, right, y), (110, 110, 110), 2)
        text = signs.get(code, str(code) if 1 <= code <= 8 else "")
        colour = CLASSIC[code - 1] if 1 <= code <= 8 and not has_one_ink else ink
        pen.text((x + width / 2, y + height / 2), text, "#c80000" if text == "F" else colour, font, "mm")
    return np.asarray(picture)[..., ::-1].copy(), grid, board


def outcome(seed: int, fonts: Sequence[Font], *, are_long: bool = False) -> str:
    """What comes of reading the cells of a drawn board, on its true grid."""
    image, grid, board = drawn(seed, fonts, are_long=are_long)
    codes = label_cells(CellReader().read(image, grid, is_board=True)).codes
    if ((codes != board.codes) & (codes != Cell.UNREAD)).any():
        return "wrong"
    return "unread" if (codes == Cell.UNREAD).any() else "exact"


@contextmanager
def without_closer_look() -> Iterator[None]:
    """Cells are cut out whole, however small their drawings are."""
    with mock.patch.object(cell_reader, "looked_closer", lambda cells, windows: cells):
        yield


def _font(path: str) -> Font:
    return lambda size: ImageFont.truetype(path, size)


def main() -> None:
    """Print how many boards are read how, with a closer look and without."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--boards", type=int, default=200)
    options = parser.parse_args()
    fonts = [_font(path) for paths in font_families(TEXT_CODES).values() for path in paths]
    seeds = range(options.seed, options.seed + options.boards)
    for are_long, name in ((False, "small digits"), (True, "long cells")):
        told = Counter(outcome(seed, fonts, are_long=are_long) for seed in seeds)
        with without_closer_look():
            before = Counter(outcome(seed, fonts, are_long=are_long) for seed in seeds)
        print(f"{name}: {dict(told)}; without a closer look {dict(before)}")


if __name__ == "__main__":
    main()
