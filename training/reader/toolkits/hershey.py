"""Boards drawn with OpenCV: its shapes and its own fonts, none of the machine.

OpenCV 4 draws the stroke fonts of Hershey; OpenCV 5 draws a font of its own for the same names.
"""

from __future__ import annotations

import math

import cv2
import numpy as np

from bot.board import Board, Cell
from bot.vision.grid import Grid
from training.reader.paint.boards import Picture
from training.reader.paint.colours import Colour, Rng, any_colour, contrasting, mixed, shifted
from training.reader.paint.readable import is_readable
from training.reader.samples import LabelledBoard, LabelledPicture
from training.reader.toolkits.schemes import Scheme, random_scheme

FONTS = {
    "simplex": cv2.FONT_HERSHEY_SIMPLEX,
    "plain": cv2.FONT_HERSHEY_PLAIN,
    "duplex": cv2.FONT_HERSHEY_DUPLEX,
    "complex": cv2.FONT_HERSHEY_COMPLEX,
    "triplex": cv2.FONT_HERSHEY_TRIPLEX,
    "complex small": cv2.FONT_HERSHEY_COMPLEX_SMALL,
    "script": cv2.FONT_HERSHEY_SCRIPT_SIMPLEX,
}
FONT_KIND = "hershey" if int(cv2.__version__.split(".")[0]) < 5 else "opencv"
CELLS = ("lines", "bevel", "frame", "disc", "hatched", "plain", "corner")
FLAGS = ("triangle", "square", "letter", "diamond", "arrow")
MINES = ("disc", "asterisk", "circle", "square", "letter")


def draw(rng: Rng, name: str, board: Board) -> LabelledPicture | None:
    """A picture of a board; None if its cells cannot be told apart."""
    cell = int(rng.integers(14, 56))
    width = cell if rng.random() < 0.85 else max(round(cell * rng.uniform(0.8, 1.3)), 14)
    look = _Look(rng, width, cell)
    left, top, right, bottom = (int(side) for side in rng.integers(0, 120, 4))
    if rng.random() < 0.15:
        left = top = right = bottom = 0
    size = (top + cell * board.rows + bottom + 1, left + width * board.columns + right + 1)
    picture = np.full((*size, 3), look.scheme.ground, np.uint8)
    _draw_surroundings(rng, picture, top, top + cell * board.rows, look.scheme.ground)
    for row, column in np.ndindex(board.rows, board.columns):
        look.draw_cell(picture, left + column * width, top + row * cell, int(board.codes[row, column]))
    grid = Grid(left + 0.5, top + 0.5, width, cell, board.columns, board.rows)
    if not is_readable(picture, grid, board):
        return None
    image = np.ascontiguousarray(picture[:, :, ::-1])
    return LabelledPicture(name, image, (LabelledBoard(grid, board, look.names),), "opencv")


