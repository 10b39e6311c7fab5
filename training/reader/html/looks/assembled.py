"""Flags and mines that are put together at random from the parts that such drawings have: a pole, a cloth and
a foot; a body, spikes and a fuse. Each is what an `<svg>` of 100 x 100 holds.

Whoever learns from them sees hardly two that are alike, and so what all flags have in common. What the
families have that are left out of training (`training.reader.families`) is not among the parts: no
swallowtails, stripes, holes of golf, knobs, square bombs, skulls or trefoils.
"""

from __future__ import annotations

from math import cos, pi, sin

from training.reader.html.looks.colours import Colour, Rng, css

Point = tuple[float, float]

OUTLINED = 0.2
"""Part of the cloths and bodies of which only the outline is drawn."""


def assembled_flag(rng: Rng, cloth: Colour, pole: Colour) -> str:
    """A flag of a cloth and a pole in two colours."""
    fill, stick = css(cloth), css(pole if rng.random() < 0.75 else cloth)
    x, top, low = rng.uniform(16, 46), rng.uniform(4, 20), rng.uniform(80, 97)
    far, depth = rng.uniform(72, 97), rng.uniform(22, 56)
    thick = rng.uniform(3, 12)
    pole_shape = _line([(x, top - 2), (x, low)], stick, thick, "round" if rng.random() < 0.4 else "butt")
    if rng.random() < 0.2:
        pole_shape += disc(x, top - 1, thick * rng.uniform(0.6, 1.1), stick)
    if rng.random() < 0.06:
        pole_shape = ""
    body = pole_shape + _cloth(rng, (x, top + rng.uniform(0, 6)), (far, depth), fill, stick)
    if rng.random() < 0.55:
        body += _foot(rng, x, low, stick)
    turned = rng.uniform(-14, 14) if rng.random() < 0.3 else 0
    sides = -1 if rng.random() < 0.2 else 1
    turn = f"translate(50 50) rotate({turned:.0f}) scale({sides} 1) translate(-50 -50)"
    return f'<g transform="{turn}">{body}</g>'


def assembled_mine(rng: Rng, colour: Colour, second: Colour) -> str:
    """A bomb, a naval mine, or what else stands for one, in a colour and a second one for what shines."""
    fill, light = css(colour), css(second)
    if rng.random() < 0.1:
        return _sticks(rng, fill, light)
    radius, (x, y) = rng.uniform(18, 34), rng.normal(50, 4, 2)
    parts = []
    if has_spikes := rng.random() < 0.6:
        parts.append(_spikes(rng, (x, y), radius, fill))
    parts.append(_body(rng, (x, y), radius, fill))
    if rng.random() < (0.15 if has_spikes else 0.75):
        parts.append(_fuse(rng, (x, y), radius, fill, light))
    inside = rng.random()
    if inside < 0.45:
        parts.append(disc(x - radius * 0.35, y - radius * 0.35, radius * rng.uniform(0.15, 0.32), light))
    elif inside < 0.55:
        ring = _points(x, y, radius * 0.6, [pi * (1.05 + 0.4 * k / 4) for k in range(5)])
        parts.append(_line(ring, light, radius * 0.15, "round"))
    elif inside < 0.65:
        parts.append(disc(x, y, radius * rng.uniform(0.25, 0.6), light))
    elif inside < 0.72:
        parts += [disc(x + side * radius * 0.4, y - radius * 0.1, radius * 0.2, light) for side in (-1, 1)]
    elif inside < 0.78:
        half = radius * 0.5
        parts.append(_line([(x - half, y - half), (x + half, y + half)], light, radius * 0.2))
        parts.append(_line([(x - half, y + half), (x + half, y - half)], light, radius * 0.2))
    return "".join(parts)


def _cloth(rng: Rng, at: Point, size: Point, fill: str, stick: str) -> str:
    """A cloth from a corner, up to a place across and as deep as `size` says."""
    (x, top), (far, depth) = at, size
    bottom, middle = top + depth, top + depth / 2
    kind = rng.random()
    if kind < 0.3:
        corners = [(x, top), (far, top + depth * rng.uniform(0.2, 0.8)), (x, bottom)]
    elif kind < 0.55:
        less = depth * rng.uniform(0, 0.3)
        corners = [(x, top), (far, top + less), (far, bottom - less), (x, bottom)]
    elif kind < 0.75:
        corners = [(x, top), (far, top), (far, bottom), ((x + far) / 2, bottom + depth / 3), (x, bottom)]
    else:
        return _wave(rng, (x, top), (far, bottom), fill)
    if rng.random() < OUTLINED:
        return _outline(corners, fill, rng.uniform(4, 9))
    cloth = _area(corners, fill)
    more = rng.random()
    if more < 0.1:
        cloth += disc(x + (far - x) * 0.36, middle, depth * rng.uniform(0.12, 0.24), stick)
    elif more < 0.18:
        cloth += _area([(x, top), ((x + far) / 2, top), (x, middle)], stick)
    elif more < 0.3:
        cloth += _outline(corners, stick, rng.uniform(2, 5))
    return cloth


def _wave(rng: Rng, at: Point, to: Point, fill: str) -> str:
    (x, top), (far, bottom) = at, to
    half, high = (far - x) / 2, rng.uniform(5, 13) * rng.choice([-1, 1])
    there = f"q{half / 2:.1f} {-high:.1f} {half:.1f} 0 t{half:.1f} 0"
    back = f"q{-half / 2:.1f} {high:.1f} {-half:.1f} 0 t{-half:.1f} 0"
    path = f"M{x:.1f} {top:.1f} {there} V{bottom:.1f} {back} Z"
    if rng.random() < OUTLINED:
        return f'<path d="{path}" fill="none" stroke="{fill}" stroke-width="{rng.uniform(4, 9):.1f}"/>'
    return f'<path d="{path}" fill="{fill}"/>'


