"""Draws each part of the practice window in the classic grey look.

All functions are pure and return new pictures: shape (height, width, 3), blue, green, red, uint8. Shapes are
vectors and can be drawn at any size; edges and lines lie on whole pixels and stay sharp.
"""

from __future__ import annotations

from enum import Enum

import cv2

from bot.board import Cell
from bot.errors import UsageError
from bot.geometry import Rect
from bot.practice.layout import CELL, DIGIT_WIDTH, FACE_SIZE, FRAME, HEADER_FRAME, Layout
from bot.practice.sketch import Colour, Image, Points, Sketch, arc, bevel, blank

GREY: Colour = (192, 192, 192)
LIGHT: Colour = (255, 255, 255)
SHADE: Colour = (128, 128, 128)
BLACK: Colour = (0, 0, 0)
RED: Colour = (0, 0, 255)
YELLOW: Colour = (0, 232, 255)
LED_LIT: Colour = (24, 24, 255)
LED_DIM: Colour = (0, 0, 88)
LED_GROUND: Colour = (16, 12, 24)
INK: Colour = (88, 88, 88)
FADED: Colour = (120, 120, 152)

PRESSED_QUESTION = 16
"""The code of a pressed question mark; all other codes are those of `Cell`."""

NUMBER_COLOURS: tuple[Colour, ...] = (
    (255, 0, 0),
    (0, 128, 0),
    (0, 0, 255),
    (128, 0, 0),
    (0, 0, 128),
    (128, 128, 0),
    (0, 0, 0),
    (128, 128, 128),
)
"""The colours of 1 to 8."""

_NUMBERS: tuple[tuple[Points, ...], ...] = (
    (((6.2, 6.6), (9, 4.2), (9, 12.8)), ((6.4, 12.9), (11.6, 12.9))),
    ((*arc(8.9, 6.6, 2.8, 2.5, 190, 395), (6.1, 12.9), (11.8, 12.9)),),
    (
        (*arc(8.7, 6.3, 2.7, 2.2, 205, 450), (7.9, 8.5)),
        arc(8.7, 10.6, 3.0, 2.3, 270, 515),
    ),
    (((10.3, 13.1), (10.3, 4.2), (5.9, 10.4), (12.0, 10.4)),),
    (((11.6, 4.2), (6.8, 4.2), (6.5, 8.2)), arc(8.7, 10.1, 3.0, 2.8, 228, 510)),
    (((11.2, 4.3), (9.4, 4.5), (7.4, 6.2), (6.2, 8.6), (6.0, 10.2)), arc(8.9, 10.2, 2.9, 2.7, 0, 360)),
    (((5.9, 4.2), (11.7, 4.2), (8.3, 13.0)),),
    (arc(8.9, 6.3, 2.5, 2.1, 0, 360), arc(8.9, 10.6, 2.9, 2.3, 0, 360)),
)
"""The strokes of 1 to 8, in a cell of 16x16 units."""
_NUMBER_WIDTH = 2.1

_SEGMENTS = {
    "0": "abcdef",
    "1": "bc",
    "2": "abged",
    "3": "abgcd",
    "4": "fgbc",
    "5": "afgcd",
    "6": "afgedc",
    "7": "abc",
    "8": "abcdefg",
    "9": "abcdfg",
    "-": "g",
    " ": "",
}
"""The lit segments of each character: a is at the top, b to f follow clockwise, g is in the middle."""


class Mood(str, Enum):
    """The expression of the face."""

    HAPPY = "happy"
    SURPRISED = "surprised"
    """While a cell is pressed."""
    WON = "won"
    LOST = "lost"


def raised(pitch: int) -> Image:
    """A covered cell: a light edge at the top and left, a dark one opposite, an eighth of the cell wide."""
    base = blank(pitch, pitch, GREY)
    bevel(base, Rect(0, 0, pitch, pitch), max(2, round(2 * pitch / CELL)), LIGHT, SHADE)
    return base


def sunken(pitch: int, colour: Colour = GREY) -> Image:
    """An opened cell: a dark line at the top and left."""
    base, line = blank(pitch, pitch, colour), max(1, round(pitch / CELL))
    base[:line], base[:, :line] = SHADE, SHADE
    return base


