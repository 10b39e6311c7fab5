"""A board drawn as a heat map of the chances of a mine, with the best cell marked."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Mapping
from typing import Any

import cv2
import numpy as np

from bot.board import SYMBOLS, Board, Coordinate
from bot.board_svg import chance_colour, percent

Image = np.ndarray[Any, np.dtype[np.uint8]]
"""Shape (height, width, 3), blue, green, red."""

Colour = tuple[int, int, int]

CELL = 48
"""Pixels of a cell, where the board is not too large for it."""

SMALLEST_CELL = 26
"""Pixels at which a percentage can still be read."""

LARGEST = 3000
"""Pixels that the board should not pass, as long as its cells can be read."""

_PAPER: Colour = (250, 250, 250)
_OPENED: Colour = (226, 226, 226)
_UNKNOWN: Colour = (190, 160, 190)
_LINE: Colour = (150, 150, 150)
_INK: Colour = (30, 30, 30)
_BEST: Colour = (200, 60, 20)
_FONT = cv2.FONT_HERSHEY_SIMPLEX
_MARGIN = 30


def draw_heatmap(
    board: Board,
    chances: Mapping[Coordinate, float],
    best: Coordinate | None = None,
    dead: Collection[Coordinate] = (),
    caption: tuple[str, ...] = (),
) -> Image:
    """Draw a board.

    `chances` are those of a mine in each covered cell: they give its colour and stand in it in percent,
    `ok` for exactly 0 and a black disc for exactly 1. The best cell has a thick blue frame, dead cells
    a diagonal. Coordinates stand along the edges, a scale of the colours and the caption (ASCII) below.
    """
    cell = max(SMALLEST_CELL, min(CELL, LARGEST // max(board.rows, board.columns)))
    height, width = board.rows * cell, board.columns * cell
    canvas: Image = np.full((height + 2 * _MARGIN, max(width + 2 * _MARGIN, 340), 3), _PAPER, np.uint8)
    for row in range(board.rows):
        for column in range(board.columns):
            where = row, column
            left, top = _MARGIN + column * cell, _MARGIN + row * cell
            tile = canvas[top : top + cell, left : left + cell]
            _draw_cell(tile, board[where], chances.get(where), where in dead)
            cv2.rectangle(canvas, (left, top), (left + cell, top + cell), _LINE, 1)
    _draw_coordinates(canvas, board, cell)
    if best is not None:
        left, top = _MARGIN + best[1] * cell, _MARGIN + best[0] * cell
        cv2.rectangle(canvas, (left, top), (left + cell, top + cell), _BEST, max(3, cell // 11), cv2.LINE_AA)
    return np.concatenate([canvas, _legend(canvas.shape[1]), _lines(caption, canvas.shape[1])])


def colour_of(chance: float) -> Colour:
    """The colour of a chance of a mine, 0 to 1: blue, green, red."""
    red, green, blue = chance_colour(chance)
    return blue, green, red


def _draw_cell(tile: Image, code: int, chance: float | None, dead: bool) -> None:
    size = tile.shape[0]
    if chance is None:
        tile[:] = _OPENED
        symbol = SYMBOLS[code]
        if symbol != ".":
            _write(tile, symbol, size / 52, 2)
        return
    tile[:] = _UNKNOWN if SYMBOLS[code] == "!" else colour_of(chance)
    if dead:
        cv2.line(tile, (0, size - 1), (size - 1, 0), _PAPER, max(1, size // 16), cv2.LINE_AA)
    if chance == 1.0:
        cv2.circle(tile, (size // 2, size // 2), size // 4, _INK, cv2.FILLED, cv2.LINE_AA)
    else:
        _write(tile, percent(chance), size / 80, 1)


def _write(tile: Image, text: str, size: float, thickness: int) -> None:
    """Text in the middle of a tile."""
    (width, height), _ = cv2.getTextSize(text, _FONT, size, thickness)
    at = (tile.shape[1] - width) // 2, (tile.shape[0] + height) // 2
    cv2.putText(tile, text, at, _FONT, size, _INK, thickness, cv2.LINE_AA)


def _draw_coordinates(canvas: Image, board: Board, cell: int) -> None:
    for row in range(board.rows):
        top = _MARGIN + row * cell
        _write(canvas[top : top + cell, :_MARGIN], str(row), 0.4, 1)
    for column in range(board.columns):
        left = _MARGIN + column * cell
        _write(canvas[:_MARGIN, left : left + cell], str(column), 0.4, 1)


def _legend(width: int) -> Image:
    """The colours from 0 to 100 %, and the marks."""
    strip: Image = np.full((26, width, 3), _PAPER, np.uint8)
    length = 120
    for x in range(length):
        strip[4:18, _MARGIN + x] = colour_of(x / (length - 1))
    texts = ((_MARGIN + length + 6, "0 - 100 % a mine"), (_MARGIN + length + 130, "/ dead"))
    for x, text in texts:
        cv2.putText(strip, text, (x, 16), _FONT, 0.4, _INK, 1, cv2.LINE_AA)
    return strip


def _lines(caption: tuple[str, ...], width: int) -> Image:
    """The caption, wrapped to the width; OpenCV draws ASCII only."""
    letters = max(20, (width - 2 * _MARGIN) // 8)
    plain = [text.encode("ascii", "replace").decode() for text in caption]
    lines = [line for text in plain for line in textwrap.wrap(text, letters)]
    strip: Image = np.full((20 * len(lines) + 10, width, 3), _PAPER, np.uint8)
    for number, line in enumerate(lines):
        cv2.putText(strip, line, (_MARGIN, 14 + 20 * number), _FONT, 0.45, _INK, 1, cv2.LINE_AA)
    return strip
