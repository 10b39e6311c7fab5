"""Where in a picture unopened cells of a theme could be, by a handful of pixels that all of them share.

Each colour is looked for once in the whole picture, for all themes and sizes; then only the places of the
rarest one are followed. They are places of pixels, not masks: few are left after the first looks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import cv2
import numpy as np

from bot.board import Cell
from bot.geometry import Rect
from bot.vision.grid import Image
from bot.vision.theme import Cut, Theme

TOLERANCE = 14
"""How far a pixel's colours (0 to 255) may be from a seed's."""

SMALLEST = 4
"""Boards of fewer columns or rows are not looked for: too much on a screen looks like them."""

_PARTS = (0, 0.07, 0.25, 0.5, 0.88, 0.94)
"""Where seeds lie in a cell, as parts of its width and height: on its edges and inside."""

_TRIED = 12
"""About so many seeds of a lattice are looked at, whether they are cells at all."""

_LATTICES = 12
"""So many lattices, those with the most seeds, are followed for each theme and size."""

Mask = np.ndarray[Any, np.dtype[np.uint8]]
Colour = tuple[int, int, int]
"""Blue, green, red."""
Places = np.ndarray[Any, np.dtype[np.intp]]
"""Pixels of a picture, each as row * width of the picture + column, in rising order."""
Marks = dict[Colour, Places]
"""By colour, pixels of a cell: shape (pixels, 2), x and y."""


@dataclass(frozen=True)
class Lattice:
    """Places a whole number of cells apart: the offsets of the first, and the seeds on it."""

    x: int
    y: int
    seeds: list[tuple[int, int]]
    """Some of them, as (x, y)."""
    count: int
    around: Rect
    """Around all seeds."""


@dataclass(frozen=True)
class Seeds:
    """Where cells of one size could be: their top left pixels."""

    width: int
    height: int
    places: Places
    across: int
    """The width of the picture, in pixels."""

    @cached_property
    def lattices(self) -> list[Lattice]:
        """The lattices on which the most seeds lie, most seeds first."""
        y, x = np.divmod(self.places, self.across)
        keys = (y % self.height) * self.width + x % self.width
        counts = np.bincount(keys)
        lattices: list[Lattice] = []
        for key in np.argsort(-counts, kind="stable")[:_LATTICES].tolist():
            if not counts[key]:
                break
            on_it = np.flatnonzero(keys == key)
            left, right = int(x[on_it].min()), int(x[on_it].max())
            top, bottom = int(y[on_it[0]]), int(y[on_it[-1]])
            around = Rect(left, top, right - left + self.width, bottom - top + self.height)
            spread = on_it[:: -(-len(on_it) // _TRIED)]
            seeds = list(zip(x[spread].tolist(), y[spread].tolist(), strict=True))
            lattices.append(Lattice(key % self.width, key // self.width, seeds, int(counts[key]), around))
        return lattices

    def beside(self, taken: Sequence[Rect]) -> list[Lattice]:
        """The same of those seeds that lie in none of some rectangles."""
        if not taken:
            return self.lattices
        y, x = np.divmod(self.places, self.across)
        inside = np.zeros(len(y), bool)
        for rect in taken:
            inside |= (x >= rect.x) & (x < rect.right) & (y >= rect.y) & (y < rect.bottom)
        return Seeds(self.width, self.height, self.places[~inside], self.across).lattices


class Masks:
    """Where a picture has which colours: worked out once for all themes and sizes."""

    def __init__(self, image: Image) -> None:
        self.shape = image.shape[0], image.shape[1]
        # Channel by channel it takes half the time.
        self._channels = cv2.split(image, list(np.empty((3, *self.shape), np.uint8)))
        self._masks: dict[Colour, Mask] = {}
        self._counts: dict[Colour, int] = {}
        self._places: dict[Colour, Places] = {}
        self._marks: dict[int, tuple[Marks, Marks]] = {}
        self._spare: np.ndarray[Any, np.dtype[np.bool_]] | None = None

    def flat(self, colour: Colour) -> Mask:
        """All pixels, row by row: 0 where they have another colour."""
        if colour not in self._masks:
            mask = np.full(self.shape, 255, np.uint8)
            part = np.empty(self.shape, np.uint8)
            for channel, value in zip(self._channels, colour, strict=True):
                part = np.asarray(cv2.inRange(channel, value - TOLERANCE, value + TOLERANCE, part), np.uint8)
                cv2.bitwise_and(mask, part, mask)
            self._masks[colour] = mask.ravel()
        return self._masks[colour]

    def count(self, colour: Colour) -> int:
        """How many pixels have a colour."""
        if colour not in self._counts:
            self._counts[colour] = cv2.countNonZero(self.flat(colour))
        return self._counts[colour]

    def places(self, colour: Colour) -> Places:
        """The pixels that have a colour."""
        if colour not in self._places:
            self._places[colour] = np.flatnonzero(self.flat(colour) != 0)
        return self._places[colour]

    def marks(self, cut: Cut, *, exact: bool) -> Marks:
        """The pixels by which unopened cells are looked for: of the size of the cut, or of another one."""
        if id(cut) not in self._marks:
            self._marks[id(cut)] = _marks(cut)
        return self._marks[id(cut)][0 if exact else 1]

    def in_pairs(self, seeds: Places, width: int, height: int) -> Places:
        """Only the seeds that have another one just to the right or just below."""
        if self._spare is None:
            self._spare = np.zeros(self.shape[0] * self.shape[1], np.bool_)
        spare, last = self._spare, self.shape[0] * self.shape[1] - 1  # the last pixel is no seed
        spare[seeds] = True
        paired = spare[np.minimum(seeds + width, last)]
        paired |= spare[np.minimum(seeds + height * self.shape[1], last)]
        spare[seeds] = False
        chosen: Places = seeds[paired]
        return chosen


def seeds_of(theme: Theme, pitch: int, masks: Masks) -> Seeds | None:
    """Where unopened cells of a theme of a whole width could be; None for nowhere."""
    cut = theme.cut_for(pitch)
    height = round(cut.cell[1] * pitch / cut.cell[0])
    if masks.shape[0] < SMALLEST * height or masks.shape[1] < SMALLEST * pitch:
        return None
    places = _seeds(cut, pitch, height, masks)
    if cut.cell[0] != pitch and len(places):
        places = masks.in_pairs(places, pitch, height)
    return Seeds(pitch, height, places, masks.shape[1]) if len(places) else None


def _seeds(cut: Cut, width: int, height: int, masks: Masks) -> Places:
    """Where the top left pixel of an unopened cell of this size could be."""
    marks = masks.marks(cut, exact=(width, height) == cut.cell)
    nowhere = np.zeros(0, np.intp)
    across = masks.shape[1]
    # The rarest colour first: the fewer places are left, the less is to be looked at.
    colours = sorted(marks, key=masks.count)
    if not colours or masks.count(colours[0]) < SMALLEST * SMALLEST:
        return nowhere
    last = (masks.shape[0] - height) * across + across - width
    corners: Places | None = None
    for colour in colours:
        x, y = ((marks[colour] + 0.5) * (width, height) / cut.cell).astype(np.intp).T
        for away in (y * across + x).tolist():
            if corners is None:
                corners = masks.places(colour) - away
                corners = corners[slice(*np.searchsorted(corners, (0, last + 1)))]
            else:
                corners = corners[masks.flat(colour)[corners + away] > 0]
            if not len(corners):
                return nowhere
    assert corners is not None
    inside: Places = corners[corners % across <= across - width]
    return inside


def _marks(cut: Cut) -> tuple[Marks, Marks]:
    """A few pixels that all unopened cells share: for cells of the size of the cut, and for others, where
    only pixels inside areas of one colour are sure."""
    width, height = cut.cell
    covered, alike, plain = cut.glyph(Cell.COVERED), cut.unopened_alike, cut.plain
    exact: dict[Colour, list[tuple[int, int]]] = {}
    others: dict[Colour, list[tuple[int, int]]] = {}
    for y in sorted({int(part * height) for part in _PARTS}):
        for x in sorted({int(part * width) for part in _PARTS}):
            blue, green, red = (int(value) for value in covered[y, x])
            if alike[y, x]:
                exact.setdefault((blue, green, red), []).append((x, y))
                if plain[y, x]:
                    others.setdefault((blue, green, red), []).append((x, y))
    return _of_several(exact), _of_several(others)


def _of_several(marks: dict[Colour, list[tuple[int, int]]]) -> Marks:
    # One colour alone is everywhere.
    return {} if len(marks) < 2 else {colour: np.array(places) for colour, places in marks.items()}
