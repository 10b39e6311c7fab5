"""The backgrounds of an unknown skin: plain cells (nothing is drawn on them), clustered by colour and relief.

Over a gradient neighbouring cells are linked step by step, and a plane fitted to the colours of each cluster
gives the colour to expect elsewhere. The two shades of a checkerboard become one background.
`BackgroundMatcher` finds the background behind what is drawn on a cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from bot.vision.array_statistics import channel_maximum, median
from bot.vision.general.patches import GLYPH_SPAN, Floats, Indices, Patches, reliefs

Mask = npt.NDArray[np.bool_]

PLAIN_LIMITS = (13.0, 75.0)
"""Cells of a contrast (0 to 255) below the first are always plain, those above the second never; between them
the widest gap of all contrasts decides."""

MIN_GAP_RATIO = 1.7
"""If no cell is clearly drawn on and the contrasts at the widest gap have a smaller ratio, all are plain."""

LINK_REACH = 2
"""Cells at most this many rows and columns apart are neighbours: digits lie between plain cells."""

COLOUR_TOLERANCE = 7.0
"""Maximum difference of the colours of neighbours of one background (0 to 255, in any channel)."""

RELIEF_TOLERANCE = 28
"""The same of their reliefs."""

RAISED = 12.0
"""A cell is raised if its upper left edge is lighter than its background colour, and its lower right one
darker, by more than this (0 to 255)."""

MIN_SLOPE = 0.2
"""A background has a gradient if its colour changes by more than this per cell (0 to 255)."""

MIN_FITTED_CELLS, MIN_FITTED_CHANGE, MIN_FITTED_SPAN = 8, 6, 2
"""A plane is fitted to the colours of at least this many cells that differ by more than the second (0 to 255)
and are at least the third apart, in columns and in rows."""

MERGED_COLOURS, MERGED_GRADIENT_COLOURS, MERGED_RELIEFS = 9.0, 22.0, 30
"""Clusters that do not touch are one background if the colours of the smaller one differ by at most the first
from those expected there, or the second where the larger one has a gradient, and the reliefs by at most the
third (all 0 to 255)."""

MAX_COMPARED = 20
"""Maximum number of cells of the smaller cluster that are compared."""

SHADES_COLOURS, SHADES_RELIEFS = 36, 24
"""Maximum differences of the colours and of the reliefs of the two shades of a checkerboard (0 to 255)."""

LOCAL_REACH, MAX_LOCAL_DISTANCE = 2.0, 4
"""On a gradient the colour to expect at a cell is that of the plain cells within this many columns and rows,
or of the nearest ones; if these are farther away than the second, the fitted plane gives it."""

NO_BACKGROUND = -1
"""Stands for a background that no plain cell has."""

CELL_SPAN = slice(3, 29)
"""The pixels of a patch among which the background of a drawn cell is looked for: all but the borders."""

GRADIENT_TOLERANCE, FLAT_TOLERANCE, NOISE_FACTOR = 24.0, 13.0, 1.5
"""How much pixels of a gradient may differ from the expected colour (0 to 255), and those of one colour: the
second, or the third times the noise, where that is more."""

NOT_BACKGROUND = 1.5
"""Pixels count as background from this multiple of the tolerance (not) to 1 less (fully)."""

CERTAIN_BACKGROUND = 1.2
"""The colour behind a glyph is the median of the pixels that differ by less than this multiple."""

MIN_VISIBLE = 0.2
"""The least part of a cell (0 to 1) in which its background is visible."""

CLEARLY_RAISED = 25.0
"""A cell is raised on a background that is not, or the other way round, only if the reliefs differ by more
than this on both edges (0 to 255)."""

RELIEF_WEIGHT, RELIEF_RANGE = 0.5, 80.0
"""A difference in relief of the second (0 to 255) or more counts this much against a visible background."""

RING_WIDTH = 6
"""If no background is visible, the commonest colour of a ring so wide (in pixels of a patch) counts."""

COLOUR_STEP = 12
"""The commonest colour is found in steps of this (0 to 255) and their neighbours: colours may be dithered."""

MAX_VARIATION_CELLS = 2
"""A background of at most this many cells may be a variation of a larger one, outlined or shadowed."""

NOISE_QUANTILE, NOISE_CELLS, MAX_NOISE = 0.9, 40, 24.0
"""The noise of a picture is this quantile of the differences between the pixels of plain cells and the colour
of their cell, over at most this many cells of the largest background, and at most this large (0 to 255)."""


@dataclass(frozen=True)
class Background:
    """A set of plain cells that look alike."""

    cells: Indices
    places: Floats
    """Column and row of each cell: (cells, 2)."""
    colours: Floats
    """The colour of each cell: (cells, 3)."""
    plane: Floats
    """Colour = plane[0] + plane[1] * column + plane[2] * row: shape (3, 3)."""
    relief: Floats
    """The median of its cells' `reliefs`: shape (2,)."""
    checkered: bool = False
    """Whether it has two shades in turn, like a chess board."""

    @cached_property
    def colour(self) -> Floats:
        """The median colour: (3,)."""
        colour: Floats = np.median(self.colours, axis=0)
        return colour

    @cached_property
    def has_gradient(self) -> bool:
        """Whether its colour changes over the board."""
        return bool(np.abs(self.plane[1:]).max() > MIN_SLOPE)

    def colour_difference(self, other: Background) -> float:
        """How far the colours of two backgrounds lie apart (0 to 255)."""
        return float(np.abs(self.colour - other.colour).max())

    def relief_difference(self, other: Background) -> float:
        """The same of their reliefs."""
        return float(np.abs(self.relief - other.relief).max())

    def expected_colour(self, column: int, row: int) -> Floats:
        """The colour to expect at a cell, from the nearest cells, else from the plane: (3,)."""
        if not self.has_gradient:
            return self._shades[(column + row) % 2]
        distances = np.maximum(np.abs(self.places[:, 0] - column), np.abs(self.places[:, 1] - row))
        colours = self.colours
        if self.checkered:
            same_shade = (self.places.sum(axis=1) + column + row) % 2 == 0
            distances, colours = distances[same_shade], colours[same_shade]
        if distances.min() > MAX_LOCAL_DISTANCE:
            return np.asarray(self.plane[0] + self.plane[1] * column + self.plane[2] * row, np.float32)
        return median(colours[distances <= max(float(distances.min()), LOCAL_REACH)])

    @cached_property
    def _shades(self) -> tuple[Floats, Floats]:
        """The median colour of the cells whose column and row add up to an even number, and of the others."""
        if not self.checkered:
            return self.colour, self.colour
        odd = self.places.sum(axis=1) % 2 == 1
        return median(self.colours[~odd]), median(self.colours[odd])

    @cached_property
    def parity(self) -> int | None:
        """Whether column and row of all cells add up to even (0) or odd numbers (1); None for both."""
        parities = np.unique(self.places.sum(axis=1) % 2)
        return int(parities[0]) if len(parities) == 1 else None


