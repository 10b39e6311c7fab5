"""Random colours and sets of them: (red, green, blue), 0 to 255."""

from __future__ import annotations

import colorsys

import numpy as np

Rng = np.random.Generator
Colour = tuple[int, int, int]

BLACK: Colour = (0, 0, 0)
WHITE: Colour = (255, 255, 255)
CLASSIC: tuple[Colour, ...] = (
    (0, 0, 255),
    (0, 128, 0),
    (255, 0, 0),
    (0, 0, 128),
    (128, 0, 0),
    (0, 128, 128),
    (0, 0, 0),
    (128, 128, 128),
)
"""The colours of the digits 1 to 8 that most games use, after those of the first one for Windows."""


def of_hue(hue: float, saturation: float, value: float) -> Colour:
    """A colour from its hue, saturation and value, each 0 to 1 (a hue beyond starts again)."""
    red, green, blue = colorsys.hsv_to_rgb(hue % 1, min(max(saturation, 0), 1), min(max(value, 0), 1))
    return round(red * 255), round(green * 255), round(blue * 255)


def any_colour(rng: Rng) -> Colour:
    """A grey, pastel, saturated, dark or light colour."""
    kind = rng.choice(["grey", "pastel", "saturated", "dark", "light", "any"])
    if kind == "grey":
        return of_hue(rng.random(), rng.uniform(0, 0.08), rng.uniform(0.15, 0.95))
    ranges = {
        "pastel": ((0.12, 0.4), (0.8, 1)),
        "saturated": ((0.55, 1), (0.55, 1)),
        "dark": ((0.1, 0.9), (0.08, 0.4)),
        "light": ((0, 0.15), (0.88, 1)),
        "any": ((0, 1), (0, 1)),
    }
    saturation, value = ranges[str(kind)]
    return of_hue(rng.random(), rng.uniform(*saturation), rng.uniform(*value))


def strong_colour(rng: Rng) -> Colour:
    """A colour as flags and warnings have it."""
    return of_hue(rng.random(), rng.uniform(0.6, 1), rng.uniform(0.5, 1))


def distance(first: Colour, second: Colour) -> int:
    """The difference of two colours in the channel in which they differ most, 0 to 255."""
    return max(abs(a - b) for a, b in zip(first, second, strict=True))


def shifted(colour: Colour, amount: float) -> Colour:
    """A colour that is lighter by `amount` of 255 in each channel, or darker if it is negative."""
    red, green, blue = (min(max(round(channel + amount), 0), 255) for channel in colour)
    return red, green, blue


def mixed(first: Colour, second: Colour, part: float) -> Colour:
    """`first` with a part, 0 to 1, of `second`."""
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(first, second, strict=True))
    return red, green, blue


def brightness(colour: Colour) -> float:
    """How bright a colour looks, 0 to 255 (the luma of ITU-R BT.601)."""
    return 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]


def contrasting(colour: Colour, ground: Colour, least: int) -> Colour:
    """The colour, mixed with black or white until it differs from the ground by at least `least`."""
    target = BLACK if brightness(ground) > 110 else WHITE
    for part in np.linspace(0, 1, 9).tolist():
        changed = mixed(colour, target, part)
        if (
            distance(changed, ground) >= least
            and abs(brightness(changed) - brightness(ground)) >= least * 0.4
        ):
            return changed
    return target


def digit_colours(rng: Rng, ground: Colour) -> tuple[str, list[Colour]]:
    """The kind and the colours of the digits 1 to 8 on opened cells of a colour."""
    kind = str(
        rng.choice(["classic", "others", "hues", "one ink", "low contrast"], p=[0.4, 0.2, 0.2, 0.12, 0.08])
    )
    least = 25 if kind == "low contrast" else int(rng.integers(60, 120))
    if kind == "classic":
        change = rng.integers(-40, 41, 3) if rng.random() < 0.4 else np.zeros(3, int)
        colours = [_changed(colour, change.tolist()) for colour in CLASSIC]
    elif kind == "others":
        colours = [of_hue(rng.random(), rng.uniform(0.3, 1), rng.uniform(0.2, 1)) for _ in CLASSIC]
    elif kind == "hues":
        start, step = rng.random(), rng.choice([-1, 1]) * rng.uniform(0.05, 0.14)
        saturation, value = rng.uniform(0.4, 1), rng.uniform(0.35, 1)
        colours = [of_hue(start + step * place, saturation, value) for place in range(8)]
    elif kind == "one ink":
        ink = any_colour(rng) if rng.random() < 0.6 else (BLACK if brightness(ground) > 127 else WHITE)
        colours = [ink] * 8
    else:
        away = (1 if brightness(ground) < 128 else -1) * rng.uniform(30, 60)
        tint = rng.uniform(-15, 15, (8, 3))
        colours = [_changed(shifted(ground, away), tint[place].tolist()) for place in range(8)]
    return kind, [contrasting(colour, ground, least) for colour in colours]


def _changed(colour: Colour, by: list[float]) -> Colour:
    red, green, blue = (min(max(round(a + b), 0), 255) for a, b in zip(colour, by, strict=True))
    return red, green, blue
