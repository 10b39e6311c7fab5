"""The skin of the classic grey game, the Minesweeper of Windows up to XP and all that look like it.

Its sizes, its colours, and the places of bevels and lines are known facts. Digits, flag and mine are our own.
"""

from __future__ import annotations

from typing import Any

from bot.board import SYMBOLS, Cell
from bot.practice.draw import BLACK, LIGHT, NUMBER_COLOURS, RED, raised, sunken
from bot.practice.layout import CELL
from bot.practice.sketch import Colour, Image, Points, Sketch, arc

PIXELS = (16, 24, 32, 48)
"""The sizes of cells in pixels: those at which our own window was cut, so that neither theme is nearer to a
cell that both draw alike."""

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
"""1 to 8 in a few straight strokes, as games with small cells draw them: a cell has 16x16 units."""

WIDTH = 1.9
"""The width of those strokes, in the same units."""

CROSS: Strokes = (((2.6, 2.6), (13.4, 13.4)), ((2.6, 13.4), (13.4, 2.6)))
"""What lies over a mine where a flag was wrong."""

THEME: dict[str, Any] = {
    "schema": 1,
    "title": "Minesweeper (classic)",
    "first_click": "safe",
    "border_width": 3,
    "chord": "both",
    "sizes": [[9, 9, 10], [8, 8, 10], [16, 16, 40], [30, 16, 99]],
    "source": {
        "program": "the grey Minesweeper of Windows up to XP, and games that look like it",
        "licence": "MIT, as minebot itself: nothing of a game is in it but its sizes and colours",
        "made_by": "python -m theming.draw_themes: drawn from facts and strokes of our own",
    },
    "margins": {"left": 12, "top": 55, "right": 8, "bottom": 8},
    "face": {"above": 39, "size": [24, 24], "moods": False},
    "counter": {"anchor": "left", "x": 5, "above": 39, "digit": [13, 23], "pitch": 13},
    "timing": {"click_interval_ms": 4.0, "resend_after_ms": 120.0},
}


def stroked(base: Image, strokes: Strokes, width: float, colour: Colour) -> Image:
    """A cell with strokes of one colour and of a width in its units (16 of them are a side)."""
    sketch = Sketch(base, CELL)
    for points in strokes:
        sketch.stroke(points, width, colour)
    return sketch.picture()


def flag(base: Image) -> Image:
    """A red flag to the left of its pole, on two steps."""
    sketch = Sketch(base, CELL)
    sketch.polygon([(8.6, 3.0), (8.6, 8.0), (4.2, 5.5)], RED)
    sketch.polygon([(7.8, 3.0), (8.8, 3.0), (8.8, 10.6), (7.8, 10.6)], BLACK)
    sketch.polygon([(5.6, 10.0), (10.6, 10.0), (12.0, 12.4), (4.2, 12.4)], BLACK)
    return sketch.picture()


def mine(base: Image) -> Image:
    """A black ball with eight spikes and a gleam."""
    sketch = Sketch(base, CELL)
    for dx, dy in ((0.0, 5.6), (5.6, 0.0), (4.0, 4.0), (4.0, -4.0)):
        sketch.stroke(((8.2 - dx, 8.2 - dy), (8.2 + dx, 8.2 + dy)), 1.1, BLACK)
    sketch.disc(8.2, 8.2, 4.2, BLACK)
    sketch.disc(6.8, 6.8, 1.1, LIGHT)
    return sketch.picture()


def cell(code: int, size: int, place: float = 0.0) -> Image:
    """A cell of a size in pixels, alike at every place; raises KeyError for a code that no window shows."""
    if code == Cell.COVERED:
        return raised(size)
    if code == Cell.EMPTY:
        return sunken(size)
    if 1 <= code <= 8:
        return stroked(sunken(size), DIGITS[code - 1], WIDTH, NUMBER_COLOURS[code - 1])
    if code == Cell.FLAG:
        return flag(raised(size))
    if code == Cell.QUESTION:
        hook = (*arc(8.0, 5.6, 2.6, 2.2, 185, 395), (8.1, 8.2), (8.1, 9.4))
        return stroked(raised(size), (hook, ((8.1, 11.9), (8.1, 12.1))), 2.0, BLACK)
    if code in (Cell.MINE, Cell.EXPLODED):
        return mine(sunken(size, RED) if code == Cell.EXPLODED else sunken(size))
    if code == Cell.WRONG_FLAG:
        return stroked(mine(sunken(size)), CROSS, 1.4, RED)
    raise KeyError(SYMBOLS[code])


BORDER = dict.fromkeys(("left", "top"), (128, 128, 128)) | dict.fromkeys(("right", "bottom"), (255, 255, 255))
"""The colours (red, green, blue) outside the board, by its sides."""
