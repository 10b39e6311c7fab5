"""Flags, mines and crosses of our own drawing, as what an `<svg>` of 100 x 100 holds."""

from __future__ import annotations

from math import cos, pi, sin

from training.reader.html.looks.assembled import assembled_flag, assembled_mine, disc, path, stroke, through
from training.reader.html.looks.colours import Colour, Rng, css

ASSEMBLED = "assembled"
"""A design that is another one each time: see `assembled`."""

FLAGS = (
    "pennant",
    "pennant-base",
    "rectangle",
    "wavy",
    "triangle",
    "outline",
    "left",
    "banner",
    "checkered",
    *[ASSEMBLED] * 7,
    "swallowtail",
    "golf",
    "pin",
    "two-stripes",
)
"""The designs of flags; `families` says which of them training may not have."""

MINES = (
    "spiked",
    "spiked",
    "spiked",
    "disc",
    "burst",
    "fuse",
    "cross",
    "ring",
    *[ASSEMBLED] * 7,
    "naval",
    "target",
    "bomb-square",
    "spark",
)
"""The designs of mines, likewise; the classic one is the usual one."""


def _rect(x: float, y: float, width: float, height: float, fill: str) -> str:
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{fill}"/>'


def _polar(radius: float, angle: float) -> tuple[float, float]:
    return 50 + radius * cos(angle), 50 + radius * sin(angle)


def star(points: int, inner: float, outer: float, turn: float = 0) -> str:
    """The path of a star in the middle."""
    corners = [_polar((outer, inner)[k % 2], pi * k / points + turn) for k in range(2 * points)]
    return through(corners)


def flag(rng: Rng, design: str, cloth: Colour, pole: Colour) -> str:
    """A flag of a design of `FLAGS`, with random proportions."""
    if design == ASSEMBLED:
        return assembled_flag(rng, cloth, pole)
    fill, stick = css(cloth), css(pole)
    x, far = rng.uniform(24, 48), rng.uniform(78, 97)
    top, low = rng.uniform(4, 18), rng.uniform(82, 98)
    thick, depth = rng.uniform(4, 12), rng.uniform(26, 46)
    middle, bottom, wide = top + depth / 2, top + depth, far - x
    if design == "triangle":
        return path(through([(16, rng.uniform(8, 22)), (88, 50), (16, rng.uniform(78, 92))]), fill)
    if design == "pin":
        drop = "M50 96 C20 58 18 46 18 36 A32 32 0 0 1 82 36 C82 46 80 58 50 96 Z"
        return path(drop, fill) + disc(50, 36, rng.uniform(9, 15), stick)
    staff = _rect(x - thick / 2, top, thick, low - top, stick)
    foot = rng.uniform(16, 34)
    base = _rect(x - foot, low - 9, 2 * foot, 10, stick)
    if rng.random() < 0.5:
        base += _rect(x - foot / 2, low - 17, foot, 9, stick)
    triangle = through([(x, top), (far, middle), (x, bottom)])
    if design == "outline":
        return staff + stroke(triangle, fill, max(thick, 6))
    if design == "golf":
        hole = f'<ellipse cx="{x:.1f}" cy="{low - 4:.1f}" rx="{foot:.1f}" ry="7" fill="{stick}"/>'
        return hole + staff + path(triangle, fill)
    if design == "two-stripes":
        half = depth / 2
        return staff + _rect(x, top, wide, half, fill) + _rect(x, middle, wide, half, stick)
    if design == "checkered":
        step = wide / 4
        squares = [(column, row) for column in range(4) for row in range(3)]
        return staff + "".join(
            _rect(x + column * step, top + row * step, step, step, fill if (column + row) % 2 else stick)
            for column, row in squares
        )
    if design == "wavy":
        half = wide / 2
        wave = f"q{half / 2:.1f} -9 {half:.1f} 0 t{half:.1f} 0"
        back = f"q{-half / 2:.1f} 9 {-half:.1f} 0 t{-half:.1f} 0"
        cloth_path = f"M{x:.1f} {top:.1f} {wave} V{bottom:.1f} {back} Z"
    elif design == "left":
        cloth_path = through([(x, top), (x - min(x - 4, 40), middle), (x, bottom)])
    elif design == "rectangle":
        cloth_path = through([(x, top), (far, top), (far, bottom), (x, bottom)])
    elif design == "swallowtail":
        cloth_path = through([(x, top), (far, top), (far - 18, middle), (far, bottom), (x, bottom)])
    elif design == "banner":
        cloth_path = through([(x, top), (far, top), ((x + far) / 2, bottom + 14)])
    else:
        cloth_path = triangle
    based = design in ("pennant-base", "left") or rng.random() < 0.3
    return staff + path(cloth_path, fill) + (base if based else "")


