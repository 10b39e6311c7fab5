"""Pictures of boards, put together from a theme's own glyphs."""

from __future__ import annotations

import cv2
import numpy as np

from bot.board import Board
from bot.vision.grid import Image
from bot.vision.themes.skin import Skin


def painted(board: Board, skin: Skin, *, glyph_set: int = 0) -> Image:
    """The cells of a board and nothing around them."""
    glyphs = skin.glyph_sets[glyph_set]
    return np.concatenate(
        [np.concatenate([glyphs.glyph(int(code)) for code in row], axis=1) for row in board.codes], axis=0
    )


def on_screen(picture: Image, skin: Skin, at: tuple[int, int], size: tuple[int, int] = (1024, 1280)) -> Image:
    """A screen of (height, width) pixels with the cells at (x, y), in a border of the theme's colours."""
    rng = np.random.default_rng(7)
    screen = rng.integers(0, 256, (*size, 3), dtype=np.uint8)
    paste(screen, picture, skin, at)
    return screen


def paste(screen: Image, picture: Image, skin: Skin, at: tuple[int, int]) -> None:
    """Put the cells at (x, y) of a screen, with their border around them."""
    x, y = at
    height, width = picture.shape[:2]
    border = {side: colour.bgr for side, colour in skin.border.items()}
    thick = 3 * skin.border_width  # enough for every scale that is tested
    lines = {
        "left": (slice(y, y + height), slice(max(0, x - thick), x)),
        "right": (slice(y, y + height), slice(x + width, x + width + thick)),
        "top": (slice(max(0, y - thick), y), slice(x, x + width)),
        "bottom": (slice(y + height, y + height + thick), slice(x, x + width)),
    }
    for side, (rows, columns) in lines.items():
        screen[rows, columns] = border[side]  # type: ignore[index]
    screen[y : y + height, x : x + width] = picture


def scaled_window(skin: Skin, board: Board, pitch: float) -> Image:
    """A screen with a board in its border, drawn at the size that was cut and scaled as a whole."""
    size = skin.cell_width
    framed = np.full((board.rows * size + 60, board.columns * size + 60, 3), (120, 90, 40), np.uint8)
    paste(framed, painted(board, skin), skin, (30, 30))
    scaled = round(framed.shape[1] * pitch / size), round(framed.shape[0] * pitch / size)
    screen = np.full((scaled[1] + 90, scaled[0] + 70, 3), (120, 90, 40), np.uint8)
    way = cv2.INTER_AREA if pitch < size else cv2.INTER_LINEAR
    screen[40:-50, 50:-20] = cv2.resize(framed, scaled, interpolation=way)
    return screen
