"""The backgrounds of covered and opened cells of one look."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from PIL import Image as Pillow
from PIL import ImageDraw

from training.reader.paint.colours import Colour, Rng, any_colour, distance, mixed, of_hue, shifted
from training.reader.paint.layers import Pixels, opacities

SHAPES = {"square": 0.68, "rounded": 0.22, "circle": 0.1}
LEAST_DIFFERENCE = 20
"""Least difference (of 255) of the colours of covered and opened cells that differ in nothing else."""
STRONG_BORDERS = ("raised", "line", "foot", "ridge", "groove", "inset")
"""Those that alone tell covered cells from opened ones."""
TEXT_BOARDS = 0.03
"""How many looks are like text: covered and opened cells differ only by a sign on the covered ones."""


@dataclass(frozen=True)
class Tile:
    """How a cell without a mark looks; all widths are in pixels."""

    colours: tuple[Colour, Colour]
    """Of the two halves of a checkered board; the same colour twice on a plain one."""
    ground: Colour
    """What lies around the shape of the cell, and the colour of lines."""
    shape: str
    radius: float
    """Of round corners, as a part of the cell."""
    gap: tuple[int, int]
    """Before (left, above) and behind (right, below) the shape."""
    border: str
    """`none`, `raised`, `sunken`, `ridge`, `groove`, `line`, `inset` (a line within the cell), `foot` (a
    darker strip below) or `gloss` (a lighter upper half)."""
    border_width: int
    border_colours: tuple[Colour, Colour]
    """Of the upper left and of the lower right side."""
    gradient: tuple[float, float]
    """How much lighter the right end and the lower end are than the middle, of 255."""
    texture: Pixels | None
    """(height, width): what is added to each pixel."""
    glow: float = 0.0
    """How much lighter the middle is than the corners, of 255."""


@dataclass(frozen=True)
class TileLook:
    """The tiles of one look, and how they were drawn."""

    covered: Tile
    opened: Tile
    lattice: float
    """How far right of and below the edge of a tile the lattice line lies, in pixels."""
    names: dict[str, str]
    needs_sign: bool = False
    """Whether covered cells are known only by a sign that stands on each."""


def tile_look(rng: Rng, width: int, height: int) -> TileLook:
    """Random tiles of a size in pixels, whose covered and opened cells can be told apart."""
    if rng.random() < TEXT_BOARDS:
        return _text_look(rng)
    while True:
        look = _tile_look(rng, width, height)
        if _differ(look.covered, look.opened) and _shows_lattice(look.covered):
            return look


def _text_look(rng: Rng) -> TileLook:
    """Cells of one colour without any border."""
    colour = any_colour(rng) if rng.random() < 0.6 else of_hue(0, 0, rng.choice([0, 0.1, 0.95, 1]))
    tile = Tile((colour, colour), colour, "square", 0, (0, 0), "none", 0, (colour, colour), (0.0, 0.0), None)
    names = {"cells": "square, none", "lines": "0", "checkered": "none", "opened": "as covered"}
    return TileLook(tile, tile, 0.0, names, needs_sign=True)


def _differ(covered: Tile, opened: Tile) -> bool:
    apart = min(distance(a, b) for a in covered.colours for b in opened.colours)
    crossed = min(distance(a, b) for a, b in zip(covered.colours, opened.colours, strict=True))
    if covered.shape == opened.shape and covered.border in ("none", opened.border):
        return apart >= LEAST_DIFFERENCE or (
            covered.colours[0] != covered.colours[1] and crossed >= 30 and apart >= 10
        )
    if covered.border in STRONG_BORDERS and covered.border != opened.border:
        return crossed >= 0 and min(distance(covered.colours[0], one) for one in covered.border_colours) >= 25
    return crossed >= LEAST_DIFFERENCE


def _shows_lattice(tile: Tile) -> bool:
    """Whether a board of only such cells shows where each one lies."""
    if tile.border != "none" or max(abs(step) for step in tile.gradient) > 15:
        return True
    apart = distance(tile.colours[0], tile.ground)
    return distance(*tile.colours) >= 8 or (apart >= 10 and (tile.shape != "square" or sum(tile.gap) > 0))


def _tile_look(rng: Rng, width: int, height: int) -> TileLook:
    small = min(width, height)
    kind = str(rng.choice(["bevel", "lines", "free"], p=[0.38, 0.22, 0.4]))
    covered_colour = any_colour(rng)
    if kind == "bevel" and rng.random() < 0.6:
        covered_colour = of_hue(rng.random(), rng.choice([0, rng.uniform(0, 0.15)]), rng.uniform(0.65, 0.85))
    opened_colour = _opened_colour(rng, covered_colour)
    shape = "square" if kind in ("bevel", "lines") else str(rng.choice(list(SHAPES), p=list(SHAPES.values())))
    ground = _line_colour(rng, covered_colour, opened_colour)
    gaps = 0 if kind == "bevel" else int(rng.choice([0, 1, 1, 2, 3, 4], p=[0.15, 0.3, 0.2, 0.18, 0.1, 0.07]))
    if kind == "lines":
        gaps = int(rng.choice([1, 1, 2, 3]))
    gaps = min(gaps, small // 8)
    if kind == "free" and rng.random() < 0.08:
        gaps = max(small // int(rng.integers(5, 8)), 1)
    before = int(rng.choice([gaps, (gaps + 1) // 2, gaps // 2, 0]))
    gap = before, gaps - before
    lattice = before - gaps / 2
    covered = _tile(rng, covered_colour, ground, shape, gap, kind, small)
    opened = _opened_tile(rng, covered, opened_colour, kind, small)
    checkered = "none"
    if rng.random() < 0.16:
        checkered = str(rng.choice(["both", "covered", "opened"]))
        step = rng.choice([-1, 1]) * rng.uniform(8, 34)
        if checkered != "opened":
            covered = replace(covered, colours=(covered_colour, shifted(covered_colour, step)))
        if checkered != "covered":
            opened = replace(
                opened, colours=(opened_colour, shifted(opened_colour, step * rng.uniform(0.4, 1.2)))
            )
    names = {"cells": f"{covered.shape}, {covered.border}", "lines": str(gaps), "checkered": checkered}
    names["opened"] = f"{opened.shape}, {opened.border}, {sum(opened.gap)}"
    return TileLook(covered, opened, lattice, names)


def _opened_colour(rng: Rng, covered: Colour) -> Colour:
    way = rng.choice(["lighter", "darker", "other", "same"], p=[0.32, 0.28, 0.25, 0.15])
    if way == "lighter":
        return shifted(covered, rng.uniform(18, 110))
    if way == "darker":
        return shifted(covered, -rng.uniform(18, 110))
    return any_colour(rng) if way == "other" else covered


def _line_colour(rng: Rng, covered: Colour, opened: Colour) -> Colour:
    way = rng.choice(["darker", "lighter", "any", "opened"], p=[0.4, 0.25, 0.2, 0.15])
    if way == "darker":
        return shifted(mixed(covered, opened, 0.5), -rng.uniform(30, 120))
    if way == "lighter":
        return shifted(mixed(covered, opened, 0.5), rng.uniform(30, 120))
    return any_colour(rng) if way == "any" else opened


def _tile(
    rng: Rng, colour: Colour, ground: Colour, shape: str, gap: tuple[int, int], kind: str, small: int
) -> Tile:
    border, thick = "none", 0
    if kind == "bevel":
        border, thick = "raised", int(rng.integers(1, 1 + min(max(small // 7, 1), 5)))
        if rng.random() < 0.14 and small >= 16:
            border, thick = str(rng.choice(["ridge", "groove"])), int(rng.choice([2, 2, 4]))
    elif kind == "free":
        border = str(
            rng.choice(
                ["none", "line", "raised", "foot", "gloss", "inset"], p=[0.36, 0.18, 0.14, 0.14, 0.1, 0.08]
            )
        )
        thick = int(rng.integers(1, 1 + min(max(small // 9, 1), 3)))
        if shape != "square" and border in ("raised", "inset"):
            border = "line"
    strength = rng.uniform(35, 110)
    sides = shifted(colour, strength), shifted(colour, -strength * rng.uniform(0.5, 1.2))
    if border in ("line", "inset"):
        line = shifted(colour, rng.choice([-1, 1]) * strength)
        sides = line, line
    slope = (0.0, 0.0)
    if rng.random() < 0.22:
        slope = rng.choice([0.0, rng.uniform(-35, 35)]), rng.uniform(-45, 45)
    radius = rng.uniform(0.08, 0.35)
    texture, glow = _texture(rng, small), rng.uniform(-50, 50) if rng.random() < 0.05 else 0.0
    return Tile((colour, colour), ground, shape, radius, gap, border, thick, sides, slope, texture, glow)


def _opened_tile(rng: Rng, covered: Tile, colour: Colour, kind: str, small: int) -> Tile:
    """An opened cell to go with covered ones: its own border, with or without lines."""
    gap = covered.gap
    shape = covered.shape if rng.random() < 0.6 else "square"
    border, thick = "none", 1
    if kind == "bevel":
        lines = str(
            rng.choice(
                ["left-top", "right-bottom", "around", "none", "sunken"], p=[0.4, 0.15, 0.12, 0.18, 0.15]
            )
        )
        gap = {"left-top": (1, 0), "right-bottom": (0, 1), "around": (1, 1)}.get(lines, (0, 0))
        border = "sunken" if lines == "sunken" else "none"
        thick = int(rng.integers(1, max(covered.border_width, 1) + 1))
    else:
        if shape == "square" and rng.random() < 0.3:
            gap = (0, 0)
        if rng.random() < 0.15 and shape == "square":
            border, thick = str(rng.choice(["sunken", "line", "raised"])), 1
    strength = rng.uniform(25, 70)
    sides = shifted(colour, -strength), shifted(colour, strength)
    if border == "line":
        line = shifted(colour, rng.choice([-1, 1]) * strength)
        sides = line, line
    ground = (
        covered.ground if kind != "bevel" else shifted(colour, rng.choice([-1, -1, 1]) * rng.uniform(20, 90))
    )
    slope = covered.gradient if rng.random() < 0.2 else (0.0, 0.0)
    texture = _texture(rng, small) if rng.random() < 0.3 else None
    return Tile((colour, colour), ground, shape, covered.radius, gap, border, thick, sides, slope, texture)


def _texture(rng: Rng, small: int) -> Pixels | None:
    """Noise of a grain of some pixels; None for most looks."""
    if rng.random() > 0.1:
        return None
    strength = rng.uniform(4, 14)
    grain = int(rng.integers(1, max(small // 5, 2)))
    rough = rng.normal(0, strength, (64 // grain + 1, 64 // grain + 1)).astype(np.float32)
    return cv2.resize(rough, (64, 64), interpolation=cv2.INTER_LINEAR).astype(np.float32)


def tile_pixels(tile: Tile, width: int, height: int, half: int, colour: Colour | None = None) -> Pixels:
    """A cell without a mark, (height, width, 3), red, green, blue; `half` 0 or 1 of a checkered board.

    `colour` replaces that of the tile, as it does for a mine that exploded.
    """
    fill = tile.colours[half] if colour is None else colour
    pixels = np.full((height, width, 3), fill, np.float32)
    down, right = np.linspace(-0.5, 0.5, height), np.linspace(-0.5, 0.5, width)
    pixels += (tile.gradient[1] * down[:, None] + tile.gradient[0] * right[None, :])[:, :, None].astype(
        np.float32
    )
    if tile.glow:
        pixels += (tile.glow * (0.5 - 2 * (down[:, None] ** 2 + right[None, :] ** 2)))[:, :, None]
    if tile.texture is not None:
        pixels += cv2.resize(tile.texture, (width, height), interpolation=cv2.INTER_NEAREST)[:, :, None]
    first, behind = tile.gap
    left, top, end_x, end_y = first, first, width - behind, height - behind
    _draw_border(pixels, tile, left, top, end_x, end_y)
    if tile.shape == "square":
        inside = np.zeros((height, width), np.float32)
        inside[top:end_y, left:end_x] = 1
    else:
        inside = _mask(tile, width, height, 0)
        if tile.border == "line":
            core = _mask(tile, width, height, tile.border_width)[:, :, None]
            pixels = np.array(tile.border_colours[0], np.float32) * (1 - core) + pixels * core
    ground = np.array(tile.ground, np.float32)
    result = ground + (pixels - ground) * inside[:, :, None]
    return np.clip(result, 0, 255).astype(np.float32)


def _mask(tile: Tile, width: int, height: int, inset: int) -> Pixels:
    """The shape of a tile, (height, width), 0 to 1, smaller by `inset` pixels on each side."""
    picture = Pillow.new("L", (width * 4, height * 4))
    draw = ImageDraw.Draw(picture)
    first, behind = tile.gap[0] + inset, tile.gap[1] + inset
    box = (first * 4, first * 4, (width - behind) * 4 - 1, (height - behind) * 4 - 1)
    radius = tile.radius * min(width, height) * 4 - inset * 4
    if tile.shape == "circle":
        draw.ellipse(box, fill=255)
    else:
        draw.rounded_rectangle(box, max(radius, 1), fill=255)
    small = picture.resize((width, height), Pillow.Resampling.BOX)
    return opacities(small)


def _draw_border(pixels: Pixels, tile: Tile, left: int, top: int, right: int, bottom: int) -> None:
    """Draw the border of a tile whose shape lies between these edges; changes `pixels`."""
    if tile.border == "gloss":
        pixels[top : (top + bottom) // 2] += 16
    elif tile.border == "foot":
        pixels[bottom - max((bottom - top) // 9, 1) : bottom] = tile.border_colours[1]
    elif tile.border == "inset":
        away = max((right - left) // 10, 2)
        inner = replace(tile, border="sunken")
        _draw_border(pixels, inner, left + away, top + away, right - away, bottom - away)
    elif tile.border in ("ridge", "groove"):
        half, sides = tile.border_width // 2, tile.border_colours
        outer = replace(tile, border="raised", border_width=half)
        inner = replace(outer, border_colours=(sides[1], sides[0]))
        first, second = (outer, inner) if tile.border == "ridge" else (inner, outer)
        _draw_border(pixels, first, left, top, right, bottom)
        _draw_border(pixels, second, left + half, top + half, right - half, bottom - half)
    elif tile.border in ("raised", "sunken") or (tile.border == "line" and tile.shape == "square"):
        upper, lower = tile.border_colours
        for step in range(tile.border_width):
            pixels[bottom - 1 - step, left + step : right - step] = lower
            pixels[top + step : bottom - step, right - 1 - step] = lower
            pixels[top + step, left + step : right - 1 - step] = upper
            pixels[top + step : bottom - 1 - step, left + step] = upper