def is_raised(relief: Floats) -> bool:
    """Whether a cell of this relief is raised: light at its upper left edge, dark at its lower right one."""
    return bool(relief[0] > RAISED and relief[1] < -RAISED)


def plain_contrast_limit(contrasts: Floats) -> float:
    """The contrast below which cells are plain: in the widest gap (as a ratio) within PLAIN_LIMITS."""
    low, high = PLAIN_LIMITS
    ordered = np.sort(contrasts)
    drawn = ordered[ordered >= high]
    between = np.concatenate([[low], ordered[(ordered > low) & (ordered < high)], drawn[:1]])
    if len(between) == 1:
        return high
    ratios = between[1:] / between[:-1]
    widest = int(np.argmax(ratios))
    if not len(drawn) and ratios[widest] < MIN_GAP_RATIO:
        return high
    return float(np.sqrt(between[widest] * between[widest + 1]))


def cluster_backgrounds(patches: Patches, plain: Mask) -> tuple[Background, ...]:
    """The backgrounds of the plain cells (marked in (cells,)), that with the most cells first."""
    backgrounds: list[Background] = []
    for cells in _linked_cells(patches, np.flatnonzero(plain)):
        background = _background(patches, cells)
        for index, other in enumerate(backgrounds):
            if _looks_alike(other, background):
                backgrounds[index] = _background(patches, np.concatenate([other.cells, cells]))
                break
        else:
            backgrounds.append(background)
    merged = _with_checkerboards(patches, _largest_first(backgrounds))
    return tuple(_largest_first(merged))


