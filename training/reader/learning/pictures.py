"""Small pictures that could stand for anything: signs, emoji and random figures, with their opacity.

A game may show a mine by any picture; which one stands for a mine only the cells around say.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image as Pillow
from PIL import ImageDraw

from training.reader.families import FAMILIES
from training.reader.paint.fonts import emoji_font, font, font_families
from training.reader.positions import Rng

Picture = npt.NDArray[np.float32]
"""Shape (SIDE, SIDE, 4): blue, green, red, 0 to 255, and opacity, 0 to 1."""

SIDE = 96

SIGN_FONTS = ("DejaVu Sans", "Symbola", "Noto Sans Symbols2", "FreeSans")
"""Families of fonts that have many signs."""

SIGNS = (
    (0x21, 0x2F),
    (0x3A, 0x3E),
    (0x40, 0x7E),
    (0x2190, 0x21FF),
    (0x2300, 0x23CF),
    (0x25A0, 0x27BF),
    (0x2B00, 0x2B59),
)
"""Ranges of the characters that are drawn in one colour; none is a digit or a question mark."""

EMOJI = ((0x1F300, 0x1F64F), (0x1F680, 0x1F6C5), (0x1F900, 0x1F9FF))
"""Ranges of the characters that are drawn in colours."""

EMOJI_SIZE = 109
"""The only size in which Noto Color Emoji is there, in pixels."""

LEAST_INK = 0.03
"""The least part of its square that a sign covers; less is no sign of the font."""


def random_picture(rng: Rng) -> Picture:
    """A picture of any kind, in any colours."""
    kind = rng.random()
    if kind < 0.35 and (sign := _sign(rng)) is not None:
        return inked(sign, rng.integers(0, 256, 3))
    if kind < 0.65 and (emoji := _emoji(int(rng.choice(_characters(EMOJI))))) is not None:
        return emoji
    return _figure(rng)


def inked(opacity: npt.NDArray[np.float32], colour: npt.NDArray[np.integer]) -> Picture:
    """A shape, (SIDE, SIDE), in one colour."""
    return np.dstack([np.broadcast_to(colour.astype(np.float32), (*opacity.shape, 3)), opacity])


def cross(rng: Rng) -> Picture:
    """An X, or one of its strokes, in red or black over the whole square."""
    opacity = np.zeros((SIDE, SIDE), np.uint8)
    low, width = int(rng.uniform(0.03, 0.25) * SIDE), int(rng.uniform(0.06, 0.14) * SIDE)
    ends = [((low, low), (SIDE - low, SIDE - low)), ((SIDE - low, low), (low, SIDE - low))]
    for first, last in ends[: 1 + (rng.random() < 0.8)]:
        cv2.line(opacity, first, last, 255, width, cv2.LINE_AA)
    colour = np.array([0, 0, 0]) if rng.random() < 0.2 else np.array([*rng.integers(0, 60, 2), 230])
    return inked(opacity.astype(np.float32) / np.float32(255), colour)


def _figure(rng: Rng) -> Picture:
    """One to four shapes, one over the other."""
    picture = np.zeros((SIDE, SIDE, 4), np.float32)
    colours = rng.integers(0, 256, (2, 3))
    for _ in range(int(rng.integers(1, 5))):
        shape = np.zeros((SIDE, SIDE), np.uint8)
        middle = rng.normal(0.5, 0.1, 2) * SIDE
        size = rng.uniform(0.12, 0.48) * SIDE
        kind = rng.integers(4)
        if kind == 0:
            axes = (int(size), int(size * rng.uniform(0.4, 1)))
            thick = -1 if rng.random() < 0.7 else int(rng.uniform(0.04, 0.12) * SIDE)
            place = (int(middle[0]), int(middle[1]))
            cv2.ellipse(shape, place, axes, float(rng.uniform(0, 180)), 0, 360, 255, thick, cv2.LINE_AA)
        elif kind == 1:
            ends = np.round(rng.uniform(0.08, 0.92, (int(rng.integers(2, 6)), 2)) * SIDE).astype(np.int32)
            thick = int(rng.uniform(0.05, 0.15) * SIDE)
            cv2.polylines(shape, [ends], False, 255, thick, cv2.LINE_AA)
        else:
            corners = int(rng.integers(3, 9)) * (1 + (kind == 3))
            angles = np.arange(corners) * 2 * np.pi / corners + rng.uniform(0, np.pi)
            radii = np.full(corners, size)
            if kind == 3:
                radii[::2] *= rng.uniform(0.3, 0.8)
            else:
                radii *= rng.uniform(0.5, 1, corners)
            points = middle + radii[:, None] * np.stack([np.cos(angles), np.sin(angles)], 1)
            cv2.fillPoly(shape, [np.round(points).astype(np.int32)], 255, cv2.LINE_AA)
        part = shape[..., None].astype(np.float32) / 255
        picture[..., :3] += (colours[int(rng.integers(2))] - picture[..., :3]) * part
        picture[..., 3:] = np.maximum(picture[..., 3:], part)
    return picture


@cache
def _characters(ranges: tuple[tuple[int, int], ...]) -> list[int]:
    """The characters of some ranges that training may see."""
    held_out = {ord(name[-1]) for kind in ("flags", "mines") for name in FAMILIES[kind].members}
    return [one for first, last in ranges for one in range(first, last + 1) if one not in held_out]


def _sign(rng: Rng) -> npt.NDArray[np.float32] | None:
    """The opacity of a random sign; None where the font of this machine has none."""
    families = [path for name in SIGN_FONTS for path in _sign_fonts().get(name, [])]
    if not families:
        return None
    return _drawn_sign(str(rng.choice(families)), int(rng.choice(_characters(SIGNS))))


@cache
def _sign_fonts() -> dict[str, list[str]]:
    return font_families()


@cache
def _drawn_sign(path: str, character: int) -> npt.NDArray[np.float32] | None:
    sized = font(path, 2 * SIDE)
    drawn = Pillow.new("L", (4 * SIDE, 4 * SIDE))
    ImageDraw.Draw(drawn).text((2 * SIDE, 2 * SIDE), chr(character), fill=255, font=sized, anchor="mm")
    missing = Pillow.new("L", drawn.size)
    ImageDraw.Draw(missing).text((2 * SIDE, 2 * SIDE), "\uffff", fill=255, font=sized, anchor="mm")
    pixels = np.asarray(drawn)
    if not pixels.any() or np.array_equal(pixels, np.asarray(missing)):
        return None
    square = _in_square(pixels.astype(np.float32)[..., None] / np.float32(255))[..., 0]
    return square if square.mean() > LEAST_INK else None


@cache
def _emoji(character: int) -> Picture | None:
    path = emoji_font()
    if path is None:
        return None
    drawn = Pillow.new("RGBA", (160, 160))
    sized = font(path, EMOJI_SIZE)
    ImageDraw.Draw(drawn).text((80, 80), chr(character), font=sized, embedded_color=True, anchor="mm")
    pixels = np.asarray(drawn).astype(np.float32)[..., [2, 1, 0, 3]]
    pixels[..., 3] /= 255
    return _in_square(pixels) if pixels[..., 3].any() else None


def _in_square(pixels: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """What is opaque of a picture, its last channel being the opacity, as large as a square allows."""
    rows, columns = (np.flatnonzero(pixels[..., -1].any(axis=axis)) for axis in (1, 0))
    part = pixels[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    times = SIDE / max(part.shape[:2])
    size = (max(1, round(part.shape[1] * times)), max(1, round(part.shape[0] * times)))
    scaled = cv2.resize(part, size, interpolation=cv2.INTER_AREA).reshape(size[1], size[0], -1)
    out = np.zeros((SIDE, SIDE, scaled.shape[2]), np.float32)
    y, x = (SIDE - size[1]) // 2, (SIDE - size[0]) // 2
    out[y : y + size[1], x : x + size[0]] = scaled
    return out
