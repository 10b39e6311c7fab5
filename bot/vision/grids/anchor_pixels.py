"""Where in a picture unopened cells of a skin could be, by a handful of pixels that all of them share.

Each colour is looked for once in the whole picture, for all skins and sizes; then only the places of the
rarest one are followed. They are places of pixels, not masks: few are left after the first looks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import cv2
import numpy as np

from bot.geometry import Rect
from bot.vision.grid import Image
from bot.vision.themes.palette import Bgr
from bot.vision.themes.skin import Anchors, GlyphSet, Skin

TOLERANCE = 14
"""How far a pixel's colours (0 to 255) may be from a seed's."""

SMALLEST = 4
"""Boards of fewer columns or rows are not looked for: too much on a screen looks like them."""

_TRIED = 12
"""About so many seeds of a lattice are looked at, whether they are cells at all."""

_LATTICES = 12
"""So many lattices, those with the most seeds, are followed for each skin and size."""

Plane = np.ndarray[Any, np.dtype[np.uint8]]
"""Bits for each pixel: shape (height, width)."""

Values = np.ndarray[Any, np.dtype[np.float32]]

Places = np.ndarray[Any, np.dtype[np.intp]]
"""Pixels of a picture, each as row * width of the picture + column, in rising order."""


@dataclass(frozen=True)
class AnchorLattice:
    """Places a whole number of cells apart: the offsets of the first, and the seeds on it."""

    x: int
    y: int
    seeds: list[tuple[int, int]]
    """Some of them, as (x, y)."""
    count: int
    around: Rect
    """Around all seeds."""


@dataclass(frozen=True)
class AnchorPixels:
    """Where cells of one size could be: their top left pixels."""

    width: int
    height: int
    places: Places
    across: int
    """The width of the picture, in pixels."""

    @cached_property
    def lattices(self) -> list[AnchorLattice]:
        """The lattices on which the most seeds lie, most seeds first."""
        y, x = np.divmod(self.places, self.across)
        keys = (y % self.height) * self.width + x % self.width
        counts = np.bincount(keys)
        lattices: list[AnchorLattice] = []
        for key in np.argsort(-counts, kind="stable")[:_LATTICES].tolist():
            if not counts[key]:
                break
            on_it = np.flatnonzero(keys == key)
            left, right = int(x[on_it].min()), int(x[on_it].max())
            top, bottom = int(y[on_it[0]]), int(y[on_it[-1]])
            around = Rect(left, top, right - left + self.width, bottom - top + self.height)
            spread = on_it[:: -(-len(on_it) // _TRIED)]
            seeds = list(zip(x[spread].tolist(), y[spread].tolist(), strict=True))
            lattices.append(
                AnchorLattice(key % self.width, key // self.width, seeds, int(counts[key]), around)
            )
        return lattices

    def beside(self, taken: Sequence[Rect]) -> list[AnchorLattice]:
        """The same of those seeds that lie in none of some rectangles."""
        if not taken:
            return self.lattices
        y, x = np.divmod(self.places, self.across)
        inside = np.zeros(len(y), bool)
        for rect in taken:
            inside |= (x >= rect.x) & (x < rect.right) & (y >= rect.y) & (y < rect.bottom)
        return AnchorPixels(self.width, self.height, self.places[~inside], self.across).lattices


class ColourMasks:
    """Where a picture has which of some colours: worked out once for all skins and sizes."""

    def __init__(self, image: Image, colours: Iterable[Bgr]) -> None:
        self.shape = image.shape[0], image.shape[1]
        self._bits: dict[Bgr, tuple[int, np.uint8]] = {}
        """The plane, and in its bytes the bit, that says where a colour is."""
        self._planes: list[Plane] = []
        self._values: list[Values] = []
        """How often each byte is in each plane."""
        self._counts: dict[Bgr, int] = {}
        self._places: dict[Bgr, Places] = {}
        self._seeds: dict[object, Places] = {}
        self._spare: np.ndarray[Any, np.dtype[np.bool_]] | None = None
        channels = cv2.split(image, list(np.empty((3, *self.shape), np.uint8)))
        several = sorted(set(colours))
        for start in range(0, len(several), 8):
            # Eight colours at a time, by what each value of a channel may belong to: single colours would
            # take four times as long.
            tables = np.zeros((3, 256), np.uint8)
            for bit, colour in enumerate(several[start : start + 8]):
                self._bits[colour] = len(self._planes), np.uint8(1 << bit)
                for table, value in zip(tables, colour, strict=True):
                    table[max(0, value - TOLERANCE) : value + TOLERANCE + 1] |= np.uint8(1 << bit)
            plane, part = np.empty((2, *self.shape), np.uint8)
            cv2.LUT(channels[0], tables[0], plane)
            for channel, table in zip(channels[1:], tables[1:], strict=True):
                cv2.bitwise_and(plane, cv2.LUT(channel, table, part), plane)
            self._planes.append(plane)
        self._values = [_values(plane) for plane in self._planes]

    def has(self, colour: Bgr, places: Places) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Which of some pixels have a colour."""
        number, bit = self._bits[colour]
        there: np.ndarray[Any, np.dtype[np.bool_]] = (self._planes[number].ravel()[places] & bit) != 0
        return there

    def count(self, colour: Bgr) -> int:
        """How many pixels have a colour."""
        if not self._counts:
            for one, (number, bit) in self._bits.items():
                self._counts[one] = int(self._values[number][np.arange(256) & bit != 0].sum())
        return self._counts[colour]

    def places(self, colour: Bgr) -> Places:
        """The pixels that have a colour."""
        if colour not in self._places:
            number, bit = self._bits[colour]
            self._places[colour] = np.flatnonzero((self._planes[number] & bit) != 0)
        return self._places[colour]

    def leave_out(self, rect: Rect) -> None:
        """From now on a part of the picture has none of the colours."""
        part = rect.clipped(Rect(0, 0, self.shape[1], self.shape[0]))
        for plane, values in zip(self._planes, self._values, strict=True):
            gone = plane[part.y : part.bottom, part.x : part.right]
            values -= _values(gone)
            gone[:] = 0
        self._counts.clear()
        self._places.clear()
        self._seeds.clear()

    def seeds(self, cut: GlyphSet, width: int, height: int) -> Places:
        """Where the top left pixel of an unopened cell of a cut could be, at a size: worked out once for all
        skins that have the same anchors."""
        anchors = cut.anchors if (width, height) == cut.cell else cut.scaled_anchors
        same = tuple((colour, places.tobytes()) for colour, places in anchors.items())
        key = same, cut.cell, (width, height)
        if key not in self._seeds:
            self._seeds[key] = _seeds(anchors, cut.cell, (width, height), self)
        return self._seeds[key]

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