class _Look:
    """Draws cells of one random look."""

    def __init__(self, rng: Rng, width: int, height: int) -> None:
        self._cells = str(rng.choice(CELLS))
        self._opened_lines = bool(rng.random() < 0.6)
        self.scheme: Scheme = random_scheme(rng, distinct=self._cells in ("lines", "plain"))
        self._flag, self._mine = str(rng.choice(FLAGS)), str(rng.choice(MINES))
        self._size = width, height
        font = str(rng.choice(list(FONTS)))
        self._font = FONTS[font] | (cv2.FONT_ITALIC if rng.random() < 0.15 else 0)
        thick = int(rng.choice([1, 1, 2, 3])) if min(width, height) >= 22 else 1
        thinnest = 16 if font in ("simplex", "plain") else 26
        self._thick = min(thick, max(min(width, height) // thinnest, 1))
        self._type = cv2.LINE_AA if rng.random() < 0.7 else cv2.LINE_8
        self._part = rng.uniform(0.45, 0.75)
        self._border = int(rng.integers(1, max(min(width, height) // 8, 1) + 1))
        self._radius = rng.uniform(0.24, 0.36)
        self._cross = int(rng.choice([cv2.MARKER_TILTED_CROSS, cv2.MARKER_CROSS]))
        self.names = {
            "font": f"{FONT_KIND} {font}",
            "inks": self.scheme.inks_name,
            "cells": self._cells,
            "flag": self._flag,
            "mine": self._mine,
            "size": f"{width}x{height}",
        }

    def draw_cell(self, picture: Picture, x: int, y: int, code: int) -> None:
        """Draw one cell with its left upper corner at (x, y)."""
        scheme, (width, height) = self.scheme, self._size
        ground = scheme.ground_of(code)
        self._draw_ground(picture, x, y, ground, raised=scheme.is_raised(code))
        ink = scheme.ink_of(code)
        middle = (x + (width + 1) // 2, y + (height + 1) // 2)
        if 1 <= code <= 8:
            self._write(picture, middle, str(code), ink)
        elif code == Cell.QUESTION:
            self._write(picture, middle, "?", ink)
        elif code in (Cell.FLAG, Cell.WRONG_FLAG):
            self._draw_flag(picture, middle, ink)
        elif code in (Cell.MINE, Cell.EXPLODED):
            self._draw_mine(picture, middle, ink)
        if code == Cell.WRONG_FLAG:
            cross = contrasting(scheme.mine_ink, ink, 60)
            span = round(min(width, height) * 0.7)
            cv2.drawMarker(picture, middle, cross, self._cross, span, max(self._thick, 2), self._type)

    def _draw_ground(self, picture: Picture, x: int, y: int, ground: Colour, *, raised: bool) -> None:
        width, height = self._size
        line, end, border = self.scheme.line, (x + width, y + height), self._border
        fill = ground
        if raised and self._cells in ("frame", "disc"):
            fill = self.scheme.opened
        cv2.rectangle(picture, (x, y), end, fill, -1)
        if raised and self._cells == "bevel":
            light, dark = shifted(ground, 55), shifted(ground, -65)
            for step in range(border):
                a, b = (x + 1 + step, y + 1 + step), (x + width - 1 - step, y + height - 1 - step)
                cv2.line(picture, (a[0], b[1]), b, dark, 1)
                cv2.line(picture, (b[0], a[1]), b, dark, 1)
                cv2.line(picture, a, (b[0], a[1]), light, 1)
                cv2.line(picture, a, (a[0], b[1]), light, 1)
        elif raised and self._cells == "frame":
            inner = border + 1
            cv2.rectangle(picture, (x + inner, y + inner), (end[0] - inner, end[1] - inner), ground, -1)
            cv2.rectangle(picture, (x + inner, y + inner), (end[0] - inner, end[1] - inner), line, border)
        elif raised and self._cells == "disc":
            axes = (width // 2 - 2, height // 2 - 2)
            cv2.ellipse(picture, (x + width // 2, y + height // 2), axes, 0, 0, 360, ground, -1, self._type)
            cv2.ellipse(picture, (x + width // 2, y + height // 2), axes, 0, 0, 360, line, 1, self._type)
        elif raised and self._cells == "hatched":
            tone = mixed(ground, line, 0.35)
            for start in range(-height, width, max(height // 5, 3)):
                first, last = max(start, 0), min(start + height, width)
                cv2.line(
                    picture, (x + first, y + first - start), (x + last, y + last - start), tone, 1, self._type
                )
        elif raised and self._cells == "corner":
            tone, reach = mixed(ground, line, 0.6), min(width, height) // 3
            corner = np.array(
                [(x + width, y + height), (x + width - reach, y + height), (x + width, y + height - reach)]
            )
            cv2.fillPoly(picture, [corner.astype(np.int32)], tone, self._type)
        if raised or self._opened_lines:
            cv2.rectangle(picture, (x, y), end, line, 1)

    def _write(self, picture: Picture, middle: tuple[int, int], text: str, ink: Colour) -> None:
        (_, high), _ = cv2.getTextSize("8", self._font, 1, self._thick)
        scale = max(self._part * self._size[1], 8) / high
        (wide, high), _ = cv2.getTextSize(text, self._font, scale, self._thick)
        if wide > self._size[0] - 4:
            scale *= (self._size[0] - 4) / wide
            (wide, high), _ = cv2.getTextSize(text, self._font, scale, self._thick)
        place = (middle[0] - wide // 2, middle[1] + high // 2)
        cv2.putText(picture, text, place, self._font, scale, ink, self._thick, self._type)

    def _draw_flag(self, picture: Picture, middle: tuple[int, int], ink: Colour) -> None:
        if self._flag == "letter":
            self._write(picture, middle, "F", ink)
            return
        size = min(self._size) * self._radius
        pole = contrasting(self.scheme.mine_ink, self.scheme.covered, 60)
        shapes: dict[str, list[tuple[float, float]]] = {
            "triangle": [(-0.5, -1), (0.8, -0.45), (-0.5, 0.1)],
            "square": [(-0.5, -1), (0.7, -1), (0.7, -0.1), (-0.5, -0.1)],
            "diamond": [(0, -1), (0.9, 0), (0, 1), (-0.9, 0)],
            "arrow": [(-0.8, -0.9), (0.9, 0), (-0.8, 0.9), (-0.3, 0)],
        }
        x, y = middle
        if self._flag in ("triangle", "square"):
            cv2.line(
                picture,
                (round(x - 0.5 * size), round(y - size)),
                (round(x - 0.5 * size), round(y + size)),
                pole,
                self._thick,
            )
        corners = (
            np.array([(x + a * size, y + b * size) for a, b in shapes[self._flag]]).round().astype(np.int32)
        )
        cv2.fillPoly(picture, [corners], ink, self._type)

    def _draw_mine(self, picture: Picture, middle: tuple[int, int], ink: Colour) -> None:
        size = round(min(self._size) * self._radius)
        if self._mine == "letter":
            self._write(picture, middle, "M", ink)
        elif self._mine == "asterisk":
            for angle in (0, math.pi / 4, math.pi / 2, 3 * math.pi / 4):
                x, y = round(math.cos(angle) * size), round(math.sin(angle) * size)
                first, last = (middle[0] - x, middle[1] - y), (middle[0] + x, middle[1] + y)
                cv2.line(picture, first, last, ink, self._thick, self._type)
        elif self._mine == "square":
            half = round(size * 0.8)
            cv2.rectangle(
                picture, (middle[0] - half, middle[1] - half), (middle[0] + half, middle[1] + half), ink, -1
            )
        else:
            cv2.circle(
                picture, middle, size, ink, -1 if self._mine == "disc" else max(self._thick, 2), self._type
            )


def _draw_surroundings(rng: Rng, picture: Picture, board_top: int, board_bottom: int, ground: Colour) -> None:
    """Write lines of text above and below the board; changes `picture`."""
    height, width = picture.shape[:2]
    for start, end in ((0, board_top), (board_bottom, height)):
        y = start + 20
        while y < end - 8:
            if rng.random() < 0.5:
                text = " ".join(
                    rng.choice(
                        ["Mines: 10", "Time 042", "minesweeper.py", "score", "r: restart", "q: quit"], 2
                    )
                )
                ink, font = (
                    contrasting(any_colour(rng), ground, 60),
                    list(FONTS.values())[rng.integers(len(FONTS))],
                )
                x = int(rng.integers(0, max(width // 2, 1)))
                cv2.putText(picture, text, (x, y), font, rng.uniform(0.4, 0.7), ink, 1, cv2.LINE_AA)
            y += int(rng.integers(20, 40))
