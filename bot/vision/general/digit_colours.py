"""Which digit a colour speaks for.

The colours are those of the classic windows, of Windows 7 and of the Google game. Screens are dimmed and
tinted, dark skins lighten the colours: hue counts, and how light a colour is only a little.
"""

from __future__ import annotations

import colorsys
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

PALETTES: tuple[tuple[str, ...], ...] = (
    ("0000FF", "008000", "FF0000", "000080", "800000", "008080", "000000", "808080"),
    ("4050BC", "1E6702", "AC0A0A", "0A0D82", "7D0103", "0A7D7D", "7D0103", "6E6E6E"),
    ("1976D2", "388E3C", "D32F2F", "7B1FA2", "FF8F00", "0097A7", "424242", "9E9E9E"),
)
"""Red, green, blue of the digits 1 to 8 in each."""


def _features(red: float, green: float, blue: float) -> tuple[float, float, float, float]:
    hue, light, _ = colorsys.rgb_to_hls(red / 255, green / 255, blue / 255)
    strength = (max(red, green, blue) - min(red, green, blue)) / 255
    return strength * np.cos(2 * np.pi * hue), strength * np.sin(2 * np.pi * hue), strength, light


def digit_colours(colour: Floats) -> Floats:
    """How well a colour (blue, green, red) speaks for 1 to 8 in the best palette: (8,), 0 down to -1."""
    return _digit_colours(*(float(value) for value in colour))


@lru_cache(maxsize=256)
def _digit_colours(blue: float, green: float, red: float) -> Floats:
    x, y, strength, light = _features(red, green, blue)
    rows: list[list[float]] = []
    for palette in PALETTES:
        scores: list[float] = []
        for text in palette:
            r, g, b = (int(text[at : at + 2], 16) for at in (0, 2, 4))
            px, py, other, other_light = _features(r, g, b)
            # Hue by direction, for colours that have one; how strong and how light they are by difference.
            both = max(strength, 0.02) * max(other, 0.02)
            turn = 1 - (x * px + y * py) / both if min(strength, other) > 0.12 else 0.0
            grey = 1.2 if (strength > 0.25) != (other > 0.2) else 0.0
            scores.append(-(1.6 * turn + 0.9 * abs(light - other_light) + 0.4 * abs(strength - other) + grey))
        rows.append(scores)
    out: Floats = np.maximum(np.array(rows, np.float32).max(axis=0), -1.5)
    return out


def is_red(colour: Any) -> bool:
    """Whether a colour (blue, green, red) is clearly red, as that behind a mine that exploded."""
    blue, green, red = (float(value) for value in colour)
    return red > 90 and red > 1.7 * green and red > 1.7 * blue