def _values(plane: Plane) -> Values:
    """How often each byte is in a plane."""
    return np.asarray(cv2.calcHist([plane], [0], None, [256], [0, 256]), np.float32).ravel()


def anchor_pixels(skin: Skin, pitch: int, masks: ColourMasks) -> AnchorPixels | None:
    """Where unopened cells of a skin of a whole width could be; None for nowhere."""
    cut = skin.glyph_set_for(pitch)
    height = round(cut.cell[1] * pitch / cut.cell[0])
    if masks.shape[0] < SMALLEST * height or masks.shape[1] < SMALLEST * pitch:
        return None
    places = masks.seeds(cut, pitch, height)
    if cut.cell[0] != pitch and len(places):
        places = masks.in_pairs(places, pitch, height)
    return AnchorPixels(pitch, height, places, masks.shape[1]) if len(places) else None


def _seeds(anchors: Anchors, cell: tuple[int, int], size: tuple[int, int], masks: ColourMasks) -> Places:
    """Where the top left pixel of a cell of a size (width, height) could be, by the anchors of the one
    that was cut."""
    width, height = size
    nowhere = np.zeros(0, np.intp)
    across = masks.shape[1]
    # The rarest colour first: the fewer places are left, the less is to be looked at.
    colours = sorted(anchors, key=masks.count)
    if not colours or masks.count(colours[0]) < SMALLEST * SMALLEST:
        return nowhere
    last = (masks.shape[0] - height) * across + across - width
    corners: Places | None = None
    for colour in colours:
        x, y = ((anchors[colour] + 0.5) * size / cell).astype(np.intp).T
        for away in (y * across + x).tolist():
            if corners is None:
                corners = masks.places(colour) - away
                corners = corners[slice(*np.searchsorted(corners, (0, last + 1)))]
            else:
                corners = corners[masks.has(colour, corners + away)]
            if not len(corners):
                return nowhere
    assert corners is not None
    inside: Places = corners[corners % across <= across - width]
    return inside
