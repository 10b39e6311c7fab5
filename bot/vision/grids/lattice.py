"""The exact lattice of a board and how far it reaches, from the edges of a picture.

A board is a rectangle in which lines (of any kind: bevels, gaps, shades of a checkerboard) lie on a lattice.
The pitch comes from Fourier sums of the edges over the whole rectangle, so a thirtieth of a pixel counts;
a column belongs to the board where the borders between its rows are seen, a row where those between its
columns are: a frame, or lines of a table, cross nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import IntEnum

import numpy as np

from bot.geometry import Rect
from bot.vision.array_statistics import quantile
from bot.vision.grid import Grid, Image
from bot.vision.grids.borders import border_strengths, visible_borders
from bot.vision.grids.periodicity import Edges, Periodicity, Plane
from bot.vision.grids.pitch import STRONG, USUAL, WEAKEST, Axis, Doubles, PhaseEstimator, fit_axis, pitch_of

SMALLEST = 5
"""Boards of fewer columns or rows are not looked for."""

LARGEST = 120
"""Nor are larger ones."""

SURE = 0.8
"""Lattices worth so much have no other phase and no other pitch."""

BLUNT = 1.05
"""Lattices whose lines are hardly stronger than the rest are not followed: text gives many of them."""

PHASES = (
    (USUAL, USUAL, 0.0, 0.0),
    (STRONG, STRONG, 0.0, 0.0),
    (WEAKEST, WEAKEST, 0.0, 0.0),
    (USUAL, WEAKEST, 0.0, 0.0),
    (WEAKEST, USUAL, 0.0, 0.0),
    (USUAL, USUAL, 0.5, 0.0),
    (USUAL, USUAL, 0.0, 0.5),
    (USUAL, USUAL, 0.5, 0.5),
)
"""What is asked for the place of the lines to the right and downwards, and by how much it may be misled,
until a lattice is sure: half a board may be plain, half the part may be no board, and strong drawings between
weak borders mislead by half a cell."""

CLEARLY_BETTER = 1.02
"""So many times as well as that of a likelier place a lattice must fit."""

HOPELESS = 0.6, 1.35
"""Lattices of which less is seen at a glance, or that are less sharp, do not become clear by settling."""

AROUND = 8
"""So many cells around a part are looked at, at one time, for whether they belong to its board."""

VISIBLE = 2 / 3
"""So much of a cell at the edge of the picture must be seen."""

PRESENT, LEAST_PRESENT = 0.75, 0.35
"""The part of the borders in a column or row that must be seen for it to belong to the board: relative to
the usual one of the board, and at least."""


class Thoroughness(IntEnum):
    """How many of the places are tried that the lines of a lattice may have."""

    GLANCE = 1
    """The likeliest, and it is given up early."""
    SOME = 3
    ALL = len(PHASES)


@dataclass(frozen=True)
class Lattice:
    """A lattice, and the rectangle of its cells that belong to a board."""

    x: Axis
    y: Axis
    left: int
    top: int
    right: int
    bottom: int
    score: float = 0.0
    """The part of the borders between cells that are seen, 0 to 1."""
    sharpness: float = 0.0
    """How much stronger the edges are on the lines than on average."""

    @property
    def worth(self) -> float:
        """How well its borders are seen and how much better than other lines, 0 to 1."""
        return self.score**3 * min(1.0, max(0.0, self.sharpness - 1))

    @property
    def fits(self) -> float:
        """The same to choose among places of one lattice: half a cell off, some borders are missed."""
        return self.score**3 * self.worth

    @property
    def count(self) -> int:
        """How many cells it has."""
        return (self.right - self.left) * (self.bottom - self.top)

    @property
    def cells(self) -> tuple[int, int, int, int]:
        """The first column and row, and the first ones after the last."""
        return self.left, self.top, self.right, self.bottom

    @property
    def grid(self) -> Grid:
        """The cells as a grid."""
        return Grid(
            self.x.line(self.left),
            self.y.line(self.top),
            self.x.pitch,
            self.y.pitch,
            self.right - self.left,
            self.bottom - self.top,
        )


def fit_lattice(
    image: Image, turned: Image, edges: Edges, repetition: Periodicity, thoroughness: Thoroughness
) -> Lattice | None:
    """The board of a picture (height, width, 3) that a repetition lies on; None where there is none.

    `turned` is the same picture with its rows as columns.
    """
    height, width = edges.across.shape
    rect, pitch = repetition.rect.clipped(Rect(0, 0, width, height)), repetition.pitch
    if rect.width < 3 * pitch or rect.height < 3 * pitch:
        return None
    part = slice(rect.y, rect.bottom), slice(rect.x, rect.right)
    across, down = edges.across[part], edges.down[part[::-1]]
    wide, high = pitch_of(across, pitch), pitch_of(down, pitch)
    if not 0.9 < wide / high < 1.1:
        return None

    def settled(x: Axis, y: Axis) -> Lattice | None:
        return _settled(image, turned, edges, x, y, rect, glance=thoroughness is Thoroughness.GLANCE)

    best = _best_place(across, down, wide, high, rect, thoroughness, settled)
    if best is None and thoroughness is Thoroughness.ALL:
        # Few cells tell their pitch badly, where a window's frame lies beside their lines; most are whole.
        best = _best_place(across, down, round(wide), round(high), rect, thoroughness, settled)
    return best


def _best_place(
    across: Plane,
    down: Plane,
    wide: float,
    high: float,
    rect: Rect,
    thoroughness: Thoroughness,
    settled: Callable[[Axis, Axis], Lattice | None],
) -> Lattice | None:
    """Of the places that lattices of a pitch (to the right, downwards) may have in a part, whose edges are
    given, the one at which it fits best."""
    best: Lattice | None = None
    tried: list[tuple[float, float]] = []
    x_phases, y_phases = PhaseEstimator(across, wide), PhaseEstimator(down, high)
    for x_among, y_among, right, lower in PHASES[:thoroughness]:
        x_phase = x_phases.phase(x_among) / wide + right
        y_phase = y_phases.phase(y_among) / high + lower
        if any(_near_phase(x_phase, one[0]) and _near_phase(y_phase, one[1]) for one in tried):
            continue
        tried.append((x_phase, y_phase))
        found = settled(Axis(wide, rect.x + x_phase * wide), Axis(high, rect.y + y_phase * high))
        # Half a cell off, a line of cells is missed as well; and the likelier places are tried first.
        if found is not None and (
            best is None or found.fits * found.count > CLEARLY_BETTER * best.fits * best.count
        ):
            best = found
        if best is not None and best.fits >= SURE:
            break
    return best


def _near_phase(one: float, other: float) -> bool:
    """Whether two places, in pitches, are the same place of a cell but for what settling evens out."""
    away = abs(one - other) % 1
    return min(away, 1 - away) < 0.08


def _settled(
    image: Image, turned: Image, edges: Edges, x: Axis, y: Axis, rect: Rect, *, glance: bool
) -> Lattice | None:
    """The board around a part, its lattice and its reach settled in turn; None where there is none.

    At a `glance` one that will not become clear is none.
    """
    found: Lattice | None = None
    for _ in range(4):
        if not 0.9 < x.pitch / y.pitch < 1.1:
            break
        grown = _grown(image, turned, x, y, rect)
        if grown is None or (found is not None and grown.score < found.score - 0.1):
            break
        same = found is not None and found.cells == grown.cells
        if glance and grown.score < HOPELESS[0]:
            return None
        polished = _polished(edges, grown, least=HOPELESS[1] if glance else 0)
        if polished is None:
            return None
        found = polished
        if same or found.sharpness < BLUNT:
            break
        x, y, rect = found.x, found.y, found.grid.rect
    return found


def _polished(edges: Edges, found: Lattice, *, least: float) -> Lattice | None:
    """The same board, its lattice laid through the borders of its own cells; None where it is less sharp."""
    height, width = edges.across.shape
    rect = found.grid.rect.clipped(Rect(0, 0, width, height))
    x, sharp_x = fit_axis(edges.across[rect.y : rect.bottom], found.x, found.left, found.right)
    if sharp_x < least:  # lines of text repeat downwards only
        return None
    down = edges.down[rect.x : rect.right]
    y, sharp_y = fit_axis(down, found.y, found.top, found.bottom)
    # Cells are square: where one direction is told less well it takes the pitch of the other.
    longest = max(found.right - found.left, found.bottom - found.top)
    if x.pitch != y.pitch and abs(x.pitch - y.pitch) * longest < 3:
        if sharp_x >= sharp_y:
            same, sharp = fit_axis(down, y, found.top, found.bottom, x.pitch)
            y, sharp_y = (same, sharp) if sharp >= 0.9 * sharp_y else (y, sharp_y)
        else:
            same, sharp = fit_axis(edges.across[rect.y : rect.bottom], x, found.left, found.right, y.pitch)
            x, sharp_x = (same, sharp) if sharp >= 0.9 * sharp_x else (x, sharp_x)
    sharpness = min(sharp_x, sharp_y)
    return replace(found, x=x, y=y, sharpness=sharpness) if sharpness >= least else None


def _grown(image: Image, turned: Image, x: Axis, y: Axis, seed: Rect) -> Lattice | None:
    """The rectangle of cells around a part of the lattice whose borders are seen."""
    height, width = image.shape[:2]
    columns = _near(x, seed.x, seed.right, _whole(x, width))
    rows = _near(y, seed.y, seed.bottom, _whole(y, height))
    if columns[1] - columns[0] < SMALLEST or rows[1] - rows[0] < SMALLEST:
        return None
    uprights = border_strengths(image, x, y, columns, rows)
    levels = border_strengths(turned, y, x, rows, columns).turned
    upright, level = uprights.there, levels.there
    left, right = _inside(x, seed.x, seed.right, columns)
    top, bottom = _inside(y, seed.y, seed.bottom, rows)
    if right - left < 3 or bottom - top < 3:
        return None
    # Between borders and what is drawn in the middle many cells are plain, but for noise and dithering.
    beside = uprights.beside[:, top:bottom, left + 1 : right]
    noise = min(quantile(side, 0.1) for side in beside)
    upright_seen = visible_borders(upright, upright[top:bottom, left + 1 : right], noise)
    level_seen = visible_borders(level, level[top + 1 : bottom, left:right], noise)
    for _ in range(6):
        before = left, right, top, bottom
        left, right = _run(level_seen[top + 1 : bottom].mean(axis=0), left, right)
        if right - left < 3:
            return None
        top, bottom = _run(upright_seen[:, left + 1 : right].mean(axis=1), top, bottom)
        if bottom - top < 3:
            return None
        if before == (left, right, top, bottom):
            break
    if not (SMALLEST <= right - left <= LARGEST and SMALLEST <= bottom - top <= LARGEST):
        return None
    inner = np.concatenate(
        [upright_seen[top:bottom, left + 1 : right].ravel(), level_seen[top + 1 : bottom, left:right].ravel()]
    )
    found = Lattice(x, y, left, top, right, bottom, float(inner.mean()))
    return replace(
        found,
        left=found.left + columns[0],
        right=found.right + columns[0],
        top=found.top + rows[0],
        bottom=found.bottom + rows[0],
    )


def _whole(axis: Axis, length: int) -> tuple[int, int]:
    """The cells of a lattice that lie in a picture, those cut by less than a third too: first, last + 1."""
    first = int(np.ceil(axis.index(0) - (1 - VISIBLE)))
    return first, int(np.floor(axis.index(length) + (1 - VISIBLE)))


def _near(axis: Axis, start: int, end: int, cells: tuple[int, int]) -> tuple[int, int]:
    """The cells in and not far around a part: it is looked at again where they belong to the board."""
    first, last = int(np.floor(axis.index(start))) - AROUND, int(np.ceil(axis.index(end))) + AROUND
    return max(cells[0], first), min(cells[1], last)


def _inside(axis: Axis, start: int, end: int, cells: tuple[int, int]) -> tuple[int, int]:
    """The cells that lie in a part, as indices into those of the picture."""
    first = int(np.clip(round(axis.index(start)), *cells))
    last = int(np.clip(round(axis.index(end)), *cells))
    return first - cells[0], last - cells[0]


def _run(share: Doubles, start: int, end: int) -> tuple[int, int]:
    """The longest run of columns, or rows, in which enough borders are seen: those that a part touches.

    Single ones with fewer between two with enough are bridged.
    """
    enough = max(LEAST_PRESENT, PRESENT * float(np.median(share[start:end])))
    good = share >= enough
    bridged = good.copy()
    bridged[1:-1] |= good[:-2] & good[2:] & (share[1:-1] > 0.5 * enough)
    best = (0, 0)
    first = None
    for index, one in enumerate([*bridged.tolist(), False]):
        if one and first is None:
            first = index
        elif not one and first is not None:
            overlap = min(index, end) - max(first, start)
            if overlap > 0 and index - first > best[1] - best[0]:
                best = first, index
            first = None
    return best
