"""The colours of a board: of covered and opened cells, of lines, of the page, and of the digits."""

from __future__ import annotations

from dataclasses import dataclass

from training.reader.families import FAMILIES
from training.reader.html.looks.colours import (
    BLACK,
    WHITE,
    Colour,
    Rng,
    any_colour,
    apart,
    contrast,
    hsl,
    lightness,
    mix,
    parse,
    shade,
)
from training.reader.html.looks.palettes import PALETTES, Palette

INKS = {
    "classic": "0000ff 008000 ff0000 000080 800000 008080 000000 808080",
    "classic-dull": "1919b0 1b7a1b c81414 0a0a66 6e0d0d 0b7575 141414 757575",
    "material": "1976d2 388e3c d32f2f 7b1fa2 ff8f00 0097a7 424242 9e9e9e",
    "bright": "4fc3f7 81c784 e57373 ba68c8 ffb74d 4dd0e1 fff176 e0e0e0",
    "neon": "00e5ff 39ff14 ff073a bf00ff ff9100 00ffd5 fffb00 ff00aa",
    "earth": "3b5b8c 4f7a3a b5482e 5b3f78 8a5a1c 2f7c78 3a2f2a 8c8378",
}
"""Sets of the colours of the digits 1 to 8, as games often have them."""

USUAL_CONTRAST, LEAST_CONTRAST = 85, 27
"""The least contrast of digits with their ground (0 to 255, strongest channel): usually, and ever."""


@dataclass(frozen=True)
class Scheme:
    """The colours of one board."""

    name: str
    page: Colour
    ground: Colour
    """Of lines and gaps between cells, and of the frame."""
    covered: tuple[Colour, ...]
    """One colour, or two of a checkerboard."""
    opened: tuple[Colour, ...]
    accents: tuple[Colour, ...] = ()
    """The colours of a palette's digits and marks; empty if any will do."""

    @property
    def separate(self) -> int:
        """The least contrast of a covered with an opened cell."""
        return min(contrast(a, b) for a in self.covered for b in self.opened)


def _grey(rng: Rng) -> tuple[Colour, Colour]:
    base = rng.uniform(0.55, 0.85)
    tint, part = rng.random(), rng.choice([0, 0, 0.04, 0.1])
    covered = hsl(tint, part, base)
    kind = rng.random()
    if kind < 0.35:
        return covered, covered
    return covered, shade(covered, rng.uniform(0.08, 0.8) if kind < 0.7 else -rng.uniform(0.06, 0.3))


def _pair(rng: Rng, kind: str) -> tuple[Colour, Colour]:
    """The colours of covered and of opened cells."""
    hue = rng.random()
    other = hue + rng.choice([0, 0, 0.08, -0.08, 0.35, 0.5])
    if kind == "grey":
        return _grey(rng)
    if kind == "nature":
        return hsl(rng.uniform(0.2, 0.4), rng.uniform(0.3, 0.8), rng.uniform(0.35, 0.65)), hsl(
            rng.uniform(0.06, 0.14), rng.uniform(0.2, 0.6), rng.uniform(0.6, 0.85)
        )
    if kind == "pastel":
        return hsl(hue, rng.uniform(0.3, 0.8), rng.uniform(0.68, 0.84)), hsl(
            other, rng.uniform(0.1, 0.6), rng.uniform(0.86, 0.98)
        )
    if kind == "saturated":
        return hsl(hue, rng.uniform(0.6, 1), rng.uniform(0.3, 0.6)), hsl(
            other, rng.uniform(0, 1), rng.choice([rng.uniform(0.05, 0.3), rng.uniform(0.75, 0.97)])
        )
    if kind == "dark":
        one = hsl(hue, rng.uniform(0, 0.4), rng.uniform(0.2, 0.38))
        two = hsl(other, rng.uniform(0, 0.4), rng.uniform(0.02, 0.16))
        return (one, two) if rng.random() < 0.6 else (two, one)
    if kind == "light":
        one = hsl(hue, rng.uniform(0, 0.5), rng.uniform(0.74, 0.9))
        two = hsl(hue, rng.uniform(0, 0.5), rng.uniform(0.92, 1))
        return (one, two) if rng.random() < 0.6 else (two, one)
    if kind == "terminal":
        green = hsl(rng.choice([0.33, 0.36, 0.12, 0.5]), rng.uniform(0.6, 1), rng.uniform(0.12, 0.35))
        return (green, shade(green, -0.9)) if rng.random() < 0.7 else (BLACK, green)
    if kind == "contrast":
        ends = [BLACK, WHITE, (255, 255, 0), (0, 0, 128), (32, 32, 32)]
        first, second = rng.choice(len(ends), 2, replace=False)
        return ends[first], ends[second]
    return any_colour(rng), any_colour(rng)


KINDS = {
    "grey": 0.24,
    "nature": 0.08,
    "pastel": 0.13,
    "saturated": 0.13,
    "dark": 0.15,
    "light": 0.07,
    "terminal": 0.03,
    "contrast": 0.04,
    "random": 0.13,
}


