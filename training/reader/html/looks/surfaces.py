"""The faces of covered and of opened cells: fill, border, corners, shadows."""

from __future__ import annotations

import base64
from dataclasses import dataclass, replace

import cv2
import numpy as np

from training.reader.families import FAMILIES
from training.reader.html.looks.colours import BLACK, WHITE, Colour, Rng, contrast, css, lightness, mix, shade
from training.reader.html.looks.ornaments import ornament

PLAIN_BORDERS = ("none", "solid", "outset", "inset", "ridge", "groove", "bevel", "sunken", "edge", "lines")
"""How training draws the border of a face; `cells` of the held-out families are the others."""

ORNATE = 0.22
"""How often covered or opened cells of training bear faint figures."""


@dataclass(frozen=True)
class Surface:
    """The face of a cell."""

    fills: tuple[Colour, ...]
    """One colour, or two of a checkerboard."""
    border: str = "none"
    width: float = 0
    """Of the border, in CSS pixels."""
    light: Colour = WHITE
    dark: Colour = BLACK
    """Of the border: at the top and left, and at the bottom and right."""
    radius: float = 0
    """Of the corners, in parts of the smaller side of the cell: 0.5 is a circle."""
    margin: float = 0
    """Between the face and the edge of its cell, in CSS pixels."""
    gradient: str = ""
    """`to bottom`, an angle or `radial`; empty if the fill is flat."""
    strength: float = 0
    """How much lighter the beginning of the gradient is, how much darker its end."""
    shadow: str = ""
    extra: str = ""
    """More CSS, `FILL` standing for the fill."""

    def colours(self, parity: int, fill: Colour | None = None) -> tuple[Colour, Colour]:
        """Where the gradient of a face begins and ends, on the fields of a parity of the checkerboard."""
        colour = fill or self.fills[parity % len(self.fills)]
        if not self.gradient:
            return colour, colour
        return shade(colour, self.strength), shade(colour, -self.strength)

    def background(self, parity: int, fill: Colour | None = None) -> str:
        """The CSS of the fill."""
        first, last = self.colours(parity, fill)
        if not self.gradient:
            return css(first)
        if self.gradient == "radial":
            return f"radial-gradient({css(first)},{css(last)})"
        return f"linear-gradient({self.gradient},{css(first)},{css(last)})"

    def style(self, width: float, height: float) -> str:
        """The CSS of a face without its fill, in cells of that size in CSS pixels."""
        edge = f"{self.margin:g}px"
        rules = [f"left:{edge};top:{edge};width:calc(100% - 2*{edge});height:calc(100% - 2*{edge})"]
        if self.radius:
            rules.append(
                f"border-radius:{self.radius * min(width, height) * 1.0:.2f}px"
                if self.radius < 0.5
                else "border-radius:50%"
            )
        line = f"{self.width:g}px"
        light, dark = css(self.light), css(self.dark)
        if self.border in ("solid", "dashed", "dotted", "double"):
            rules.append(f"border:{line} {self.border} {dark}")
        elif self.border in ("outset", "inset", "ridge", "groove"):
            rules.append(f"border:{line} {self.border} {css(mix(self.light, self.dark, 0.45))}")
        elif self.border in ("bevel", "sunken"):
            first, last = (light, dark) if self.border == "bevel" else (dark, light)
            rules.append(f"border:{line} solid;border-color:{first} {last} {last} {first}")
        elif self.border == "edge":
            rules.append(f"border-bottom:{line} solid {dark}")
        elif self.border == "lines":
            rules.append(f"border:0 solid {dark};border-width:0 {line} {line} 0")
        if self.shadow:
            rules.append(f"box-shadow:{self.shadow}")
        if self.extra:
            rules.append(self.extra)
        return ";".join(rules)


def _shadow(rng: Rng, colour: Colour) -> str:
    kind = rng.random()
    size, blur = rng.uniform(1, 3), rng.uniform(0, 5)
    if kind < 0.5:
        across = size * rng.choice([0, 1])
        return f"{across:.1f}px {size:.1f}px {blur:.1f}px {css(BLACK, rng.uniform(0.15, 0.6))}"
    if kind < 0.8:
        white, black = rng.uniform(0.2, 0.8), rng.uniform(0.1, 0.5)
        return (
            f"inset {size:.1f}px {size:.1f}px {blur / 2:.1f}px {css(WHITE, white)},"
            f"inset -{size:.1f}px -{size:.1f}px {blur / 2:.1f}px {css(BLACK, black)}"
        )
    return f"inset 0 0 {rng.uniform(2, 8):.1f}px {css(BLACK, rng.uniform(0.1, 0.5))}"