def _foot(rng: Rng, x: float, low: float, stick: str) -> str:
    wide, high = rng.uniform(12, 34), rng.uniform(5, 18)
    kind = rng.integers(4)
    if kind == 0:
        return _area(
            [(x - wide, low), (x - wide, low - high), (x + wide, low - high), (x + wide, low)], stick
        )
    if kind == 1:
        return _area([(x - wide, low), (x, low - 1.5 * high), (x + wide, low)], stick)
    rows = [(wide, low), (wide, low - high / 2), (wide / 2, low - high / 2), (wide / 2, low - high)]
    return _area([(x - a, y) for a, y in rows] + [(x + a, y) for a, y in reversed(rows)], stick)


def _spikes(rng: Rng, at: Point, radius: float, fill: str) -> str:
    x, y = at
    count, turn = int(rng.integers(5, 13)), rng.uniform(0, 2 * pi)
    reach, width = radius + rng.uniform(5, 48 - radius), rng.uniform(3, 11)
    angles = [2 * pi * k / count + turn for k in range(count)]
    if rng.random() < 0.6:
        cap = "round" if rng.random() < 0.5 else "butt"
        return "".join(_line([at, *_points(x, y, reach, [one])], fill, width, cap) for one in angles)
    half = min(0.4, pi / count)
    return "".join(
        _area(_points(x, y, radius * 0.9, [one - half, one + half]) + _points(x, y, reach, [one]), fill)
        for one in angles
    )


def _body(rng: Rng, at: Point, radius: float, fill: str) -> str:
    x, y = at
    kind = rng.random()
    if kind < 0.7:
        if rng.random() < OUTLINED:
            width = rng.uniform(4, 10)
            circle = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="none"'
            return f'{circle} stroke="{fill}" stroke-width="{width:.1f}"/>'
        return disc(x, y, radius, fill)
    if kind < 0.8:
        across, down = radius * rng.uniform(0.7, 1.3), radius * rng.uniform(0.6, 1)
        place = f'cx="{x:.1f}" cy="{y:.1f}" rx="{across:.1f}" ry="{down:.1f}"'
        return f'<ellipse {place} fill="{fill}"/>'
    sides, turn = int(rng.integers(5, 9)), rng.uniform(0, pi)
    return _area(_points(x, y, radius * 1.1, [2 * pi * k / sides + turn for k in range(sides)]), fill)


def _fuse(rng: Rng, at: Point, radius: float, fill: str, light: str) -> str:
    x, y = at
    angle, bend = rng.uniform(-0.8 * pi, -0.2 * pi), rng.uniform(-0.6, 0.6)
    neck = _points(x, y, radius * 0.8, [angle]) + _points(x, y, radius + rng.uniform(4, 9), [angle])
    end = _points(x, y, min(46, radius + rng.uniform(12, 26)), [angle + bend])[0]
    parts = [_line(neck, fill, radius * rng.uniform(0.3, 0.7))]
    parts.append(_line([neck[1], end], fill if rng.random() < 0.6 else light, rng.uniform(3, 7), "round"))
    if rng.random() < 0.6:
        spark, points = rng.uniform(5, 12), int(rng.integers(4, 9))
        corners = [_points(*end, spark * (1, 0.4)[k % 2], [pi * k / points])[0] for k in range(2 * points)]
        parts.append(_area(corners, light if rng.random() < 0.6 else fill))
    return "".join(parts)


def _sticks(rng: Rng, fill: str, light: str) -> str:
    count, high = int(rng.integers(1, 4)), rng.uniform(44, 62)
    wide = rng.uniform(14, 20)
    left = 50 - count * wide / 2
    parts = []
    for k in range(count):
        x = left + k * wide
        parts.append(
            _area([(x + 1, 90), (x + 1, 90 - high), (x + wide - 1, 90 - high), (x + wide - 1, 90)], fill)
        )
    if rng.random() < 0.6:
        parts.append(_line([(left - 3, 64), (left + count * wide + 3, 64)], light, rng.uniform(4, 9)))
    parts.append(_line([(50, 90 - high), (rng.uniform(50, 72), 12)], fill, rng.uniform(3, 6), "round"))
    return f'<g transform="rotate({rng.uniform(-30, 30):.0f} 50 50)">{"".join(parts)}</g>'


def _points(x: float, y: float, radius: float, angles: list[float]) -> list[Point]:
    """Points around a middle."""
    return [(x + radius * cos(one), y + radius * sin(one)) for one in angles]


def disc(x: float, y: float, radius: float, fill: str) -> str:
    """A filled circle."""
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{fill}"/>'


def path(commands: str, fill: str) -> str:
    """A filled path."""
    return f'<path d="{commands}" fill="{fill}"/>'


def stroke(commands: str, colour: str, width: float, cap: str = "butt") -> str:
    """A path that is drawn along."""
    line = f'stroke="{colour}" stroke-width="{width:.1f}" stroke-linecap="{cap}"'
    return f'<path d="{commands}" fill="none" {line}/>'


def through(points: list[Point], closed: bool = True) -> str:
    """The commands of a path through some points."""
    return "M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in points) + (" Z" if closed else "")


def _area(points: list[Point], fill: str) -> str:
    return path(through(points), fill)


def _outline(points: list[Point], colour: str, width: float) -> str:
    line = f'fill="none" stroke="{colour}" stroke-width="{width:.1f}" stroke-linejoin="round"'
    return f'<path d="{through(points)}" {line}/>'


def _line(points: list[Point], colour: str, width: float, cap: str = "butt") -> str:
    return stroke(through(points, closed=False), colour, width, cap)
