"""The looks of cells that are known, and a picture of them for people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from bot.board import SYMBOLS, Cell
from bot.vision.grid import Image

ZOOM = 3
"""How many times as large as in the window a glyph is drawn."""

MARGIN, TEXT_WIDTH = 12, 620
"""Pixels around a glyph, and for the text of a line."""


@dataclass(frozen=True)
class KnownLook:
    """A look of cells, and what it means."""

    picture: Image
    """One cell, shape (height, width, 3)."""
    code: int
    """A code of `Cell`."""
    why: str
    """A few words for people: its file, or why that is believed."""
    seen: int = 0
    """Cells that are evidence for it."""


def draw_sheet(looks: Sequence[KnownLook]) -> Image:
    """A picture, shape (height, width, 3), with a line for each look: glyph, letter, what is known of it."""
    if not looks:
        return np.full((40, 200, 3), 255, np.uint8)
    height = max(look.picture.shape[0] for look in looks) * ZOOM + MARGIN
    left = max(look.picture.shape[1] for look in looks) * ZOOM + 2 * MARGIN
    sheet = np.full((height * len(looks) + MARGIN, left + TEXT_WIDTH, 3), 255, np.uint8)
    for index, look in enumerate(looks):
        top = MARGIN + index * height
        large = cv2.resize(look.picture, None, fx=ZOOM, fy=ZOOM, interpolation=cv2.INTER_NEAREST)
        sheet[top : top + large.shape[0], MARGIN : MARGIN + large.shape[1]] = large
        name = Cell(look.code).name.lower().replace("_", " ") if look.code > 8 else f"{look.code}"
        name = "0 (empty)" if look.code == 0 else name
        sure = f"{certainty(look)}, " if look.seen else ""
        text = f"{SYMBOLS[look.code]}  {name}: {sure}{look.why}"
        base = (left, top + height // 2 + 4)
        cv2.putText(sheet, text, base, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1, cv2.LINE_AA)
    return sheet


def certainty(look: KnownLook) -> str:
    """How sure a look is, for people."""
    seen = f"{look.seen} cell{'s' if look.seen != 1 else ''}"
    word = "sure" if look.seen >= 5 else "likely" if look.seen >= 2 else "seen once"
    return f"{word} ({seen})"