def _texture(rng: Rng) -> str:
    """A picture of noise that lets the fill shine through, as a CSS image."""
    side = int(rng.choice([16, 32, 64]))
    coarse = rng.random((side // int(rng.choice([1, 2, 4])),) * 2)
    grey = cv2.resize(coarse, (side, side), interpolation=cv2.INTER_LINEAR)
    pixels = np.zeros((side, side, 4), np.uint8)
    pixels[..., :3] = np.where(grey > 0.5, 255, 0)[..., None]
    pixels[..., 3] = np.abs(grey - 0.5) * 2 * 255 * rng.uniform(0.08, 0.3)
    data = base64.b64encode(cv2.imencode(".png", pixels)[1].tobytes()).decode()
    return f"url(data:image/png;base64,{data})"


def _gradient(rng: Rng) -> str:
    return str(rng.choice(["to bottom", "to bottom", "to top", "to right", "135deg", "radial"]))


def random_surfaces(
    rng: Rng,
    covered: tuple[Colour, ...],
    opened: tuple[Colour, ...],
    ground: Colour,
    cell: float,
    family: str,
) -> tuple[str, Surface, Surface]:
    """A name, and the faces of covered and of opened cells, told apart by more than a similar fill.

    `cell` is the smaller side of a cell in CSS pixels.
    """
    if family == "cells":
        return _held_out(rng, covered, opened, cell)
    separate = min(contrast(a, b) for a in covered for b in opened)
    tile = covered[0]
    light, dark = shade(tile, rng.uniform(0.35, 0.95)), shade(tile, -rng.uniform(0.3, 0.6))
    if lightness(tile) > 0.9:
        light = WHITE
    choices = ["bevel", "flat", "rounded", "lined", "shadow", "edge"]
    name = str(rng.choice(choices, p=[0.3, 0.22, 0.18, 0.16, 0.08, 0.06]))
    if separate < 26:
        name = "bevel"
    thick = min(float(rng.integers(1, 6)), cell / 6)
    if separate < 26 or name == "edge":
        thick = max(thick, 2.0)
    gap = float(rng.choice([0, 0, 1, 1, 2, 3, 4, 5, 6])) * min(1, cell / 24)
    one, two = Surface(covered), Surface(opened)
    if name == "bevel":
        kind = str(rng.choice(["bevel", "outset", "ridge"], p=[0.6, 0.34, 0.06]))
        if kind != "bevel" and lightness(tile) < 0.25:
            kind = "bevel"
        one = replace(one, border=kind, width=thick, light=light, dark=dark)
        gap = float(rng.choice([0, 0, 0, 1, 2]))
        if separate < 26 and contrast(light, tile) < 30 and contrast(dark, tile) < 60:
            one = replace(one, dark=shade(tile, -0.6))
    elif name == "rounded":
        one = replace(one, radius=rng.uniform(0.08, 0.5) if rng.random() < 0.85 else 0.5)
        gap = max(gap, 1.0)
    elif name == "shadow":
        one = replace(one, shadow=_shadow(rng, tile), radius=rng.choice([0, 0.1, 0.2]))
        gap = max(gap, 1.0)
    elif name == "edge":
        one = replace(one, border="edge", width=thick, dark=dark, radius=rng.choice([0, 0.1, 0.2]))
        gap = max(gap, 1.0)
    elif name == "lined":
        line = float(rng.choice([1, 1, 1, 2, 3]))
        # Lines of one side only are thin: a thick one would belong to one of its two cells.
        kind = str(rng.choice(["solid", "lines"])) if line == 1 else "solid"
        one = replace(one, border=kind, width=line, dark=ground, radius=rng.choice([0, 0, 0.1]))
        gap = float(rng.choice([0, 0, 0, 2]))
    if name == "flat" and len(covered) == 1:
        gap = max(gap, 1.0)
    one = replace(one, margin=gap / 2)
    if rng.random() < 0.22:
        one = replace(one, gradient=_gradient(rng), strength=rng.uniform(0.04, 0.25))
    if name in ("flat", "rounded") and rng.random() < 0.15:
        one = replace(one, shadow=_shadow(rng, tile))
    if rng.random() < 0.05:
        one = replace(one, extra=_image(_texture(rng)))
    # Opened cells: lines between them as between covered ones, other ones, or none.
    kind = str(
        rng.choice(["same gap", "none", "line", "sunken", "like covered"], p=[0.32, 0.2, 0.24, 0.1, 0.14])
    )
    lines = (
        shade(opened[0], -rng.uniform(0.1, 0.5))
        if rng.random() < 0.75
        else shade(opened[0], rng.uniform(0.2, 0.8))
    )
    if kind == "same gap":
        two = replace(two, margin=one.margin, radius=one.radius if rng.random() < 0.7 else 0)
    elif kind == "line":
        line = float(rng.choice([1, 1, 1, 2]))
        two = replace(
            two, border=str(rng.choice(["solid", "lines"])) if line == 1 else "solid", width=line, dark=lines
        )
        if rng.random() < 0.4:
            two = replace(two, margin=one.margin, radius=one.radius)
    elif kind == "sunken":
        border = str(rng.choice(["inset", "sunken", "groove"]))
        two = replace(
            two, border=border, width=min(thick, 2), light=shade(opened[0], 0.4), dark=shade(opened[0], -0.35)
        )
        two = replace(two, margin=one.margin)
    elif kind == "like covered" and separate >= 30:
        two = replace(
            one, fills=opened, gradient="", light=shade(opened[0], 0.5), dark=shade(opened[0], -0.4)
        )
        if one.border in ("bevel", "outset", "ridge"):
            two = replace(two, border="solid", width=1)
    if not family and rng.random() < ORNATE:
        name, one, two = f"{name} ornate", *_ornate(rng, one, two)
    return f"{name}, opened {kind}", one, two


def _ornate(rng: Rng, one: Surface, two: Surface) -> tuple[Surface, Surface]:
    """The faces of covered and of opened cells with faint figures on the first, the second, or both."""
    where = rng.random()
    if where < 0.85:
        one = replace(one, extra=_stretched_image(ornament(rng, rng.uniform(0.1, 0.45))))
    if where > 0.65:
        two = replace(two, extra=_stretched_image(ornament(rng, rng.uniform(0.05, 0.2))))
    return one, two


def _image(gradient: str) -> str:
    """The CSS that lays a gradient over any fill."""
    return f"background-image:{gradient}!important"


def _stretched_image(image: str) -> str:
    """The CSS that lays a picture over a whole face."""
    return f"{_image(image)};background-size:100% 100%!important"


def written_surfaces(rng: Rng, opened: tuple[Colour, ...], ground: Colour) -> tuple[str, Surface, Surface]:
    """Faces that do not differ, for boards whose covered cells are told by what stands on them."""
    line = rng.random() < 0.3
    face = Surface(opened[:1], border="solid" if line else "none", width=1 if line else 0, dark=ground)
    return "written", face, replace(face)


def _held_out(
    rng: Rng, covered: tuple[Colour, ...], opened: tuple[Colour, ...], cell: float
) -> tuple[str, Surface, Surface]:
    """Faces as training does not have them."""
    name = str(rng.choice(FAMILIES["cells"].members))
    tile, margin = covered[0], float(rng.choice([0.5, 1, 1.5, 2.5]))
    one, two = Surface(covered, margin=margin), Surface(opened, margin=margin)
    size = max(2.0, cell / 10)
    if name == "neumorphic":
        light, dark = css(shade(tile, 0.5), 0.9), css(shade(tile, -0.45), 0.8)
        near, blur = f"{size:.1f}px", f"{size * 1.5:.1f}px"
        shadow = f"{near} {near} {blur} {dark},-{near} -{near} {blur} {light}"
        inner = f"inset {shadow.replace(',-', ',inset -')}"
        one = replace(one, shadow=shadow, radius=rng.uniform(0.1, 0.35), margin=size * 0.9)
        two = replace(two, shadow=inner if rng.random() < 0.5 else "", radius=one.radius, margin=size * 0.9)
    elif name in ("dashed", "dotted", "double"):
        width = float(rng.choice([1, 2])) if name != "double" else float(rng.choice([3, 4]))
        line = (
            shade(tile, -rng.uniform(0.3, 0.7))
            if lightness(tile) > 0.4
            else shade(tile, rng.uniform(0.3, 0.7))
        )
        one = replace(one, border=name, width=width, dark=line)
        two = replace(two, border=name if rng.random() < 0.5 else "none", width=width, dark=line)
    elif name == "octagon":
        cut = round(rng.uniform(14, 29))
        far = 100 - cut
        shape = (
            f"polygon({cut}% 0,{far}% 0,100% {cut}%,100% {far}%,{far}% 100%,{cut}% 100%,0 {far}%,0 {cut}%)"
        )
        one = replace(one, extra=f"clip-path:{shape}")
        two = replace(two, extra=one.extra if rng.random() < 0.6 else "")
    elif name == "striped":
        step = rng.uniform(2, 5)
        stripe = css(shade(tile, rng.uniform(0.08, 0.3)))
        angle = rng.choice([0, 45, 90, 135])
        stripes = f"{stripe} 0 {step:.1f}px,transparent {step:.1f}px {2 * step:.1f}px"
        one = replace(one, extra=_image(f"repeating-linear-gradient({angle}deg,{stripes})"))
    elif name == "glass":
        shine = css(WHITE, rng.uniform(0.25, 0.6))
        one = replace(
            one,
            radius=rng.uniform(0.08, 0.3),
            extra=_image(f"linear-gradient({shine} 0 48%,transparent 52%)"),
            border="solid",
            width=1,
            dark=shade(tile, -0.4),
        )
    elif name == "corner":
        fold = css(shade(tile, rng.choice([-0.45, 0.55])))
        part = round(rng.uniform(22, 40))
        one = replace(
            one,
            extra=_image(f"linear-gradient(225deg,{fold} {part}%,transparent {part}%)"),
        )
    else:
        turn = f"{rng.uniform(0.35, 0.5) * cell:.1f}px"
        one = replace(one, extra=f"border-radius:{turn} 0 {turn} 0")
        two = replace(two, extra=one.extra if rng.random() < 0.5 else "")
    return name, one, two
