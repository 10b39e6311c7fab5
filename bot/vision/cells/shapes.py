"""The shapes of digits, flags, question marks and mines, whatever their font and colour.

The reference shapes are drawn here. Digits and question marks come in the stroke fonts of OpenCV and in
Pillow's default font, thin and bold, narrow and wide; the angular digits of pixel fonts are drawn as
polylines, flags and mines as polygons. Shapes are centred, scaled to one height and compared by correlation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from bot.board import Cell

SHAPE_SIDE = 20
"""Height and width of a normalised shape, in pixels."""

BLUR = 0.9
"""Standard deviation of the blur before shapes are compared, in pixels of a normalised shape: it makes
strokes that differ a little in width or place correlate."""

LABELS = 16
"""How many codes `Cell` has: similarities are indexed by them."""

Floats = npt.NDArray[np.float32]

_CANVAS = 96
"""Height and width, in pixels, of what the coordinates of polylines and polygons refer to."""


@dataclass(frozen=True)
class ReferenceShapes:
    """Shapes whose label is known."""

    labels: npt.NDArray[np.int8]
    """The code of `Cell` that each depicts, in rising order: shape (n,)."""
    vectors: Floats
    """Each as `unit_vector` gives it: shape (n, SHAPE_SIDE * SHAPE_SIDE)."""


def normalised(mask: Floats) -> Floats | None:
    """A drawn shape, cropped, centred and scaled to fill a square; None where hardly anything is drawn.

    In: how strongly each pixel is drawn, 0 to 1, shape (height, width). Out: the same, shape (SHAPE_SIDE,
    SHAPE_SIDE).
    """
    drawn = mask > 0.5
    rows, columns = np.flatnonzero(drawn.any(axis=1)), np.flatnonzero(drawn.any(axis=0))
    if len(rows) < 2 or len(columns) < 1:
        return None
    cropped = mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    height, width = cropped.shape
    scale = min(SHAPE_SIDE / height, SHAPE_SIDE / width)
    size = max(1, round(width * scale)), max(1, round(height * scale))
    interpolation = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    scaled = np.asarray(cv2.resize(cropped, size, interpolation=interpolation), np.float32)
    square = np.zeros((SHAPE_SIDE, SHAPE_SIDE), np.float32)
    x, y = (SHAPE_SIDE - size[0]) // 2, (SHAPE_SIDE - size[1]) // 2
    square[y : y + size[1], x : x + size[0]] = scaled
    return square


def unit_vector(shape: Floats) -> Floats:
    """A normalised shape as a vector of mean 0 and length 1: the product of two is their correlation."""
    blurred = np.asarray(cv2.GaussianBlur(shape, (0, 0), BLUR), np.float32).ravel()
    blurred = blurred - blurred.mean()
    vector: Floats = blurred / max(1e-6, float(np.linalg.norm(blurred)))
    return vector


def similarities(vectors: Floats, references: ReferenceShapes) -> Floats:
    """How similar each shape is to each label: its best correlation with a reference shape of that label.

    In: unit vectors, shape (n, SHAPE_SIDE * SHAPE_SIDE). Out: shape (n, LABELS), -1 to 1; -1 for the labels
    that no reference shape has.
    """
    # OpenCV's product: the threads of numpy's wait for each other on a busy machine, ten times as long.
    none = np.zeros((len(vectors), len(references.vectors)), np.float32)
    correlation = np.asarray(cv2.gemm(vectors, references.vectors, 1, none, 0, flags=cv2.GEMM_2_T))
    best = np.full((len(vectors), LABELS), -1.0, np.float32)
    labels, starts = np.unique(references.labels, return_index=True)
    best[:, labels] = np.maximum.reduceat(correlation, starts, axis=1)
    return best


@lru_cache(maxsize=1)
def reference_shapes() -> ReferenceShapes:
    """All shapes that are drawn here."""
    drawn = [(label, shape) for label, mask in _drawn() if (shape := normalised(mask)) is not None]
    drawn.sort(key=lambda one: one[0])
    labels = np.array([label for label, _ in drawn], np.int8)
    return ReferenceShapes(labels, np.stack([unit_vector(shape) for _, shape in drawn]))


def _drawn() -> Iterator[tuple[int, Floats]]:
    """Every reference shape, as a mask (0 to 1) of any size, with its label."""
    for label, text in [*((digit, str(digit)) for digit in range(1, 9)), (int(Cell.QUESTION), "?")]:
        for mask in _written(text):
            for stretch in (0.8, 1.0, 1.3):
                yield label, _stretched(mask, stretch)
    for digit, variants in _ANGULAR.items():
        for lines in variants:
            for thickness in (11, 15, 19):
                for stretch in (0.75, 1.0, 1.35):
                    yield digit, _stretched(_polylines(lines, thickness), stretch)
    for flag in (_FLAG_RIGHT, _FLAG_LEFT, _PENNANT, _BANNER, _CLOTH, _CLOTH_LEFT):
        for stretch in (0.8, 1.0):
            yield int(Cell.FLAG), _stretched(_polygons(flag), stretch)
    mine = _with_lines(
        _disc(50, 50, 26), 6, (8, 50, 92, 50), (50, 8, 50, 92), (20, 20, 80, 80), (20, 80, 80, 20)
    )
    bare = _disc(50, 50, 34)
    bomb = _with_lines(_disc(46, 58, 30), 7, (64, 38, 80, 16))
    for mask in (mine, bare, bomb):
        yield int(Cell.MINE), mask
    cross = _with_lines(_polygons(()), 10, (10, 10, 90, 90), (10, 90, 90, 10))
    flags = (_polygons(flag) for flag in (_FLAG_LEFT, _FLAG_RIGHT, _PENNANT, _CLOTH))
    for crossed in (bare, mine, *flags):
        yield int(Cell.WRONG_FLAG), np.maximum(crossed, cross)
    yield int(Cell.WRONG_FLAG), cross


def _stretched(mask: Floats, factor: float) -> Floats:
    """A mask made wider by a factor."""
    size = max(2, round(mask.shape[1] * factor)), mask.shape[0]
    return np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_LINEAR), np.float32)


def _written(text: str) -> Iterator[Floats]:
    """A character in every font that OpenCV and Pillow bring along."""
    for font, thicknesses in (
        (cv2.FONT_HERSHEY_SIMPLEX, (3, 7, 11, 15)),
        (cv2.FONT_HERSHEY_DUPLEX, (3, 7, 11)),
        (cv2.FONT_HERSHEY_COMPLEX, (3, 6, 9)),
        (cv2.FONT_HERSHEY_TRIPLEX, (3, 7)),
    ):
        for thickness in thicknesses:
            canvas = np.zeros((_CANVAS * 2, _CANVAS * 2), np.uint8)
            cv2.putText(canvas, text, (50, 140), font, 3.0, 255, thickness, cv2.LINE_AA)
            yield (canvas / 255).astype(np.float32)
    try:
        face = ImageFont.load_default(size=90)
    except (TypeError, ImportError, OSError):  # a Pillow without FreeType has only a tiny font
        return
    for bold in (0, 3, 6):
        picture = Pillow.new("L", (_CANVAS * 2, _CANVAS * 2))
        ImageDraw.Draw(picture).text((60, 40), text, fill=255, font=face, stroke_width=bold)
        yield (np.asarray(picture) / 255).astype(np.float32)


Polygons = tuple[tuple[tuple[int, int], ...], ...]
"""Polygons, or polylines, of points (x, y)."""

_ANGULAR: dict[int, tuple[Polygons, ...]] = {
    1: (
        (((30, 25), (50, 10), (50, 86)), ((26, 86), (74, 86))),
        (((34, 26), (52, 10), (52, 86)),),
    ),
    2: (
        (((20, 20), (30, 12), (70, 12), (78, 20), (78, 36), (20, 74), (20, 86), (80, 86)),),
        (((20, 12), (78, 12), (78, 48), (20, 48), (20, 86), (80, 86)),),
    ),
    3: (
        (((20, 12), (70, 12), (78, 20), (78, 40), (70, 48), (78, 56), (78, 78), (70, 86), (20, 86)),
         ((40, 48), (70, 48))),
        (((20, 12), (78, 12), (44, 42), (70, 48), (78, 60), (76, 76), (64, 86), (20, 84)),),
    ),
    4: (
        (((40, 12), (22, 50), (82, 50)), ((66, 12), (66, 86))),
        (((62, 86), (62, 12), (20, 62), (84, 62)),),
        (((22, 12), (22, 50), (82, 50)), ((70, 12), (70, 86))),
    ),
    5: (
        (((80, 12), (20, 12), (20, 46), (70, 46), (78, 54), (78, 76), (70, 86), (20, 86)),),
        (((76, 12), (26, 12), (22, 46), (50, 40), (74, 50), (78, 66), (68, 84), (44, 88), (20, 80)),),
    ),
    6: (
        (((76, 12), (30, 12), (20, 22), (20, 78), (30, 86), (70, 86), (78, 78), (78, 54), (70, 46),
          (20, 46)),),
        (((66, 12), (36, 36), (22, 60), (30, 82), (50, 88), (72, 80), (76, 62), (60, 48), (36, 50)),),
    ),
    7: (
        (((20, 12), (80, 12), (80, 26), (50, 60), (48, 86)),),
        (((18, 12), (80, 12), (42, 86)),),
        (((20, 12), (78, 12), (78, 40), (56, 60), (56, 86)),),
    ),
    8: (
        (((28, 12), (70, 12), (78, 20), (78, 40), (70, 48), (78, 56), (78, 78), (70, 86), (28, 86), (20, 78),
          (20, 56), (28, 48), (20, 40), (20, 20), (28, 12)), ((28, 48), (70, 48))),
    ),
}  # fmt: skip
"""The digits of pixel fonts, each as variants of a few polylines."""


def _polylines(lines: Polygons, thickness: int) -> Floats:
    canvas = np.zeros((_CANVAS + 8, _CANVAS + 8), np.uint8)
    for line in lines:
        for (x0, y0), (x1, y1) in pairwise(line):
            cv2.line(canvas, (x0, y0), (x1, y1), 255, thickness, cv2.LINE_AA)
    return (canvas / 255).astype(np.float32)


_FLAG_LEFT: Polygons = (
    ((56, 10), (20, 28), (56, 48)),
    ((50, 10), (58, 10), (58, 74), (50, 74)),
    ((34, 68), (70, 68), (80, 88), (20, 88)),
)
"""The flag of the classic windows: the cloth to the left of the pole, on a base."""

_FLAG_RIGHT: Polygons = (((30, 10), (82, 32), (30, 54)), ((22, 10), (32, 10), (32, 90), (22, 90)))

_PENNANT: Polygons = (
    ((36, 10), (84, 30), (36, 52)),
    ((30, 10), (38, 10), (38, 84), (30, 84)),
    ((16, 80), (54, 80), (54, 90), (16, 90)),
)
"""A flag to the right of its pole, on a foot."""

_BANNER: Polygons = (
    ((28, 12), (78, 12), (66, 32), (78, 52), (28, 52)),
    ((20, 8), (28, 8), (28, 90), (20, 90)),
)

_CLOTH: Polygons = (((24, 10), (80, 34), (24, 58)),)
"""A flag whose pole is too pale to be seen."""

_CLOTH_LEFT: Polygons = (((80, 10), (24, 34), (80, 58)),)


def _polygons(polygons: Polygons) -> Floats:
    canvas = np.zeros((_CANVAS + 8, _CANVAS + 8), np.uint8)
    for polygon in polygons:
        cv2.fillPoly(canvas, [np.array(polygon, np.int32)], 255, cv2.LINE_AA)
    return (canvas / 255).astype(np.float32)


def _disc(x: int, y: int, radius: int) -> Floats:
    canvas = _polygons(())
    cv2.circle(canvas, (x, y), radius, 1.0, -1, cv2.LINE_AA)
    return canvas


def _with_lines(canvas: Floats, thickness: int, *lines: tuple[int, int, int, int]) -> Floats:
    for x0, y0, x1, y1 in lines:
        cv2.line(canvas, (x0, y0), (x1, y1), 1.0, thickness, cv2.LINE_AA)
    return canvas
