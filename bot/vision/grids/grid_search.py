"""Finds boards of any skin in a picture, by nothing but their repetition.

`find_grids(image)` gives the rectangles of equal square cells that might be a board, the best first:

    for found in find_grids(image):
        found.grid     # a Grid: place, cell pitch (real numbers), columns and rows, in pixels of the image
        found.score    # how well the borders between its cells are seen, 0 to 1
        found.cut      # the sides on which the edge of the picture cuts its cells

Where a grid is clearly seen it gives those that are, and takes a tenth of a second for a whole screen. Who
finds that none of those is a board asks `grids_in_turn` for the rest, which takes several times as long.

It does not know what the cells mean, so a table or a chess board may be among what it gives; whoever
reads the cells decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from bot.geometry import Rect
from bot.vision.grid import Grid, Image
from bot.vision.grids.lattice import CLEARLY_BETTER, SMALLEST, SURE, Thoroughness, fit_lattice
from bot.vision.grids.periodicity import SHORTEST, Periodicity, edges_of, periodicities

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


SAME_STEP = 0.03
"""Steps that differ by no more than such a part may be those of one board."""

SAME = 0.8
"""Of a grid that is sure, repetitions of steps so many times its pitch or more are parts."""

SAME_PITCH = 1.05
"""Pitches that differ by less, as a ratio, are one."""

WITHIN = 0.2
"""Those that share so much of their area, or of the grid's: they reach farther than what repeats in them."""


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

    @property
    def clear(self) -> bool:
        """Whether nothing better is to be expected at its place."""
        return self.seen**3 * self.score >= SURE


def find_grids(image: Image) -> list[FoundGrid]:
    """The grids in a picture (height, width, 3), the one with the most cells in sight first.

    Those that are clearly seen; where none is, all that may be one.
    """
    return next((found for found in grids_in_turn(image) if found), [])


def grids_in_turn(image: Image) -> Iterator[list[FoundGrid]]:
    """The grids of `find_grids`, then, where it is asked for more, all that may be grids."""
    if min(image.shape[:2]) < SMALLEST * SHORTEST:
        return
    search = _Search(calmed(image))
    clear = search.clear()
    if clear:
        yield clear
    yield search.all()


class GridsInTurn:
    """What `grids_in_turn` gives, for several who ask: each turn is worked out once, when it is asked for."""

    def __init__(self, image: Image) -> None:
        self._turns = grids_in_turn(image)
        self._known: list[list[FoundGrid]] = []

    def __iter__(self) -> Iterator[list[FoundGrid]]:
        number = 0
        while True:
            if number == len(self._known):
                turn = next(self._turns, None)
                if turn is None:
                    return
                self._known.append(turn)
            yield self._known[number]
            number += 1


class _Search:
    """Looks for the grids of one picture."""

    def __init__(self, image: Image) -> None:
        self._image = image
        self._edges = edges_of(image)
        self._turned = np.asarray(cv2.transpose(image), np.uint8)
        self._strongest = periodicities(image, self._edges)[:MOST]
        self._found: list[FoundGrid] = []

    def clear(self) -> list[FoundGrid]:
        """The grids that are clearly seen at first sight, and what else is seen on the way."""
        self._found = []
        for repetition in _finest_first(self._strongest):
            if not any(_covers(one, repetition) for one in self._found):
                self._look(repetition, Thoroughness.GLANCE)
        # Every second line of a lattice is one too: what is given up at a glance may be the cells of it.
        for repetition in self._strongest:
            if any(_divides(one, repetition) for one in self._found if one.clear):
                self._look(repetition, Thoroughness.ALL)
        return self._sorted() if any(one.clear for one in self._found) else []

    def all(self) -> list[FoundGrid]:
        """Every grid."""
        self._found = []
        for number, repetition in enumerate(self._strongest):
            self._look(repetition, Thoroughness.ALL if number < THOROUGH else Thoroughness.SOME)
        if not self._found:
            # The two shades of a checkerboard repeat every second cell; where that is faint, nothing else
            # does.
            for repetition in self._strongest[:THOROUGH]:
                if repetition.pitch >= 2 * SHORTEST:
                    self._look(replace(repetition, pitch=repetition.pitch / 2), Thoroughness.ALL)
        return self._sorted()

    def _look(self, repetition: Periodicity, thoroughness: Thoroughness) -> None:
        if any(_explains(one, repetition.rect, repetition.pitch) for one in self._found):
            return
        lattice = fit_lattice(self._image, self._turned, self._edges, repetition, thoroughness)
        if lattice is None or lattice.worth < LEAST_SCORE:
            return
        one = FoundGrid(lattice.grid, lattice.worth, lattice.score, _cut(lattice.grid, self._image))
        rivals = [other for other in self._found if other.grid.rect.intersects(one.grid.rect)]
        if all(_better(one, other) for other in rivals):
            self._found = [other for other in self._found if other not in rivals] + [one]

    def _sorted(self) -> list[FoundGrid]:
        return sorted(self._found, key=_worth, reverse=True)


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


