"""Strokes that pictures without a board are drawn with: boxes, lines and text, in random colours."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

import cv2
import numpy as np
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from bot.vision.grid import Image
from training.reader.positions import Rng

Bgr = tuple[int, int, int]
Cell = tuple[int, int, int, int]
"""A cell of a regular pattern: column, row, and the pixel of its left top corner."""

BLACK: Bgr = (20, 20, 20)
WHITE: Bgr = (255, 255, 255)
FACES = (0, 2, 3, 4)
"""The stroke fonts of OpenCV that are used."""


def grey(value: float) -> Bgr:
    """A grey of a value, 0 to 255."""
    return int(value), int(value), int(value)


def colour(rng: Rng, low: int = 0, high: int = 256) -> Bgr:
    """Any colour whose channels lie in a range."""
    blue, green, red = rng.integers(low, high, 3).tolist()
    return int(blue), int(green), int(red)


def pick(rng: Rng, *colours: Bgr) -> Bgr:
    """One of some colours."""
    return colours[int(rng.integers(len(colours)))]


def canvas(width: int, height: int, ground: Bgr = WHITE) -> Image:
    """A picture of one colour."""
    image = np.zeros((height, width, 3), np.uint8)
    image[:] = ground
    return image


def text(
    image: Image,
    words: str,
    at: tuple[int, int],
    size: float,
    ink: Bgr = BLACK,
    *,
    bold: int = 1,
    face: int = 0,
) -> None:
    """Text whose base line begins at a pixel; `size` is in units of about 22 pixels of height."""
    cv2.putText(image, words, at, face, size, ink, bold, cv2.LINE_AA)


def centred(
    image: Image, words: str, cell: Cell, side: float, ink: Bgr, *, face: int = 0, bold: int = 1
) -> None:
    """Text in the middle of a square cell of `side` pixels; `face` -1 is Pillow's font."""
    x, y = cell[2], cell[3]
    if face < 0:
        mask = _letters(words, max(8, round(side * 0.62)))
        top, left = round(y + (side - mask.shape[0]) / 2), round(x + (side - mask.shape[1]) / 2)
        part = image[max(0, top) : top + mask.shape[0], max(0, left) : left + mask.shape[1]]
        share = mask[: part.shape[0], : part.shape[1], None] / 255
        part[:] = (part * (1 - share) + share * np.array(ink)).astype(np.uint8)
        return
    size = side / 45
    (width, height), _ = cv2.getTextSize(words, face, size, bold)
    text(
        image,
        words,
        (round(x + (side - width) / 2), round(y + (side + height) / 2)),
        size,
        ink,
        bold=bold,
        face=face,
    )


@lru_cache(maxsize=2000)
def _letters(words: str, height: int) -> Image:
    """Words in Pillow's font as a mask, cropped."""
    font = ImageFont.load_default(size=height)
    left, top, right, bottom = (int(value) for value in font.getbbox(words))
    picture = Pillow.new("L", (max(1, right - left), max(1, bottom - top)))
    ImageDraw.Draw(picture).text((-left, -top), words, fill=255, font=font)
    return np.asarray(picture, np.uint8)


def box(image: Image, x: float, y: float, width: float, height: float, fill: Bgr) -> None:
    """A filled rectangle."""
    cv2.rectangle(image, (round(x), round(y)), (round(x + width) - 1, round(y + height) - 1), fill, -1)


def frame(image: Image, x: float, y: float, width: float, height: float, line: Bgr, thick: int = 1) -> None:
    """The outline of a rectangle."""
    cv2.rectangle(image, (round(x), round(y)), (round(x + width) - 1, round(y + height) - 1), line, thick)


def bevel(image: Image, x: int, y: int, side: int, width: int, high: Bgr, low: Bgr) -> None:
    """The lit and the shaded edges of a raised square."""
    image[y : y + width, x : x + side], image[y : y + side, x : x + width] = high, high
    image[y + side - width : y + side, x : x + side], image[y : y + side, x + side - width : x + side] = (
        low,
        low,
    )


def lines(
    image: Image, at: tuple[int, int], cells: tuple[int, int], size: tuple[int, int], ink: Bgr, thick: int = 1
) -> None:
    """The lines between cells (columns, rows) of a size, and around them."""
    (x, y), (columns, rows), (width, height) = at, cells, size
    for column in range(columns + 1):
        image[y : y + rows * height + thick, x + column * width : x + column * width + thick] = ink
    for row in range(rows + 1):
        image[y + row * height : y + row * height + thick, x : x + columns * width + thick] = ink


def cells(at: tuple[int, int], count: tuple[int, int], size: tuple[int, int]) -> Iterator[Cell]:
    """The cells of a regular pattern, row by row."""
    for row in range(count[1]):
        for column in range(count[0]):
            yield column, row, at[0] + column * size[0], at[1] + row * size[1]


def squares(
    rng: Rng,
    count: tuple[int, int],
    side: int,
    ground: Bgr,
    draw: Callable[[Image, Cell], None],
    margin: int = 30,
) -> Image:
    """A picture of square cells, each drawn by a function, with a margin around."""
    left, top = int(rng.integers(4, margin + 5)), int(rng.integers(4, margin + 5))
    image = canvas(left + count[0] * side + margin, top + count[1] * side + margin, ground)
    for cell in cells((left, top), count, (side, side)):
        draw(image, cell)
    return image


def randomly(rng: Rng, low: int, high: int) -> int:
    """A whole number from low to high, both included."""
    return int(rng.integers(low, high + 1))