def mine(rng: Rng, design: str, colour: Colour, second: Colour) -> str:
    """A mine of a design of `MINES`, with random proportions."""
    if design == ASSEMBLED:
        return assembled_mine(rng, colour, second)
    fill, light = css(colour), css(second)
    radius = rng.uniform(24, 34)
    body = disc(50, 50, radius, fill)
    if design == "spiked":
        count = int(rng.choice([4, 6, 8, 8, 8, 10, 12]))
        width, turn = rng.uniform(4, 10), float(rng.choice([0, pi / count]))
        cap, reach = str(rng.choice(["butt", "round"])), rng.uniform(radius + 9, 47)
        angles = [2 * pi * k / count + turn for k in range(count)]
        spikes = "".join(
            stroke(through([_polar(10, a), _polar(reach, a)], closed=False), fill, width, cap) for a in angles
        )
        glint = disc(50 - radius / 3, 50 - radius / 3, radius / rng.uniform(3.2, 5), light)
        return spikes + body + (glint if rng.random() < 0.7 else "")
    if design == "disc":
        return disc(50, 50, rng.uniform(20, 42), fill)
    if design == "burst":
        return path(star(int(rng.integers(6, 13)), rng.uniform(20, 32), 46, rng.random()), fill)
    if design == "fuse":
        neck = f'<g transform="rotate(35 64 24)">{_rect(56, 16, 18, 16, fill)}</g>'
        glint = disc(34, 48, 8, light) if rng.random() < 0.5 else ""
        return disc(46, 58, 32, fill) + neck + stroke("M70 22 q8 -16 20 -8", light, 6) + glint
    if design == "cross":
        arms = stroke("M20 50 H80 M50 20 V80", fill, rng.uniform(10, 18))
        return arms + disc(50, 50, rng.uniform(14, 22), fill)
    if design == "ring":
        circle = f'<circle cx="50" cy="50" r="30" fill="none" stroke="{fill}" stroke-width="11"/>'
        return circle + disc(50, 50, rng.uniform(7, 14), fill)
    if design == "naval":
        knobs = [_polar(40, 2 * pi * k / 6 + 0.3) for k in range(6)]
        return body + "".join(disc(x, y, 7, light) for x, y in knobs)
    if design == "target":
        return "".join(disc(50, 50, r, (fill, light)[k % 2]) for k, r in enumerate((42, 30, 18, 7)))
    if design == "bomb-square":
        spark = f'<g transform="translate(26 -38)">{path(star(5, 5, 12), light)}</g>'
        return _rect(22, 34, 52, 52, fill) + stroke("M60 34 L74 12", fill, 7) + spark
    return path(star(4, 11, 46, pi / 4), fill) + path(star(4, 8, 40), light)


def figure(rng: Rng, colours: list[Colour]) -> str:
    """Some random figures of some colours over each other: no flag and no mine, as those of some games."""
    parts = []
    for _ in range(int(rng.integers(1, 5))):
        fill = css(colours[int(rng.integers(len(colours)))])
        (x, y), size = rng.uniform(25, 75, 2), rng.uniform(10, 40)
        kind = int(rng.integers(5))
        if kind == 0:
            parts.append(disc(x, y, size * 0.8, fill))
        elif kind == 1:
            parts.append(_rect(x - size / 2, y - size / 2, size, size * rng.uniform(0.4, 1.6), fill))
        elif kind == 2:
            turns = sorted(rng.uniform(0, 2 * pi, int(rng.integers(3, 7))))
            parts.append(path(through([(x + size * cos(one), y + size * sin(one)) for one in turns]), fill))
        elif kind == 3:
            outer = rng.uniform(25, 48)
            inner = outer * rng.uniform(0.2, 0.75)
            parts.append(path(star(int(rng.integers(3, 12)), inner, outer, rng.random()), fill))
        else:
            ends = [(float(a), float(b)) for a, b in rng.uniform(8, 92, (int(rng.integers(2, 6)), 2))]
            parts.append(stroke(through(ends, closed=False), fill, rng.uniform(5, 14), "round"))
    return "".join(parts)


def explosion(rng: Rng, colour: Colour, core: Colour) -> str:
    """A star within a star."""
    points, inner, turn = int(rng.integers(7, 14)), rng.uniform(20, 30), rng.random()
    return path(star(points, inner, 49, turn), css(colour)) + path(
        star(points, inner / 2, 27, turn), css(core)
    )


def cross(rng: Rng, colour: Colour) -> str:
    """An X over the whole cell, or one stroke."""
    low = rng.uniform(4, 24)
    high = 100 - low
    strokes = through([(low, low), (high, high)], closed=False)
    if rng.random() < 0.8:
        strokes += through([(high, low), (low, high)], closed=False)
    return stroke(strokes, css(colour), rng.uniform(5, 12))