def glyph(code: int, pitch: int) -> Image:
    """One cell of `pitch` x `pitch` pixels; `code` is one of `Cell`, or PRESSED_QUESTION.

    Raises UsageError for a code that no cell of a window shows.
    """
    if code in (Cell.COVERED, Cell.FLAG, Cell.QUESTION):
        base = raised(pitch)
    elif 0 <= code <= 8 or code in _SHOWN_AT_END:
        base = sunken(pitch, RED if code == Cell.EXPLODED else GREY)
    else:
        raise UsageError(f"no cell of a window shows code {code}: use those of Cell, 0 to 14")
    sketch = Sketch(base, CELL)
    if 1 <= code <= 8:
        for points in _NUMBERS[code - 1]:
            sketch.stroke(points, _NUMBER_WIDTH, NUMBER_COLOURS[code - 1])
    elif code == Cell.FLAG:
        _flag(sketch, 0.0, RED, BLACK)
    elif code == Cell.QUESTION:
        _question(sketch, 0.0)
    elif code == PRESSED_QUESTION:
        _question(sketch, 0.7)
    elif code in (Cell.MINE, Cell.EXPLODED):
        _mine(sketch)
    elif code == Cell.WRONG_FLAG:
        _flag(sketch, 0.5, FADED, INK)
        for points in _CROSS:
            sketch.stroke(points, 1.6, RED)
    return sketch.picture()


_CROSS: tuple[Points, ...] = (((3.4, 3.4), (13.6, 13.6)), ((3.4, 13.6), (13.6, 3.4)))
_SHOWN_AT_END = (Cell.MINE, Cell.EXPLODED, Cell.WRONG_FLAG, PRESSED_QUESTION)


def digit(character: str, width: int, height: int) -> Image:
    """One seven-segment digit: 0 to 9, `-` or a blank. Raises UsageError for another character."""
    if character not in _SEGMENTS:
        raise UsageError(f"no seven segments show {character!r}: use 0 to 9, '-' or a blank")
    sketch = Sketch(blank(width, height, LED_GROUND), DIGIT_WIDTH)
    left, right, top, bottom, thick = 1.5, 11.5, 1.5, height * DIGIT_WIDTH / width - 1.5, 2.5
    middle = (top + bottom) / 2
    gap, half = 0.35, thick / 2
    across = (left + gap, right - gap)
    # Each segment is cut at 45 degrees where it meets its neighbours.
    shapes: dict[str, Points] = {
        "a": [
            (across[0], top),
            (across[1], top),
            (across[1] - thick, top + thick),
            (across[0] + thick, top + thick),
        ],
        "d": [
            (across[0], bottom),
            (across[1], bottom),
            (across[1] - thick, bottom - thick),
            (across[0] + thick, bottom - thick),
        ],
        "g": [
            (left + half + gap, middle),
            (left + thick, middle - half + gap / 2),
            (right - thick, middle - half + gap / 2),
            (right - half - gap, middle),
            (right - thick, middle + half - gap / 2),
            (left + thick, middle + half - gap / 2),
        ],
    }
    for name, x, inward, end in (
        ("f", left, 1, top),
        ("b", right, -1, top),
        ("e", left, 1, bottom),
        ("c", right, -1, bottom),
    ):
        down = 1 if end == top else -1
        shapes[name] = [
            (x, end + down * gap),
            (x + inward * thick, end + down * (thick + gap)),
            (x + inward * thick, middle - down * (half + gap / 2)),
            (x + inward * half, middle - down * gap),
            (x, middle - down * (half + gap / 2)),
        ]
    for name, points in shapes.items():
        sketch.polygon(points, LED_LIT if name in _SEGMENTS[character] else LED_DIM)
    return sketch.picture()


