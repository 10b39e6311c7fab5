"""Everyday pictures with squares, lines, digits or repetition: sheets, games on paper, walls, text, icons."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from bot.vision.grid import Image
from training.reader.positions import Rng


def _text(
    image: Image, text: str, at: tuple[int, int], size: float, colour: tuple[int, int, int] = (20, 20, 20)
) -> None:
    cv2.putText(image, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, colour, 1, cv2.LINE_AA)


def _lines(
    image: Image, at: tuple[int, int], cells: tuple[int, int], size: tuple[int, int], colour: int
) -> None:
    (x, y), (columns, rows), (width, height) = at, cells, size
    for column in range(columns + 1):
        image[y : y + rows * height + 1, x + column * width] = colour
    for row in range(rows + 1):
        image[y + row * height, x : x + columns * width + 1] = colour


def spreadsheet(rng: Rng) -> Image:
    """A sheet of numbers in wide cells."""
    image = np.full((700, 1100, 3), 255, np.uint8)
    _lines(image, (40, 60), (13, 30), (80, 20), 210)
    for row in range(30):
        _text(image, str(row + 1), (8, 75 + 20 * row), 0.4)
        for column in range(0, 13, 2):
            if rng.random() < 0.6:
                _text(image, str(rng.integers(1, 9999)), (45 + 80 * column, 75 + 20 * row), 0.4)
    return image


def squared_paper(rng: Rng) -> Image:
    """Squares on white paper."""
    image = np.full((600, 800, 3), 252, np.uint8)
    _lines(image, (20, 20), (30, 20), (24, 24), int(rng.integers(190, 225)))
    return image


def _chess(light: tuple[int, int, int], dark: tuple[int, int, int]) -> Image:
    image = np.full((560, 560, 3), 60, np.uint8)
    for row in range(8):
        for column in range(8):
            colour = light if (row + column) % 2 == 0 else dark
            image[40 + 60 * row : 100 + 60 * row, 40 + 60 * column : 100 + 60 * column] = colour[::-1]
    return image


def chess_empty(rng: Rng) -> Image:
    """A chess board without pieces."""
    return _chess((240, 217, 181), (181, 136, 99))


def chess_game(rng: Rng) -> Image:
    """A chess board at the start of a game."""
    image = _chess((238, 238, 210), (118, 150, 86))
    back = "RNBQKBNR"
    for row in (0, 1, 6, 7):
        for column in range(8):
            x, y = 40 + 60 * column, 40 + 60 * row
            ink = (250, 250, 250) if row > 4 else (20, 20, 20)
            if row in (1, 6):
                cv2.circle(image, (x + 30, y + 22), 9, ink, -1, cv2.LINE_AA)
                points = np.array([(x + 16, y + 48), (x + 44, y + 48), (x + 34, y + 24), (x + 26, y + 24)])
                cv2.fillPoly(image, [points.astype(np.int32)], ink, cv2.LINE_AA)
            else:
                cv2.putText(image, back[column], (x + 16, y + 46), 0, 1.3, ink, 4, cv2.LINE_AA)
    return image


def keyboard(rng: Rng) -> Image:
    """Keys in staggered rows."""
    image = np.full((420, 900, 3), 40, np.uint8)
    for row, keys in enumerate(("1234567890-=", "QWERTYUIOP[]", "ASDFGHJKL;'", "ZXCVBNM,./")):
        for index, key in enumerate(keys):
            x, y = 40 + 62 * index + 22 * row, 40 + 62 * row
            cv2.rectangle(image, (x, y), (x + 54, y + 54), (225, 225, 225), -1)
            cv2.putText(image, key, (x + 16, y + 36), 0, 0.9, (30, 30, 30), 2, cv2.LINE_AA)
    return image


def number_pad(rng: Rng) -> Image:
    """Keys with digits."""
    image = np.full((420, 420, 3), 235, np.uint8)
    for index in range(25):
        x, y = 30 + 70 * (index % 5), 30 + 70 * (index // 5)
        cv2.rectangle(image, (x, y), (x + 62, y + 62), (200, 200, 200), -1)
        cv2.putText(image, str(index % 10), (x + 20, y + 42), 0, 1.0, (30, 30, 30), 2, cv2.LINE_AA)
    return image


def crossword(rng: Rng) -> Image:
    """A crossword that is not solved."""
    image = np.full((560, 560, 3), 255, np.uint8)
    for row in range(15):
        for column in range(15):
            x, y = 40 + 32 * column, 40 + 32 * row
            if rng.random() < 0.3:
                image[y : y + 32, x : x + 32] = 0
            elif rng.random() < 0.25:
                _text(image, str(rng.integers(1, 60)), (x + 2, y + 10), 0.3)
    _lines(image, (40, 40), (15, 15), (32, 32), 0)
    return image


def crossword_solved(rng: Rng) -> Image:
    """The same with its letters."""
    image = crossword(rng)
    for row in range(15):
        for column in range(15):
            x, y = 40 + 32 * column, 40 + 32 * row
            if image[y + 16, x + 16].min() > 200:
                _text(image, chr(65 + int(rng.integers(26))), (x + 9, y + 24), 0.65)
    return image


def sudoku(rng: Rng) -> Image:
    """A sudoku in which some digits are given."""
    image = np.full((480, 480, 3), 255, np.uint8)
    _lines(image, (15, 15), (9, 9), (50, 50), 120)
    for row in range(9):
        for column in range(9):
            if rng.random() < 0.4:
                digit = str((row * 3 + row // 3 + column) % 9 + 1)
                cv2.putText(
                    image, digit, (30 + 50 * column, 50 + 50 * row), 0, 1.0, (20, 20, 20), 2, cv2.LINE_AA
                )
    return image


def calendar(rng: Rng) -> Image:
    """The days of a month in wide cells."""
    image = np.full((520, 620, 3), 255, np.uint8)
    _lines(image, (20, 80), (7, 6), (80, 70), 190)
    for day in range(31):
        column, row = (day + 3) % 7, (day + 3) // 7
        _text(image, str(day + 1), (50 + 80 * column, 122 + 70 * row), 0.7)
    _text(image, "Mo   Tu   We   Th   Fr   Sa   Su", (40, 60), 0.8)
    return image


def calendar_small(rng: Rng) -> Image:
    """The days of a month without lines."""
    image = np.full((300, 300, 3), 250, np.uint8)
    for day in range(31):
        column, row = (day + 2) % 7, (day + 2) // 7
        _text(image, str(day + 1), (30 + 34 * column, 90 + 34 * row), 0.5)
    return image


def photograph(rng: Rng) -> Image:
    """Spots of all sizes, as a photograph has."""
    image = np.zeros((600, 800, 3), np.float32)
    for size in (3, 6, 12, 25, 50, 100):
        coarse = rng.normal(0, size, (600 // size + 2, 800 // size + 2, 3)).astype(np.float32)
        image += cv2.resize(coarse, (800, 600), interpolation=cv2.INTER_CUBIC)
    return np.clip(image + 128, 0, 255).astype(np.uint8)


def bricks(rng: Rng) -> Image:
    """A wall of bricks."""
    image = np.full((600, 800, 3), (90, 100, 110), np.uint8)
    for row in range(20):
        for column in range(-1, 14):
            x, y = 60 * column + 30 * (row % 2), 30 * row
            shade = int(rng.integers(-20, 20))
            cv2.rectangle(image, (x + 2, y + 2), (x + 57, y + 27), (60 + shade, 70 + shade, 150 + shade), -1)
    return image


def page_of_text(rng: Rng) -> Image:
    """Lines of text."""
    image = np.full((900, 800, 3), 253, np.uint8)
    for line in range(42):
        text = "".join(rng.choice(list("abcdefgh ijklmn oprstuvw"), 60))
        _text(image, text, (30, 40 + 20 * line), 0.5)
    return image


def code_in_columns(rng: Rng) -> Image:
    """Letters of one width, as in a terminal: they repeat both ways."""
    image = np.full((700, 900, 3), 20, np.uint8)
    for row in range(38):
        for column in range(50):
            if rng.random() < 0.8:
                letter = str(rng.integers(0, 9)) if rng.random() < 0.5 else chr(97 + int(rng.integers(26)))
                _text(image, letter, (10 + 17 * column, 25 + 17 * row), 0.5, (200, 220, 200))
    return image


def icons(rng: Rng) -> Image:
    """Icons on a desktop."""
    image = np.full((600, 800, 3), (120, 80, 30), np.uint8)
    for row in range(6):
        for column in range(8):
            x, y = 30 + 95 * column, 20 + 95 * row
            cv2.rectangle(image, (x, y), (x + 48, y + 48), rng.integers(0, 255, 3).tolist(), -1)
            _text(image, "file", (x + 4, y + 66), 0.45, (255, 255, 255))
    return image


def colour_picker(rng: Rng) -> Image:
    """Squares of random colours."""
    image = np.full((400, 520, 3), 240, np.uint8)
    for row in range(10):
        for column in range(14):
            colour = rng.integers(0, 255, 3)
            image[20 + 34 * row : 50 + 34 * row, 20 + 34 * column : 50 + 34 * column] = colour
    return image


def empty(rng: Rng) -> Image:
    """Nothing at all."""
    return np.full((768, 1024, 3), 200, np.uint8)


EVERYDAY: tuple[Callable[[Rng], Image], ...] = (
    spreadsheet, squared_paper, chess_empty, chess_game, keyboard, number_pad,
    crossword, crossword_solved, sudoku, calendar, calendar_small, photograph,
    bricks, page_of_text, code_in_columns, icons, colour_picker, empty,
)  # fmt: skip
