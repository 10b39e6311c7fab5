"""Games and puzzles on squares that are not Minesweeper."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from bot.vision.grid import Image
from training.reader.no_boards.drawing import (
    BLACK,
    FACES,
    WHITE,
    Bgr,
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


def _sudoku(rng: Rng, given: float, *, pencil: bool = False) -> Image:
    side, dark = randomly(rng, 30, 60), rng.random() < 0.25
    ground, ink = (grey(32), grey(225)) if dark else (WHITE, pick(rng, BLACK, (160, 60, 20), (200, 110, 20)))
    face, shift = int(rng.choice((-1, *FACES))), int(rng.integers(9))
    image = canvas(9 * side + 60, 9 * side + 60, ground)
    for cell in cells((30, 30), (9, 9), (side, side)):
        column, row, x, y = cell
        digit = (row * 3 + row // 3 + column + shift) % 9 + 1
        if rng.random() < given:
            centred(image, str(digit), cell, side, ink, face=face)
        elif pencil:
            for mark in np.flatnonzero(rng.random(9) < 0.4).tolist():
                small = side / 3
                at = column, row, round(x + mark % 3 * small), round(y + mark // 3 * small)
                centred(image, str(mark + 1), at, small, grey(130))
    lines(image, (30, 30), (9, 9), (side, side), grey(150))
    lines(image, (30, 30), (3, 3), (3 * side, 3 * side), ink, 2)
    return image


def sudoku_empty(rng: Rng) -> Image:
    """A sudoku without digits."""
    return _sudoku(rng, 0)


def sudoku_given(rng: Rng) -> Image:
    """A sudoku as it is given."""
    return _sudoku(rng, float(rng.uniform(0.25, 0.5)))


def sudoku_full(rng: Rng) -> Image:
    """A solved sudoku."""
    return _sudoku(rng, 1)


def sudoku_pencil(rng: Rng) -> Image:
    """A sudoku with small candidates in its cells."""
    return _sudoku(rng, 0.35, pencil=True)


def _checkered(rng: Rng, count: int, side: int) -> Image:
    light, dark = (
        pick(rng, (181, 217, 240), (210, 238, 238), (220, 220, 220)),
        pick(rng, (99, 136, 181), (86, 150, 118), (110, 110, 110)),
    )

    def draw(image: Image, cell: Cell) -> None:
        box(image, cell[2], cell[3], side, side, dark if (cell[0] + cell[1]) % 2 else light)

    return squares(rng, (count, count), side, pick(rng, grey(40), WHITE, (60, 90, 120)), draw, 20)


def _disc(image: Image, cell: Cell, side: int, fill: Bgr, part: float = 0.4) -> None:
    middle = cell[2] + side // 2, cell[3] + side // 2
    cv2.circle(image, middle, round(part * side), fill, -1, cv2.LINE_AA)
    cv2.circle(image, middle, round(part * side), grey(90), 1, cv2.LINE_AA)


def checkers(rng: Rng) -> Image:
    """Draughts on a board of dark and light squares."""
    side = randomly(rng, 30, 60)
    count = int(rng.choice([8, 10]))
    men = rng.random((count, count))
    image = _checkered(rng, count, side)
    origin = _first_square(image)
    for cell in cells(origin, (count, count), (side, side)):
        column, row = cell[:2]
        if (column + row) % 2 and men[row, column] < 0.7 and (row < 3 or row >= count - 3):
            _disc(image, cell, side, (40, 40, 200) if row < 3 else grey(240))
    return image


def _first_square(image: Image) -> tuple[int, int]:
    """The first pixel that is not of the ground."""
    rows, columns = np.nonzero((image != image[0, 0]).any(axis=2))
    return int(columns.min()), int(rows.min())


def chess_letters(rng: Rng) -> Image:
    """A chess board in the middle of a game, its pieces as letters."""
    side = randomly(rng, 30, 60)
    image = _checkered(rng, 8, side)
    for cell in cells(_first_square(image), (8, 8), (side, side)):
        if rng.random() < 0.4:
            ink = pick(rng, BLACK, WHITE)
            centred(image, str(rng.choice(list("KQRBNP"))), cell, side, ink, face=2, bold=2)
    return image


def go_board(rng: Rng) -> Image:
    """Stones on the crossings of lines."""
    side, count = randomly(rng, 18, 36), int(rng.choice([9, 13, 19]))
    image = canvas(side * (count + 1), side * (count + 1), pick(rng, (110, 180, 225), (140, 200, 235)))
    lines(image, (side, side), (count - 1, count - 1), (side, side), grey(40))
    for cell in cells((side // 2, side // 2), (count, count), (side, side)):
        if rng.random() < 0.4:
            _disc(image, cell, side, pick(rng, grey(20), grey(245)), 0.46)
    return image


def reversi(rng: Rng) -> Image:
    """Black and white stones on green squares."""
    side, chance = randomly(rng, 30, 60), rng.uniform(0.1, 0.9)
    image = canvas(8 * side + 40, 8 * side + 40, grey(50))
    box(image, 20, 20, 8 * side, 8 * side, (70, 130, 30))
    lines(image, (20, 20), (8, 8), (side, side), grey(20))
    for cell in cells((20, 20), (8, 8), (side, side)):
        if rng.random() < chance:
            _disc(image, cell, side, pick(rng, grey(15), grey(245)))
    return image


def connect_four(rng: Rng) -> Image:
    """Discs in the holes of a blue board."""
    side = randomly(rng, 40, 70)
    image = canvas(7 * side + 40, 6 * side + 40, (190, 80, 30))
    for cell in cells((20, 20), (7, 6), (side, side)):
        _disc(image, cell, side, pick(rng, WHITE, (40, 40, 220), (40, 210, 240)))
    return image


def nonogram(rng: Rng) -> Image:
    """A picture puzzle with its clues at the left and at the top."""
    side, count = randomly(rng, 18, 32), int(rng.choice([10, 15, 20]))
    clue = 4 * side
    image = canvas(clue + count * side + 20, clue + count * side + 20)
    filled = rng.random((count, count)) < rng.uniform(0, 0.7)
    for cell in cells((clue, clue), (count, count), (side, side)):
        if filled[cell[1], cell[0]]:
            box(image, cell[2], cell[3], side, side, grey(30))
        elif rng.random() < 0.1:
            centred(image, "x", cell, side, grey(140))
    for index in range(count):
        for place in range(int(rng.integers(1, 4))):
            digit = str(rng.integers(1, 8))
            centred(image, digit, (0, 0, clue - (place + 1) * side, clue + index * side), side, BLACK)
            centred(image, digit, (0, 0, clue + index * side, clue - (place + 1) * side), side, BLACK)
    lines(image, (clue, clue), (count, count), (side, side), grey(120))
    return image


def kakuro(rng: Rng) -> Image:
    """Sums in black triangles beside white squares with digits."""
    side, count = randomly(rng, 30, 50), randomly(rng, 8, 12)

    def draw(image: Image, cell: Cell) -> None:
        _, _, x, y = cell
        if rng.random() < 0.35 or cell[0] == 0 or cell[1] == 0:
            box(image, x, y, side, side, grey(40))
            cv2.line(image, (x, y), (x + side, y + side), WHITE, 1, cv2.LINE_AA)
            if rng.random() < 0.6:
                text(image, str(rng.integers(3, 40)), (x + side // 2, y + side // 2 - 2), 0.35, WHITE)
        elif rng.random() < 0.5:
            centred(image, str(rng.integers(1, 10)), cell, side, BLACK)
        frame(image, x, y, side + 1, side + 1, grey(110))

    return squares(rng, (count, count), side, WHITE, draw)


def word_search(rng: Rng) -> Image:
    """Letters in rows and columns, some of them marked."""
    side, count, face = randomly(rng, 20, 36), randomly(rng, 10, 16), int(rng.choice((-1, 0, 2)))
    image = squares(
        rng,
        (count, count),
        side,
        WHITE,
        lambda image, cell: centred(image, chr(65 + int(rng.integers(26))), cell, side, BLACK, face=face),
    )
    if rng.random() < 0.5:
        lines(image, _first_square(image), (count - 1, count - 1), (side, side), grey(200))
    return image


def bingo(rng: Rng) -> Image:
    """A card of numbers up to 75 under five letters."""
    side = randomly(rng, 44, 80)
    image = canvas(5 * side + 40, 6 * side + 40, pick(rng, WHITE, (220, 240, 255)))
    for cell in cells((20, 20), (5, 6), (side, side)):
        column, row = cell[:2]
        words = "BINGO"[column] if row == 0 else "*" if (column, row) == (2, 3) else str(rng.integers(1, 76))
        centred(image, words, cell, side, (40, 40, 200) if row == 0 else BLACK, face=2, bold=2)
        if row and rng.random() < 0.2:
            cv2.circle(
                image, (cell[2] + side // 2, cell[3] + side // 2), side // 3, (80, 80, 230), 3, cv2.LINE_AA
            )
    lines(image, (20, 20), (5, 6), (side, side), grey(60), 2)
    return image


def powers_of_two(rng: Rng) -> Image:
    """Tiles with powers of two, four by four up to eight by eight."""
    count, side = int(rng.choice([4, 5, 6, 8])), randomly(rng, 40, 90)
    gap = max(2, side // 10)

    def draw(image: Image, cell: Cell) -> None:
        power = int(rng.integers(0, 12))
        shade = (round(200 - 12 * power), round(225 - 9 * power), 238) if power else (180, 193, 205)
        box(image, cell[2] + gap, cell[3] + gap, side - gap, side - gap, shade)
        if power:
            ink = (101, 110, 119) if power < 3 else WHITE
            words = str(2**power)
            part = side if len(words) < 3 else side * 2 / len(words)
            shift = round((side - part) / 2)
            at = cell[0], cell[1], cell[2] + shift, cell[3] + shift
            centred(image, words, at, part, ink, face=2)

    return squares(rng, (count, count), side, (160, 173, 187), draw, 20)


def fifteen(rng: Rng) -> Image:
    """Sliding tiles with the numbers 1 to 15, or more."""
    count, side = int(rng.choice([4, 5, 6])), randomly(rng, 40, 80)
    numbers = rng.permutation(count * count)
    tile = pick(rng, grey(200), (140, 190, 220), (90, 140, 200))

    def draw(image: Image, cell: Cell) -> None:
        number = int(numbers[cell[1] * count + cell[0]])
        if number:
            box(image, cell[2], cell[3], side, side, tile)
            bevel(image, cell[2], cell[3], side, 2, grey(250), grey(90))
            centred(image, str(number), cell, side, BLACK, face=2)

    return squares(rng, (count, count), side, grey(110), draw, 20)


def tetris(rng: Rng) -> Image:
    """Falling blocks: bevelled squares in a few colours, most of the field empty."""
    side = randomly(rng, 14, 32)
    image = canvas(10 * side + 160, 20 * side + 40, grey(20))
    kinds = [colour(rng, 60, 250) for _ in range(7)]
    heights = np.clip(rng.normal(8, 2, 10), 2, 18)
    for cell in cells((20, 20), (10, 20), (side, side)):
        if 20 - cell[1] <= heights[cell[0]] and rng.random() < 0.9:
            fill = kinds[int(rng.integers(7))]
            box(image, cell[2], cell[3], side, side, fill)
            bevel(image, cell[2], cell[3], side, max(1, side // 8), grey(240), grey(60))
        elif rng.random() < 0.5:
            frame(image, cell[2], cell[3], side + 1, side + 1, grey(35))
    return image


def match_three(rng: Rng) -> Image:
    """Gems of six colours and shapes in every cell."""
    side, count = randomly(rng, 30, 60), randomly(rng, 7, 10)
    kinds = [colour(rng, 40, 255) for _ in range(6)]

    def draw(image: Image, cell: Cell) -> None:
        kind = int(rng.integers(6))
        box(image, cell[2], cell[3], side, side, grey(45 + 10 * ((cell[0] + cell[1]) % 2)))
        middle = cell[2] + side // 2, cell[3] + side // 2
        angles = np.arange(3 + kind) * 2 * np.pi / (3 + kind) - np.pi / 2
        points = [(middle[0] + 0.4 * side * np.cos(a), middle[1] + 0.4 * side * np.sin(a)) for a in angles]
        cv2.fillPoly(image, [np.array(points, np.int32)], kinds[kind], cv2.LINE_AA)

    return squares(rng, (count, count), side, grey(30), draw)


def lights_out(rng: Rng) -> Image:
    """Lamps that are on or off."""
    side, count = randomly(rng, 24, 60), randomly(rng, 5, 10)
    on, off = pick(rng, (120, 250, 250), (120, 255, 140), (90, 200, 255)), grey(randomly(rng, 40, 90))

    def draw(image: Image, cell: Cell) -> None:
        box(image, cell[2] + 2, cell[3] + 2, side - 4, side - 4, on if rng.random() < 0.5 else off)

    return squares(rng, (count, count), side, grey(20), draw)


def battleship(rng: Rng) -> Image:
    """Ships, hits and misses on a sea with letters and numbers at its sides."""
    side = randomly(rng, 24, 44)
    image = canvas(11 * side + 40, 11 * side + 40, WHITE)
    sea = pick(rng, (230, 200, 150), (250, 230, 200), WHITE)
    for cell in cells((20, 20), (11, 11), (side, side)):
        column, row, x, y = cell
        if column == 0 or row == 0:
            if column != row:
                centred(image, str(column) if row == 0 else chr(64 + row), cell, side, BLACK)
            continue
        box(image, x, y, side, side, sea)
        chance = rng.random()
        if chance < 0.15:
            box(image, x, y, side, side, grey(120))
        if chance < 0.07 or chance > 0.93:
            ends = (x + 5, y + 5), (x + side - 5, y + side - 5), (x + 5, y + side - 5), (x + side - 5, y + 5)
            cv2.line(image, ends[0], ends[1], (30, 30, 200), 2, cv2.LINE_AA)
            cv2.line(image, ends[2], ends[3], (30, 30, 200), 2, cv2.LINE_AA)
        elif 0.15 < chance < 0.35:
            cv2.circle(image, (x + side // 2, y + side // 2), side // 8, grey(60), -1, cv2.LINE_AA)
    lines(image, (20 + side, 20 + side), (10, 10), (side, side), grey(90))
    return image


def memory_cards(rng: Rng) -> Image:
    """Cards face down, a few of them turned."""
    side = randomly(rng, 50, 90)
    back = colour(rng, 60, 200)

    def draw(image: Image, cell: Cell) -> None:
        box(image, cell[2] + 4, cell[3] + 4, side - 8, side - 8, back)
        frame(image, cell[2] + 8, cell[3] + 8, side - 16, side - 16, WHITE)
        if rng.random() < 0.25:
            box(image, cell[2] + 4, cell[3] + 4, side - 8, side - 8, WHITE)
            _disc(image, cell, side, colour(rng), 0.25)

    return squares(rng, (randomly(rng, 5, 8), randomly(rng, 4, 6)), side, grey(randomly(rng, 30, 240)), draw)


def hexagons(rng: Rng) -> Image:
    """Minesweeper on hexagons: numbers, but no square grid."""
    radius, columns, rows = randomly(rng, 14, 26), randomly(rng, 8, 16), randomly(rng, 8, 14)
    width, height = radius * 3**0.5, radius * 1.5
    image = canvas(round((columns + 1) * width) + 20, round((rows + 1) * height) + 20, grey(225))
    for row in range(rows):
        for column in range(columns):
            x, y = 10 + radius + (column + row % 2 / 2) * width, 10 + radius + row * height
            corners = [(x + radius * np.sin(a), y - radius * np.cos(a)) for a in np.arange(6) * np.pi / 3]
            opened = rng.random() < 0.5
            cv2.fillPoly(image, [np.array(corners, np.int32)], grey(235) if opened else (200, 160, 110))
            cv2.polylines(image, [np.array(corners, np.int32)], True, grey(90), 1, cv2.LINE_AA)
            if opened and rng.random() < 0.6:
                at = 0, 0, round(x - radius * 0.7), round(y - radius * 0.7)
                centred(image, str(rng.integers(1, 7)), at, radius * 1.4, colour(rng, 0, 160))
    return image


def dots_and_boxes(rng: Rng) -> Image:
    """Dots in rows and columns, some of them joined."""
    side, count = randomly(rng, 24, 50), randomly(rng, 7, 12)
    image = canvas(count * side + side, count * side + side)
    for _, _, x, y in cells((side, side), (count, count), (side, side)):
        for step in ((side, 0), (0, side)):
            if rng.random() < 0.35:
                cv2.line(
                    image, (x, y), (x + step[0], y + step[1]), pick(rng, (200, 60, 40), (40, 40, 200)), 2
                )
        cv2.circle(image, (x, y), 3, BLACK, -1, cv2.LINE_AA)
    return image


def letter_tiles(rng: Rng) -> Image:
    """A board of words: tiles with letters and their values, on coloured squares."""
    side = randomly(rng, 26, 44)
    bonus = [
        (160, 160, 240),
        (220, 180, 120),
        (200, 200, 250),
        (210, 225, 215),
        (210, 225, 215),
        (210, 225, 215),
    ]

    def draw(image: Image, cell: Cell) -> None:
        _, _, x, y = cell
        box(image, x + 1, y + 1, side - 2, side - 2, bonus[int(rng.integers(6))])
        if rng.random() < 0.3:
            box(image, x + 2, y + 2, side - 4, side - 4, (170, 215, 235))
            centred(image, chr(65 + int(rng.integers(26))), cell, side, BLACK, face=2)
            text(image, str(rng.integers(1, 9)), (x + side - 10, y + side - 4), 0.3)

    return squares(rng, (15, 15), side, WHITE, draw)


PUZZLES: tuple[Callable[[Rng], Image], ...] = (
    sudoku_empty, sudoku_given, sudoku_full, sudoku_pencil, checkers, chess_letters, go_board, reversi,
    connect_four, nonogram, kakuro, word_search, bingo, powers_of_two, fifteen, tetris, match_three,
    lights_out, battleship, memory_cards, hexagons, dots_and_boxes, letter_tiles,
)  # fmt: skip
