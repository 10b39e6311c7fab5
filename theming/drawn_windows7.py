"""The skin of the Minesweeper of Windows 7: blue glass that darkens from the top left of the board to the
bottom right, and pale paper under it.

Its sizes, the colours of backgrounds and digits, and the dark lines between cells are known facts. Digits,
flag and mine are our own. The look of its mines is not well known, nor are the colours of 7 and 8: those are
drawn in several colours, so that none of them is taken for another digit. A dialog tells the end of a game.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from bot.board import SYMBOLS, Cell
from bot.practice.layout import CELL
from bot.practice.sketch import Colour, Image, Points, Sketch, arc
from theming.collected_glyphs import CollectedGlyphs

PIXELS = (22,)
"""Cells are drawn at one size in pixels: the window scales freely, and hardly any has cells of that size."""

PLACES = (0.0, 0.06, 0.13, 0.22, 0.36, 0.6, 1.0)
"""The places between the lightest corner of the board (0) and the darkest one (1) at which cells are drawn:
the glass darkens quickly at first."""

GLASS = ((252, 230, 186), (240, 172, 122), (224, 126, 90), (204, 98, 74), (198, 87, 67))
"""Colours (blue, green, red) of covered cells at evenly spaced places, from the lightest to the darkest."""

PAPER = ((245, 236, 226), (214, 184, 177))
"""The same of opened cells."""

LINE: Colour = (12, 8, 6)
"""The colour between the cells and around the board."""

WHITE: Colour = (246, 244, 242)
STAND: Colour = (170, 165, 160)
CLOTH: Colour = (8, 8, 236)
BLACK: Colour = (28, 24, 22)
EMBERS: Colour = (32, 48, 214)

RED, DARK_RED, GREY = "AC0A0A", "7D0103", "6E6E6E"
COLOURS = ("4050BC", "1E6702", RED, "0A0D82", DARK_RED, "0A7D7D", RED, RED)
"""The colours of 1 to 8, in hexadecimal: red, green, blue."""

OTHER_COLOURS = (DARK_RED, GREY)
"""The other colours that 7 and 8 may have."""

DIGITS: tuple[tuple[Points, ...], ...] = (
    (((6.4, 4.1), (8.3, 3.6), (8.3, 12.7)), ((5.9, 12.8), (10.6, 12.8))),
    ((*arc(8.3, 5.9, 2.7, 2.35, 228, 410), (6.2, 11.9), (6.2, 12.7), (11.3, 12.7)),),
    (
        ((5.6, 3.7), *arc(7.8, 5.7, 2.6, 2.1, 270, 440), (6.7, 8.0)),
        ((8.2, 8.0), *arc(7.9, 10.3, 2.7, 2.3, 280, 450), (5.6, 12.4)),
    ),
    (((10.2, 12.8), (10.2, 3.8)), ((9.2, 3.6), (5.4, 9.8)), ((5.4, 10.3), (11.3, 10.3))),
    (((10.6, 3.6), (6.5, 3.6), (6.5, 7.7), *arc(7.9, 10.2, 2.7, 2.4, 270, 450), (5.6, 12.4)),),
    (((10.6, 3.6), (8.9, 3.8), (7.0, 5.6), (6.0, 8.0), (5.9, 9.8)), arc(8.4, 10.2, 2.6, 2.6, 0, 360)),
    (((5.6, 3.6), (10.9, 3.6), (7.6, 12.8)),),
    (arc(8.2, 5.7, 2.4, 2.2, 0, 360), arc(8.2, 10.3, 2.7, 2.5, 0, 360)),
)
"""The strokes of 1 to 8, in a cell of 16x16 units, as (x, y) from its top left."""

WIDTH = 2.2
"""The width of those strokes, in the same units."""

BORDER = dict.fromkeys(("left", "top", "right", "bottom"), (20, 20, 24))
"""The colours (red, green, blue) outside the board, by its sides."""

THEME: dict[str, Any] = {
    "schema": 1,
    "title": "Minesweeper (Windows 7)",
    "first_click": "safe",
    "border_width": 1,
    "border_tolerance": 40,
    "chord": "both",
    "inset": 0.16,
    "limit": 22.0,
    "shaded": True,
    "sizes": [[9, 9, 10], [16, 16, 40], [30, 16, 99]],
    "source": {
        "program": "the Minesweeper of Windows Vista and Windows 7",
        "licence": "MIT, as minebot itself: nothing of the game is in it but its sizes and colours",
        "made_by": "python -m theming.draw_themes: drawn from facts and strokes of our own",
    },
    "margins": {"left": 12, "top": 12, "right": 12, "bottom": 12},
    "dialogs": [
        {"title": "Game Won", "kind": "notice", "tells": "won"},
        {"title": "Game Lost", "kind": "notice", "tells": "lost"},
    ],
    "timing": {"click_interval_ms": 8.0, "resend_after_ms": 600.0, "rest_ms": 120.0},
}


def cell(code: int, size: int, place: float = 0.0) -> Image:
    """A cell of a size in pixels; its place is 0 at the top left of the board, 1 at the bottom right.

    Raises KeyError for a code that no cell of a window shows.
    """
    if 0 <= code <= 8 or code == Cell.MINE:
        sketch = _paper(size, place)
    elif code == Cell.EXPLODED:
        sketch = _background(size, EMBERS, 8)
    elif code in (Cell.COVERED, Cell.FLAG, Cell.QUESTION, Cell.WRONG_FLAG):
        # Light falls on the upper left half of the glass, more of it at lighter places.
        sketch = _background(size, _interpolated(GLASS, place), 70 - 45 * min(1.0, 2 * place))
    else:
        raise KeyError(SYMBOLS[code])
    if 1 <= code <= 8:
        _digit(sketch, code, COLOURS[code - 1])
    elif code in (Cell.MINE, Cell.EXPLODED):
        _mine(sketch)
    elif code == Cell.QUESTION:
        ink = BLACK if place < 0.4 else WHITE  # white could not be seen on the lightest glass
        sketch.stroke((*arc(8.0, 6.0, 2.6, 2.4, 185, 395), (8.1, 8.8), (8.1, 9.8)), 2.0, ink)
        sketch.disc(8.1, 12.6, 1.2, ink)
    elif code in (Cell.FLAG, Cell.WRONG_FLAG):
        _flag(sketch)
    if code == Cell.WRONG_FLAG:
        for points in (((3.0, 3.0), (13.0, 13.0)), ((3.0, 13.0), (13.0, 3.0))):
            sketch.stroke(points, 1.8, BLACK)
    return sketch.picture()


def other_digits(size: int) -> CollectedGlyphs:
    """The digits in the other colours that they may have, in cells of a size in pixels."""
    collected = CollectedGlyphs()
    for code, colour, place in itertools.product((7, 8), OTHER_COLOURS, PLACES):
        sketch = _paper(size, place)
        _digit(sketch, code, colour)
        collected.add(code, sketch.picture())
    return collected


def _interpolated(colours: tuple[Colour, ...], place: float) -> Colour:
    """The colour at a place (0 to 1) between evenly spaced ones."""
    places = np.linspace(0, 1, len(colours))
    blue, green, red = (round(float(np.interp(place, places, each))) for each in zip(*colours, strict=True))
    return blue, green, red


def _paper(size: int, place: float) -> Sketch:
    """An opened cell."""
    return _background(size, _interpolated(PAPER, place), 8)


def _background(size: int, colour: Colour, darker: float) -> Sketch:
    """A cell of a colour within its lines; below its diagonal it becomes `darker` (0 to 255)."""
    places = (np.arange(size) + 0.5) / size
    beyond = np.clip(places[:, None] + places - 0.9, 0, 1)
    sloped = np.array(colour) - darker * beyond[..., None]
    base = np.clip(sloped, 0, 255).round().astype(np.uint8)
    sketch = Sketch(base, CELL)
    near, far, end = 0.35, CELL - 0.35, CELL
    lines = (0, 0, end, near), (0, far, end, end), (0, 0, near, end), (far, 0, end, end)
    for left, top, right, bottom in lines:
        sketch.polygon([(left, top), (right, top), (right, bottom), (left, bottom)], LINE)
    return sketch


def _digit(sketch: Sketch, code: int, colour: str) -> None:
    """A digit in a colour written as red, green, blue."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (0, 2, 4))
    for points in DIGITS[code - 1]:
        sketch.stroke(points, WIDTH, (blue, green, red))


def _flag(sketch: Sketch) -> None:
    """A red flag to the left of a white pole on a round stand."""
    sketch.polygon(arc(8.8, 13.4, 4.4, 0.9, 0, 360), STAND)
    sketch.polygon(arc(8.8, 13.0, 2.2, 0.9, 0, 360), WHITE)
    sketch.polygon([(8.8, 1.6), (9.9, 1.6), (9.9, 12.8), (8.3, 12.8)], WHITE)
    sketch.polygon([(8.8, 1.8), (8.8, 8.4), (1.9, 5.1)], CLOTH)


def _mine(sketch: Sketch) -> None:
    """A black ball with eight spikes and a gleam."""
    for dx, dy in ((0.0, 5.6), (5.6, 0.0), (4.0, 4.0), (4.0, -4.0)):
        sketch.stroke(((8 - dx, 8 - dy), (8 + dx, 8 + dy)), 1.3, BLACK)
    sketch.disc(8, 8, 4.2, BLACK)
    sketch.disc(6.6, 6.6, 1.1, WHITE)
