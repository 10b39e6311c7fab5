"""How well a colour agrees with the colours that known games give the digits 1 to 8.

Screens are dimmed and tinted, and dark skins lighten the colours. Therefore hue counts most, lightness and
strength count less.
"""

from __future__ import annotations

import colorsys
from functools import lru_cache

import numpy as np

from bot.vision.general.patches import Floats

PALETTES: tuple[tuple[str, ...], ...] = (
    ("0000FF", "008000", "FF0000", "000080", "800000", "008080", "000000", "808080"),
    ("4050BC", "1E6702", "AC0A0A", "0A0D82", "7D0103", "0A7D7D", "7D0103", "6E6E6E"),
    ("1976D2", "388E3C", "D32F2F", "7B1FA2", "FF8F00", "0097A7", "424242", "9E9E9E"),
)
"""The colours (red, green, blue) of 1 to 8 in the classic windows, Windows 7 and the Google game."""

HUE_WEIGHT, LIGHTNESS_WEIGHT, STRENGTH_WEIGHT, GREY_COST = 1.6, 0.9, 0.4, 1.2
"""What differences cost: of hue (1 - cosine of the angle), of lightness and of strength (0 to 1); and that
one of two colours is grey while the other is not."""

MIN_HUE_STRENGTH = 0.12
"""Colours have a hue if their strength (largest minus smallest channel, 0 to 1) is greater than this."""

COLOURFUL, PALETTE_COLOURFUL = 0.25, 0.2
"""A colour is not grey if its strength is greater than this; so for the colours of the palettes."""

LOWEST_SCORE = -1.5
"""Colours that agree with a digit's even less all score this."""


def digit_colour_scores(colour: Floats) -> Floats:
    """How well a colour (blue, green, red; 0 to 255) agrees with each digit's in the best palette.

    Out: shape (8,), for 1 to 8, from 0 (the same) down to LOWEST_SCORE.
    """
    return _scores(*(float(channel) for channel in colour))


@lru_cache(maxsize=256)
def _scores(blue: float, green: float, red: float) -> Floats:
    x, y, strength, lightness = _features(red, green, blue)
    by_palette: list[list[float]] = []
    for palette in PALETTES:
        scores: list[float] = []
        for text in palette:
            r, g, b = (int(text[at : at + 2], 16) for at in (0, 2, 4))
            own_x, own_y, own_strength, own_lightness = _features(r, g, b)
            lengths = max(strength, 0.02) * max(own_strength, 0.02)
            has_hue = min(strength, own_strength) > MIN_HUE_STRENGTH
            hue = 1 - (x * own_x + y * own_y) / lengths if has_hue else 0.0
            grey = GREY_COST if (strength > COLOURFUL) != (own_strength > PALETTE_COLOURFUL) else 0.0
            scores.append(
                -(
                    HUE_WEIGHT * hue
                    + LIGHTNESS_WEIGHT * abs(lightness - own_lightness)
                    + STRENGTH_WEIGHT * abs(strength - own_strength)
                    + grey
                )
            )
        by_palette.append(scores)
    best: Floats = np.maximum(np.array(by_palette, np.float32).max(axis=0), LOWEST_SCORE)
    return best


def _features(red: float, green: float, blue: float) -> tuple[float, float, float, float]:
    """Hue as a vector (x, y) as long as the colour is strong, strength and lightness (0 to 1) of a colour."""
    hue, lightness, _ = colorsys.rgb_to_hls(red / 255, green / 255, blue / 255)
    strength = (max(red, green, blue) - min(red, green, blue)) / 255
    return strength * np.cos(2 * np.pi * hue), strength * np.sin(2 * np.pi * hue), strength, lightness
