"""The figures of marks with random proportions: flags, mines, explosions."""

from __future__ import annotations

import math

from training.reader.paint.colours import BLACK, WHITE, Colour, Rng, brightness, of_hue, shifted
from training.reader.paint.layers import Canvas, Design

Point = tuple[float, float]


def flag_on_pole(rng: Rng, kind: str, cloth: Colour, pole: Colour) -> Design:
    """A cloth at a pole, or without one, on a base, or without one."""
    left, right = rng.uniform(0.18, 0.36), rng.uniform(0.66, 0.86)
    top, low = rng.uniform(0.1, 0.24), rng.uniform(0.45, 0.62)
    bottom = rng.uniform(0.74, 0.9)
    thick, turned = rng.uniform(0.05, 0.11), rng.random() < 0.3
    base, base_wide, base_high = (
        rng.choice(["none", "bar", "steps", "hill"]),
        rng.uniform(0.3, 0.6),
        rng.uniform(0.05, 0.12),
    )
    rise = rng.uniform(0, 1)
    line = shifted(cloth, -80) if rng.random() < 0.2 else None
    with_pole = kind != "bare"
    wave = rng.uniform(0.03, 0.07)

    def side(x: float) -> float:
        return 1 - x if turned else x

    def draw(canvas: Canvas) -> None:
        centre = left + thick / 2
        if with_pole:
            if base == "hill":
                canvas.ellipse(side(centre), bottom, base_wide / 2, base_high, pole)
            elif base == "steps":
                _box(canvas, side(centre), base_wide * 0.3, bottom - base_high * 1.8, bottom, pole)
                _box(canvas, side(centre), base_wide / 2, bottom - base_high, bottom, pole)
            elif base == "bar":
                _box(canvas, side(centre), base_wide / 2, bottom - base_high, bottom, pole)
            canvas.rectangle(
                min(side(left), side(left + thick)), top, max(side(left), side(left + thick)), bottom, pole
            )
        points: list[Point] = [(left, top), (right, top + rise * (low - top)), (left, low)]
        if kind == "cloth":
            points = [(left, top), (right, top), (right, low), (left, low)]
        elif kind == "waving":
            steps = [place / 12 for place in range(13)]
            upper = [(left + (right - left) * s, top + wave + wave * math.sin(6.28 * s)) for s in steps]
            points = upper + [(x, y + low - top - wave) for x, y in reversed(upper)]
        canvas.polygon([(side(x), y) for x, y in points], cloth, line)

    return draw


def _box(canvas: Canvas, middle: float, half: float, top: float, bottom: float, colour: Colour) -> None:
    canvas.rectangle(middle - half, top, middle + half, bottom, colour)


def warning(rng: Rng, colour: Colour, other: Colour) -> Design:
    """A triangle with a mark of exclamation."""
    half, top, low = rng.uniform(0.3, 0.4), rng.uniform(0.12, 0.2), rng.uniform(0.78, 0.86)
    thick = rng.uniform(0.07, 0.1)

    def draw(canvas: Canvas) -> None:
        canvas.polygon([(0.5, top), (0.5 + half, low), (0.5 - half, low)], colour)
        _box(canvas, 0.5, thick / 2, top + 0.24, low - 0.22, other)
        _box(canvas, 0.5, thick / 2, low - 0.16, low - 0.07, other)

    return draw


def ball(rng: Rng, kind: str, colour: Colour, ground: Colour) -> Design:
    """A disc with what the kind of mine adds to it."""
    radius = rng.uniform(0.2, 0.3) if kind == "spikes" else rng.uniform(0.24, 0.38)
    spikes, reach, thick = (
        int(rng.choice([4, 6, 8, 8, 8, 10, 12])),
        rng.uniform(0.34, 0.46),
        rng.uniform(0.05, 0.11),
    )
    start = rng.choice([0, 0, math.pi / 8, rng.random()])
    shine = WHITE if brightness(colour) < 150 else BLACK
    lit, shine_size = rng.random() < 0.65, rng.uniform(0.15, 0.35)
    fuse = of_hue(rng.uniform(0.02, 0.12), 0.9, 0.9)
    if brightness(ground) > 150:
        fuse = shifted(fuse, -60)
    knobs = rng.random() < 0.3

    def draw(canvas: Canvas) -> None:
        middle = 0.56 if kind == "bomb" else 0.5
        if kind == "bomb":
            canvas.line([(0.62, 0.34), (0.7, 0.2), (0.82, 0.18)], fuse, 0.06)
            canvas.rectangle(0.54, 0.24, 0.7, 0.4, colour)
        if kind == "spikes":
            for spike in range(spikes):
                angle = start + spike * 2 * math.pi / spikes
                end = (0.5 + reach * math.cos(angle), 0.5 + reach * math.sin(angle))
                canvas.line([(0.5, 0.5), end], colour, thick)
                if knobs:
                    canvas.ellipse(end[0], end[1], thick * 0.9, thick * 0.9, colour)
        canvas.ellipse(0.5, middle, radius, radius, colour)
        if lit:
            size = radius * shine_size
            canvas.ellipse(0.5 - radius * 0.4, middle - radius * 0.4, size, size, shine)

    return draw


def _star_points(points: int, outer: float, inner: float, start: float) -> list[Point]:
    """The corners of a star around the middle of a cell."""
    corners = []
    for corner in range(2 * points):
        radius = outer if corner % 2 == 0 else inner
        angle = start + corner * math.pi / points
        corners.append((0.5 + radius * math.cos(angle), 0.5 + radius * math.sin(angle)))
    return corners


def burst(rng: Rng, colour: Colour) -> Design:
    """An explosion: a star with a lighter one within."""
    points, inner, start = int(rng.integers(7, 13)), rng.uniform(0.24, 0.34), rng.random()
    lighter = shifted(colour, 90)

    def draw(canvas: Canvas) -> None:
        canvas.polygon(_star_points(points, 0.48, inner, start), colour)
        canvas.polygon(_star_points(points, 0.3, inner * 0.55, start), lighter)

    return draw
