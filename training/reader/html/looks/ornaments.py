"""What covered and opened cells bear besides their border: faint figures that say nothing.

Each is a picture that is laid over the fill, as an SVG of 100 x 100 that is stretched over the face.
"""

from __future__ import annotations

import base64
from collections.abc import Callable

from training.reader.html.looks.colours import BLACK, WHITE, Rng, css


def _ink(rng: Rng, strength: float) -> str:
    """A colour that lightens or darkens what is under it by up to a part."""
    return css(WHITE if rng.random() < 0.5 else BLACK, strength * float(rng.uniform(0.35, 1)))


def _points(points: list[tuple[float, float]], fill: str) -> str:
    places = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polygon points="{places}" fill="{fill}"/>'


def _frame(rng: Rng, strength: float) -> str:
    """A line some way inside the edge."""
    inset, width = rng.uniform(10, 24), rng.uniform(3, 9)
    side, corner = 100 - 2 * inset, rng.choice([0, 0, 8, 30])
    return (
        f'<rect x="{inset:.1f}" y="{inset:.1f}" width="{side:.1f}" height="{side:.1f}" rx="{corner}"'
        f' fill="none" stroke="{_ink(rng, strength)}" stroke-width="{width:.1f}"/>'
    )


def _studs(rng: Rng, strength: float) -> str:
    """A dot in each corner."""
    at, radius, ink = rng.uniform(12, 24), rng.uniform(4, 9), _ink(rng, strength)
    places = [(x, y) for x in (at, 100 - at) for y in (at, 100 - at)]
    return "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{ink}"/>' for x, y in places)


def _middle(rng: Rng, strength: float) -> str:
    """A dot, a ring, a lozenge or a plus in the middle."""
    size, ink = rng.uniform(8, 34), _ink(rng, strength)
    kind = rng.integers(4)
    if kind == 0:
        return f'<circle cx="50" cy="50" r="{size:.1f}" fill="{ink}"/>'
    if kind == 1:
        return f'<circle cx="50" cy="50" r="{size:.1f}" fill="none" stroke="{ink}" stroke-width="6"/>'
    if kind == 2:
        return _points([(50, 50 - size), (50 + size, 50), (50, 50 + size), (50 - size, 50)], ink)
    plus = f"M50 {50 - size:.1f} V{50 + size:.1f} M{50 - size:.1f} 50 H{50 + size:.1f}"
    return f'<path d="{plus}" stroke="{ink}" stroke-width="{rng.uniform(4, 14):.1f}"/>'


def _pyramid(rng: Rng, strength: float) -> str:
    """Four triangles that meet in the middle, the upper ones lighter."""
    corners = [(0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0)]
    inks = [css(WHITE, strength), css(BLACK, strength / 2), css(BLACK, strength), css(WHITE, strength / 2)]
    tip = (50.0, 50.0)
    return "".join(_points([corners[side], corners[(side + 1) % 4], tip], inks[side]) for side in range(4))


def _halves(rng: Rng, strength: float) -> str:
    """One half darker or lighter, along any line through the middle."""
    ends = [
        [(0.0, 0.0), (100.0, 0.0), (0.0, 100.0)],
        [(100.0, 0.0), (100.0, 100.0), (0.0, 100.0)],
        [(0.0, 0.0), (100.0, 0.0), (100.0, 50.0), (0.0, 50.0)],
        [(0.0, 0.0), (50.0, 0.0), (50.0, 100.0), (0.0, 100.0)],
    ]
    return _points(ends[int(rng.integers(len(ends)))], _ink(rng, strength))


def _bands(rng: Rng, strength: float) -> str:
    """Some bars across, each of its own width."""
    ink, across = _ink(rng, strength), rng.random() < 0.5
    bars = []
    for _ in range(int(rng.integers(1, 4))):
        begin, width = rng.uniform(0, 85), rng.uniform(5, 22)
        x, y, wide, high = (begin, 0, width, 100) if across else (0, begin, 100, width)
        bars.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}" fill="{ink}"/>')
    return "".join(bars)


def _gloss(rng: Rng, strength: float) -> str:
    """A spot of light or a shadow at any place."""
    x, y = rng.uniform(10, 90, 2)
    wide, high = rng.uniform(15, 60, 2)
    ink = _ink(rng, strength)
    return f'<ellipse cx="{x:.1f}" cy="{y:.1f}" rx="{wide:.1f}" ry="{high:.1f}" fill="{ink}"/>'


def _scratches(rng: Rng, strength: float) -> str:
    """Some strokes from anywhere to anywhere."""
    ink = _ink(rng, strength)
    ends = rng.uniform(0, 100, (int(rng.integers(2, 7)), 4))
    strokes = " ".join(f"M{a:.1f} {b:.1f} L{c:.1f} {d:.1f}" for a, b, c, d in ends.tolist())
    return f'<path d="{strokes}" stroke="{ink}" stroke-width="{rng.uniform(2, 6):.1f}"/>'


ORNAMENTS: tuple[Callable[[Rng, float], str], ...] = (
    _frame,
    _studs,
    _middle,
    _pyramid,
    _halves,
    _bands,
    _gloss,
    _scratches,
)


def ornament(rng: Rng, strength: float) -> str:
    """One or two faint figures, as a CSS image; they change what is under them by at most a part (0 to 1)."""
    count = 1 if rng.random() < 0.75 else 2
    chosen = rng.choice(len(ORNAMENTS), count, replace=False)
    body = "".join(ORNAMENTS[index](rng, strength) for index in chosen)
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" preserveAspectRatio="none">'
        f"{body}</svg>"
    )
    return f"url(data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()})"
