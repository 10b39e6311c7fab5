"""Colours as (red, green, blue), 0 to 255, and how far they are apart."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence

import numpy as np

Rng = np.random.Generator
Colour = tuple[int, int, int]

WHITE, BLACK = (255, 255, 255), (0, 0, 0)


def css(colour: Colour, opacity: float = 1) -> str:
    """A colour as CSS writes it."""
    if opacity < 1:
        return f"rgba({colour[0]},{colour[1]},{colour[2]},{opacity:.3g})"
    return f"#{colour[0]:02x}{colour[1]:02x}{colour[2]:02x}"


def parse(text: str) -> Colour:
    """The colour of six hexadecimal digits, with or without #."""
    digits = text.lstrip("#")
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)


def hsl(hue: float, saturation: float, lightness: float) -> Colour:
    """A colour from hue (turns), saturation and lightness (0 to 1)."""
    red, green, blue = colorsys.hls_to_rgb(hue % 1, min(max(lightness, 0), 1), min(max(saturation, 0), 1))
    return round(red * 255), round(green * 255), round(blue * 255)


def mix(one: Colour, other: Colour, part: float) -> Colour:
    """A colour between two: `part` (0 to 1) of the way to the other."""
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(one, other, strict=True))
    return red, green, blue


def shade(colour: Colour, amount: float) -> Colour:
    """A lighter colour (`amount` up to 1), or a darker one (down to -1)."""
    return mix(colour, WHITE if amount > 0 else BLACK, abs(amount))


def lightness(colour: Colour) -> float:
    """How light a colour looks, 0 to 1 (the weights of Rec. 601)."""
    return (0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]) / 255


def contrast(one: Colour, other: Colour) -> int:
    """The difference in the channel that differs most."""
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


def least_contrast(colour: Colour, others: Sequence[Colour]) -> int:
    """The smallest contrast to any of `others`."""
    return min(contrast(colour, other) for other in others)


def apart(colour: Colour, grounds: Sequence[Colour], least: int) -> Colour:
    """The colour, or the nearest mix with white or black that has the least contrast to all grounds."""
    for step in range(21):
        tried = [mix(colour, end, step / 20) for end in (WHITE, BLACK)]
        best = max(tried, key=lambda one: least_contrast(one, grounds))
        if least_contrast(best, grounds) >= least:
            return best
    return max((WHITE, BLACK), key=lambda one: least_contrast(one, grounds))


def any_colour(rng: Rng) -> Colour:
    """A random colour, all hues and lightnesses."""
    return hsl(rng.random(), rng.random(), rng.uniform(0.05, 0.95))
