"""Documents with rows and columns: plans, tables, codes, and pages about Minesweeper."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from bot.vision.grid import Image
from training.reader.no_boards.drawing import (
    BLACK,
    WHITE,
    Cell,
    bevel,
    box,
    canvas,
    cells,
    centred,
    colour,
    frame,
    grey,
    lines,
    pick,
    randomly,
    squares,
    text,
)
from training.reader.positions import Rng


def ruled_paper(rng: Rng) -> Image:
    """Lines of an exercise book, some of them written on."""
    pitch = randomly(rng, 18, 34)
    image = canvas(640, 800, pick(rng, WHITE, (240, 250, 252)))
    image[40::pitch] = pick(rng, (230, 190, 160), grey(190))
    image[:, 80] = (150, 150, 240)
    for y in range(40 + pitch, 780, pitch):
        if rng.random() < 0.5:
            words = "".join(rng.choice(list("abcde fghil mno prst uvw"), randomly(rng, 10, 40)))
            text(image, words, (95, y - 4), pitch / 50, (120, 40, 30))
    return image


def millimetre_paper(rng: Rng) -> Image:
    """Fine squares, every fifth or tenth line stronger, with a curve."""
    pitch = randomly(rng, 6, 12)
    image = canvas(pitch * 60 + 1, pitch * 50 + 1, WHITE)
    shade = pick(rng, (200, 230, 200), (210, 215, 245), (235, 220, 200))
    lines(image, (0, 0), (60, 50), (pitch, pitch), shade)
    lines(image, (0, 0), (6, 5), (10 * pitch, 10 * pitch), (shade[0] - 60, shade[1] - 60, shade[2] - 60))
    x = np.arange(0, image.shape[1], 4)
    y = image.shape[0] / 2 + image.shape[0] / 4 * np.sin(x / rng.uniform(30, 90))
    cv2.polylines(image, [np.stack([x, y], axis=1).astype(np.int32)], False, (180, 60, 30), 2, cv2.LINE_AA)
    return image


def small_numbers(rng: Rng) -> Image:
    """A table of one-digit numbers with lines, as a matrix or a heat table."""
    side, tinted = randomly(rng, 22, 40), rng.random() < 0.5
    high = int(rng.choice([2, 10]))

    def draw(image: Image, cell: Cell) -> None:
        number = int(rng.integers(high))
        fill = (round(255 - 12 * number), round(255 - 4 * number), 255) if tinted else WHITE
        box(image, cell[2], cell[3], side, side, fill)
        frame(image, cell[2], cell[3], side + 1, side + 1, grey(170))
        centred(image, str(number), cell, side, BLACK)

    return squares(rng, (randomly(rng, 8, 16), randomly(rng, 8, 14)), side, WHITE, draw)


def multiplication_table(rng: Rng) -> Image:
    """Products from 1 to 100."""
    side = randomly(rng, 36, 56)

    def draw(image: Image, cell: Cell) -> None:
        column, row, x, y = cell
        edge = column == 0 or row == 0
        box(image, x, y, side, side, (220, 235, 250) if edge else WHITE)
        frame(image, x, y, side + 1, side + 1, grey(150))
        centred(image, str(max(1, column) * max(1, row)), cell, side, BLACK)

    return squares(rng, (11, 11), side, WHITE, draw)


def calendar_year(rng: Rng) -> Image:
    """Twelve small months."""
    side = randomly(rng, 18, 26)
    image = canvas(4 * 8 * side + 40, 3 * 9 * side + 40, pick(rng, WHITE, grey(245)))
    for month in range(12):
        left, top = 20 + month % 4 * 8 * side, 40 + month // 4 * 9 * side
        text(image, f"Month {month + 1}", (left, top - 6), 0.45, (160, 60, 30))
        start = int(rng.integers(7))
        for day in range(30):
            column, row = (day + start) % 7, (day + start) // 7
            centred(image, str(day + 1), (column, row, left + column * side, top + row * side), side, BLACK)
    return image


def timetable(rng: Rng) -> Image:
    """Lessons of a week, or departures, in wide coloured cells."""
    width, height = randomly(rng, 80, 120), randomly(rng, 24, 40)
    kinds = [colour(rng, 170, 255) for _ in range(5)]
    image = canvas(6 * width + 40, 10 * height + 40)
    for column, row, x, y in cells((20, 20), (6, 10), (width, height)):
        if column == 0:
            text(image, f"{7 + row}:{randomly(rng, 0, 5)}0", (x + 6, y + height - 8), 0.45)
        elif rng.random() < 0.7:
            box(image, x, y, width, height, kinds[int(rng.integers(5))])
            text(image, str(rng.choice(["Maths", "Music", "Art", "Sport"])), (x + 6, y + height - 8), 0.45)
    lines(image, (20, 20), (6, 10), (width, height), grey(140))
    return image


def hex_dump(rng: Rng) -> Image:
    """Bytes in hexadecimal, in columns of one width."""
    dark = rng.random() < 0.5
    ink, size = (grey(210) if dark else BLACK), float(rng.uniform(0.4, 0.6))
    pitch = round(34 * size)
    image = canvas(18 * round(pitch * 1.7) + 100, 26 * pitch + 30, grey(25) if dark else WHITE)
    for row in range(26):
        text(image, f"{row * 16:06x}", (8, 25 + row * pitch), size, (160, 120, 90))
        for column in range(16):
            byte = f"{int(rng.integers(256)):02x}"
            text(image, byte, (100 + round(column * pitch * 1.7), 25 + row * pitch), size, ink)
    return image


def falling_digits(rng: Rng) -> Image:
    """Zeros and ones in a terminal, brighter and darker."""
    side = randomly(rng, 14, 24)
    return squares(
        rng,
        (randomly(rng, 20, 40), randomly(rng, 15, 25)),
        side,
        BLACK,
        lambda image, cell: centred(
            image, str(rng.integers(2)), cell, side, (60, randomly(rng, 40, 255), 60)
        ),
    )


def periodic_table(rng: Rng) -> Image:
    """The chemical elements."""
    side = randomly(rng, 36, 56)
    kinds = [colour(rng, 140, 255) for _ in range(6)]
    image = canvas(18 * side + 40, 9 * side + 40)
    for cell in cells((20, 20), (18, 9), (side, side)):
        column, row, x, y = cell
        gap = (row == 0 and 0 < column < 17) or (row in (1, 2) and 1 < column < 12) or row == 7
        if gap or (row == 8 and column < 3):
            continue
        box(image, x + 1, y + 1, side - 2, side - 2, kinds[int(rng.integers(6))])
        centred(image, str(rng.choice(["He", "Li", "Na", "Fe", "Cu", "Ag", "C", "O"])), cell, side, BLACK)
        text(image, str(row * 18 + column + 1), (x + 3, y + 11), 0.3)
    return image


def seat_plan(rng: Rng) -> Image:
    """Seats of a hall or a plane: free, taken, chosen, with an aisle."""
    side, aisle = randomly(rng, 20, 36), randomly(rng, 2, 7)
    free, taken = pick(rng, (120, 200, 120), (230, 200, 150), grey(210)), pick(rng, grey(150), (90, 90, 210))
    image = canvas(12 * side + 60, 14 * side + 80)
    for cell in cells((30, 50), (12, 14), (side, side)):
        column, row, x, y = cell
        if column == aisle:
            centred(image, str(row + 1), cell, side, grey(120))
            continue
        fill = taken if rng.random() < 0.4 else free
        cv2.rectangle(image, (x + 2, y + 2), (x + side - 3, y + side - 3), fill, -1)
        if rng.random() < 0.5:
            centred(image, str(column + 1), cell, side * 0.8, WHITE)
    text(image, "SCREEN", (5 * side, 30), 0.6)
    return image


def qr_code(rng: Rng) -> Image:
    """Black and white squares with three large ones in the corners."""
    count, side = int(rng.choice([21, 25, 29])), randomly(rng, 6, 18)
    modules = rng.random((count, count)) < 0.5
    for row, column in ((0, 0), (0, count - 7), (count - 7, 0)):
        modules[row : row + 7, column : column + 7] = True
        modules[row + 1 : row + 6, column + 1 : column + 6] = False
        modules[row + 2 : row + 5, column + 2 : column + 5] = True
    plane = np.where(np.kron(modules, np.ones((side, side), bool)), 10, 250).astype(np.uint8)
    return np.asarray(
        cv2.cvtColor(np.pad(plane, 4 * side, constant_values=250), cv2.COLOR_GRAY2BGR), np.uint8
    )


def barcodes(rng: Rng) -> Image:
    """Sheets of bar codes with their digits."""
    image = canvas(900, 640)
    for _, _, x, y in cells((30, 30), (4, 5), (215, 120)):
        left = x
        while left < x + 170:
            width = int(rng.integers(1, 5))
            box(image, left, y, width, 70, BLACK)
            left += width + int(rng.integers(1, 5))
        text(image, "".join(rng.choice(list("0123456789"), 12)), (x, y + 90), 0.55)
    return image


def minesweeper_help(rng: Rng) -> Image:
    """A page that explains the game: text with single cells beside it, and rows of two or three."""
    image = canvas(760, 620, pick(rng, WHITE, grey(240)))
    side = randomly(rng, 18, 32)
    text(image, "How to play Minesweeper", (30, 50), 0.9, bold=2)
    for line in range(7):
        y = 80 + line * 70
        for index in range(int(rng.integers(1, 4))):
            x = 30 + index * side
            box(image, x, y, side, side, grey(192))
            if rng.random() < 0.5:
                bevel(image, x, y, side, 2, WHITE, grey(128))
            else:
                frame(image, x, y, side, side, grey(128))
                centred(image, str(rng.integers(1, 9)), (0, 0, x, y), side, colour(rng, 0, 160), face=2)
        words = "".join(rng.choice(list("abcdef ghilm noprst uvw"), 45))
        text(image, words, (160, y + side // 2), 0.5)
        text(image, words[::-1], (160, y + side // 2 + 22), 0.5)
    return image


def score_table(rng: Rng) -> Image:
    """Best times in three columns, between lines."""
    image = canvas(620, 560, pick(rng, WHITE, grey(192)))
    for row in range(14):
        y = 60 + 34 * row
        text(image, f"{row + 1}.", (40, y), 0.55)
        text(image, str(rng.choice(["Anonymous", "Anna", "Bernd", "Chris"])), (110, y), 0.55)
        text(image, f"{int(rng.integers(1, 999))} seconds", (380, y), 0.55)
        image[y + 12, 30:590] = 170
    return image


TABLES: tuple[Callable[[Rng], Image], ...] = (
    ruled_paper, millimetre_paper, small_numbers, multiplication_table, calendar_year, timetable, hex_dump,
    falling_digits, periodic_table, seat_plan, qr_code, barcodes, minesweeper_help, score_table,
)  # fmt: skip