def _two_tone(rng: Rng, colour: Colour) -> tuple[Colour, ...]:
    amount = rng.uniform(0.03, 0.14) * rng.choice([-1, 1])
    other = shade(colour, amount)
    return (colour, other) if contrast(colour, other) >= 4 else (colour, shade(colour, -amount))


def _of_palette(rng: Rng, name: str, palette: Palette) -> Scheme:
    neutrals = list(palette.neutrals)
    size = len(neutrals)
    while True:
        first, second, ground, page = (int(one) for one in rng.integers(0, size, 4))
        covered, opened = neutrals[first], neutrals[second]
        if rng.random() < 0.2:
            covered = palette.accents[int(rng.integers(len(palette.accents)))]
        middle = 0.35 < lightness(opened) < 0.65
        if contrast(covered, opened) >= 16 and not middle:
            break
    lines = neutrals[ground]
    if contrast(lines, covered) < 14:
        lines = max(neutrals, key=lambda one: contrast(one, covered))
    return Scheme(name, neutrals[page], lines, (covered,), (opened,), palette.accents)


def random_scheme(rng: Rng, family: str) -> Scheme:
    """The colours of a board of a family (empty: for training)."""
    held_out = FAMILIES["palettes"].members
    if family == "palettes" or rng.random() < 0.08:
        names = [name for name in PALETTES if (name in held_out) == (family == "palettes")]
        name = str(rng.choice(names))
        return _of_palette(rng, name, PALETTES[name])
    kind = str(rng.choice(list(KINDS), p=list(KINDS.values())))
    covered, opened = _pair(rng, kind)
    one, two = (covered,), (opened,)
    checkered = rng.random()
    ground = [
        shade(covered, -rng.uniform(0.1, 0.7)),
        shade(opened, -rng.uniform(0.05, 0.6)),
        shade(opened, rng.uniform(0.1, 0.9)),
        mix(covered, opened, 0.5),
        BLACK,
        WHITE,
        any_colour(rng),
    ][int(rng.choice(7, p=[0.25, 0.25, 0.1, 0.15, 0.08, 0.07, 0.1]))]
    # Lines and gaps that cannot be seen would make one area of the covered cells.
    ground = apart(ground, [covered], 14)
    page = [WHITE, BLACK, shade(WHITE, -rng.uniform(0, 0.25)), covered, opened, ground, any_colour(rng)][
        int(rng.integers(7))
    ]
    if kind == "dark" and rng.random() < 0.7:
        page = shade(opened, -rng.random())
    scheme = Scheme(kind, page, ground, one, two)
    if checkered < 0.3:
        scheme = Scheme(
            f"{kind} checkered",
            page,
            ground,
            _two_tone(rng, covered) if checkered < 0.24 else one,
            _two_tone(rng, opened) if checkered < 0.16 or checkered > 0.24 else two,
        )
    return scheme


def random_inks(rng: Rng, grounds: list[Colour], scheme: Scheme) -> tuple[str, tuple[Colour, ...]]:
    """The colours of the digits 1 to 8 on their grounds, and the name of the set."""
    dark = sum(lightness(one) for one in grounds) / len(grounds) < 0.45
    faint = rng.random() < 0.18
    least = round(rng.uniform(LEAST_CONTRAST, 60)) if faint else USUAL_CONTRAST
    if scheme.accents:
        order = rng.permutation(len(scheme.accents))
        inks = [scheme.accents[order[k % len(order)]] for k in range(8)]
        return "palette", tuple(apart(one, grounds, max(least, 45)) for one in inks)
    kind = str(
        rng.choice(["set", "one", "each", "ramp", "hues", "near"], p=[0.5, 0.14, 0.1, 0.08, 0.12, 0.06])
    )
    if kind == "set":
        usual = ("bright", "neon", "material", "classic") if dark else ("classic", "classic", *INKS)
        name = str(rng.choice(usual))
        inks = [parse(one) for one in INKS[name].split()]
        kind = name
    elif kind == "one":
        ink = any_colour(rng) if rng.random() < 0.5 else WHITE if dark else BLACK
        inks = [ink] * 8
    elif kind == "each":
        inks = [any_colour(rng) for _ in range(8)]
    elif kind == "ramp":
        ends = any_colour(rng), any_colour(rng)
        inks = [mix(*ends, k / 7) for k in range(8)]
    elif kind == "near":
        # Digits that hardly differ from their ground, in its own hue.
        least = round(rng.uniform(LEAST_CONTRAST, 50))
        side = WHITE if dark else BLACK
        inks = [mix(grounds[0], side, rng.uniform(0.1, 0.2)) for _ in range(8)]
    else:
        start, step = rng.random(), rng.choice([-1, 1]) / rng.uniform(7, 10)
        saturation, light = rng.uniform(0.5, 1), rng.uniform(0.55, 0.75) if dark else rng.uniform(0.25, 0.5)
        inks = [hsl(start + k * step, saturation, light) for k in range(8)]
    if kind != "one" and rng.random() < 0.25:
        inks = [inks[k] for k in rng.permutation(8)]
    return kind + (" faint" if least < USUAL_CONTRAST else ""), tuple(
        apart(one, grounds, least) for one in inks
    )
