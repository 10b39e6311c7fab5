"""Finds boards of any skin in a picture, by nothing but their repetition.

`find_grids(image)` gives every rectangle of equal square cells that might be a board, the best first:

    for found in find_grids(image):
        found.grid     # a Grid: place, cell pitch (real numbers), columns and rows, in pixels of the image
        found.score    # how well the borders between its cells are seen, 0 to 1
        found.cut      # the sides on which the edge of the picture cuts its cells

It does not know what the cells mean, so a table or a chess board may be among what it gives; whoever
reads the cells decides.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from bot.geometry import Rect
from bot.vision.grid import Grid, Image
from bot.vision.lattice import SMALLEST, SURE, lattice_of
from bot.vision.repetition import SHORTEST, Repetition, edges_of, repetitions

MOST = 10
"""So many repeating parts of a picture, the strongest, are looked at."""

THOROUGH = 4
"""Of those, so many are looked at thoroughly."""

DITHERED = 0.06
"""Where so many pixels differ from both neighbours, which are alike, the picture is dithered."""

LEAST_SCORE = 0.3
"""Grids whose borders are seen less are none."""


CLEARLY_SEEN = 0.95
"""Of two grids at one place that with the smaller cells is there, where so many of its borders are seen."""


@dataclass(frozen=True)
class FoundGrid:
    """A rectangle of equal cells in a picture."""

    grid: Grid
    score: float
    """How well the borders between its cells are seen, and how much better than other lines, 0 to 1."""
    seen: float = 1.0
    """The part of those borders that is seen."""
    cut: tuple[str, ...] = ()
    """The sides (left, top, right, bottom) on which the picture's edge cuts cells, by less than a third."""


def find_grids(image: Image) -> list[FoundGrid]:
    """Every grid in a picture (height, width, 3), the one with the most cells in sight first."""
    if min(image.shape[:2]) < SMALLEST * SHORTEST:
        return []
    image = calmed(image)
    edges = edges_of(image)
    turned = np.asarray(cv2.transpose(image), np.uint8)
    found: list[FoundGrid] = []

    def look(repetition: Repetition, *, thorough: bool) -> None:
        nonlocal found
        if any(_explains(one, repetition.rect, repetition.pitch) for one in found):
            return
        lattice = lattice_of(image, turned, edges, repetition, thorough=thorough)
        if lattice is None or lattice.worth < LEAST_SCORE:
            return
        one = FoundGrid(lattice.grid, lattice.worth, lattice.score, _cut(lattice.grid, image))
        rivals = [other for other in found if other.grid.rect.intersects(one.grid.rect)]
        if all(_better(one, other) for other in rivals):
            found = [other for other in found if other not in rivals] + [one]

    strongest = repetitions(image, edges)[:MOST]
    for number, repetition in enumerate(strongest):
        look(repetition, thorough=number < THOROUGH)
    if not found:
        # The two shades of a checkerboard repeat every second cell; where that is faint, nothing else does.
        for repetition in strongest[:THOROUGH]:
            if repetition.pitch >= 2 * SHORTEST:
                look(replace(repetition, pitch=repetition.pitch / 2), thorough=True)
    return sorted(found, key=_worth, reverse=True)


def calmed(image: Image) -> Image:
    """The picture without dithering, where it has much of it: dots of two colours in turn."""
    if min(image.shape[:2]) < 3:
        return image
    green = cv2.extractChannel(image[::2], 1)
    alike = cv2.threshold(cv2.absdiff(green[:, 2:], green[:, :-2]), 4, 255, cv2.THRESH_BINARY_INV)[1]
    apart = cv2.threshold(cv2.absdiff(green[:, 2:], green[:, 1:-1]), 5, 255, cv2.THRESH_BINARY)[1]
    if cv2.countNonZero(cv2.bitwise_and(alike, apart)) < DITHERED * green[:, 2:].size:
        return image
    return np.asarray(cv2.GaussianBlur(image, (3, 3), 0), np.uint8)


def _explains(found: FoundGrid, rect: Rect, pitch: float) -> bool:
    """Whether a repetition is that of a grid that was found: the same place, the same pitch or a multiple."""
    times = pitch / found.grid.cell_width
    shared = rect.clipped(found.grid.rect)
    return (
        found.score >= SURE
        and abs(times - round(times)) < 0.05 * round(times)
        and shared.width * shared.height > 0.5 * min(rect.width * rect.height, _area(found))
    )


def _better(one: FoundGrid, other: FoundGrid) -> bool:
    """Which of two grids at one place is there: one of half the pitch explains the other."""
    times = other.grid.cell_width / one.grid.cell_width
    if max(times, 1 / times) > 1.4 and (one.seen if times > 1 else other.seen) >= CLEARLY_SEEN:
        shared = one.grid.rect.clipped(other.grid.rect)
        smaller, larger = sorted((_area(one), _area(other)))
        if shared.width * shared.height > 0.7 * smaller and smaller > 0.4 * larger:
            return times > 1
    return _worth(one) > _worth(other)


def _area(found: FoundGrid) -> int:
    return found.grid.rect.width * found.grid.rect.height


def _worth(found: FoundGrid) -> float:
    return found.score**2 * _area(found)


def _cut(grid: Grid, image: Image) -> tuple[str, ...]:
    rect, (height, width) = grid.rect, image.shape[:2]
    beyond = {
        "left": rect.x < -1,
        "top": rect.y < -1,
        "right": rect.right > width + 1,
        "bottom": rect.bottom > height + 1,
    }
    return tuple(side for side, is_cut in beyond.items() if is_cut)
