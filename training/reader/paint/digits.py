"""The eight digits of one look: from a font of this machine, from bitmaps of our own, or of segments."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from PIL import Image as Pillow
from PIL import ImageDraw

from training.reader.paint.bitmaps import BITMAPS, SEGMENTS
from training.reader.paint.colours import BLACK, WHITE, Colour, Rng, any_colour, brightness, contrasting
from training.reader.paint.fonts import DIGITS, extent, font, font_families, is_readable
from training.reader.paint.layers import Canvas, Pixels, Stamp, drawn, inked, moved, opacities

SEGMENT_BARS = {
    "a": (0.0, 0.0, 1.0, 0.0),
    "b": (1.0, 0.0, 1.0, 0.5),
    "c": (1.0, 0.5, 1.0, 1.0),
    "d": (0.0, 1.0, 1.0, 1.0),
    "e": (0.0, 0.5, 0.0, 1.0),
    "f": (0.0, 0.0, 0.0, 0.5),
    "g": (0.0, 0.5, 1.0, 0.5),
}
"""The ends of the segments of a display, as parts of its width and height: x, y, x, y."""
SMALLEST_TEXT = 7
"""Least height of a font's digits in pixels: smaller ones cannot be told apart."""

BADGES = 0.04
"""How many looks have digits on a disc or a tile in the colour of the digit."""


@dataclass(frozen=True)
class DigitLook:
    """The digits 1 to 8 as stamps of the size of a cell, and how they were made."""

    stamps: tuple[Stamp, ...]
    name: str
    """The family of the font, or the name of the design."""


