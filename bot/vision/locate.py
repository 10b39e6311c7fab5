"""Finds boards of known themes in a picture of a whole screen.

What covered, flagged and questioned cells of a theme share (their bevel) is looked for by a handful of
pixels at once over the whole picture; then whole cells are compared on the lattices that these seeds
give, and joined to rectangles. A board is only called playable where its border is seen on every side.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from bot.board import Cell
from bot.geometry import Rect
from bot.vision.grid import Grid, Image
from bot.vision.reader import Reader
from bot.vision.reading import Reading
from bot.vision.theme import Cut, Theme

SCALES = (1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0)
"""The scales at which a theme is looked for, besides the sizes that it was cut at."""

TOLERANCE = 14
"""How far a pixel's colours (0 to 255) may be from a seed's."""

SMALLEST = 4
"""Boards of fewer columns or rows are not looked for: too much on a screen looks like them."""

FILLED = 0.5
"""The part of a found rectangle whose cells must be readable; the rest may be covered."""

_LATTICES = 12
"""So many lattices, those with the most seeds, are followed for each theme and scale."""

Mask = np.ndarray[Any, np.dtype[np.uint8]]


@dataclass(frozen=True)
class Found:
    """A board in a picture."""

    theme: Theme
    grid: Grid
    reading: Reading
    seams: tuple[str, ...]
    """The sides (left, top, right, bottom) on which the border of the board is not seen: it is cut there
    by the edge of the picture, or covered by something."""


def locate(image: Image, themes: Sequence[Theme]) -> list[Found]:
    """Every board of these themes in the picture, from the top left; none is an empty list."""
    found: list[Found] = []
    for theme in themes:
        for found_one in _of_theme(image, theme):
            rect = found_one.grid.rect
            rivals = [other for other in found if other.grid.rect.intersects(rect)]
            if all(_worth(found_one) > _worth(other) for other in rivals):
                found = [other for other in found if other not in rivals] + [found_one]
    return sorted(found, key=lambda one: (one.grid.y, one.grid.x))


def _worth(found: Found) -> tuple[int, float]:
    """Of two boards at one place, the one with more readable cells, then the nearer one, is there."""
    unread = found.reading.board.count(Cell.UNREAD)
    return found.reading.board.codes.size - unread, -float(found.reading.distances.mean())


def pitches(theme: Theme) -> list[int]:
    """The cell widths, in pixels, at which a theme is looked for."""
    base = theme.cuts[0].cell[0]
    return sorted({cut.cell[0] for cut in theme.cuts} | {round(base * scale) for scale in SCALES})


def _of_theme(image: Image, theme: Theme) -> Iterator[Found]:
    for pitch in pitches(theme):
        cut = theme.cut_for(pitch)
        height = round(cut.cell[1] * pitch / cut.cell[0])
        if image.shape[0] < SMALLEST * height or image.shape[1] < SMALLEST * pitch:
            continue
        for x, y in _lattices(_seeds(image, cut, pitch, height), pitch, height):
            yield from _on_lattice(image, theme, pitch, height, x, y)


def _seed_pixels(cut: Cut, width: int, height: int) -> list[tuple[int, int, tuple[int, int, int]]]:
    """A few pixels, as (x, y, colour), that all unopened cells of a theme share at this size."""
    unopened = [
        cv2.resize(glyph, (width, height), interpolation=cv2.INTER_NEAREST).astype(np.int16)
        for code, glyph in zip(cut.codes, cut.glyphs, strict=True)
        if code in (Cell.COVERED, Cell.FLAG, Cell.QUESTION)
    ]
    covered = unopened[0]
    same = np.all([np.abs(other - covered).max(axis=2) <= 2 for other in unopened], axis=0)
    wanted = [
        (x, y)
        for y in (0, 1, height // 4, height // 2, height - 2, height - 1)
        for x in (0, 1, width // 4, width // 2, width - 2, width - 1)
        if same[y, x]
    ]
    # The rarest colours first: they leave the fewest places to look at.
    colours = Counter(tuple(int(v) for v in covered[y, x]) for x, y in wanted)
    chosen = sorted(wanted, key=lambda xy: colours[tuple(int(v) for v in covered[xy[1], xy[0]])])
    return [(x, y, tuple(int(v) for v in covered[y, x])) for x, y in chosen]  # type: ignore[misc]


def _seeds(image: Image, cut: Cut, width: int, height: int) -> Mask:
    """Where the top left pixel of an unopened cell of this size could be: a mask of the picture's size."""
    rows, columns = image.shape[0] - height + 1, image.shape[1] - width + 1
    masks: dict[tuple[int, int, int], Mask] = {}
    seeds: Mask | None = None
    for x, y, colour in _seed_pixels(cut, width, height):
        if colour not in masks:
            low = tuple(max(0, value - TOLERANCE) for value in colour)
            high = tuple(min(255, value + TOLERANCE) for value in colour)
            masks[colour] = np.asarray(cv2.inRange(image, low, high), np.uint8)
        shifted = masks[colour][y : y + rows, x : x + columns]
        seeds = shifted.copy() if seeds is None else np.asarray(cv2.bitwise_and(seeds, shifted), np.uint8)
        if not cv2.hasNonZero(seeds):
            break
    return np.zeros((rows, columns), np.uint8) if seeds is None else seeds


