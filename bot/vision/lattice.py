"""The exact lattice of a board and how far it reaches, from the edges of a picture.

A board is a rectangle in which lines (of any kind: bevels, gaps, shades of a checkerboard) lie on a lattice.
The pitch comes from Fourier sums of the edges over the whole rectangle, so a thirtieth of a pixel counts;
a column belongs to the board where the borders between its rows are seen, a row where those between its
columns are: a frame, or lines of a table, cross nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Rect
from bot.vision.comb import STRONG, USUAL, WEAKEST, Axis, Doubles, Phases, combed, pitch_of
from bot.vision.grid import Grid, Image
from bot.vision.repetition import Edges, Repetition

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

HOPELESS = 0.6, 1.2
"""Lattices of which less is seen at a glance, or that are less sharp, do not become clear by settling."""

AROUND = 8
"""So many cells around a part are looked at, at one time, for whether they belong to its board."""

VISIBLE = 2 / 3
"""So much of a cell at the edge of the picture must be seen."""

BESIDE = 0.26
"""So far beside a border, in pitches, cells are plain as a rule: between the border and what is drawn."""

FEW_WEAK, ALIKE = 6, 0.4
"""So many weak borders inside a board whose strengths differ by so little, as a part of them, are borders."""

PRESENT, LEAST_PRESENT = 0.75, 0.35
"""The part of the borders in a column or row that must be seen for it to belong to the board: relative to
the usual one of the board, and at least."""

Marks = npt.NDArray[np.bool_]


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


def lattice_of(
    image: Image, turned: Image, edges: Edges, repetition: Repetition, thoroughness: Thoroughness
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
    best: Lattice | None = None
    tried: list[tuple[float, float]] = []
    x_phases, y_phases = Phases(across, wide), Phases(down, high)
    for x_among, y_among, right, lower in PHASES[:thoroughness]:
        x_phase = x_phases.phase(x_among) / wide + right
        y_phase = y_phases.phase(y_among) / high + lower
        if any(_near_phase(x_phase, one[0]) and _near_phase(y_phase, one[1]) for one in tried):
            continue
        tried.append((x_phase, y_phase))
        x, y = Axis(wide, rect.x + x_phase * wide), Axis(high, rect.y + y_phase * high)
        found = _settled(image, turned, edges, x, y, rect, glance=thoroughness is Thoroughness.GLANCE)
        if found is not None and (best is None or found.fits > best.fits):
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
        found = _polished(edges, grown)
        if glance and (found.score < HOPELESS[0] or found.sharpness < HOPELESS[1]):
            return None
        if same or found.sharpness < BLUNT:
            break
        x, y, rect = found.x, found.y, found.grid.rect
    return found


def _polished(edges: Edges, found: Lattice) -> Lattice:
    """The same board, its lattice laid through the borders of its own cells."""
    height, width = edges.across.shape
    rect = found.grid.rect.clipped(Rect(0, 0, width, height))
    x, sharp_x = combed(edges.across[rect.y : rect.bottom], found.x, found.left, found.right)
    down = edges.down[rect.x : rect.right]
    y, sharp_y = combed(down, found.y, found.top, found.bottom)
    # Cells are square: where one direction is told less well it takes the pitch of the other.
    longest = max(found.right - found.left, found.bottom - found.top)
    if x.pitch != y.pitch and abs(x.pitch - y.pitch) * longest < 3:
        if sharp_x >= sharp_y:
            same, sharp = combed(down, y, found.top, found.bottom, x.pitch)
            y, sharp_y = (same, sharp) if sharp >= 0.9 * sharp_y else (y, sharp_y)
        else:
            same, sharp = combed(edges.across[rect.y : rect.bottom], x, found.left, found.right, y.pitch)
            x, sharp_x = (same, sharp) if sharp >= 0.9 * sharp_x else (x, sharp_x)
    return replace(found, x=x, y=y, sharpness=min(sharp_x, sharp_y))


def _grown(image: Image, turned: Image, x: Axis, y: Axis, seed: Rect) -> Lattice | None:
    """The rectangle of cells around a part of the lattice whose borders are seen."""
    height, width = image.shape[:2]
    columns = _near(x, seed.x, seed.right, _whole(x, width))
    rows = _near(y, seed.y, seed.bottom, _whole(y, height))
    if columns[1] - columns[0] < SMALLEST or rows[1] - rows[0] < SMALLEST:
        return None
    upright, *sides = _borders(image, x, y, columns, rows)
    level = _borders(turned, y, x, rows, columns)[0].T
    left, right = _inside(x, seed.x, seed.right, columns)
    top, bottom = _inside(y, seed.y, seed.bottom, rows)
    if right - left < 3 or bottom - top < 3:
        return None
    usual_upright = float(np.median(upright[top:bottom, left + 1 : right]))
    usual_level = float(np.median(level[top + 1 : bottom, left:right]))
    # Between borders and what is drawn in the middle many cells are plain, but for noise and dithering.
    noise = min(float(np.quantile(side[top:bottom, left + 1 : right], 0.1)) for side in sides)
    least = max(2.5, 2 * noise)
    upright_seen = _seen(upright, upright[top:bottom, left + 1 : right], usual_upright, least)
    level_seen = _seen(level, level[top + 1 : bottom, left:right], usual_level, least)
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


def _borders(
    image: Image,
    across: Axis,
    along: Axis,
    columns: tuple[int, int],
    rows: tuple[int, int],
) -> tuple[Doubles, Doubles, Doubles]:
    """How strong the border before each cell is, 0 to 255: shape (rows, columns + 1).

    Also the same of two places, before and after each border, where cells are plain as a rule.

    The border of a cell is looked for within a pixel or two of its place. Colours are averaged along the
    middle of the cell before neighbouring lines are compared: noise and dithering cancel, borders do not.
    """
    height, width = image.shape[:2]
    reach = max(1, round(across.pitch / 16))
    places = across.lines(columns[0], columns[1])
    first = max(0, int(places[0] - across.pitch))
    last = max(first + 2, min(width, int(places[-1] + across.pitch) + 2))
    starts = along.lines(rows[0], rows[1] - 1)
    low = np.clip(np.round(starts + 0.22 * along.pitch).astype(np.intp), 0, height - 1)
    high = np.clip(np.round(starts + 0.78 * along.pitch).astype(np.intp), low + 1, height)
    lines = np.empty((len(low), last - first, 3), np.float32)
    for line, start, end in zip(lines, low.tolist(), high.tolist(), strict=True):
        whole = cv2.reduce(image[start:end, first:last], 0, cv2.REDUCE_AVG, dtype=cv2.CV_32F)
        line[:] = np.asarray(whole)[0]
    apart = np.abs(lines[:, 1:] - lines[:, :-1])
    steps = np.zeros(lines.shape[:2], np.float32)
    np.maximum(np.maximum(apart[..., 0], apart[..., 1]), apart[..., 2], out=steps[:, 1:])
    # The largest from `reach` pixels before a place to `reach` pixels after the one that follows it.
    kernel = np.ones((1, 2 * reach + 2), np.uint8)
    largest = np.asarray(cv2.dilate(steps, kernel, anchor=(reach, 0), borderValue=0)).reshape(steps.shape)

    def at(shift: float) -> Doubles:
        there = np.round(places + shift).astype(np.intp)
        outside = (there < 0) | (there > width)
        values = largest[:, np.clip(there - first, 0, largest.shape[1] - 1)].astype(np.float64)
        return np.where(outside, 0, values)

    # What is looked at reaches a pixel farther after a place than before it.
    beside = max(BESIDE * across.pitch, reach + 3)
    return at(0), at(-beside - 1), at(beside)


def _seen(borders: Doubles, inner: Doubles, usual: float, least: float) -> Marks:
    """Which borders are there: those about as strong as usual, and weak ones that are all alike.

    Opened cells may be parted by thin lines where covered ones have strong reliefs. `inner` are the borders
    in the part that is surely of the board.
    """
    enough = max(least, 0.3 * usual)
    seen: Marks = borders > enough
    weak = inner[(inner > least) & (inner <= enough)]
    if len(weak) >= FEW_WEAK:
        quarter, middle, most = (float(value) for value in np.quantile(weak, (0.25, 0.5, 0.75)))
        if most - quarter <= ALIKE * middle:
            seen |= np.abs(borders - middle) <= ALIKE * middle
    return seen


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
