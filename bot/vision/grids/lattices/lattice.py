"""Fits the lattice of a board exactly, and finds how far the board reaches.

A board is a rectangle in which lines of any kind (bevels, gaps, shades of a checkerboard) lie on a lattice.
Its pitch and phase come from `pitch`. A column belongs to the board if the borders between the rows of cells
are visible in it, and a row if the borders between the columns are: the lines of a frame or a table cross
nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum
from math import ceil, floor

import numpy as np

from bot.geometry import Rect
from bot.vision.array_statistics import quantile
from bot.vision.grid import Grid, Image
from bot.vision.grids.lattices.borders import border_strengths, visible_borders
from bot.vision.grids.lattices.periodicity import Gradients, Periodicity
from bot.vision.grids.lattices.pitch import (
    TYPICAL_EDGES,
    TYPICAL_OF_STRONG_CELLS,
    WEAK_EDGES,
    Doubles,
    EdgeSelection,
    LatticeAxis,
    PhaseEstimator,
    fit_axis,
    refined_pitch,
)

MIN_LATTICE_SIDE, MAX_LATTICE_SIDE = 5, 120
"""Range of the number of columns and of rows. The minimum is larger than `MIN_BOARD_SIDE` because nothing but
its periodicity speaks for such a lattice."""

MIN_PART_SIDE, REACH = 3, 8
"""Minimum number of columns and of rows of the part from which the extent of a board is found, and the number
of cells on each side of it that are examined at once."""

MAX_FITS, MAX_EXTENT_STEPS = 4, 6
"""Maximum number of times that extent and lattice are fitted in turn; for one lattice, columns and rows."""

CLEAR_SCORE = 0.8
"""A lattice of at least this phase score (0 to 1) is clear: other phases and pitches are not tried."""

MIN_QUICK_VISIBLE, MIN_QUICK_SHARPNESS = 0.6, 1.35
"""A quick fit gives up if fewer borders are visible (a part) or the lines are less sharp (a ratio)."""

PHASE_MARGIN = 1.02
"""How many times as well as a likelier phase another must fit to replace it."""

SAME_PHASE = 0.08
"""Phases that differ by less, in pitches, are the same after fitting."""

MIN_VISIBLE_CELL = 2 / 3
"""Minimum part of a cell at the edge of the picture that must lie inside the picture."""

MIN_VISIBLE_OF_MEDIAN, MIN_VISIBLE = 0.75, 0.35
"""Minimum visible part of the borders of a column or row: as a part of the board's median, and at least."""


@dataclass(frozen=True)
class PhaseGuess:
    """A way to estimate where the lines of a lattice lie."""

    x_edges: EdgeSelection = TYPICAL_EDGES
    y_edges: EdgeSelection = TYPICAL_EDGES
    x_shift: float = 0.0
    """How far the estimate may be off, in pitches: half where strong drawings lie between weak borders."""
    y_shift: float = 0.0


PHASE_GUESSES = (
    PhaseGuess(),
    PhaseGuess(TYPICAL_OF_STRONG_CELLS, TYPICAL_OF_STRONG_CELLS),
    PhaseGuess(WEAK_EDGES, WEAK_EDGES),
    PhaseGuess(y_edges=WEAK_EDGES),
    PhaseGuess(x_edges=WEAK_EDGES),
    PhaseGuess(x_shift=0.5),
    PhaseGuess(y_shift=0.5),
    PhaseGuess(x_shift=0.5, y_shift=0.5),
)
"""The guesses that are tried in turn until a lattice is clear, the likeliest first."""


class Thoroughness(IntEnum):
    """How many of `PHASE_GUESSES` are tried."""

    QUICK = 1
    """The likeliest only, and lattices that will not become clear are given up early."""
    SOME = 3
    ALL = len(PHASE_GUESSES)


@dataclass(frozen=True)
class Lattice:
    """A lattice, and the rectangle of its cells that belong to a board."""

    x: LatticeAxis
    y: LatticeAxis
    cells: Rect
    """The columns and rows of the board, counted in cells from line 0 of each axis."""
    visible_share: float
    """The part of the borders between cells that is visible, 0 to 1."""
    sharpness: float = 0.0
    """How many times as strong the gradients are on the lines as on average."""

    @property
    def score(self) -> float:
        """How well the borders are visible and how much stronger they are than other lines, 0 to 1."""
        return self.visible_share**3 * min(1.0, max(0.0, self.sharpness - 1))

    @property
    def phase_score(self) -> float:
        """The score to choose a phase of one lattice, 0 to 1: half a cell off, some borders are missed."""
        return self.visible_share**3 * self.score

    @property
    def grid(self) -> Grid:
        """The cells as a grid."""
        x, y, cells = self.x, self.y, self.cells
        return Grid(x.line(cells.x), y.line(cells.y), x.pitch, y.pitch, cells.width, cells.height)