def _linked_cells(patches: Patches, cells: Indices) -> list[Indices]:
    """Plain cells in groups that similar neighbours link, the largest group first."""
    colours = patches.ring_colours[cells]
    relief = reliefs(patches, cells, colours)
    rows, columns = cells // patches.columns, cells % patches.columns
    linked = (np.abs(rows[:, None] - rows) <= LINK_REACH) & (np.abs(columns[:, None] - columns) <= LINK_REACH)
    linked &= np.abs(colours[:, None] - colours).max(axis=2) <= COLOUR_TOLERANCE
    linked &= np.abs(relief[:, None] - relief).max(axis=2) <= RELIEF_TOLERANCE
    groups: list[Indices] = []
    left = np.ones(len(cells), bool)
    while left.any():
        reached = frontier = np.arange(len(cells)) == left.argmax()
        while frontier.any():
            frontier = linked[frontier].any(axis=0) & ~reached
            reached = reached | frontier
        groups.append(cells[reached])
        left &= ~reached
    return sorted(groups, key=len, reverse=True)


def _background(patches: Patches, cells: Indices, checkered: bool = False) -> Background:
    places = np.stack([cells % patches.columns, cells // patches.columns], axis=1).astype(np.float32)
    colours = patches.ring_colours[cells]
    plane = np.zeros((3, 3), np.float32)
    if (
        len(cells) >= MIN_FITTED_CELLS
        and np.ptp(colours, axis=0).max() > MIN_FITTED_CHANGE
        and not checkered
        and np.ptp(places, axis=0).min() >= MIN_FITTED_SPAN
    ):
        matrix = np.concatenate([np.ones((len(cells), 1)), places], axis=1)
        plane = np.linalg.lstsq(matrix, colours, rcond=None)[0].astype(np.float32)
    else:
        plane[0] = np.median(colours, axis=0)
    relief = np.median(reliefs(patches, cells, colours), axis=0).astype(np.float32)
    return Background(cells, places, colours, plane, relief, checkered)


def _largest_first(backgrounds: Sequence[Background]) -> list[Background]:
    return sorted(backgrounds, key=lambda background: -len(background.cells))


def _looks_alike(larger: Background, smaller: Background) -> bool:
    """Whether the cells of a smaller cluster look as those of the larger one would in their places."""
    if larger.relief_difference(smaller) > MERGED_RELIEFS:
        return False
    places, colours = smaller.places[:MAX_COMPARED], smaller.colours[:MAX_COMPARED]
    expected = np.stack([larger.expected_colour(int(column), int(row)) for column, row in places])
    differences = np.abs(colours - expected).max(axis=1)
    tolerance = MERGED_GRADIENT_COLOURS if larger.has_gradient else MERGED_COLOURS
    return float(np.median(differences)) <= tolerance


def _with_checkerboards(patches: Patches, backgrounds: list[Background]) -> list[Background]:
    """The backgrounds with each pair that fills the two shades of a checkerboard as one."""
    merged: list[Background] = []
    left = backgrounds
    while left:
        background, *left = left
        partners = [
            other
            for other in left
            if {background.parity, other.parity} == {0, 1}
            and background.colour_difference(other) <= SHADES_COLOURS
            and background.relief_difference(other) <= SHADES_RELIEFS
        ]
        if partners:
            partner = min(partners, key=background.colour_difference)
            left = [other for other in left if other is not partner]
            cells = np.concatenate([background.cells, partner.cells])
            background = _background(patches, cells, checkered=True)
        merged.append(background)
    return merged


class BackgroundMatcher:
    """Finds the background behind drawn cells, among the backgrounds that plain cells have."""

    def __init__(self, patches: Patches, backgrounds: Sequence[Background]) -> None:
        self._patches = patches
        self._backgrounds = backgrounds
        self._candidates = [
            index for index in range(len(backgrounds)) if not _is_variation(backgrounds, index)
        ]
        self._flat_tolerance = max(FLAT_TOLERANCE, NOISE_FACTOR * _noise(patches, backgrounds))

    def match(self, cell: int) -> tuple[int, Floats]:
        """The index of the background of a cell, or NO_BACKGROUND, and its colour there, (3,)."""
        row, column = divmod(cell, self._patches.columns)
        pixels = self._patches.pixels[cell, CELL_SPAN, CELL_SPAN]
        best, best_score, best_colour = NO_BACKGROUND, -1.0, None
        for index in self._candidates:
            background = self._backgrounds[index]
            tolerance = GRADIENT_TOLERANCE if background.has_gradient else self._flat_tolerance
            expected = background.expected_colour(column, row)
            differences = channel_maximum(np.abs(pixels - expected)) / tolerance
            visible = float(np.minimum(np.maximum(NOT_BACKGROUND - differences, 0), 1).mean())
            if visible <= MIN_VISIBLE:
                continue
            colour = median(pixels[differences < CERTAIN_BACKGROUND])
            relief = self._patches.edges[cell] - colour.mean()
            other_relief = float(np.abs(relief - background.relief).max())
            score = visible - RELIEF_WEIGHT * min(1.0, other_relief / RELIEF_RANGE)
            if score > best_score:
                other = _is_other_relief(relief, background.relief)
                best, best_score, best_colour = NO_BACKGROUND if other else index, score, colour
        if best_colour is None:
            best_colour = _commonest_ring_colour(pixels)
        return best, best_colour.astype(np.float32)


def _is_other_relief(relief: Floats, background_relief: Floats) -> bool:
    """Whether a cell is clearly raised and the background is not, or the other way round."""
    more = relief - background_relief
    raised = is_raised(relief) and min(more[0], -more[1]) > CLEARLY_RAISED
    sunk = is_raised(background_relief) and min(-more[0], more[1]) > CLEARLY_RAISED
    return bool(raised or sunk)


def _commonest_ring_colour(pixels: Floats) -> Floats:
    """The commonest colour near the edge of a cell, of pixels (side, side, 3): (3,)."""
    ring = np.ones(pixels.shape[:2], bool)
    ring[RING_WIDTH:-RING_WIDTH, RING_WIDTH:-RING_WIDTH] = False
    colours = pixels[ring]
    steps = colours // COLOUR_STEP
    different, counts = np.unique(steps.astype(np.int16), axis=0, return_counts=True)
    neighbours = np.abs(different[:, None] - different).max(axis=2) <= 1
    commonest = different[np.argmax((neighbours * counts).sum(axis=1))]
    return median(colours[np.abs(steps - commonest).max(axis=1) <= 1])


def _is_variation(backgrounds: Sequence[Background], index: int) -> bool:
    """Whether a background is a cell or two of a larger one with an outline or a shadow around them."""
    own = backgrounds[index]
    return len(own.cells) <= MAX_VARIATION_CELLS and any(
        len(larger.cells) > 2 * len(own.cells)
        and larger.colour_difference(own) <= COLOUR_TOLERANCE
        and is_raised(larger.relief) == is_raised(own.relief)
        for larger in backgrounds[:index]
    )


def _noise(patches: Patches, backgrounds: Sequence[Background]) -> float:
    """The noise of plain cells (0 to 255): dithering leaves some."""
    if not backgrounds:
        return 0.0
    cells = backgrounds[0].cells[:NOISE_CELLS]
    pixels = patches.pixels[cells, GLYPH_SPAN, GLYPH_SPAN]
    differences = np.abs(pixels - patches.ring_colours[cells][:, None, None]).max(axis=3)
    return min(MAX_NOISE, float(np.quantile(differences, NOISE_QUANTILE)))
