"""Finds where unopened cells of known skins could be, by a few anchor pixels that all of them share.

Each colour is searched once in the whole picture, for all skins and sizes. Then only the pixels of the rarest
colour are followed: few remain after the first comparisons.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Rect
from bot.vision.grid import MIN_BOARD_SIDE, Image, Plane
from bot.vision.themes.palette import Bgr
from bot.vision.themes.skin import Anchors, GlyphSet, Skin

ANCHOR_TOLERANCE = 14
"""Maximum difference, in any channel (0 to 255), between a pixel and an anchor."""

MAX_LATTICES, MAX_EXAMPLES = 12, 12
"""Number of lattices, those with the most candidates, that are followed for each skin and size, and the rough
number of candidates on each that are examined for whether they are cells at all."""

Floats = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]

Places = npt.NDArray[np.intp]
"""Pixels of a picture, each as row * width of the picture + column, in rising order."""


@dataclass(frozen=True)
class CandidateLattice:
    """Candidates that lie whole numbers of cells from each other."""

    x: int
    y: int
    """The top left pixel of its first cell in the picture."""
    examples: list[tuple[int, int]]
    """Some candidates: x and y of their top left pixels."""
    count: int
    """Number of all candidates."""
    bounds: Rect
    """The rectangle around the cells of all candidates."""


@dataclass(frozen=True)
class CandidateCells:
    """The places where cells of one size could be."""

    width: int
    height: int
    """The size of a cell, in pixels."""
    corners: Places
    """The top left pixels of the candidates."""
    picture_width: int

    @cached_property
    def lattices(self) -> list[CandidateLattice]:
        """The lattices with the most candidates, the largest number first."""
        y, x = np.divmod(self.corners, self.picture_width)
        keys = (y % self.height) * self.width + x % self.width
        counts = np.bincount(keys)
        lattices: list[CandidateLattice] = []
        for key in np.argsort(-counts, kind="stable")[:MAX_LATTICES].tolist():
            if not counts[key]:
                break
            on_it = np.flatnonzero(keys == key)
            left, right = int(x[on_it].min()), int(x[on_it].max())
            top, bottom = int(y[on_it[0]]), int(y[on_it[-1]])
            bounds = Rect(left, top, right - left + self.width, bottom - top + self.height)
            some = on_it[:: -(-len(on_it) // MAX_EXAMPLES)]
            examples = list(zip(x[some].tolist(), y[some].tolist(), strict=True))
            lattice_y, lattice_x = divmod(key, self.width)
            lattices.append(CandidateLattice(lattice_x, lattice_y, examples, int(counts[key]), bounds))
        return lattices

    def lattices_outside(self, rects: Sequence[Rect]) -> list[CandidateLattice]:
        """The lattices of those candidates that begin in none of these rectangles."""
        if not rects:
            return self.lattices
        y, x = np.divmod(self.corners, self.picture_width)
        inside = np.zeros(len(y), bool)
        for rect in rects:
            inside |= (x >= rect.x) & (x < rect.right) & (y >= rect.y) & (y < rect.bottom)
        return replace(self, corners=self.corners[~inside]).lattices


class ColourMasks:
    """Which pixels of a picture have which anchor colours: found once for all skins and sizes."""

    def __init__(self, image: Image, colours: Iterable[Bgr]) -> None:
        self.shape = image.shape[0], image.shape[1]
        self._bits: dict[Bgr, tuple[int, np.uint8]] = {}
        """For each colour the number of its plane, and the bit that is set there where the colour is."""
        self._planes: list[Plane] = []
        self._counts: dict[Bgr, int] = {}
        self._places: dict[Bgr, Places] = {}
        self._corners: dict[object, Places] = {}
        self._spare: Bools | None = None
        channels = cv2.split(image, list(np.empty((3, *self.shape), np.uint8)))
        ordered = sorted(set(colours))
        for start in range(0, len(ordered), 8):
            # A table gives, for each value of a channel, the bits of the colours that it may belong to: eight
            # colours at a time take a quarter of the time of single ones.
            tables = np.zeros((3, 256), np.uint8)
            for number, colour in enumerate(ordered[start : start + 8]):
                bit = np.uint8(1 << number)
                self._bits[colour] = len(self._planes), bit
                for table, value in zip(tables, colour, strict=True):
                    table[max(0, value - ANCHOR_TOLERANCE) : value + ANCHOR_TOLERANCE + 1] |= bit
            plane, part = np.empty((2, *self.shape), np.uint8)
            cv2.LUT(channels[0], tables[0], plane)
            for channel, table in zip(channels[1:], tables[1:], strict=True):
                cv2.bitwise_and(plane, cv2.LUT(channel, table, part), plane)
            self._planes.append(plane)
        self._histograms = [_histogram(plane) for plane in self._planes]
        """How often each value occurs in each plane."""

    def has(self, colour: Bgr, places: Places) -> Bools:
        """Which of some pixels have a colour."""
        number, bit = self._bits[colour]
        found: Bools = (self._planes[number].ravel()[places] & bit) != 0
        return found

    def count(self, colour: Bgr) -> int:
        """The number of pixels that have a colour."""
        if not self._counts:
            for one, (number, bit) in self._bits.items():
                self._counts[one] = int(self._histograms[number][np.arange(256) & bit != 0].sum())
        return self._counts[colour]

    def places(self, colour: Bgr) -> Places:
        """The pixels that have a colour."""
        if colour not in self._places:
            number, bit = self._bits[colour]
            self._places[colour] = np.flatnonzero((self._planes[number] & bit) != 0)
        return self._places[colour]

    def leave_out(self, rect: Rect) -> None:
        """Remove all colours from a part of the picture."""
        part = rect.clipped(Rect(0, 0, self.shape[1], self.shape[0]))
        for plane, histogram in zip(self._planes, self._histograms, strict=True):
            removed = plane[part.y : part.bottom, part.x : part.right]
            histogram -= _histogram(removed)
            removed[:] = 0
        self._counts.clear()
        self._places.clear()
        self._corners.clear()

    def corners(self, glyph_set: GlyphSet, width: int, height: int) -> Places:
        """The top left pixels of possible unopened cells, found once for skins with equal anchors."""
        size, cell = (width, height), glyph_set.cell
        anchors = glyph_set.anchors if size == cell else glyph_set.scaled_anchors
        key = tuple((colour, places.tobytes()) for colour, places in anchors.items()), cell, size
        if key not in self._corners:
            self._corners[key] = _corners(anchors, cell, size, self)
        return self._corners[key]

    def in_pairs(self, corners: Places, width: int, height: int) -> Places:
        """Those that have another one just to the right or just below, for cells of this size."""
        if self._spare is None:
            self._spare = np.zeros(self.shape[0] * self.shape[1], np.bool_)
        spare, last = self._spare, self.shape[0] * self.shape[1] - 1  # the last pixel is no corner
        spare[corners] = True
        paired = spare[np.minimum(corners + width, last)]
        paired |= spare[np.minimum(corners + height * self.shape[1], last)]
        spare[corners] = False
        chosen: Places = corners[paired]
        return chosen


def _histogram(plane: Plane) -> Floats:
    """How often each value occurs in a plane: shape (256,)."""
    return np.asarray(cv2.calcHist([plane], [0], None, [256], [0, 256]), np.float32).ravel()


def candidate_cells(skin: Skin, width: int, masks: ColourMasks) -> CandidateCells | None:
    """The places where unopened cells of a skin with a whole width in pixels could be; None if none."""
    glyph_set = skin.glyph_set_for(width)
    height = round(glyph_set.cell[1] * width / glyph_set.cell[0])
    if masks.shape[0] < MIN_BOARD_SIDE * height or masks.shape[1] < MIN_BOARD_SIDE * width:
        return None
    corners = masks.corners(glyph_set, width, height)
    if glyph_set.cell[0] != width and len(corners):
        corners = masks.in_pairs(corners, width, height)
    return CandidateCells(width, height, corners, masks.shape[1]) if len(corners) else None


def _corners(anchors: Anchors, cell: tuple[int, int], size: tuple[int, int], masks: ColourMasks) -> Places:
    """The top left pixels of possible cells of a size (width, height), by the anchors of a size `cell`."""
    width, height = size
    nowhere = np.zeros(0, np.intp)
    picture_width = masks.shape[1]
    # The rarest colour first, so that few places remain for the others.
    colours = sorted(anchors, key=masks.count)
    if not colours or masks.count(colours[0]) < MIN_BOARD_SIDE * MIN_BOARD_SIDE:
        return nowhere
    last = (masks.shape[0] - height) * picture_width + picture_width - width
    corners: Places | None = None
    for colour in colours:
        x, y = ((anchors[colour] + 0.5) * size / cell).astype(np.intp).T
        for offset in (y * picture_width + x).tolist():
            if corners is None:
                corners = masks.places(colour) - offset
                corners = corners[slice(*np.searchsorted(corners, (0, last + 1)))]
            else:
                corners = corners[masks.has(colour, corners + offset)]
            if not len(corners):
                return nowhere
    assert corners is not None
    inside: Places = corners[corners % picture_width <= picture_width - width]
    return inside