@dataclass(frozen=True)
class Picture:
    """A picture with what is derived from it once, for all lattices that are fitted to it."""

    image: Image
    transposed: Image
    """The picture with rows and columns exchanged."""
    gradients: Gradients

    @property
    def rect(self) -> Rect:
        """All of its pixels."""
        height, width = self.image.shape[:2]
        return Rect(0, 0, width, height)


def fit_lattice(picture: Picture, periodicity: Periodicity, thoroughness: Thoroughness) -> Lattice | None:
    """The board that a repeating part of a picture lies on; None if there is none."""
    part, pitch = periodicity.rect.clipped(picture.rect), periodicity.pitch
    if part.width < MIN_PART_SIDE * pitch or part.height < MIN_PART_SIDE * pitch:
        return None
    gradients = picture.gradients.part(part)
    x_pitch, y_pitch = refined_pitch(gradients.x, pitch), refined_pitch(gradients.y, pitch)
    if not _about_square(x_pitch, y_pitch):
        return None
    best = _best_phase(picture, part, x_pitch, y_pitch, thoroughness)
    if best is None and thoroughness is Thoroughness.ALL:
        # The frame of a window beside a few cells falsifies the measured pitch; most pitches are whole.
        best = _best_phase(picture, part, round(x_pitch), round(y_pitch), thoroughness)
    return best


def _about_square(x_pitch: float, y_pitch: float) -> bool:
    return 0.9 < x_pitch / y_pitch < 1.1


def _best_phase(
    picture: Picture, part: Rect, x_pitch: float, y_pitch: float, thoroughness: Thoroughness
) -> Lattice | None:
    """The lattice of these pitches at the phase that fits a part of the picture best; None if none fits."""
    best, best_fit = None, 0.0
    tried: list[tuple[float, float]] = []
    gradients = picture.gradients.part(part)
    x_phases, y_phases = PhaseEstimator(gradients.x, x_pitch), PhaseEstimator(gradients.y, y_pitch)
    for guess in PHASE_GUESSES[:thoroughness]:
        x_phase = x_phases.phase(guess.x_edges) / x_pitch + guess.x_shift
        y_phase = y_phases.phase(guess.y_edges) / y_pitch + guess.y_shift
        if any(_same_phase(x_phase, x) and _same_phase(y_phase, y) for x, y in tried):
            continue
        tried.append((x_phase, y_phase))
        x = LatticeAxis(x_pitch, part.x + x_phase * x_pitch)
        y = LatticeAxis(y_pitch, part.y + y_phase * y_pitch)
        found = _fitted(picture, x, y, part, quick=thoroughness is Thoroughness.QUICK)
        if found is None:
            continue
        # Half a cell off, a line of cells is missed too, so the number of cells counts.
        fit = found.phase_score * found.cells.width * found.cells.height
        if best is None or fit > PHASE_MARGIN * best_fit:
            best, best_fit = found, fit
        if best.phase_score >= CLEAR_SCORE:
            break
    return best


def _same_phase(one: float, other: float) -> bool:
    """Whether two phases, in pitches, mean the same offset within a cell."""
    difference = abs(one - other) % 1
    return min(difference, 1 - difference) < SAME_PHASE


def _fitted(picture: Picture, x: LatticeAxis, y: LatticeAxis, part: Rect, *, quick: bool) -> Lattice | None:
    """The board around a part, its extent and its lattice fitted in turn until both stay; else None.

    A `quick` fit gives up a lattice that will not become clear.
    """
    found: Lattice | None = None
    for _ in range(MAX_FITS):
        board = _with_extent(picture, x, y, part) if _about_square(x.pitch, y.pitch) else None
        if board is None or (found is not None and board.visible_share < found.visible_share - 0.1):
            break
        same_cells = found is not None and found.cells == board.cells
        if quick and board.visible_share < MIN_QUICK_VISIBLE:
            return None
        found = _refitted(picture, board, min_sharpness=MIN_QUICK_SHARPNESS if quick else 0)
        if found is None:
            return None
        if same_cells or found.sharpness < 1.05:  # text gives many lattices that are less sharp
            break
        x, y, part = found.x, found.y, found.grid.rect
    return found


def _refitted(picture: Picture, found: Lattice, *, min_sharpness: float) -> Lattice | None:
    """The same cells on a lattice fitted to their own borders; None if it is not sharp enough."""
    cells, rect = found.cells, found.grid.rect.clipped(picture.rect)
    x_plane = picture.gradients.x[rect.y : rect.bottom]
    x, x_sharpness = fit_axis(x_plane, found.x, cells.x, cells.right)
    if x_sharpness < min_sharpness:  # lines of text repeat downwards only
        return None
    y_plane = picture.gradients.y[rect.x : rect.right]
    y, y_sharpness = fit_axis(y_plane, found.y, cells.y, cells.bottom)
    # Cells are square: the less sharp direction takes the pitch of the other, unless that fits clearly worse.
    if x.pitch != y.pitch and abs(x.pitch - y.pitch) * max(cells.width, cells.height) < 3:
        if x_sharpness >= y_sharpness:
            square, sharpness = fit_axis(y_plane, y, cells.y, cells.bottom, x.pitch)
            y, y_sharpness = (square, sharpness) if sharpness >= 0.9 * y_sharpness else (y, y_sharpness)
        else:
            square, sharpness = fit_axis(x_plane, x, cells.x, cells.right, y.pitch)
            x, x_sharpness = (square, sharpness) if sharpness >= 0.9 * x_sharpness else (x, x_sharpness)
    sharpness = min(x_sharpness, y_sharpness)
    return replace(found, x=x, y=y, sharpness=sharpness) if sharpness >= min_sharpness else None


