"""The exact lattice of a board and how far it reaches, from the edges of a picture.

A board is a rectangle in which lines (of any kind: bevels, gaps, shades of a checkerboard) lie on a lattice.
The pitch comes from Fourier sums of the edges over the whole rectangle, so a thirtieth of a pixel counts;
a column belongs to the board where the borders between its rows are seen, a row where those between its
columns are: a frame, or lines of a table, cross nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from bot.geometry import Rect
from bot.vision.grid import Grid
from bot.vision.repetition import EDGE, Edges, Plane, Repetition

SMALLEST = 5
"""Boards of fewer columns or rows are not looked for."""

LARGEST = 120
"""Nor are larger ones."""

SURE = 0.8
"""Lattices worth so much have no other phase and no other pitch."""

BLUNT = 1.05
"""Lattices whose lines are hardly stronger than the rest are not followed: text gives many of them."""

AROUND = 8
"""So many cells around a part are looked at, at one time, for whether they belong to its board."""

VISIBLE = 2 / 3
"""So much of a cell at the edge of the picture must be seen."""

PRESENT, LEAST_PRESENT = 0.75, 0.35
"""The part of the borders in a column or row that must be seen for it to belong to the board: relative to
the usual one of the board, and at least."""

Totals = npt.NDArray[np.int32]
Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Axis:
    """Where lines repeat along one direction."""

    pitch: float
    start: float
    """The place of one of the lines, in pixels."""

    def line(self, index: float) -> float:
        """The place of a line."""
        return self.start + index * self.pitch

    def index(self, place: float) -> float:
        """Which line lies at a place, fractions between lines."""
        return (place - self.start) / self.pitch


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
        return self.score**2 * min(1.0, max(0.0, self.sharpness - 1))

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


def lattice_of(totals: Totals, edges: Edges, repetition: Repetition) -> Lattice | None:
    """The board that a repetition lies on; None where there is none.

    `totals` are the sums of the picture's colours above and left of each pixel, as `cv2.integral` gives
    them: shape (height + 1, width + 1, 3).
    """
    height, width = edges.across.shape
    rect, pitch = repetition.rect.clipped(Rect(0, 0, width, height)), repetition.pitch
    if rect.width < 3 * pitch or rect.height < 3 * pitch:
        return None
    part = slice(rect.y, rect.bottom), slice(rect.x, rect.right)
    across, down = edges.across[part], np.ascontiguousarray(edges.down[part].T)
    wide, high = _pitch(across, pitch), _pitch(down, pitch)
    if not 0.9 < wide / high < 1.1:
        return None
    best: Lattice | None = None
    # Where half a board is plain, or half the part is no board, one of the first two is misled; strong digits
    # between weak borders mislead both by half a cell.
    for everywhere, shift in ((True, 0.0), (False, 0.0), (True, 0.5)):
        x = Axis(wide, rect.x + _phase(across, wide, everywhere) + shift * wide)
        y = Axis(high, rect.y + _phase(down, high, everywhere) + shift * high)
        found = _settled(totals, edges, x, y, rect)
        if found is not None and (best is None or found.worth > best.worth):
            best = found
        if best is not None and best.worth >= SURE:
            break
    return best


def _settled(totals: Totals, edges: Edges, x: Axis, y: Axis, rect: Rect) -> Lattice | None:
    """The board around a part, its lattice and its reach settled in turn; None where there is none."""
    found: Lattice | None = None
    for _ in range(4):
        if not 0.9 < x.pitch / y.pitch < 1.1:
            break
        grown = _grown(totals, x, y, rect)
        if grown is None or (found is not None and grown.score < found.score - 0.1):
            break
        same = found is not None and found.cells == grown.cells
        found = _polished(edges, grown)
        if same or found.sharpness < BLUNT:
            break
        x, y, rect = found.x, found.y, found.grid.rect
    return found


def _polished(edges: Edges, found: Lattice) -> Lattice:
    """The same board, its lattice laid through the borders of its own cells."""
    height, width = edges.across.shape
    rect = found.grid.rect.clipped(Rect(0, 0, width, height))
    x, sharp_x = _combed(edges.across[rect.y : rect.bottom], found.x, found.left, found.right)
    down = np.ascontiguousarray(edges.down[:, rect.x : rect.right].T)
    y, sharp_y = _combed(down, found.y, found.top, found.bottom)
    # Cells are square: where one direction is told less well it takes the pitch of the other.
    longest = max(found.right - found.left, found.bottom - found.top)
    if x.pitch != y.pitch and abs(x.pitch - y.pitch) * longest < 3:
        if sharp_x >= sharp_y:
            same, sharp = _combed(down, y, found.top, found.bottom, x.pitch)
            y, sharp_y = (same, sharp) if sharp >= 0.9 * sharp_y else (y, sharp_y)
        else:
            same, sharp = _combed(edges.across[rect.y : rect.bottom], x, found.left, found.right, y.pitch)
            x, sharp_x = (same, sharp) if sharp >= 0.9 * sharp_x else (x, sharp_x)
    return replace(found, x=x, y=y, sharpness=min(sharp_x, sharp_y))


def _combed(
    plane: Plane, axis: Axis, first: int, last: int, fixed: float | None = None
) -> tuple[Axis, float]:
    """The pitch (if it is not fixed) and start near those given at which the lines lie on edges best.

    Also gives how much stronger the edges are on those lines than elsewhere: the sharpness.
    """
    low = max(0, round(axis.line(first) - 0.5 * axis.pitch))
    high = min(plane.shape[1], round(axis.line(last) + 0.5 * axis.pitch))
    part = plane[:, low:high]
    # No single line, like the outline of an opened area, may outweigh the rest.
    near = [round(axis.line(index)) - low for index in range(first, last + 1)]
    usual = [part[:, max(0, n - 1) : n + 2].max(axis=1).mean() for n in near if 0 <= n < part.shape[1]]
    sums = np.minimum(part, max(4.0, 1.3 * float(np.median(usual)))).mean(axis=0, dtype=np.float64)
    width = max(0.7, axis.pitch / 24)
    reach = int(3 * width) + 1
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / width) ** 2)
    smooth = np.convolve(np.pad(sums, reach), kernel / kernel.sum(), "valid")
    count = last - first
    indices = np.arange(first, last + 1)
    middle = (first + last) / 2
    pitches = axis.pitch + np.arange(-1.5, 1.5, 0.125) * (axis.pitch * 0.25 / count)
    pitches = np.append(pitches, np.round(axis.pitch)) if fixed is None else np.array([fixed])
    starts = axis.line(middle) + np.arange(-0.24, 0.24, 0.25 / axis.pitch) * axis.pitch
    places = starts[None, :, None] + pitches[:, None, None] * (indices - middle)[None, None, :] - low
    inside = (places >= 0) & (places < len(smooth))
    strength = np.where(inside, smooth[np.clip(np.round(places).astype(np.intp), 0, len(smooth) - 1)], 0)
    total = strength.sum(axis=2)
    # A whole pitch, where it fits as well: most windows have one.
    best = np.unravel_index(int(np.argmax(total)), total.shape)
    whole = int(np.argmax(total[-1]))
    if abs(pitches[-1] - axis.pitch) * count < 2 and total[-1, whole] >= 0.97 * total[best]:
        best = (np.intp(len(pitches) - 1), np.intp(whole))
    pitch, start = float(pitches[best[0]]), float(starts[best[1]])
    sharpness = float(total[best] / max(1, inside[best].sum()) / (smooth.mean() + 1e-9))
    start = _centred(smooth, pitch, start - low, (indices[1:-1] - middle).astype(np.float64)) + low
    return Axis(pitch, start - middle * pitch), sharpness


def _centred(sums: Doubles, pitch: float, start: float, indices: Doubles) -> float:
    """The place of the lines, moved to the middle of the edges around them: a gap has one on each side."""
    reach = round(0.2 * pitch)
    places = np.round(start + pitch * indices)[:, None] + np.arange(-reach, reach + 1)
    near = np.median(sums[np.clip(places.astype(np.intp), 0, len(sums) - 1)], axis=0)
    near = np.maximum(near - near.min() - 0.25 * np.ptp(near), 0)
    return start + float((near * np.arange(-reach, reach + 1)).sum() / max(1e-9, near.sum()))


def _pitch(plane: Plane, pitch: float) -> float:
    """The pitch of the lattice across a part of the edges, near the one given."""
    sums = np.minimum(plane, 80).mean(axis=0, dtype=np.float64)
    around = max(3, round(pitch)) | 1
    sums = sums - np.convolve(np.pad(sums, around // 2, mode="edge"), np.ones(around) / around, "valid")
    spread = sums.std() + 1e-9
    sums = np.clip(sums, -3 * spread, 3 * spread)
    count = len(sums) / pitch
    best = pitch
    for reach, step in ((0.04, 0.25), (0.5 / count, 0.05)):
        tried = best * np.arange(1 - reach, 1 + reach, step / count)
        best = float(tried[np.argmax(_power(sums, tried))])
    return best


def _power(sums: Doubles, pitches: Doubles) -> Doubles:
    """How well each pitch fits: the first three harmonics."""
    angles = (2 * np.pi / pitches)[:, None] * np.arange(len(sums))[None]
    cosine, sine = np.cos(angles.astype(np.float32)), np.sin(angles.astype(np.float32))
    weights = sums.astype(np.float32)
    power = np.zeros(len(pitches))
    real, imaginary = cosine, sine
    for harmonic in range(3):
        if harmonic:
            real, imaginary = real * cosine - imaginary * sine, real * sine + imaginary * cosine
        power += (real * weights).sum(axis=1) ** 2 + (imaginary * weights).sum(axis=1) ** 2
    return power


def _phase(plane: Plane, pitch: float, everywhere: bool) -> float:
    """Where the borders between cells lie: a place from the first pixel, less than a pitch.

    What is drawn inside cells differs from cell to cell, borders do not: of the strength at each place
    of a cell, over all cells, the lower half is taken. Borders are several lines close together; their
    middle is looked for. The board need not fill the part: if not
    `everywhere`, places with no edges are left out.
    """
    # Cells along one line of them, at whole pixels: (cells, places).
    count = int(plane.shape[1] / pitch)
    places = np.floor(pitch * np.arange(count)[:, None] + np.arange(round(pitch))[None]).astype(np.intp)
    places = np.minimum(places, plane.shape[1] - 1)
    bands = max(1, int(plane.shape[0] / (pitch / 2)))
    clipped = np.minimum(plane[: bands * (plane.shape[0] // bands)], EDGE)
    rows = clipped.reshape(bands, -1, plane.shape[1]).mean(axis=1)
    folded = rows[:, places].reshape(-1, places.shape[1])
    if not everywhere:
        strength = folded.sum(axis=1)
        folded = folded[strength >= 0.25 * np.quantile(strength, 0.95)]
    folded = np.sort(folded, axis=0)
    usual = folded[len(folded) // 4 : max(len(folded) // 4 + 1, 3 * len(folded) // 4)].mean(axis=0)
    usual = usual - np.median(usual)
    usual = np.maximum(usual, 0)
    size = len(usual)
    # The middle of the lines around the strongest place, going to where they are heaviest.
    smooth = np.convolve(np.tile(usual, 3), np.hanning(max(3, size // 4) + 2), "same")[size : 2 * size]
    middle = float(np.argmax(smooth))
    for _ in range(4):
        away = (np.arange(size) - middle + size / 2) % size - size / 2
        near = np.where(np.abs(away) <= 0.22 * size, usual, 0)
        if near.sum() <= 0:
            break
        middle = (middle + float((near * away).sum() / near.sum())) % size
    # A line between pixels 4 and 5 is found as an edge of pixel 5.
    return middle * pitch / size


def _grown(totals: Totals, x: Axis, y: Axis, seed: Rect) -> Lattice | None:
    """The rectangle of cells around a part of the lattice whose borders are seen."""
    height, width = totals.shape[0] - 1, totals.shape[1] - 1
    columns = _near(x, seed.x, seed.right, _whole(x, width))
    rows = _near(y, seed.y, seed.bottom, _whole(y, height))
    if columns[1] - columns[0] < SMALLEST or rows[1] - rows[0] < SMALLEST:
        return None
    upright = _borders(totals, x, y, columns, rows)
    level = _borders(totals.transpose(1, 0, 2), y, x, rows, columns).T
    left, right = _inside(x, seed.x, seed.right, columns)
    top, bottom = _inside(y, seed.y, seed.bottom, rows)
    if right - left < 3 or bottom - top < 3:
        return None
    usual_upright = float(np.median(upright[top:bottom, left + 1 : right]))
    usual_level = float(np.median(level[top + 1 : bottom, left:right]))
    # Between borders and what is drawn in the middle many cells are plain, but for noise and dithering.
    part_columns, part_rows = (columns[0] + left, columns[0] + right), (rows[0] + top, rows[0] + bottom)
    noise = min(
        float(np.quantile(_borders(totals, _shifted(x, part), y, part_columns, part_rows), 0.2))
        for part in (0.27, 0.73)
    )
    upright_seen = upright > max(2.5, 0.3 * usual_upright, 2 * noise)
    level_seen = level > max(2.5, 0.3 * usual_level, 2 * noise)
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
    totals: Totals, across: Axis, along: Axis, columns: tuple[int, int], rows: tuple[int, int]
) -> Doubles:
    """How strong the border before each cell is: shape (rows, columns + 1), 0 to 255.

    The border of a cell is looked for within a pixel or two of its place. Colours are averaged along the
    middle of the cell before neighbouring lines are compared: noise and dithering cancel, borders do not.
    """
    height, width = totals.shape[0] - 1, totals.shape[1] - 1
    reach = max(1, round(across.pitch / 16))
    places = across.start + across.pitch * np.arange(columns[0], columns[1] + 1)
    near = np.round(places).astype(np.intp)[:, None] + np.arange(-reach - 1, reach + 1)
    outside = (near[:, 0] < -1 - reach) | (near[:, -1] >= width + reach)
    near = np.clip(near, 0, width - 1)
    starts = along.start + along.pitch * np.arange(rows[0], rows[1])
    low = np.clip(np.round(starts + 0.22 * along.pitch).astype(np.intp), 0, height - 1)
    high = np.clip(np.round(starts + 0.78 * along.pitch).astype(np.intp), low + 1, height)
    low, high = low[:, None, None], high[:, None, None]
    sums = totals[high, near + 1] - totals[high, near] - totals[low, near + 1] + totals[low, near]
    lines = sums / (high - low)[..., None]
    strength: Doubles = np.abs(np.diff(lines, axis=2)).max(axis=(2, 3))
    return np.where(outside, 0, strength)


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


def _shifted(axis: Axis, part: float) -> Axis:
    return Axis(axis.pitch, axis.line(part))
