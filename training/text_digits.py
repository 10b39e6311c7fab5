"""Draw the sheet of digits that written counters are compared with, `bot/vision/text_digits.png`.

    python training/text_digits.py FONT.ttf … --out bot/vision/text_digits.png

The sheet in the project is drawn with the regular cuts of DejaVu Sans (and its bold one), DejaVu Sans Mono,
Cantarell, Inter, Lato, Open Sans, Noto Sans, Liberation Sans and Roboto, as Debian 12 has them. Their
licences (Bitstream Vera, SIL OFL 1.1, Apache 2.0) leave what is drawn with them free; no font is in the
project.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from bot.vision.header.text_counter import INK, LETTERS, fitted_letter

SIZES = ((11, 4), (13, 1), (13, 4), (15, 1), (15, 4), (18, 4), (24, 4))
"""Pixels of a font, and how many times larger it is drawn and then shrunk: with hinting and without."""


def drawn(font: str, text: str, size: int, finer: int) -> npt.NDArray[np.float32]:
    """A letter, 0 to 255, cut out close."""
    face = ImageFont.truetype(font, size * finer)
    picture = Image.new("L", (3 * size * finer, 3 * size * finer))
    ImageDraw.Draw(picture).text((size * finer, size * finer // 2), text, fill=255, font=face)
    large = np.asarray(picture, np.float32)
    ink = np.asarray(cv2.resize(large, (3 * size, 3 * size), interpolation=cv2.INTER_AREA), np.float32)
    rows, columns = (np.flatnonzero((ink > INK * ink.max()).any(axis=axis)) for axis in (1, 0))
    return ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def main() -> None:
    """Draw the sheet, a row for each font and size."""
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    words.add_argument("fonts", nargs="+")
    words.add_argument("--out", type=Path, required=True)
    told = words.parse_args()
    rows = [
        np.concatenate([fitted_letter(drawn(font, one, size, finer)) for one in LETTERS], axis=1)
        for font in told.fonts
        for size, finer in SIZES
    ]
    levels = (np.concatenate(rows) / 17).round() * 17  # sixteen are enough, and take half the room
    cv2.imwrite(str(told.out), levels.astype(np.uint8))


if __name__ == "__main__":
    main()