def _lattices(seeds: Mask, width: int, height: int) -> list[tuple[int, int]]:
    """The offsets (x below the width, y below the height) on which the most seeds lie."""
    places = cv2.findNonZero(seeds)
    if places is None:
        return []
    flat = np.asarray(places).reshape(-1, 2)
    keys, counts = np.unique((flat[:, 1] % height) * width + flat[:, 0] % width, return_counts=True)
    order = np.argsort(-counts, kind="stable")[:_LATTICES]
    return [(int(keys[i]) % width, int(keys[i]) // width) for i in order]


def _on_lattice(image: Image, theme: Theme, width: int, height: int, x: int, y: int) -> Iterator[Found]:
    """The boards whose cells lie on one lattice."""
    columns, rows = (image.shape[1] - x) // width, (image.shape[0] - y) // height
    whole = Grid(x, y, width, height, columns, rows)
    codes = Reader(theme, whole).read(image).board.codes
    readable = (codes != Cell.UNREAD).astype(np.uint8)
    unopened = np.isin(codes, (Cell.COVERED, Cell.FLAG, Cell.QUESTION))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(readable, connectivity=4)
    boxes = _joined([_box(stats[label]) for label in range(1, count) if unopened[labels == label].any()])
    for left, top, right, bottom in boxes:
        if right - left < SMALLEST or bottom - top < SMALLEST:
            continue
        if readable[top:bottom, left:right].mean() < FILLED:
            continue
        grid = Grid(x + left * width, y + top * height, width, height, right - left, bottom - top)
        reading = Reader(theme, grid).read(image, header=True)
        yield Found(theme, grid, reading, _seams(image, theme, grid))


Box = tuple[int, int, int, int]


def _box(stats: np.ndarray[Any, Any]) -> Box:
    left, top, width, height = (int(value) for value in stats[:4])
    return left, top, left + width, top + height


def _joined(boxes: list[Box]) -> list[Box]:
    """Boxes that overlap are parts of one board, which something covers in part."""
    joined: list[Box] = []
    for box in boxes:
        left, top, right, bottom = box
        changed = True
        while changed:
            changed = False
            for other in list(joined):
                if left < other[2] and other[0] < right and top < other[3] and other[1] < bottom:
                    joined.remove(other)
                    left, top = min(left, other[0]), min(top, other[1])
                    right, bottom = max(right, other[2]), max(bottom, other[3])
                    changed = True
        joined.append((left, top, right, bottom))
    return joined


def _seams(image: Image, theme: Theme, grid: Grid) -> tuple[str, ...]:
    """The sides on which the pixels just outside the grid are not of the theme's colour."""
    rect = grid.rect
    # One line would not do: in some skins the cells themselves end in a line of that colour.
    width = max(1, round(theme.spec.border_width * theme.scale(grid.cell_width)))
    picture = Rect(0, 0, image.shape[1], image.shape[0])
    lines = {
        "left": Rect(rect.x - width, rect.y, width, rect.height),
        "top": Rect(rect.x, rect.y - width, rect.width, width),
        "right": Rect(rect.right, rect.y, width, rect.height),
        "bottom": Rect(rect.x, rect.bottom, rect.width, width),
    }
    missing: list[str] = []
    for side, colour in theme.spec.border.items():
        line = lines[side]
        if not picture.encloses(line):
            missing.append(side)
            continue
        pixels = image[line.y : line.bottom, line.x : line.right].astype(np.int16)
        right_colour = np.abs(pixels - np.array(colour[::-1])).max(axis=2) <= TOLERANCE
        if right_colour.mean() < 0.95:
            missing.append(side)
    return tuple(missing)
