"""Grids that are no Minesweeper boards, for the reader to learn what is no cell.

Some are drawn: tables, sheets of letters and numbers, squares of a game with pieces, tiles. The others lie
beside the boards of labelled pictures: on windows, text, wallpaper and toolbars.
"""

from __future__ import annotations

import string

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Rect
from bot.vision.grid import Grid, Image
from training.reader.positions import Rng
from training.reader.samples import LabelledPicture

Colour = npt.NDArray[np.int64]

CONTENTS = ("letters", "words", "numbers", "digits", "shapes", "plain", "pieces", "noise", "icons")
"""What the cells of a drawn grid show."""

FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_PLAIN,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
)

SIDES = (5, 14)
"""Range of the number of columns and of rows."""

CLEAR_OF_BOARD = 1.5
"""How many cells a grid beside a board keeps away from it."""


def beside_board(rng: Rng, sample: LabelledPicture) -> Grid | None:
    """A random grid in a labelled picture that does not touch a board; None where there is no place."""
    height, width = sample.image.shape[:2]
    boards = [
        (one.grid.rect, round(CLEAR_OF_BOARD * max(one.grid.cell_width, one.grid.cell_height)))
        for one in sample.boards
    ]
    for _ in range(20):
        pitch = float(np.exp(rng.uniform(np.log(10), np.log(60))))
        columns, rows = (int(side) for side in rng.integers(SIDES[0], SIDES[1], 2))
        if columns * pitch > width or rows * pitch > height:
            continue
        x, y = rng.uniform(0, width - columns * pitch + 1), rng.uniform(0, height - rows * pitch + 1)
        grid = Grid(x, y, pitch, pitch * float(rng.choice([1, 1, 1, 0.7, 1.4])), columns, rows)
        grown = [
            Rect(rect.x - by, rect.y - by, rect.width + 2 * by, rect.height + 2 * by) for rect, by in boards
        ]
        if not any(grid.rect.intersects(rect) for rect in grown):
            return grid
    return None


def drawn_grid(rng: Rng) -> tuple[Image, Grid]:
    """A picture of a grid that is no board, and that grid; now and then one that is a little off."""
    content = str(rng.choice(CONTENTS))
    columns, rows = (int(side) for side in rng.integers(SIDES[0], SIDES[1] + 6, 2))
    width = height = int(rng.integers(14, 60))
    if content in ("words", "numbers", "letters") and rng.random() < 0.6:
        width = round(height * rng.uniform(1, 3))
    x, y = (int(place) for place in rng.integers(10, 80, 2))
    base = rng.integers(0, 256, 3) if rng.random() < 0.6 else np.full(3, rng.integers(200, 256))
    image = np.empty((y + rows * height + 60, x + columns * width + 60, 3), np.uint8)
    image[:] = base if rng.random() < 0.5 else rng.integers(0, 256, 3)
    # Cells that are all alike are an untouched board.
    kinds = ("stripes", "each") if content == "plain" else ("plain", "plain", "two tones", "stripes", "each")
    kind = str(rng.choice(kinds))
    _draw_grounds(rng, image, (x, y), (columns, rows), (width, height), base, kind)
    ink = rng.integers(0, 256, 3) if rng.random() < 0.5 else np.full(3, 0 if base.mean() > 110 else 240)
    font, thickness, full = int(rng.choice(FONTS)), int(rng.integers(1, 3)), rng.uniform(0.4, 1)
    for row in range(rows):
        for column in range(columns):
            left, top = x + column * width, y + row * height
            cell = image[top : top + height, left : left + width]
            if rng.random() < full:
                own = rng.integers(0, 256, 3) if content in ("shapes", "icons") else ink
                _draw_content(rng, cell, content, own, font, thickness)
    off = rng.uniform(-0.5, 0.5, 2) if rng.random() < 0.3 else (0.0, 0.0)
    return image, Grid(x + off[0] * width, y + off[1] * height, width, height, columns, rows)


def _draw_grounds(
    rng: Rng,
    image: Image,
    at: tuple[int, int],
    cells: tuple[int, int],
    size: tuple[int, int],
    base: Colour,
    kind: str,
) -> None:
    """Fill the cells: plain, in two tones, striped, each otherwise; with lines or with gaps or without."""
    (x, y), (columns, rows), (width, height) = at, cells, size
    other = np.clip(base + rng.integers(-90, 91, 3), 0, 255)
    line, gap = int(rng.integers(0, 3)), int(rng.integers(0, 5)) if rng.random() < 0.4 else 0
    line_colour = np.clip(base.astype(int) + int(rng.choice([-80, -40, 40, 80])), 0, 255)
    for row in range(rows):
        for column in range(columns):
            cell = image[
                y + row * height : y + (row + 1) * height, x + column * width : x + (column + 1) * width
            ]
            second = {"two tones": (row + column) % 2, "stripes": row % 2}.get(kind, 0)
            colour = rng.integers(0, 256, 3) if kind == "each" else other if second else base
            cell[gap : height - gap, gap : width - gap] = colour
            if line:
                cell[:line] = cell[:, :line] = line_colour


def _draw_content(
    rng: Rng,
    cell: Image,
    content: str,
    ink: Colour,
    font: int,
    thickness: int,
) -> None:
    """Draw something into one cell, (height, width, 3), in place."""
    height, width = cell.shape[:2]
    colour = [int(one) for one in ink]
    if content == "noise":
        cell[:] = rng.integers(0, 256, cell.shape)
    elif content in ("shapes", "icons"):
        points = np.round(rng.uniform(0.1, 0.9, (int(rng.integers(3, 8)), 2)) * (width, height)).astype(
            np.int32
        )
        cv2.fillPoly(cell, [cv2.convexHull(points) if content == "icons" else points], colour, cv2.LINE_AA)
    elif content == "pieces":
        shade = [int(one) for one in (255 - ink if rng.random() < 0.5 else ink)]
        radius = round(min(width, height) * 0.36)
        cv2.circle(cell, (width // 2, height // 2), radius, shade, -1, cv2.LINE_AA)
    elif content != "plain":
        letters = string.ascii_letters
        text = {
            "letters": lambda: str(rng.choice(list(letters))),
            "words": lambda: "".join(rng.choice(list(letters), int(rng.integers(2, 8)))),
            "numbers": lambda: str(rng.integers(0, 10 ** int(rng.integers(2, 5)))),
            "digits": lambda: str(rng.integers(0, 10)),
        }[content]()
        size = height / 40 * float(rng.uniform(0.7, 1.1))
        (text_width, text_height), _ = cv2.getTextSize(text, font, size, thickness)
        if text_width > 0.95 * width and content != "digits":
            size *= 0.95 * width / text_width
            (text_width, text_height), _ = cv2.getTextSize(text, font, size, thickness)
        place = (width - text_width) // 2, (height + text_height) // 2
        cv2.putText(cell, text, place, font, size, colour, thickness, cv2.LINE_AA)
