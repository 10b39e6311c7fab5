"""Paints boards that are told by colour, from a theme's palette, in any font and at any size."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from bot.board import Board, Cell
from bot.vision.grid import Grid, Image
from bot.vision.themes.palette import Colour
from bot.vision.themes.skin import Skin
from bot.vision.themes.theme import load_skin

FINER = 4
"""Painted so many times larger and shrunk, so that every edge is blurred as on a screen."""

FONTS = ("DejaVuSans-Bold.ttf", "DejaVuSerif-Bold.ttf", "LiberationSans-Bold.ttf", "NimbusSans-Bold.otf")
"""Those of them that a machine has are used."""

AROUND = 70
"""Pixels of page around the board; the header is 60 high."""


def google() -> Skin:
    return load_skin("google")


@cache
def fonts() -> tuple[str, ...]:
    """The fonts that there are; Pillow's own, which it always has, as an empty name."""
    found = []
    for name in FONTS:
        try:
            ImageFont.truetype(name, 12)
        except OSError:
            continue
        found.append(name)
    return (*found, "")


def meadow(
    board: Board,
    cell: float,
    *,
    font: str = "",
    skin: Skin | None = None,
    page: tuple[int, int, int] = (255, 255, 255),
    under: tuple[int, int] | None = None,
) -> tuple[Image, Grid]:
    """A picture of a page with a board on it, the mouse over one cell, and where its grid lies."""
    palette = (skin or google()).palette
    assert palette is not None
    size = cell * FINER
    width, height = round(board.columns * size), round(board.rows * size)
    edge = AROUND * FINER
    picture = Pillow.new("RGB", (width + 2 * edge, height + 2 * edge), page)
    brush = ImageDraw.Draw(picture)
    brush.rectangle((edge, edge - 60 * FINER, edge + width - 1, edge - 1), fill=(74, 117, 44))
    pen = ImageFont.truetype(font, round(size * 0.7)) if font else ImageFont.load_default(round(size * 0.7))
    for row in range(board.rows):
        for column in range(board.columns):
            code, dark = board[row, column], (row + column) % 2
            ground = palette.opened if code <= 8 else palette.covered
            shades = (ground.light, ground.dark)
            if (row, column) == under:
                shades = (ground.under_light, ground.under_dark)
            x, y = edge + column * size, edge + row * size
            box = (round(x), round(y), round(x + size) - 1, round(y + size) - 1)
            brush.rectangle(box, fill=_rgb(shades[dark]))
            middle = x + size / 2, y + size / 2
            if 1 <= code <= 8:
                brush.text(middle, str(code), fill=_rgb(palette.digits[str(code)]), font=pen, anchor="mm")
            elif code == Cell.FLAG:
                brush.polygon(
                    [
                        (x + 0.37 * size, y + 0.14 * size),
                        (x + 0.8 * size, y + 0.35 * size),
                        (x + 0.37 * size, y + 0.57 * size),
                    ],
                    fill=_rgb(palette.flag),
                )
                brush.rectangle(
                    (x + 0.3 * size, y + 0.14 * size, x + 0.37 * size, y + 0.86 * size), (209, 43, 4)
                )
            elif code == Cell.MINE:
                brush.rectangle(box, fill=(182, 72, 242) if dark else (244, 132, 13))
                radius = size * 0.24
                brush.ellipse(
                    (middle[0] - radius, middle[1] - radius, middle[0] + radius, middle[1] + radius),
                    fill=(118, 47, 157) if dark else (158, 86, 8),
                )
    _edges(brush, board, _rgb(palette.edge), size, edge)
    small = picture.resize((picture.width // FINER, picture.height // FINER), Pillow.Resampling.BOX)
    image = np.ascontiguousarray(np.asarray(small)[..., ::-1])
    return image, Grid(AROUND, AROUND, cell, cell, board.columns, board.rows)


def _rgb(colour: Colour) -> tuple[int, int, int]:
    return colour.red, colour.green, colour.blue


def _edges(
    brush: ImageDraw.ImageDraw, board: Board, colour: tuple[int, int, int], size: float, start: int
) -> None:
    """The line along opened cells where they meet unopened ones."""
    wide = size * 0.085
    for row, column in np.argwhere(board.codes <= 8):
        x, y = start + column * size, start + row * size
        for dr, dc, box in (
            (-1, 0, (x, y, x + size - 1, y + wide)),
            (1, 0, (x, y + size - wide, x + size - 1, y + size - 1)),
            (0, -1, (x, y, x + wide, y + size - 1)),
            (0, 1, (x + size - wide, y, x + size - 1, y + size - 1)),
        ):
            near = int(row) + dr, int(column) + dc
            inside = 0 <= near[0] < board.rows and 0 <= near[1] < board.columns
            if inside and board[near] in (Cell.COVERED, Cell.FLAG):
                brush.rectangle(box, fill=colour)


def page_folder() -> Path:
    """Where the page that stands in for the game lies."""
    return Path(__file__).parents[1] / "windows" / "google"
