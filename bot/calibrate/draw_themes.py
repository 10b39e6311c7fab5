"""Draws the theme of the classic grey game, which cannot be run here: `python -m bot.calibrate.draw_themes`.

What is known of its look are facts: sizes, colours, where bevels and lines lie. Digits, flag and mine are our
own, drawn from strokes; nothing is cut from anybody's pictures. So cells are not equal to the theme's, only
nearer to one of its looks than to any other; where one is near to none it stays unread, as in every theme.

It is drawn into its folder in `templates/` and checked: a window with every kind of cell is painted, found
and read.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from bot.board import Board, Cell
from bot.calibrate.cut import write_theme
from bot.calibrate.cut_looks import Looks
from bot.calibrate.plans import CutPlan, WindowPlan
from bot.errors import BotError
from bot.files import shipped
from bot.geometry import Rect
from bot.practice.draw import BLACK, GREY, LIGHT, NUMBER_COLOURS, RED, SHADE
from bot.practice.sketch import Colour, Image, Points, Sketch, arc, bevel, blank
from bot.vision.locate import locate
from bot.vision.theme import Theme, load_theme

UNITS = 16
"""A cell is drawn on so many units."""

PIXELS = (16, 24, 32, 48)
"""The sizes that are drawn: those that our own window was cut at, so that where both look alike neither is
nearer."""

Strokes = tuple[Points, ...]

DIGITS: tuple[Strokes, ...] = (
    (((5.6, 6.0), (8.2, 4.2), (8.2, 12.0)), ((5.0, 12.0), (11.4, 12.0))),
    (((4.2, 5.0), (5.2, 4.0), (10.6, 4.0), (11.8, 5.2), (11.8, 7.0), (4.4, 11.4), (4.4, 12.0),
      (12.2, 12.0)),),
    (((4.0, 4.0), (11.0, 4.0), (11.8, 5.0), (11.8, 7.0), (10.8, 8.0), (11.8, 9.0), (11.8, 11.0),
      (11.0, 12.0), (4.0, 12.0)), ((7.0, 8.0), (10.8, 8.0))),
    (((6.2, 4.0), (4.6, 8.2), (12.2, 8.2)), ((10.4, 4.0), (10.4, 12.4))),
    (((12.0, 4.0), (4.6, 4.0), (4.6, 7.6), (10.8, 7.6), (11.8, 8.6), (11.8, 11.0), (10.8, 12.0),
      (4.2, 12.0)),),
    (((11.4, 4.0), (5.6, 4.0), (4.6, 5.0), (4.6, 11.0), (5.6, 12.0), (10.8, 12.0), (11.8, 11.0), (11.8, 9.0),
      (10.8, 8.0), (4.6, 8.0)),),
    (((4.0, 4.0), (12.0, 4.0), (12.0, 6.0), (9.0, 12.4)),),
    (((5.4, 4.0), (10.8, 4.0), (11.8, 5.0), (11.8, 6.8), (10.8, 8.0), (11.8, 9.2), (11.8, 11.0), (10.8, 12.0),
      (5.4, 12.0), (4.4, 11.0), (4.4, 9.2), (5.4, 8.0), (4.4, 6.8), (4.4, 5.0), (5.4, 4.0)),
     ((5.4, 8.0), (10.8, 8.0))),
)  # fmt: skip
"""1 to 8 in few straight strokes, as games of few pixels have them."""

WIDTH = 1.9
"""Of those strokes."""

CROSS: Strokes = (((2.6, 2.6), (13.4, 13.4)), ((2.6, 13.4), (13.4, 2.6)))

CLASSIC: dict[str, Any] = {
    "schema": 1,
    "title": "Minesweeper (classic)",
    "first_click": "safe",
    "border_width": 3,
    "chord": "both",
    "sizes": [[9, 9, 10], [8, 8, 10], [16, 16, 40], [30, 16, 99]],
    "source": {
        "program": "the grey Minesweeper of Windows up to XP, and games that look like it",
        "licence": "MIT, as minebot itself: nothing of a game is in it but its sizes and colours",
        "made_by": "python -m bot.calibrate.draw_themes: drawn from facts and strokes of our own",
    },
    "margins": {"left": 12, "top": 55, "right": 8, "bottom": 8},
    "face": {"above": 39, "size": [24, 24], "moods": False},
    "counter": {"anchor": "left", "x": 5, "above": 39, "digit": [13, 23], "pitch": 13},
    "timing": {"click_interval_ms": 4.0, "resend_after_ms": 120.0},
}


def raised(size: int) -> Image:
    """A covered cell: light on two sides, dark on the others, an eighth of the cell wide."""
    base = blank(size, size, GREY)
    bevel(base, Rect(0, 0, size, size), max(2, round(2 * size / UNITS)), LIGHT, SHADE)
    return base


def sunken(size: int, colour: Colour = GREY) -> Image:
    """An opened cell: a dark line on two sides."""
    base, line = blank(size, size, colour), max(1, round(size / UNITS))
    base[:line], base[:, :line] = SHADE, SHADE
    return base


def stroked(base: Image, strokes: Strokes, width: float, colour: Colour) -> Image:
    """Strokes of one colour on a cell."""
    sketch = Sketch(base, UNITS)
    for points in strokes:
        sketch.stroke(points, width, colour)
    return sketch.picture()


def flag(base: Image) -> Image:
    """A red flag to the left of its pole, on two steps."""
    sketch = Sketch(base, UNITS)
    sketch.polygon([(8.6, 3.0), (8.6, 8.0), (4.2, 5.5)], RED)
    sketch.polygon([(7.8, 3.0), (8.8, 3.0), (8.8, 10.6), (7.8, 10.6)], BLACK)
    sketch.polygon([(5.6, 10.0), (10.6, 10.0), (12.0, 12.4), (4.2, 12.4)], BLACK)
    return sketch.picture()


def mine(base: Image) -> Image:
    """A black ball with eight spikes and a gleam."""
    sketch = Sketch(base, UNITS)
    for dx, dy in ((0.0, 5.6), (5.6, 0.0), (4.0, 4.0), (4.0, -4.0)):
        sketch.stroke(((8.2 - dx, 8.2 - dy), (8.2 + dx, 8.2 + dy)), 1.1, BLACK)
    sketch.disc(8.2, 8.2, 4.2, BLACK)
    sketch.disc(6.8, 6.8, 1.1, LIGHT)
    return sketch.picture()


def classic_looks(size: int) -> Looks:
    """Every look of the grey game at a cell of so many pixels."""
    looks = Looks()
    looks.add(Cell.COVERED, raised(size))
    looks.add(Cell.EMPTY, sunken(size))
    for digit, (strokes, colour) in enumerate(zip(DIGITS, NUMBER_COLOURS, strict=True), 1):
        looks.add(digit, stroked(sunken(size), strokes, WIDTH, colour))
    looks.add(Cell.FLAG, flag(raised(size)))
    hook = (*arc(8.0, 5.6, 2.6, 2.2, 185, 395), (8.1, 8.2), (8.1, 9.4))
    question = stroked(raised(size), (hook, ((8.1, 11.9), (8.1, 12.1))), 2.0, BLACK)
    looks.add(Cell.QUESTION, question)
    looks.add(Cell.MINE, mine(sunken(size)))
    looks.add(Cell.EXPLODED, mine(sunken(size, RED)))
    looks.add(Cell.WRONG_FLAG, stroked(mine(sunken(size)), CROSS, 1.4, RED))
    return looks


BORDER = {
    "left": (128, 128, 128),
    "top": (128, 128, 128),
    "right": (255, 255, 255),
    "bottom": (255, 255, 255),
}
"""Of the classic window, by its sides: red, green, blue."""

EVERYTHING = Board.parse("#.12345678\nF?*Xx#....\n####......\n####..1111")


def draw(folder: Path) -> None:
    """Draw the classic theme into a folder, and check it. Raises BotError where it does not read itself."""
    windows = [WindowPlan(folder=f"{size}px", cell=(size, size), origin=(0, 0)) for size in PIXELS]
    cuts = [(window, classic_looks(window.cell[0])) for window in windows]
    write_theme(folder, CutPlan(theme=CLASSIC, windows=windows), cuts, BORDER)
    theme = load_theme(folder)
    for window, looks in cuts:
        found = locate(window_of(theme, looks, EVERYTHING, window.cell[0]), [theme], any_pitch=False)
        if [one.reading.board for one in found] != [EVERYTHING] or found[0].seams:
            raise BotError(f"{folder}: a window with every kind of cell is not read at {window.folder}")


def window_of(theme: Theme, looks: Looks, board: Board, size: int) -> Image:
    """A picture of a board of a drawn theme, in its border, on a grey window."""
    edge = 60
    thick = round(theme.spec.border_width * theme.scale(size))
    picture = blank(board.columns * size + 2 * edge, board.rows * size + 2 * edge, GREY)
    inner = Rect(edge - thick, edge - thick, board.columns * size + 2 * thick, board.rows * size + 2 * thick)
    bevel(picture, inner, thick, SHADE, LIGHT)
    for row in range(board.rows):
        for column in range(board.columns):
            x, y = edge + column * size, edge + row * size
            picture[y : y + size, x : x + size] = next(iter(looks.glyphs[board[row, column]].values()))
    return picture


def main() -> int:
    """Draw the theme where the others lie and say so."""
    folder = shipped("templates") / "classic"
    try:
        draw(folder)
    except BotError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_status
    sys.stdout.write(f"{folder}: drawn at {len(PIXELS)} sizes, checked\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
