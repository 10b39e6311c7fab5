"""Finds boards of any skin in a picture, by nothing but the places of their cells.

Grids whose cells are seen one by one, and those that are clearly visible, are found in a tenth of a second on
a whole screen. All other candidates take several times as long, so `grid_batches` gives them only to a caller
who asks again because none of the grids so far is a board. What the cells mean is not known here: a table or
a chess board may be among the grids.

Whoever can tell cells from anything else verifies a candidate by it: `best_extent(found.reach, is_cell)` is
the part of its lattice that a board covers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress
from math import inf

import cv2
import numpy as np

from bot.geometry import Rect
from bot.vision.grid import Grid, Image
from bot.vision.grids.lattices.lattice import (
    CLEAR_SCORE,
    MIN_LATTICE_SIDE,
    PHASE_MARGIN,
    Lattice,
    Picture,
    Thoroughness,
    fit_lattice,
)
from bot.vision.grids.lattices.periodicity import MIN_PITCH, Periodicity, gradients_of, periodicities
from bot.vision.grids.lattices.seen_grids import SeenGrid, drawn_grids, reach_around, seen_grids

MAX_PERIODICITIES, THOROUGH_PERIODICITIES = 10, 4
"""Number of the strongest repeating parts of a picture that are examined: at all, and thoroughly."""

SAME_PLACE, SAME_LINES = 0.15, 0.045
"""Maximum distance between the corners of two grids of the same cells, and of grids with the same lines, in
pitches. Of 35 grids of drawn boards that differed by more than the second, 28 lay better by the interiors of
their cells than by what repeats, 0.02 of a cell off in place of 0.07."""

CLEARLY_SEEN = 0.7
"""Minimum part of the cells of a grid that are seen for which all other grids are not searched at once."""

ALL_SEEN = 0.9
"""Minimum part of the cells of a grid that are seen, and that are the same, if they may be the bars between
others."""

BAR, MAX_OTHER_BAR, MIN_CONTRAST = 0.25, 12.0, 40
"""Width of the middle of a cell in which a bar would stand, in pitches; how much one may differ from the
usual one, in the mean, and how much a bar differs from its ground, 0 to 255."""

SOME, SOME_SEEN = 4, 0.5
"""Of one in so many columns and rows at least this part must have such a bar, or all others are not looked
at: that takes a tenth of the time."""

MIN_DITHERED = 0.06
"""A picture is dithered if at least this part of its pixels differs from two neighbours that are alike."""

MAX_ALIKE, MAX_SAME_DOT = 4, 5
"""Maximum difference of the green channel (0 to 255) between neighbours that are alike, and within a dot."""

CLEARLY_VISIBLE = 0.95
"""Minimum visible part of its borders for which a grid is preferred to one of larger cells at its place."""

MIN_INSIDE = 0.6
"""Minimum part of a grid that lies in another one of which it has only some lines."""

SAME_PITCH = 0.03
"""Maximum difference of the pitches of two repeating parts of one board, as a part of the pitch."""

MIN_COVERED_PITCH = 0.8
"""Within a clear grid, only parts that repeat with a smaller pitch than this part of its own are examined."""

MIN_COVERED, MIN_DIVIDED, MIN_EXPLAINED = 0.2, 0.1, 0.5
"""Minimum part of the smaller area that a grid and a repeating part share if the grid may be all there is, if
it may have only every second line, and if it is what repeats. The first is small because what repeats reaches
beyond the board, or only lies in it."""


@dataclass(frozen=True)
class FoundGrid:
    """A rectangle of equal cells in a picture."""

    grid: Grid
    """The cells of a board, by what is visible."""
    reach: Grid
    """The same lattice as far as the board could reach, for `best_extent`."""
    score: float
    """How surely the cells are seen, 0 to 1; or how well their borders are visible and how much stronger they
    are than other lines."""
    visible_share: float = 1.0
    """The part of its cells, or of the borders between them, that is visible, 0 to 1."""
    cropped_sides: tuple[str, ...] = ()
    """The sides (left, top, right, bottom) on which the edge of the picture crops its cells."""

    @property
    def phase_score(self) -> float:
        """The score to choose among grids of one lattice, 0 to 1, see `Lattice.phase_score`."""
        return self.visible_share**3 * self.score

    @property
    def clear(self) -> bool:
        """Whether no better grid is to be expected at its place."""
        return self.phase_score >= CLEAR_SCORE


def find_grids(image: Image) -> list[FoundGrid]:
    """The first batch of grids in a picture (height, width, 3), the best first; empty if there are none."""
    return next((found for found in grid_batches(image) if found), [])


def grid_batches(image: Image) -> Iterator[list[FoundGrid]]:
    """The grids of a picture in up to two batches, the surest first, each the likeliest first.

    The first batch is there if the cells of any grid are clearly seen, or repeat clearly; the second, for a
    caller who asks again, has all grids.
    """
    return GridSearch(image).batches()


class GridSearch:
    """What `grid_batches` finds in one picture, (height, width, 3), for several who ask: each batch is found
    once."""

    def __init__(self, image: Image) -> None:
        self._image = image

    def batches(self) -> Iterator[list[FoundGrid]]:
        """The same as `grid_batches`."""
        if min(self._image.shape[:2]) < MIN_LATTICE_SIDE * MIN_PITCH:
            return
        if self._clear:
            yield self._clear
        yield self._all

    @cached_property
    def _search(self) -> _Search:
        return _Search(without_dithering(self._image))

    @cached_property
    def _clear(self) -> list[FoundGrid]:
        """The first batch; empty where no grid is clear."""
        clear, seen = self._search.clear(), self._search.seen
        is_any = clear or any(one.score >= CLEARLY_SEEN for one in seen)
        return _merged(seen, clear) if is_any else []

    @cached_property
    def _all(self) -> list[FoundGrid]:
        return _merged(self._search.seen, self._search.all())


def grids_of_drawings(image: Image) -> list[FoundGrid]:
    """The grids in a picture (height, width, 3) that few or small drawings may lie on, the largest first.

    Most are none of a board, and their extent says little.
    """
    if min(image.shape[:2]) < MIN_LATTICE_SIDE * MIN_PITCH:
        return []
    picture = Rect(0, 0, image.shape[1], image.shape[0])
    return [_of_seen(one, picture) for one in drawn_grids(gradients_of(image))]


def _merged(seen: Sequence[FoundGrid], repeating: Sequence[FoundGrid]) -> list[FoundGrid]:
    """The grids whose cells are seen, then the others. What is among both has its lines by the latter if they
    are about the same: where cells lie apart, what repeats may be the edge on one side of the gap."""
    same = {one: other for one in seen for other in repeating if _apart(one.grid, other.grid) <= SAME_PLACE}
    exact = {one: other for one, other in same.items() if _apart(one.grid, other.grid) <= SAME_LINES}
    first = [exact.get(one, one) for one in seen]
    known = {*first, *same.values()}
    return [*dict.fromkeys(first), *(one for one in repeating if one not in known)]


def between(image: Image, found: FoundGrid) -> FoundGrid | None:
    """The grid whose columns lie between those of one whose cells are all the same in their middle; None if
    they are not. The bars of `| 1 | 2 |` are found more surely than the cells between them."""
    if found.score < ALL_SEEN or not _has_bars(image, found.grid):
        return None
    grid, reach = (
        replace(one, x=one.x + one.cell_width / 2, columns=one.columns - 1)
        for one in (found.grid, found.reach)
    )
    return replace(found, grid=grid, reach=reach)


def _has_bars(image: Image, grid: Grid) -> bool:
    """Whether nearly all cells of a grid have the same drawing in the middle of their width."""
    wide, high = max(3, round(BAR * grid.cell_width)), int(grid.cell_height)
    lefts = np.round(grid.x + (np.arange(grid.columns) + 0.5) * grid.cell_width - wide / 2).astype(int)
    tops = np.round(grid.y + np.arange(grid.rows) * grid.cell_height).astype(int)
    lefts = lefts[(lefts >= 0) & (lefts + wide <= image.shape[1])]
    tops = tops[(tops >= 0) & (tops + high <= image.shape[0])]
    if not len(lefts) or not len(tops):
        return False

    def share(step: int) -> float:
        """The part of the cells with the usual bar, of every one in so many columns and rows."""
        y, x = tops[::step, None] + np.arange(high), lefts[::step, None] + np.arange(wide)
        middles = image[y[:, None, :, None], x[None, :, None, :]].astype(np.int16)
        usual = np.median(middles, axis=(0, 1))
        same = np.abs(middles - usual).mean(axis=(2, 3, 4)) <= MAX_OTHER_BAR
        return float(same.mean()) if np.ptp(usual, axis=(0, 1)).max() >= MIN_CONTRAST else 0.0

    return share(SOME) >= SOME_SEEN and share(1) >= ALL_SEEN


def _apart(one: Grid, other: Grid) -> float:
    """How far two grids are from having the same cells, in cells; infinite where they have other ones."""
    if one.shape != other.shape:
        return inf
    corners = zip(_corners(one), _corners(other), strict=True)
    return max(abs(a - b) for a, b in corners) / min(one.pitch)


def _corners(grid: Grid) -> tuple[float, float, float, float]:
    (left, right), (top, bottom) = grid.exact_columns[[0, -1]].tolist(), grid.exact_rows[[0, -1]].tolist()
    return left, right, top, bottom


class _Search:
    """Searches one picture for grids."""

    def __init__(self, image: Image) -> None:
        gradients = gradients_of(image)
        self._picture = Picture(image, np.asarray(cv2.transpose(image), np.uint8), gradients)
        self._found: list[FoundGrid] = []

    @cached_property
    def _strongest(self) -> list[Periodicity]:
        return periodicities(self._picture.image, self._picture.gradients)[:MAX_PERIODICITIES]

    @cached_property
    def seen(self) -> list[FoundGrid]:
        """The grids that are found by the interiors of their cells."""
        found = [_of_seen(one, self._picture.rect) for one in seen_grids(self._picture.gradients)]
        found = [one for one in found if not any(_has_lines_of(one, other) for other in found)]
        return sorted(found, key=_rank, reverse=True)

    def clear(self) -> list[FoundGrid]:
        """The grids that quick fits find if any of them is clear, else none."""
        self._found = []
        for periodicity in _exact_place_first(self._strongest):
            if not any(_covers(one, periodicity) for one in self._found):
                self._examine(periodicity, Thoroughness.QUICK)
        # Every second line of a lattice is a lattice too: a quick fit may have given up its cells.
        for periodicity in self._strongest:
            if any(_divides(one, periodicity) for one in self._found if one.clear):
                self._examine(periodicity, Thoroughness.ALL)
        return self._sorted() if any(one.clear for one in self._found) else []

    def all(self) -> list[FoundGrid]:
        """Every grid that repeats."""
        self._found = []
        for number, periodicity in enumerate(self._strongest):
            thorough = number < THOROUGH_PERIODICITIES
            self._examine(periodicity, Thoroughness.ALL if thorough else Thoroughness.SOME)
        if not self._found:
            # A checkerboard repeats every second cell; if that is faint, nothing else of it repeats.
            for periodicity in self._strongest[:THOROUGH_PERIODICITIES]:
                if periodicity.pitch >= 2 * MIN_PITCH:
                    self._examine(replace(periodicity, pitch=periodicity.pitch / 2), Thoroughness.ALL)
        return self._sorted()

    def _examine(self, periodicity: Periodicity, thoroughness: Thoroughness) -> None:
        """Add the grid of a repeating part, unless a better one is known; it replaces worse ones."""
        if any(_explains(one, periodicity) for one in self._found):
            return
        lattice = fit_lattice(self._picture, periodicity, thoroughness)
        if lattice is None or lattice.score < 0.3:
            return
        one = _found_grid(lattice, self._picture.rect)
        rivals = [other for other in self._found if other.grid.rect.intersects(one.grid.rect)]
        if all(_better(one, other) for other in rivals):
            self._found = [other for other in self._found if other not in rivals] + [one]

    def _sorted(self) -> list[FoundGrid]:
        return sorted(self._found, key=_rank, reverse=True)


def without_dithering(image: Image) -> Image:
    """The picture, blurred if much of it is dithered with alternating dots of two colours."""
    if min(image.shape[:2]) < 3:
        return image
    green = cv2.extractChannel(image[::2], 1)
    over_one, over_two = (cv2.absdiff(green[:, 2:], other) for other in (green[:, 1:-1], green[:, :-2]))
    alike = cv2.threshold(over_two, MAX_ALIKE, 255, cv2.THRESH_BINARY_INV)[1]
    different = cv2.threshold(over_one, MAX_SAME_DOT, 255, cv2.THRESH_BINARY)[1]
    if cv2.countNonZero(cv2.bitwise_and(alike, different)) < MIN_DITHERED * green[:, 2:].size:
        return image
    return np.asarray(cv2.GaussianBlur(image, (3, 3), 0), np.uint8)


def _exact_place_first(strongest: Sequence[Periodicity]) -> list[Periodicity]:
    """The repeating parts, but those of one pitch at one place by how exactly their place is known.

    In a reduced picture a window includes what lies around a board.
    """
    ordered: list[Periodicity] = []
    exact_first = sorted(strongest, key=lambda one: one.reduction)
    for one in strongest:
        for other in exact_first:
            same = abs(other.pitch - one.pitch) <= SAME_PITCH * one.pitch and other.rect.intersects(one.rect)
            if same and other not in ordered:
                ordered.append(other)
    return ordered


def _covers(found: FoundGrid, periodicity: Periodicity) -> bool:
    """Whether a repeating part lies within a clear grid and does not have smaller cells."""
    larger = periodicity.pitch > MIN_COVERED_PITCH * found.grid.cell_width
    return found.clear and larger and _shares(found, periodicity.rect, MIN_COVERED)


def _divides(found: FoundGrid, periodicity: Periodicity) -> bool:
    """Whether a repeating part could have the cells of which a grid has only every second line."""
    ratio = found.grid.cell_width / periodicity.pitch
    return ratio > 1.5 and _is_multiple(ratio) and _shares(found, periodicity.rect, MIN_DIVIDED)


def _explains(found: FoundGrid, periodicity: Periodicity) -> bool:
    """Whether a grid is what repeats: at the same place, with the same pitch or a multiple of it."""
    is_multiple = _is_multiple(periodicity.pitch / found.grid.cell_width)
    return found.score >= CLEAR_SCORE and is_multiple and _shares(found, periodicity.rect, MIN_EXPLAINED)


def _has_lines_of(one: FoundGrid, other: FoundGrid) -> bool:
    """Whether a grid has only some of the lines of another one at its place that is seen more surely."""
    across, down = (one.grid.pitch[axis] / other.grid.pitch[axis] for axis in (0, 1))
    coarser = max(across, down) > 1.5 and _is_multiple(across) and _is_multiple(down)
    inside = one.grid.rect.clipped(other.grid.rect).area > MIN_INSIDE * one.grid.rect.area
    return coarser and inside and other.score >= max(CLEARLY_SEEN, one.score)


def _is_multiple(ratio: float) -> bool:
    return abs(ratio - round(ratio)) < 0.05 * round(ratio)


def _shares(found: FoundGrid, rect: Rect, part: float) -> bool:
    """Whether a grid and a rectangle share more than a part of the area of the smaller one."""
    return rect.clipped(found.grid.rect).area > part * min(rect.area, found.grid.rect.area)


def _better(one: FoundGrid, other: FoundGrid) -> bool:
    """Whether the first of two grids at one place is the one to keep."""
    ratio = other.grid.cell_width / one.grid.cell_width
    # Of two pitches at about the same place, the smaller one explains the larger.
    if max(ratio, 1 / ratio) > 1.4 and (one if ratio > 1 else other).visible_share >= CLEARLY_VISIBLE:
        smaller, larger = sorted(found.grid.rect.area for found in (one, other))
        if one.grid.rect.clipped(other.grid.rect).area > 0.7 * smaller and smaller > 0.4 * larger:
            return ratio > 1
    if max(ratio, 1 / ratio) < 1.05:
        # Two phases of one lattice: of equals the first is kept.
        one_fit, other_fit = (found.phase_score * found.grid.rect.area for found in (one, other))
        return one_fit > PHASE_MARGIN * other_fit
    return _rank(one) > _rank(other)


def _rank(found: FoundGrid) -> float:
    """How surely and how large a grid is there: the squared score times the area in pixels."""
    return found.score**2 * found.grid.rect.area


def _of_seen(seen: SeenGrid, picture: Rect) -> FoundGrid:
    """The grid in a picture whose cells are seen."""
    return FoundGrid(seen.grid, seen.reach, seen.share, seen.share, _cropped_sides(seen.grid, picture))


def _found_grid(lattice: Lattice, picture: Rect) -> FoundGrid:
    """The grid of a lattice in a picture."""
    grid = lattice.grid
    sides = _cropped_sides(grid, picture)
    return FoundGrid(grid, reach_around(grid, picture), lattice.score, lattice.visible_share, sides)


def _cropped_sides(grid: Grid, picture: Rect) -> tuple[str, ...]:
    """The sides on which the edge of the picture crops cells of a grid."""
    rect = grid.rect
    cropped = rect.x < -1, rect.y < -1, rect.right > picture.width + 1, rect.bottom > picture.height + 1
    return tuple(compress(("left", "top", "right", "bottom"), cropped))