def _with_extent(picture: Picture, x: LatticeAxis, y: LatticeAxis, part: Rect) -> Lattice | None:
    """The rectangle of cells around a part of the lattice whose borders are visible; else None."""
    columns = _cells_around(x, part.x, part.right, picture.rect.width)
    rows = _cells_around(y, part.y, part.bottom, picture.rect.height)
    if columns[1] - columns[0] < MIN_LATTICE_SIDE or rows[1] - rows[0] < MIN_LATTICE_SIDE:
        return None
    # From here on, cells are counted from the first column and row that are examined.
    vertical = border_strengths(picture.image, x, y, columns, rows)
    horizontal = border_strengths(picture.transposed, y, x, rows, columns).borders.T
    left, right = _cells_of(x, part.x, part.right, columns)
    top, bottom = _cells_of(y, part.y, part.bottom, rows)
    if right - left < MIN_PART_SIDE or bottom - top < MIN_PART_SIDE:
        return None
    # Between its borders and its drawing a cell is plain in many places, but for noise and dithering.
    noise = min(quantile(plain, 0.1) for plain in vertical.plain[:, top:bottom, left + 1 : right])
    vertical_inner = vertical.borders[top:bottom, left + 1 : right]
    vertical_visible = visible_borders(vertical.borders, vertical_inner, noise)
    horizontal_visible = visible_borders(horizontal, horizontal[top + 1 : bottom, left:right], noise)
    for _ in range(MAX_EXTENT_STEPS):
        before = left, right, top, bottom
        left, right = _visible_run(horizontal_visible[top + 1 : bottom].mean(axis=0), left, right)
        if right - left < MIN_PART_SIDE:
            return None
        top, bottom = _visible_run(vertical_visible[:, left + 1 : right].mean(axis=1), top, bottom)
        if bottom - top < MIN_PART_SIDE:
            return None
        if before == (left, right, top, bottom):
            break
    cells = Rect(columns[0] + left, rows[0] + top, right - left, bottom - top)
    if not all(MIN_LATTICE_SIDE <= side <= MAX_LATTICE_SIDE for side in (cells.width, cells.height)):
        return None
    vertical_visible = vertical_visible[top:bottom, left + 1 : right]
    horizontal_visible = horizontal_visible[top + 1 : bottom, left:right]
    inner = np.concatenate([vertical_visible.ravel(), horizontal_visible.ravel()])
    return Lattice(x, y, cells, float(inner.mean()))


def _cells_around(axis: LatticeAxis, start: int, end: int, length: int) -> tuple[int, int]:
    """The range of cells from `REACH` before a part to `REACH` after it, as far as they lie in the picture.

    `start` and `end` bound the part and `length` the picture, in pixels. Slightly cropped cells count.
    """
    outside = 1 - MIN_VISIBLE_CELL
    first = max(ceil(axis.index(0) - outside), floor(axis.index(start)) - REACH)
    last = min(floor(axis.index(length) + outside), ceil(axis.index(end)) + REACH)
    return first, last


def _cells_of(axis: LatticeAxis, start: int, end: int, cells: tuple[int, int]) -> tuple[int, int]:
    """The range of cells that lie in a part of these pixels, counted from the first of `cells`."""
    first, last = np.clip([round(axis.index(start)), round(axis.index(end))], *cells).tolist()
    return first - cells[0], last - cells[0]


def _visible_run(shares: Doubles, start: int, end: int) -> tuple[int, int]:
    """The longest run of columns, or rows, with enough visible borders that overlaps the range of a part.

    `shares`: the part of the borders that is visible in each. A single one with fewer is bridged.
    """
    enough = max(MIN_VISIBLE, MIN_VISIBLE_OF_MEDIAN * float(np.median(shares[start:end])))
    good = shares >= enough
    bridged = good.copy()
    bridged[1:-1] |= good[:-2] & good[2:] & (shares[1:-1] > 0.5 * enough)
    changes = np.flatnonzero(np.diff(np.concatenate([[False], bridged, [False]])))
    runs = [(first, last) for first, last in changes.reshape(-1, 2).tolist() if first < end and start < last]
    return max(runs, key=lambda run: run[1] - run[0], default=(0, 0))
