"""Pictures of boards in many skins, drawn here: each skin draws any cell at any size.

A skin is a function (canvas, rectangle, code, row, column, board) that draws one cell. None of them is
taken from a game's pictures: they have its kind of look (bevels, lines, gaps, checkerboards, gradients)
in colours and fonts of their own choice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from bot.board import Board, Cell
from bot.vision.grid import Grid, Image

Colour = tuple[int, int, int]
"""Red, green, blue."""

CLASSIC = ["0000FF", "008000", "FF0000", "000080", "800000", "008080", "000000", "808080"]
GOOGLE = ["1976D2", "388E3C", "D32F2F", "7B1FA2", "FF8F00", "0097A7", "424242", "9E9E9E"]
WINDOWS_7 = ["4050BC", "1E6702", "AC0A0A", "0A0D82", "7D0103", "0A7D7D", "7D0103", "6E6E6E"]
LIGHT = ["7CC7FF", "66C266", "FF7788", "EE88FF", "DDAA22", "66CCCC", "BBBBBB", "D0D8E0"]

FONTS = [
    "default",
    "simplex",
    "duplex",
    "complex",
    "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf",
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/truetype/dejavu/DejaVuSansMono-Bold.ttf",
    "/usr/share/fonts/truetype/dejavu/DejaVuSerif-Bold.ttf",
    "/usr/share/fonts/opentype/urw-base35/NimbusSans-Bold.otf",
    "/usr/share/fonts/opentype/urw-base35/NimbusRoman-Bold.otf",
    "/usr/share/fonts/opentype/urw-base35/NimbusMonoPS-Bold.otf",
]


def fonts() -> list[str]:
    """Those that are on this machine; the first four always are."""
    return [font for font in FONTS if "/" not in font or Path(font).exists()]


def rgb(text: str) -> Colour:
    """The colour that six hexadecimal digits say."""
    return int(text[:2], 16), int(text[2:4], 16), int(text[4:], 16)


@lru_cache(maxsize=4000)
def letter(text: str, font: str, height: int) -> Image:
    """A letter as a mask (height, width) 0 to 255, `height` pixels high."""
    large = 4 * height
    if "/" not in font and font != "default":
        face = {"simplex": 0, "duplex": 2, "complex": 3}[font]
        canvas = np.zeros((3 * large, 3 * large), np.uint8)
        cv2.putText(canvas, text, (large, 2 * large), face, large / 22, 255, max(2, large // 8), cv2.LINE_AA)
    else:
        made = ImageFont.load_default(size=large) if font == "default" else ImageFont.truetype(font, large)
        picture = Pillow.new("L", (3 * large, 3 * large))
        bold = large // 24 if font == "default" else 0
        ImageDraw.Draw(picture).text((large, large), text, fill=255, font=made, stroke_width=bold)
        canvas = np.asarray(picture)
    rows, columns = np.flatnonzero(canvas.any(axis=1)), np.flatnonzero(canvas.any(axis=0))
    part = canvas[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    width = max(1, round(part.shape[1] * height / part.shape[0]))
    return np.asarray(cv2.resize(part, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


@dataclass(frozen=True)
class Skin:
    """What a skin is made of."""

    kind: str
    digits: tuple[str, ...] = tuple(CLASSIC)
    font: str = "default"
    covered: Colour = (192, 192, 192)
    opened: Colour = (192, 192, 192)
    line: Colour = (128, 128, 128)
    high: Colour = (255, 255, 255)
    low: Colour = (128, 128, 128)
    paper: Colour = (192, 192, 192)
    """What lies around the board."""
    flag: Colour = (255, 0, 0)
    pole: Colour = (0, 0, 0)
    size: float = 0.6
    """The height of digits, as a part of a cell."""


def blend(canvas: Image, mask: Image, at: tuple[int, int], colour: Colour) -> None:
    """Lay a colour on a canvas where a mask says so."""
    x, y = at
    height, width = mask.shape
    part = canvas[y : y + height, x : x + width].astype(np.float32)
    share = mask[: part.shape[0], : part.shape[1], None].astype(np.float32) / 255
    canvas[y : y + height, x : x + width] = (part * (1 - share) + share * np.array(colour[::-1])).round()


def shape(size: int, draw: Callable[[Image, int], None]) -> Image:
    """A mask of a cell, drawn four times as large."""
    large = np.zeros((4 * size, 4 * size), np.uint8)
    draw(large, 4 * size)
    return np.asarray(cv2.resize(large, (size, size), interpolation=cv2.INTER_AREA), np.uint8)


def _points(canvas: Image, size: int, points: list[tuple[float, float]]) -> None:
    cv2.fillPoly(canvas, [np.array([(x * size, y * size) for x, y in points], np.int32)], 255)


def _cloth(canvas: Image, size: int) -> None:
    _points(canvas, size, [(0.55, 0.2), (0.25, 0.36), (0.55, 0.52)])


def _cloth_right(canvas: Image, size: int) -> None:
    _points(canvas, size, [(0.38, 0.2), (0.75, 0.36), (0.38, 0.52)])


def _pole(canvas: Image, size: int) -> None:
    _points(canvas, size, [(0.5, 0.2), (0.56, 0.2), (0.56, 0.7), (0.5, 0.7)])
    _points(canvas, size, [(0.35, 0.66), (0.68, 0.66), (0.76, 0.8), (0.26, 0.8)])


def _pole_right(canvas: Image, size: int) -> None:
    _points(canvas, size, [(0.32, 0.2), (0.39, 0.2), (0.39, 0.8), (0.32, 0.8)])


def _mine(canvas: Image, size: int) -> None:
    cv2.circle(canvas, (size // 2, size // 2), round(0.25 * size), 255, -1)
    for x0, y0, x1, y1 in (
        (0.16, 0.5, 0.84, 0.5),
        (0.5, 0.16, 0.5, 0.84),
        (0.27, 0.27, 0.73, 0.73),
        (0.27, 0.73, 0.73, 0.27),
    ):
        ends = (round(x0 * size), round(y0 * size)), (round(x1 * size), round(y1 * size))
        cv2.line(canvas, *ends, 255, max(1, size // 18))


def _cross(canvas: Image, size: int) -> None:
    for x0, y0, x1, y1 in ((0.18, 0.18, 0.82, 0.82), (0.18, 0.82, 0.82, 0.18)):
        ends = (round(x0 * size), round(y0 * size)), (round(x1 * size), round(y1 * size))
        cv2.line(canvas, *ends, 255, max(2, size // 10))


def draw_cell(canvas: Image, skin: Skin, grid: Grid, board: Board, row: int, column: int) -> None:
    """Draw one cell into the canvas."""
    rect = grid.cell_rect(row, column)
    code = board[row, column]
    x, y, width, height = rect.x, rect.y, rect.width, rect.height
    size = min(width, height)
    part = canvas[y : y + height, x : x + width]
    unopened = code in (Cell.COVERED, Cell.FLAG, Cell.QUESTION, Cell.WRONG_FLAG)
    ground = _ground(skin, grid, board, row, column, unopened, code)
    part[:] = ground[::-1]
    if skin.kind == "bevel":
        _bevel(part, skin, unopened, max(1, round(size / 8)))
    elif skin.kind == "thin":
        _bevel(part, skin, unopened, max(1, round(size / 16)))
    elif skin.kind == "lines":
        part[:1], part[:, :1] = skin.line[::-1], skin.line[::-1]
        if unopened:
            part[1:2, 1:], part[1:, 1:2] = skin.high[::-1], skin.high[::-1]
    elif skin.kind == "plain lines":
        thick = max(1, size // 24)
        part[:thick], part[:, :thick] = skin.line[::-1], skin.line[::-1]
    elif skin.kind in ("gaps", "tinted"):
        gap = max(1, round(size / 18))
        part[:gap], part[:, :gap] = skin.paper[::-1], skin.paper[::-1]
        part[-gap:], part[:, -gap:] = skin.paper[::-1], skin.paper[::-1]
    elif skin.kind == "glass":
        _glass(part, size, unopened)
    if code == Cell.EXPLODED:
        inset = max(1, size // 12)
        part[inset:-inset, inset:-inset] = (40, 30, 225)
    _draw_content(part, skin, code, size)


def _ground(skin: Skin, grid: Grid, board: Board, row: int, column: int, unopened: bool, code: int) -> Colour:
    if skin.kind == "checkered":
        light = (row + column) % 2 == 0
        if unopened:
            return rgb("AAD751") if light else rgb("A2D149")
        return rgb("E5C29F") if light else rgb("D7B899")
    if skin.kind == "glass":
        part = 0.6 * column / max(1, board.columns) + 0.4 * row / max(1, board.rows)
        ends = ((150, 215, 250), (55, 65, 175)) if unopened else ((228, 238, 250), (205, 205, 228))
        red, green, blue = (round(a + (b - a) * part) for a, b in zip(*ends, strict=True))
        return red, green, blue
    if skin.kind == "tinted" and 1 <= code <= 8:
        tints = ["DDFAC3", "ECEDBF", "EDDAB4", "EDC38A", "F7A1A2", "FEA785", "FF7D60", "FF323C"]
        return rgb(tints[code - 1])
    return skin.covered if unopened else skin.opened


def _bevel(part: Image, skin: Skin, unopened: bool, thick: int) -> None:
    if not unopened:
        line = max(1, thick // 2)
        part[:line], part[:, :line] = skin.line[::-1], skin.line[::-1]
        return
    height, width = part.shape[:2]
    for step in range(thick):
        part[step, : width - step], part[: height - step, step] = skin.high[::-1], skin.high[::-1]
    for step in range(thick):
        part[height - 1 - step, step + 1 :], part[step + 1 :, width - 1 - step] = (
            skin.low[::-1],
            skin.low[::-1],
        )


def _glass(part: Image, size: int, unopened: bool) -> None:
    height, width = part.shape[:2]
    slope = np.linspace(14, -14, height)[:, None] + np.linspace(8, -8, width)[None]
    part[:] = np.clip(part + (slope if unopened else slope / 3)[..., None], 0, 255)
    thick = max(1, round(size / 22))
    part[:thick], part[:, :thick] = (40, 25, 20), (40, 25, 20)
    if unopened:
        inner = part[thick : 2 * thick, thick:]
        inner[:] = np.clip(inner.astype(int) + 40, 0, 255)


def _draw_content(part: Image, skin: Skin, code: int, size: int) -> None:
    if 1 <= code <= 8 or code == Cell.QUESTION:
        text = "?" if code == Cell.QUESTION else str(code)
        mask = letter(text, skin.font, max(6, round(skin.size * size)))
        at = (part.shape[1] - mask.shape[1] + 1) // 2, (part.shape[0] - mask.shape[0] + 1) // 2
        colour = skin.pole if code == Cell.QUESTION else rgb(skin.digits[code - 1])
        blend(part, mask, (max(0, at[0]), max(0, at[1])), colour)
    elif code in (Cell.FLAG, Cell.WRONG_FLAG):
        right = skin.kind in ("checkered", "glass", "gaps", "tinted")
        blend(part, shape(size, _pole_right if right else _pole), (0, 0), skin.pole)
        blend(part, shape(size, _cloth_right if right else _cloth), (0, 0), skin.flag)
        if code == Cell.WRONG_FLAG:
            blend(part, shape(size, _cross), (0, 0), (230, 0, 0) if skin.flag == skin.pole else (0, 0, 0))
    elif code in (Cell.MINE, Cell.EXPLODED):
        dark = sum(skin.opened) < 240 and code == Cell.MINE and skin.kind not in ("checkered", "glass")
        blend(part, shape(size, _mine), (0, 0), (225, 225, 225) if dark else (10, 10, 10))


def drawn(skin: Skin, board: Board, pitch: float, margin: int) -> tuple[Image, Grid]:
    """A picture of a board with so many pixels of what lies around it, and where its cells lie."""
    grid = Grid(margin, margin, pitch, pitch, board.columns, board.rows)
    rect = grid.rect
    canvas = np.zeros((rect.bottom + margin, rect.right + margin, 3), np.uint8)
    canvas[:] = skin.paper[::-1]
    for row in range(board.rows):
        for column in range(board.columns):
            draw_cell(canvas, skin, grid, board, row, column)
    return canvas, grid


def skins() -> dict[str, Skin]:
    """All skins by name, each in its own font."""
    grey, dark = (192, 192, 192), (60, 62, 66)
    here = fonts()

    def font(index: int) -> str:
        return here[index % len(here)]

    return {
        "classic": Skin("bevel", font=font(4)),
        "classic pale": Skin(
            "bevel", font=font(0), covered=(214, 211, 206), opened=(214, 211, 206), paper=(214, 211, 206)
        ),
        "classic dark": Skin(
            "bevel",
            tuple(LIGHT),
            font(5),
            (84, 86, 92),
            dark,
            (40, 42, 45),
            (130, 132, 138),
            (38, 40, 44),
            dark,
            (255, 90, 80),
            (230, 230, 230),
        ),
        "thin bevel": Skin("thin", font=font(8), covered=(225, 225, 225), opened=(200, 200, 200)),
        "web lines": Skin(
            "lines",
            font=font(8),
            covered=(187, 187, 187),
            opened=(222, 222, 222),
            line=(150, 150, 150),
            paper=(255, 255, 255),
        ),
        "flat blue": Skin(
            "plain lines",
            font=font(5),
            covered=(95, 140, 190),
            opened=(235, 240, 245),
            line=(170, 185, 200),
            paper=(255, 255, 255),
            flag=(220, 30, 30),
            pole=(20, 20, 30),
        ),
        "flat dark": Skin(
            "plain lines",
            tuple(LIGHT),
            font(6),
            (58, 80, 107),
            (28, 37, 50),
            (90, 105, 125),
            paper=(20, 26, 36),
            flag=(255, 80, 80),
            pole=(240, 240, 240),
        ),
        "mono": Skin(
            "plain lines",
            ("202020",) * 8,
            font(4),
            (150, 170, 150),
            (240, 240, 236),
            (110, 120, 110),
            paper=(255, 255, 255),
        ),
        "mono serif": Skin(
            "thin",
            ("101010",) * 8,
            font(7),
            (205, 200, 185),
            (235, 232, 222),
            (150, 145, 130),
            paper=(235, 232, 222),
        ),
        "gaps": Skin(
            "gaps",
            tuple(GOOGLE),
            font(8),
            (186, 189, 182),
            (222, 222, 220),
            paper=(250, 250, 250),
            pole=(46, 52, 54),
            flag=(46, 52, 54),
        ),
        "tinted": Skin(
            "tinted",
            ("2E3436",) * 8,
            font(6),
            (186, 189, 182),
            (222, 222, 220),
            paper=(250, 250, 250),
            pole=(46, 52, 54),
            flag=(46, 52, 54),
        ),
        "checkered": Skin(
            "checkered", tuple(GOOGLE), font(8), paper=rgb("4A752C"), flag=rgb("F23607"), pole=rgb("F23607")
        ),
        "checkered serif": Skin(
            "checkered", tuple(GOOGLE), font(9), paper=rgb("4A752C"), flag=rgb("F23607"), pole=rgb("F23607")
        ),
        "glass": Skin(
            "glass", tuple(WINDOWS_7), font(4), paper=(70, 80, 120), flag=(230, 20, 20), pole=(235, 235, 240)
        ),
        "hershey": Skin("bevel", font="duplex", covered=grey, size=0.55),
        "courier": Skin(
            "lines",
            font=font(10),
            covered=(176, 196, 222),
            opened=(240, 248, 255),
            line=(120, 140, 170),
            paper=(240, 248, 255),
        ),
    }