def _finest_first(repetitions: Sequence[Periodicity]) -> list[Periodicity]:
    """The repetitions, but those of one step at one place by how exactly their place is known: in a picture
    that was made smaller, what lies around a board is seen with it."""
    ordered: list[Periodicity] = []
    for one in repetitions:
        same = [
            other
            for other in repetitions
            if abs(other.pitch - one.pitch) <= SAME_STEP * one.pitch and other.rect.intersects(one.rect)
        ]
        ordered += [other for other in sorted(same, key=lambda other: other.level) if other not in ordered]
    return ordered


def _covers(found: FoundGrid, repetition: Periodicity) -> bool:
    """Whether a repetition lies within a grid that is clear, and is none of smaller cells."""
    larger = repetition.pitch > SAME * found.grid.cell_width
    return found.clear and larger and _shares(found, repetition.rect, WITHIN)


def _divides(found: FoundGrid, repetition: Periodicity) -> bool:
    """Whether a repetition on a grid could be the cells of which it has only every second line."""
    times = found.grid.cell_width / repetition.pitch
    whole = times > 1.5 and abs(times - round(times)) < 0.05 * round(times)
    return whole and _shares(found, repetition.rect, 0.1)


def _explains(found: FoundGrid, rect: Rect, pitch: float) -> bool:
    """Whether a repetition is that of a grid that was found: the same place, the same pitch or a multiple."""
    times = pitch / found.grid.cell_width
    return (
        found.score >= SURE and abs(times - round(times)) < 0.05 * round(times) and _shares(found, rect, 0.5)
    )


def _shares(found: FoundGrid, rect: Rect, part: float) -> bool:
    """Whether a grid and a rectangle share more than a part of the smaller one."""
    shared = rect.clipped(found.grid.rect)
    return shared.width * shared.height > part * min(rect.width * rect.height, _area(found))


def _better(one: FoundGrid, other: FoundGrid) -> bool:
    """Which of two grids at one place is there: one of half the pitch explains the other."""
    times = other.grid.cell_width / one.grid.cell_width
    if max(times, 1 / times) > 1.4 and (one.seen if times > 1 else other.seen) >= CLEARLY_SEEN:
        shared = one.grid.rect.clipped(other.grid.rect)
        smaller, larger = sorted((_area(one), _area(other)))
        if shared.width * shared.height > 0.7 * smaller and smaller > 0.4 * larger:
            return times > 1
    if max(times, 1 / times) < SAME_PITCH:
        # Of two places of one lattice that at which more of its borders are seen; of equals the first.
        return _fits(one) > CLEARLY_BETTER * _fits(other)
    return _worth(one) > _worth(other)


def _area(found: FoundGrid) -> int:
    return found.grid.rect.width * found.grid.rect.height


def _worth(found: FoundGrid) -> float:
    return found.score**2 * _area(found)


def _fits(found: FoundGrid) -> float:
    return found.seen**3 * found.score * _area(found)


def _cut(grid: Grid, image: Image) -> tuple[str, ...]:
    rect, (height, width) = grid.rect, image.shape[:2]
    beyond = {
        "left": rect.x < -1,
        "top": rect.y < -1,
        "right": rect.right > width + 1,
        "bottom": rect.bottom > height + 1,
    }
    return tuple(side for side, is_cut in beyond.items() if is_cut)