def face(mood: Mood, size: int, *, pressed: bool = False) -> Image:
    """The button with the face, `size` x `size` pixels; a pressed one is sunken."""
    line = max(1, round(size / FACE_SIZE))
    base = blank(size, size, GREY)
    whole = Rect(0, 0, size, size)
    bevel(base, whole, line, SHADE, SHADE)
    inner = Rect(line, line, size - 2 * line, size - 2 * line)
    if pressed:
        bevel(base, inner, line, SHADE, GREY)
    else:
        bevel(base, inner, 2 * line, LIGHT, SHADE)
    sketch = Sketch(base, FACE_SIZE)
    x = y = 13.8 if pressed else 13.0
    sketch.disc(x, y, 8.8, BLACK)
    sketch.disc(x, y, 7.8, YELLOW)
    if mood is Mood.WON:
        sketch.stroke(
            ((x - 7.0, y - 2.2), (x - 4.6, y - 3.2), (x + 4.6, y - 3.2), (x + 7.0, y - 2.2)), 1.0, BLACK
        )
        for side in (-3.2, 3.2):
            lens = [(x + side - 2.5, y - 3.4), (x + side + 2.5, y - 3.4)]
            sketch.polygon([*lens, *arc(x + side, y - 2.4, 2.5, 2.6, 0, 180)], BLACK)
    elif mood is Mood.LOST:
        for side in (-3.0, 3.0):
            for slope in (-1, 1):
                cross = ((x + side - 1.5, y - 2.6 - 1.5 * slope), (x + side + 1.5, y - 2.6 + 1.5 * slope))
                sketch.stroke(cross, 1.1, BLACK)
    else:
        for side in (-2.9, 2.9):
            sketch.disc(x + side, y - 2.4, 1.5 if mood is Mood.SURPRISED else 1.3, BLACK)
    if mood is Mood.SURPRISED:
        sketch.disc(x, y + 3.6, 2.3, BLACK)
        sketch.disc(x, y + 3.6, 1.2, YELLOW)
    elif mood is Mood.LOST:
        sketch.stroke(arc(x, y + 6.4, 4.2, 3.4, 205, 335), 1.1, BLACK)
    else:
        sketch.stroke(arc(x, y + 0.6, 4.6, 4.2, 22, 158), 1.1, BLACK)
    return sketch.picture()


def frame(layout: Layout) -> Image:
    """The whole client area without its parts: edges, header, sunken frames."""
    image = blank(layout.width, layout.height, GREY)
    line = layout.pixels(1)
    bevel(image, Rect(0, 0, layout.width, layout.height), layout.pixels(2), LIGHT, SHADE)
    bevel(image, layout.header, layout.pixels(HEADER_FRAME), SHADE, LIGHT)
    bevel(image, layout.board_frame, layout.pixels(FRAME), SHADE, LIGHT)
    for panel in (layout.counter, layout.timer):
        around = Rect(panel.x - line, panel.y - line, panel.width + 2 * line, panel.height + 2 * line)
        bevel(image, around, line, SHADE, LIGHT)
    return image


def status(text: str, width: int, height: int) -> Image:
    """A line of small letters, aligned at the left; a text that is too long is drawn smaller."""
    finer = 8
    fine = blank(width * finer, height * finer, GREY)
    font, thickness = cv2.FONT_HERSHEY_SIMPLEX, max(1, round(height * finer * 0.085))
    # A letter of this font is 22 pixels high at size 1; its width is not quite proportional to the size.
    size = height * finer * 0.64 / 22
    while size > 0.05 and cv2.getTextSize(text, font, size, thickness)[0][0] > (width - 3) * finer:
        size *= 0.95
    base = (finer, round(height * finer * 0.76))
    cv2.putText(fine, text, base, font, size, INK, thickness, cv2.LINE_8)
    return cv2.resize(fine, (width, height), interpolation=cv2.INTER_AREA).astype(fine.dtype)


def _flag(sketch: Sketch, shift: float, cloth: Colour, pole: Colour) -> None:
    """A flag on a pole that stands on two steps."""
    shapes: tuple[tuple[Points, Colour], ...] = (
        (((8.5, 2.5), (8.5, 9.0), (3.0, 5.8)), cloth),
        (((8, 2.5), (9, 2.5), (9, 11), (8, 11)), pole),
        (((6, 10.4), (10.4, 10.4), (10.4, 12), (6, 12)), pole),
        (((4, 11.6), (12.2, 11.6), (12.2, 13), (4, 13)), pole),
    )
    for points, colour in shapes:
        sketch.polygon([(x + shift, y + shift) for x, y in points], colour)


def _question(sketch: Sketch, shift: float) -> None:
    hook = arc(8, 5.9, 2.4, 2.3, 185, 395)
    points = [(x + shift, y + shift) for x, y in (*hook, (8.1, 8.4), (8.1, 9.3))]
    sketch.stroke(points, 1.7, BLACK)
    sketch.disc(8.1 + shift, 12.1 + shift, 1.15, BLACK)


def _mine(sketch: Sketch) -> None:
    """A black ball with eight spikes and a gleam."""
    x = y = 8.5
    for dx, dy in ((0.0, 5.6), (5.6, 0.0), (3.9, 3.9), (3.9, -3.9)):
        sketch.stroke(((x - dx, y - dy), (x + dx, y + dy)), 1.1, BLACK)
    sketch.disc(x, y, 4.3, BLACK)
    sketch.disc(x - 1.5, y - 1.5, 1.15, LIGHT)