def digit_look(rng: Rng, width: int, height: int, colours: list[Colour], ground: Colour) -> DigitLook:
    """Random digits for cells of a size in pixels, in given colours on opened cells of a colour."""
    kind = rng.choice(["font", "bitmap", "segments"], p=[0.76, 0.2, 0.04])
    path = _random_font(rng) if kind == "font" else None
    part = rng.choice(
        [rng.uniform(0.42, 0.62), rng.uniform(0.55, 0.8), rng.uniform(0.75, 0.92)], p=[0.4, 0.45, 0.15]
    )
    tall = min(max(round(part * height), SMALLEST_TEXT), height - 2)
    wide = width - 2
    if path is not None:
        family, file = path
        shapes, outlines = _font_shapes(rng, file, width, height, tall, wide)
        name = family
    elif kind == "segments" and tall >= 11:
        shapes, outlines, name = _segment_shapes(rng, width, height, tall), None, "segments"
    else:
        name, shapes = _bitmap_shapes(rng, width, height, tall)
        outlines = None
    right, down = 0, 0
    if rng.random() < 0.25:
        room_x, room_y = (
            max((width - _extent(shapes, 0)) // 2 - 1, 0),
            max((height - _extent(shapes, 1)) // 2 - 1, 0),
        )
        right = int(rng.integers(-min(room_x, width // 5), min(room_x, width // 5) + 1))
        down = int(rng.integers(-min(room_y, height // 5), min(room_y, height // 5) + 1))
    stamps = [inked(colour, shape) for colour, shape in zip(colours, shapes, strict=True)]
    if outlines is None and rng.random() < BADGES and min(width, height) >= 16:
        return DigitLook(tuple(_badges(rng, colours, shapes, ground, width, height)), f"{name}, badge")
    if outlines is not None:
        line = contrasting(any_colour(rng), colours[0], 90) if rng.random() < 0.5 else _opposite(colours[0])
        stamps = [inked(line, outline).with_above(one) for outline, one in zip(outlines, stamps, strict=True)]
    elif rng.random() < 0.08 and tall >= 10:
        tone = WHITE if brightness(ground) < 90 else BLACK
        depth = np.float32(rng.uniform(0.2, 0.55))
        far = 1 if tall < 20 else 2
        shadows = [moved(inked(tone, shape * depth), far, far) for shape in shapes]
        stamps = [shadow.with_above(one) for shadow, one in zip(shadows, stamps, strict=True)]
    return DigitLook(tuple(moved(stamp, right, down) for stamp in stamps), name)


def _badges(
    rng: Rng, colours: list[Colour], shapes: list[Pixels], ground: Colour, width: int, height: int
) -> list[Stamp]:
    """Light or dark digits on a disc or a tile in their colours."""
    round_one, size = rng.random() < 0.5, rng.uniform(0.38, 0.47)
    plates = [contrasting(colour, ground, 50) for colour in colours]

    def plate(colour: Colour) -> Stamp:
        def draw(canvas: Canvas) -> None:
            if round_one:
                canvas.ellipse(0.5, 0.5, size, size, colour)
            else:
                canvas.rectangle(0.5 - size, 0.5 - size, 0.5 + size, 0.5 + size, colour)

        return drawn(draw, width, height)

    return [
        plate(colour).with_above(inked(WHITE if brightness(colour) < 140 else BLACK, shape))
        for colour, shape in zip(plates, shapes, strict=True)
    ]


def _opposite(colour: Colour) -> Colour:
    return WHITE if brightness(colour) < 128 else BLACK


def _extent(shapes: list[Pixels], axis: int) -> int:
    """Greatest width (axis 0) or height (axis 1) of the shapes in pixels."""
    used = np.max([shape.max(2) if shape.ndim == 3 else shape for shape in shapes], axis=0).max(axis) > 0.1
    places = np.flatnonzero(used)
    return int(places[-1] - places[0] + 1) if len(places) else 0


def _random_font(rng: Rng) -> tuple[str, str] | None:
    """A family and one of its files; None without fonts."""
    families = font_families()
    names = list(families)
    for _ in range(20 if names else 0):
        name = names[rng.integers(len(names))]
        if name.startswith("Noto S") and rng.random() < 0.7:
            continue  # many families of other scripts that all have the same digits
        path = families[name][rng.integers(len(families[name]))]
        if is_readable(path):
            return name, path
    return None


def _font_shapes(
    rng: Rng, path: str, width: int, height: int, tall: int, wide: int
) -> tuple[list[Pixels], list[Pixels] | None]:
    """The opacities of the digits, and those of an outline around them if they have one."""
    top, bottom, across = extent(path)
    size = min(tall / (bottom - top), wide / across)
    way = str(rng.choice(["smooth", "hinted", "pixels", "subpixel"], p=[0.3, 0.35, 0.22, 0.13]))
    bold = int(rng.random() < 0.15 and size * (bottom - top) >= 14)
    outlined = rng.random() < 0.06 and size * (bottom - top) >= 14
    finer = {"smooth": 4, "subpixel": 3}.get(way, 1)
    sized = font(path, max(round(size * finer), 5))
    middle = (height / 2 - (top + bottom) / 2 * size) * finer

    def shape(digit: str, stroke: int) -> Pixels:
        picture = Pillow.new("L", (width * finer, height * finer))
        draw = ImageDraw.Draw(picture)
        draw.fontmode = "1" if way == "pixels" else "L"
        left, _, right, _ = sized.getbbox(digit, anchor="ls")
        place = (width * finer / 2 - (left + right) / 2, middle)
        if finer == 1:
            place = (round(place[0]), round(place[1]))
        draw.text(place, digit, fill=255, font=sized, anchor="ls", stroke_width=stroke * finer)
        pixels = opacities(picture)
        if way == "subpixel":
            return _subpixels(pixels, width, height)
        if finer > 1:
            pixels = pixels.reshape(height, finer, width, finer).mean((1, 3), dtype=np.float32)
        return pixels

    shapes = [shape(digit, bold) for digit in DIGITS]
    return shapes, [shape(digit, bold + 1) for digit in DIGITS] if outlined else None


def _subpixels(pixels: Pixels, width: int, height: int) -> Pixels:
    """Opacities of red, green and blue apart, as LCD text has them; `pixels` is three times as large."""
    rows = pixels.reshape(height, 3, width * 3).mean(1)
    smooth = cv2.blur(rows, (3, 1), borderType=cv2.BORDER_REPLICATE)
    return np.ascontiguousarray(smooth.reshape(height, width, 3), np.float32)


def _bitmap_shapes(rng: Rng, width: int, height: int, tall: int) -> tuple[str, list[Pixels]]:
    """One of the hand-made designs, enlarged by whole numbers."""
    fitting = [
        name
        for name, rows in BITMAPS.items()
        if len(rows[0]) <= max(tall, 7) and len(rows[0][0]) <= width - 2
    ]
    name = fitting[rng.integers(len(fitting))] if fitting else "3x5"
    digits = [
        np.array([[float(dot != ".") for dot in row] for row in rows], np.float32) for rows in BITMAPS[name]
    ]
    high, wide = digits[0].shape
    scale = max(min(max(round(tall / high), 1), (width - 2) // wide, (height - 2) // high), 1)
    across = 2 * scale if scale == 1 and rng.random() < 0.15 and 2 * wide <= width - 4 else scale
    if rng.random() < 0.15 and scale >= 2:
        digits = [np.kron(digit, _dot(scale)) for digit in digits]
    else:
        digits = [np.kron(digit, np.ones((scale, across), np.float32)) for digit in digits]
    if rng.random() < 0.2 and across * wide + 2 <= width:
        digits = [np.maximum(np.pad(one, ((0, 0), (0, 1))), np.pad(one, ((0, 0), (1, 0)))) for one in digits]
    return name, [_centred(digit, width, height) for digit in digits]


def _dot(scale: int) -> Pixels:
    """A dot of a dot matrix with a gap to the next ones."""
    dot = np.ones((scale, scale), np.float32)
    dot[-1, :] = dot[:, -1] = 0 if scale > 2 else 0.35
    return dot


def _centred(shape: Pixels, width: int, height: int) -> Pixels:
    result = np.zeros((height, width), np.float32)
    top, left = (height - shape.shape[0]) // 2, (width - shape.shape[1]) // 2
    result[top : top + shape.shape[0], left : left + shape.shape[1]] = shape
    return result


def _segment_shapes(rng: Rng, width: int, height: int, tall: int) -> list[Pixels]:
    """Digits of seven segments."""
    across = min(tall * rng.uniform(0.45, 0.65), width - 4)
    thick = max(tall * rng.uniform(0.1, 0.2), 1.5)
    slant = rng.choice([0.0, 0.12])
    apart = rng.choice([0.0, 0.15]) * thick
    x0, x1, y0, y1 = (width - across) / 2, (width + across) / 2, (height - tall) / 2, (height + tall) / 2
    middle, half = (y0 + y1) / 2, thick / 2
    bars = {
        "a": (x0, y0, x1, y0 + thick),
        "g": (x0, middle - half, x1, middle + half),
        "d": (x0, y1 - thick, x1, y1),
        "f": (x0, y0, x0 + thick, middle),
        "b": (x1 - thick, y0, x1, middle),
        "e": (x0, middle, x0 + thick, y1),
        "c": (x1 - thick, middle, x1, y1),
    }
    shapes = []
    for segments in SEGMENTS:
        picture = Pillow.new("L", (width * 4, height * 4))
        draw = ImageDraw.Draw(picture)
        for segment in segments:
            left, top, right, bottom = bars[segment]
            box = [(left + apart, top + apart), (right - apart, top + apart)]
            box += [(right - apart, bottom - apart), (left + apart, bottom - apart)]
            draw.polygon([((x - slant * (y - middle)) * 4, y * 4) for x, y in box], fill=255)
        shapes.append(opacities(picture.resize((width, height), Pillow.Resampling.BOX)))
    return shapes
