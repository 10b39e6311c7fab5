"""Surfaces, pictures and controls that repeat: walls, cloth, pixels, keys, palettes."""

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


def bathroom_tiles(rng: Rng) -> Image:
    """Square tiles with grout between them, each a little different."""
    side, base = randomly(rng, 24, 60), colour(rng, 120, 245)
    grout = max(2, side // 14)

    def draw(image: Image, cell: Cell) -> None:
        change = int(rng.integers(-10, 11))
        fill = tuple(int(np.clip(value + change, 0, 255)) for value in base)
        box(image, cell[2] + grout, cell[3] + grout, side - grout, side - grout, (fill[0], fill[1], fill[2]))
        cv2.line(
            image,
            (cell[2] + side // 4, cell[3] + side // 3),
            (cell[2] + side // 2, cell[3] + side // 6),
            WHITE,
        )

    return squares(
        rng, (randomly(rng, 10, 18), randomly(rng, 8, 14)), side, grey(randomly(rng, 90, 235)), draw, 6
    )


def patterned_tiles(rng: Rng) -> Image:
    """Floor tiles with an ornament."""
    side = randomly(rng, 30, 60)
    tile = canvas(side, side, colour(rng, 150, 250))
    cv2.circle(tile, (side // 2, side // 2), side // 3, colour(rng), 2, cv2.LINE_AA)
    cv2.line(tile, (0, 0), (side, side), colour(rng), 1, cv2.LINE_AA)
    cv2.line(tile, (0, side), (side, 0), colour(rng), 1, cv2.LINE_AA)
    frame(tile, 0, 0, side, side, grey(120))
    return np.tile(tile, (randomly(rng, 8, 12), randomly(rng, 8, 16), 1))


def running_bond(rng: Rng) -> Image:
    """Bricks of a random size, every second row shifted."""
    width, height = randomly(rng, 40, 80), randomly(rng, 16, 32)
    image = canvas(14 * width, 18 * height, grey(randomly(rng, 110, 200)))
    for column, row, x, y in cells((-width, 0), (16, 18), (width, height)):
        del column
        shade = colour(rng, 60, 140)
        box(image, x + row % 2 * width / 2 + 2, y + 2, width - 3, height - 3, (shade[0], shade[1], 150))
    return image


def gingham(rng: Rng) -> Image:
    """Chequered cloth: two colours and their mixture."""
    side, dye = randomly(rng, 12, 40), np.array(colour(rng, 30, 200))
    rows = np.arange(20 * side) // side % 2
    columns = np.arange(28 * side) // side % 2
    share = (rows[:, None] + columns[None]) / 2
    return np.asarray(255 - share[..., None] * (255 - dye), np.uint8)


def parquet(rng: Rng) -> Image:
    """Boards of wood laid crosswise in squares."""
    side = randomly(rng, 36, 60)

    def draw(image: Image, cell: Cell) -> None:
        column, row, x, y = cell
        for strip in range(4):
            shade = int(rng.integers(-15, 16))
            fill = 70 + shade, 120 + shade, 180 + shade
            if (column + row) % 2:
                box(image, x + strip * side / 4, y, side / 4, side, fill)
            else:
                box(image, x, y + strip * side / 4, side, side / 4, fill)

    return squares(rng, (12, 9), side, (40, 70, 110), draw, 2)


def pixel_art(rng: Rng) -> Image:
    """A small picture with large pixels."""
    count, side = int(rng.choice([12, 16, 24])), randomly(rng, 10, 28)
    kinds = np.array([colour(rng) for _ in range(6)], np.uint8)
    half = rng.integers(0, 6, (count, count // 2))
    smooth = cv2.medianBlur(half.astype(np.uint8), 3)
    image = kinds[np.concatenate([smooth, smooth[:, ::-1]], axis=1)]
    large: Image = np.kron(image, np.ones((side, side, 1), np.uint8))
    if rng.random() < 0.4:
        lines(large, (0, 0), (count - 1, count - 1), (side, side), grey(80))
    return large


def contact_sheet(rng: Rng) -> Image:
    """Small photographs in rows."""
    width, height = randomly(rng, 70, 110), randomly(rng, 60, 90)
    image = canvas(8 * width + 30, 6 * height + 30, pick(rng, WHITE, grey(30)))
    for _, _, x, y in cells((15, 15), (8, 6), (width, height)):
        spots = rng.integers(0, 256, (4, 5, 3), dtype=np.uint8)
        part = image[y + 5 : y + height - 5, x + 5 : x + width - 5]
        part[:] = cv2.resize(spots, part.shape[1::-1], interpolation=cv2.INTER_CUBIC)
    return image


def heat_map(rng: Rng) -> Image:
    """Squares from cold to hot, smooth over the plane, at times with a number in each."""
    side, count = randomly(rng, 16, 36), (randomly(rng, 8, 24), randomly(rng, 8, 16))
    field = cv2.GaussianBlur(rng.random((count[1], count[0])).astype(np.float32), (0, 0), 1.5)
    field = cv2.normalize(field, field, 0, 255, cv2.NORM_MINMAX)
    hot = cv2.applyColorMap(field.astype(np.uint8), int(rng.choice([2, 4, 11, 14, 16])))
    with_numbers = rng.random() < 0.4

    def draw(image: Image, cell: Cell) -> None:
        blue, green, red = hot[cell[1], cell[0]].tolist()
        box(image, cell[2], cell[3], side, side, (blue, green, red))
        if with_numbers:
            centred(image, f"{field[cell[1], cell[0]] / 25.6:.0f}", cell, side, BLACK)

    return squares(rng, count, side, WHITE, draw)


def contributions(rng: Rng) -> Image:
    """Days of a year as small green squares in seven rows."""
    side = randomly(rng, 11, 20)
    shades = [(240, 237, 235), (168, 233, 155), (99, 196, 64), (78, 161, 48), (57, 110, 33)]

    def draw(image: Image, cell: Cell) -> None:
        box(
            image,
            cell[2],
            cell[3],
            side - 3,
            side - 3,
            shades[int(rng.choice(5, p=[0.5, 0.2, 0.15, 0.1, 0.05]))],
        )

    return squares(rng, (52, 7), side, WHITE, draw)


def defragmenter(rng: Rng) -> Image:
    """Blocks of a disk in a few colours."""
    side = randomly(rng, 8, 18)
    kinds = [WHITE, (200, 120, 40), (60, 60, 220), (100, 200, 100)]

    def draw(image: Image, cell: Cell) -> None:
        run = int(rng.choice(4, p=[0.3, 0.5, 0.1, 0.1]))
        box(image, cell[2], cell[3], side - 2, side - 2, kinds[run])

    return squares(rng, (40, 24), side, grey(192), draw)


def lamp_matrix(rng: Rng) -> Image:
    """Round lamps in rows and columns."""
    side = randomly(rng, 12, 30)
    on = pick(rng, (60, 60, 255), (80, 255, 120), (60, 200, 255))

    def draw(image: Image, cell: Cell) -> None:
        lit = rng.random() < 0.35
        cv2.circle(
            image, (cell[2] + side // 2, cell[3] + side // 2), side * 2 // 5, on if lit else grey(50), -1
        )

    return squares(rng, (randomly(rng, 10, 32), 8), side, grey(15), draw)


def egg_boxes(rng: Rng) -> Image:
    """Shaded discs close together."""
    side, fill = randomly(rng, 30, 60), colour(rng, 120, 230)

    def draw(image: Image, cell: Cell) -> None:
        for ring in range(6):
            shade = tuple(round(value * (0.6 + 0.08 * ring)) for value in fill)
            radius = round(side * (0.48 - 0.07 * ring))
            cv2.circle(image, (cell[2] + side // 2, cell[3] + side // 2), radius, shade, -1, cv2.LINE_AA)

    return squares(rng, (randomly(rng, 8, 14), randomly(rng, 6, 10)), side, grey(200), draw)


def calculator(rng: Rng) -> Image:
    """A display over keys with digits and signs."""
    side = randomly(rng, 40, 70)
    image = canvas(5 * side + 40, 6 * side + 60, grey(randomly(rng, 40, 230)))
    box(image, 20, 15, 5 * side, side, (200, 220, 200))
    text(image, str(rng.integers(10**6)), (40, 15 + side * 2 // 3), 1.2, bold=2)
    face = pick(rng, grey(210), grey(70), (180, 200, 220))
    for index, cell in enumerate(cells((20, side + 30), (5, 5), (side, side))):
        box(image, cell[2] + 3, cell[3] + 3, side - 6, side - 6, face)
        bevel(image, cell[2] + 3, cell[3] + 3, side - 6, 2, grey(245), grey(60))
        ink = WHITE if face[0] < 128 else BLACK
        centred(image, "789/C456*(123-)0.=+%MRSQV"[index], cell, side, ink, face=2)
    return image


def dial_pad(rng: Rng) -> Image:
    """Twelve keys of a telephone, or a keypad of more, with letters below the digits."""
    side, rows = randomly(rng, 50, 80), int(rng.choice([4, 5, 6]))
    image = canvas(5 * side + 40, rows * side + 40, grey(randomly(rng, 20, 250)))
    for index, cell in enumerate(cells((20, 20), (5, rows), (side, side))):
        cv2.circle(
            image, (cell[2] + side // 2, cell[3] + side // 2), side * 2 // 5, grey(150), -1, cv2.LINE_AA
        )
        centred(image, str(index % 10), cell, side, BLACK, face=2)
        text(image, "ABC", (cell[2] + side // 3, cell[3] + side * 4 // 5), 0.3)
    return image


def key_caps(rng: Rng) -> Image:
    """Keys that all lie on one square lattice, with letters."""
    side, dark = randomly(rng, 30, 56), rng.random() < 0.5
    face, ink = (grey(60), WHITE) if dark else (grey(235), BLACK)

    def draw(image: Image, cell: Cell) -> None:
        box(image, cell[2] + 2, cell[3] + 2, side - 4, side - 4, face)
        bevel(image, cell[2] + 2, cell[3] + 2, side - 4, 2, grey(250), grey(100))
        words = "QWERTYUIOPASDFGHJKLZXCVBNM1234567890"[int(rng.integers(36))]
        centred(image, words, cell, side * 0.8, ink)

    return squares(rng, (randomly(rng, 10, 15), randomly(rng, 5, 6)), side, grey(30 if dark else 200), draw)


def toolbar(rng: Rng) -> Image:
    """Raised grey buttons with signs on them, in a few rows."""
    side = randomly(rng, 22, 34)

    def draw(image: Image, cell: Cell) -> None:
        bevel(image, cell[2], cell[3], side - 1, 1, WHITE, grey(128))
        middle = cell[2] + side // 2, cell[3] + side // 2
        kind, ink = int(rng.integers(3)), colour(rng, 0, 220)
        if kind == 0:
            cv2.circle(image, middle, side // 4, ink, 2, cv2.LINE_AA)
        elif kind == 1:
            box(image, cell[2] + side // 3, cell[3] + side // 4, side // 3, side // 2, ink)
        else:
            centred(image, chr(65 + int(rng.integers(26))), cell, side, ink, face=3)

    return squares(rng, (randomly(rng, 10, 24), randomly(rng, 5, 7)), side, grey(192), draw)


def character_map(rng: Rng) -> Image:
    """All letters and digits of a font, a cell each."""
    side = randomly(rng, 22, 36)
    signs = [chr(code) for code in range(33, 127)]

    def draw(image: Image, cell: Cell) -> None:
        frame(image, cell[2], cell[3], side + 1, side + 1, grey(190))
        centred(image, signs[(cell[1] * 20 + cell[0]) % len(signs)], cell, side, BLACK)

    return squares(rng, (20, randomly(rng, 5, 10)), side, WHITE, draw)


def emoji_picker(rng: Rng) -> Image:
    """Round yellow faces in rows."""
    side = randomly(rng, 28, 44)

    def draw(image: Image, cell: Cell) -> None:
        x, y = cell[2] + side // 2, cell[3] + side // 2
        cv2.circle(image, (x, y), side * 2 // 5, (60, 210, 250), -1, cv2.LINE_AA)
        for eye in (-1, 1):
            cv2.circle(
                image, (x + eye * side // 7, y - side // 9), max(1, side // 16), BLACK, -1, cv2.LINE_AA
            )
        bend = int(rng.integers(-60, 61))
        cv2.ellipse(
            image,
            (x, y + side // 10),
            (side // 6, max(1, abs(bend) // 8)),
            0,
            0,
            180 if bend > 0 else -180,
            BLACK,
            1,
            cv2.LINE_AA,
        )

    return squares(rng, (randomly(rng, 8, 10), randomly(rng, 6, 9)), side, WHITE, draw)


def step_sequencer(rng: Rng) -> Image:
    """Sixteen steps of eight voices, lit where they sound."""
    side = randomly(rng, 24, 44)
    lit = [colour(rng, 80, 255) for _ in range(8)]

    def draw(image: Image, cell: Cell) -> None:
        fill = lit[cell[1]] if rng.random() < 0.25 else grey(70 if cell[0] // 4 % 2 else 90)
        box(image, cell[2] + 2, cell[3] + 2, side - 4, side - 4, fill)

    return squares(rng, (16, 8), side, grey(35), draw)


def transparency(rng: Rng) -> Image:
    """The grey squares that stand for nothing behind a picture."""
    side, count = randomly(rng, 8, 24), 30
    rows, columns = np.indices((count * side, count * side)) // side
    image = np.where(((rows + columns) % 2 == 0)[..., None], 255, 204).astype(np.uint8)
    picture = np.repeat(image, 3, axis=2)
    cv2.circle(
        picture, (count * side // 2, count * side // 2), count * side // 4, colour(rng), -1, cv2.LINE_AA
    )
    return picture


def window_front(rng: Rng) -> Image:
    """The windows of a house, some of them lit."""
    width, height = randomly(rng, 26, 44), randomly(rng, 30, 56)
    image = canvas(14 * width + 40, 12 * height + 60, colour(rng, 40, 160))
    for _, _, x, y in cells((20, 30), (14, 12), (width, height)):
        lit = rng.random() < 0.4
        box(image, x + 6, y + 6, width - 12, height - 12, (140, 220, 250) if lit else (70, 50, 40))
    return image


SURFACES: tuple[Callable[[Rng], Image], ...] = (
    bathroom_tiles, patterned_tiles, running_bond, gingham, parquet, pixel_art, contact_sheet, heat_map,
    contributions, defragmenter, lamp_matrix, egg_boxes, calculator, dial_pad, key_caps, toolbar,
    character_map, emoji_picker, step_sequencer, transparency, window_front,
)  # fmt: skip
