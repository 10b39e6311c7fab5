"""Measures the pitch and the phase of equally spaced lines along one direction.

The input is a plane of gradients across the lines, shape (pixels along the lines, pixels across them). The
pitch comes from the Fourier sums of its profile, exact to about a thirtieth of a pixel, and the phase from
what all cells have in common. Once the cells of a board are known, both are fitted to their borders.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from bot.vision.grid import Plane
from bot.vision.grids.lattices.periodicity import MAX_GRADIENT

Doubles = npt.NDArray[np.float64]

MAX_GRADIENT_FOR_PITCH = 80
"""Stronger gradients (0 to 255) count as this one where the pitch is refined."""

ROWS_PER_CELL = 20
"""Minimum number of pixel rows of a cell that `fit_axis` examines: large cells have more than enough."""

FINE_STEPS = 17
"""Number of pitches, and of starts, that are tried around the best ones of the coarse search."""

WHOLE_PITCH_SHARE = 0.93
"""A whole pitch is preferred if its strength reaches this part of the highest: most windows have one."""


@dataclass(frozen=True)
class EdgeSelection:
    """Which gradients speak for the borders between cells.

    For each offset within a cell, the gradients of all cells are sorted, and those between two quantiles are
    averaged: drawings differ from cell to cell, borders do not.
    """

    low: float
    high: float
    """Quantiles, 0 to 1."""
    min_strength: float = 0.0
    """Cells whose gradients add up to less than this part of the strongest cells' are left out."""


TYPICAL_EDGES = EdgeSelection(0.25, 0.75)
"""The interquartile range finds borders that are about as strong on every cell."""

TYPICAL_OF_STRONG_CELLS = EdgeSelection(0.25, 0.75, min_strength=0.25)
"""The same without plain cells: the board need not fill the part that is examined."""

WEAK_EDGES = EdgeSelection(0.05, 0.25, min_strength=0.25)
"""Weak borders between strong drawings: every cell has the borders, not every cell has the drawing."""


@dataclass(frozen=True)
class LatticeAxis:
    """Equally spaced lines along one direction."""

    pitch: float
    start: float
    """The place of line 0; like the pitch in pixels."""

    def line(self, index: float) -> float:
        """The place of a line, in pixels."""
        return self.start + index * self.pitch

    def lines(self, first: int, last: int) -> Doubles:
        """The places of the lines from the first to the last, in pixels: shape (last - first + 1,)."""
        return np.asarray(self.start + np.arange(first, last + 1) * self.pitch, np.float64)

    def index(self, place: float) -> float:
        """The index of the line at a place, a fraction between two lines."""
        return (place - self.start) / self.pitch


def fit_axis(
    plane: Plane, axis: LatticeAxis, first: int, last: int, pitch: float | None = None
) -> tuple[LatticeAxis, float]:
    """The lines near those of an axis that lie on the strongest gradients, and their sharpness.

    The lines from `first` to `last` bound the cells; `pitch` keeps the pitch fixed. The sharpness says how
    many times as strong the gradients are on the lines as on average.
    """
    low = max(0, round(axis.line(first) - 0.5 * axis.pitch))
    high = min(plane.shape[1], round(axis.line(last) + 0.5 * axis.pitch))
    part = plane[:: max(1, int(axis.pitch // ROWS_PER_CELL)), low:high]
    gap = max(1, round(axis.pitch / 14))
    profile = _smoothed_profile(part, axis.lines(first, last), low, axis.pitch, gap)
    middle = (first + last) / 2
    # The outermost lines are left out: there is no cell beyond them, and half of a gap may be missing.
    indices = (np.arange(first + 1, last) - middle).astype(np.float64)
    fitted_pitch, start = _best_lines(profile, axis, middle, indices, low, pitch)
    # A gap has an edge on each side: the stronger one counts.
    strongest = np.lib.stride_tricks.sliding_window_view(np.pad(profile, gap), 2 * gap + 1).max(axis=1)
    lines = np.round(start - low + fitted_pitch * indices).astype(np.intp)
    sharpness = float(strongest[np.clip(lines, 0, len(profile) - 1)].mean() / (profile.mean() + 1e-9))
    strips = _averaged_rows(part, max(1, int(2 * plane.shape[0] / axis.pitch)))
    start = _centred(strips, fitted_pitch, start - low, indices) + low
    return LatticeAxis(fitted_pitch, start - middle * fitted_pitch), sharpness


def _smoothed_profile(part: Plane, lines: Doubles, low: int, pitch: float, gap: int) -> Doubles:
    """The column means of a part that begins at pixel `low`, blurred a little: shape (columns,)."""
    # Gradients are clipped just above what is usual on lines: the outline of an opened area may be stronger.
    near = np.round(lines).astype(np.intp) - low
    widest = cv2.dilate(part, np.ones((1, 2 * gap + 1), np.uint8), borderValue=0)
    usual = _column_means(np.asarray(widest, np.uint8))[near[(near >= 0) & (near < part.shape[1])]]
    means = _column_means(_clipped(part, max(4.0, 1.3 * float(np.median(usual)))))
    deviation = max(0.7, pitch / 24)
    reach = int(3 * deviation) + 1
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / deviation) ** 2)
    return np.convolve(np.pad(means, reach), kernel / kernel.sum(), "valid").astype(np.float64)


def _best_lines(
    profile: Doubles, axis: LatticeAxis, middle: float, indices: Doubles, low: int, fixed: float | None
) -> tuple[float, float]:
    """The pitch, and the place of the middle of the lines, at which the profile is strongest on the lines.

    `indices` are those of the lines, counted from `middle`; the profile begins at pixel `low`.
    """
    count = len(indices) + 1
    pitches = axis.pitch + np.arange(-1.5, 1.5, 0.125) * (axis.pitch * 0.25 / count)
    pitches = np.append(pitches, np.round(axis.pitch)) if fixed is None else np.array([fixed])
    starts = axis.line(middle) + np.arange(-0.24, 0.24, 0.25 / axis.pitch) * axis.pitch
    places = starts[None, :, None] + pitches[:, None, None] * indices[None, None, :] - low
    inside = (places >= 0) & (places < len(profile))
    nearest = np.clip(np.round(places).astype(np.intp), 0, len(profile) - 1)
    total = np.where(inside, profile[nearest], 0).sum(axis=2)
    best, at = (int(one) for one in np.unravel_index(int(np.argmax(total)), total.shape))
    # The last pitch is the whole one, or the fixed one.
    strongest, last = total[-1].max(), len(pitches) - 1
    if abs(pitches[-1] - axis.pitch) * count < 2 and strongest >= WHOLE_PITCH_SHARE * total[best, at]:
        best, at = last, int(np.argmax(total[-1]))
    if best == last:
        return float(pitches[best]), float(starts[at])
    # The pitch within a step, and the start within half a pixel, by interpolation.
    parts = np.linspace(-1, 1, FINE_STEPS)
    pitches, starts = pitches[best] + 0.03125 * axis.pitch / count * parts, starts[at] - low + 0.5 * parts
    places = starts[None, :, None] + pitches[:, None, None] * indices
    strengths = np.interp(places.ravel(), np.arange(len(profile)), profile, 0, 0)
    best, at = divmod(int(np.argmax(strengths.reshape(-1, len(indices)).sum(axis=1))), FINE_STEPS)
    return float(pitches[best]), float(starts[at]) + low


def _centred(strips: Plane, pitch: float, start: float, indices: Doubles) -> float:
    """The start, moved to the middle of the edges around the lines: a gap has one on each side.

    `strips` are the gradients, averaged over half a cell's height each. A low quantile over all cells is
    used, because edges that only a few cells have, like the foot of a digit, must not attract the middle.
    """
    reach = round(0.2 * pitch)
    places = np.round(start + pitch * indices)[:, None] + np.arange(-reach, reach + 1)
    strengths = strips[:, np.clip(places.astype(np.intp), 0, strips.shape[1] - 1)].reshape(-1, 2 * reach + 1)
    for part in (0.3, 0.5, 0.8):
        near = np.quantile(strengths, part, axis=0)
        if near.max() >= 2:
            break
    near = np.maximum(near - near.min() - 0.25 * np.ptp(near), 0)
    return start + float((near * np.arange(-reach, reach + 1)).sum() / max(1e-9, near.sum()))


def refined_pitch(plane: Plane, pitch: float) -> float:
    """The pitch, in pixels, near a known one, at which the gradients repeat most strongly.

    Method: the power of the profile at the frequency of the pitch and at its first harmonics.
    """
    profile = _column_means(_clipped(plane, MAX_GRADIENT_FOR_PITCH))
    around = max(3, round(pitch)) | 1
    padded = np.pad(profile, around // 2, mode="edge")
    profile = profile - np.convolve(padded, np.ones(around) / around, "valid")
    deviation = profile.std() + 1e-9
    profile = np.clip(profile, -3 * deviation, 3 * deviation)
    count = len(profile) / pitch
    best = pitch
    for reach, step in ((0.04, 0.25), (0.5 / count, 0.05)):
        tried = best * np.arange(1 - reach, 1 + reach, step / count)
        best = float(tried[np.argmax(_power(profile, tried))])
    return best


def _power(profile: Doubles, pitches: Doubles) -> Doubles:
    """The power of the profile at each pitch, that of the next two harmonics included: shape (pitches,)."""
    angles = (2 * np.pi / pitches)[:, None] * np.arange(len(profile))[None]
    cosine, sine = np.cos(angles.astype(np.float32)), np.sin(angles.astype(np.float32))
    weights = profile.astype(np.float32)
    power = np.zeros(len(pitches))
    real, imaginary = cosine, sine
    for harmonic in range(3):
        if harmonic:
            real, imaginary = real * cosine - imaginary * sine, real * sine + imaginary * cosine
        power += (real * weights).sum(axis=1) ** 2 + (imaginary * weights).sum(axis=1) ** 2
    return power


class PhaseEstimator:
    """Estimates where the borders between cells of one pitch lie, from a plane of gradients across them."""

    def __init__(self, plane: Plane, pitch: float) -> None:
        count = int(plane.shape[1] / pitch)
        places = np.floor(pitch * np.arange(count)[:, None] + np.arange(round(pitch))[None]).astype(np.intp)
        places = np.minimum(places, plane.shape[1] - 1)
        strips = _averaged_rows(_clipped(plane, MAX_GRADIENT), max(1, int(2 * plane.shape[0] / pitch)))
        self._folded = strips[:, places].reshape(-1, places.shape[1])
        """The gradients of every cell at its whole pixels: shape (cells, offsets within a cell)."""
        self._pitch = pitch

    def phase(self, edges: EdgeSelection) -> float:
        """The place of a border, in pixels from the first one of the plane, less than a pitch."""
        folded = self._folded
        if edges.min_strength:
            strength = folded.sum(axis=1, dtype=np.float64)
            folded = folded[strength >= edges.min_strength * np.quantile(strength, 0.95)]
        return _common_offset(folded, edges.low, edges.high) * self._pitch / folded.shape[1]


def _common_offset(folded: Plane, low: float, high: float) -> float:
    """The offset within a cell of the border that the cells share: the middle of its lines.

    `folded`: shape (cells, offsets); the gradients between two quantiles over the cells are averaged.
    """
    # Numpy sorts contiguous short integers in a tenth of the time of single bytes.
    columns = np.sort(np.ascontiguousarray(folded.T, np.int16), axis=1)
    count = len(folded)
    first = int(low * count)
    shared = columns[:, first : max(first + 1, int(high * count))].mean(axis=1)
    shared = np.maximum(shared - np.median(shared), 0)
    size = len(shared)
    # A border is several lines close together: start at the strongest offset, then move to their centroid.
    smooth = np.convolve(np.tile(shared, 3), np.hanning(max(3, size // 4) + 2), "same")[size : 2 * size]
    middle = float(np.argmax(smooth))
    for _ in range(4):
        distance = (np.arange(size) - middle + size / 2) % size - size / 2
        near = np.where(np.abs(distance) <= 0.22 * size, shared, 0)
        if near.sum() <= 0:
            break
        middle = (middle + float((near * distance).sum() / near.sum())) % size
    # The line between pixels 4 and 5 is the gradient of pixel 5.
    return middle


def _column_means(plane: Plane) -> Doubles:
    """The mean of every column: shape (columns,)."""
    return np.asarray(cv2.reduce(plane, 0, cv2.REDUCE_SUM, dtype=cv2.CV_32S), np.float64).ravel() / len(plane)


def _clipped(plane: Plane, limit: float) -> Plane:
    """The plane with every value above a limit set to the limit."""
    return np.asarray(cv2.threshold(plane, limit, limit, cv2.THRESH_TRUNC)[1], np.uint8)


def _averaged_rows(plane: Plane, count: int) -> Plane:
    """The plane averaged to a number of rows: shape (count, columns)."""
    height, width = plane.shape
    if count >= height or height % count == 0 or plane.size < 150_000:
        return np.asarray(cv2.resize(plane, (width, count), interpolation=cv2.INTER_AREA), np.uint8)
    # Of large planes the same in a quarter of the time: whole rows are added, and parts of the outer ones.
    edges = np.arange(count + 1) * (height / count)
    first, last = np.ceil(edges[:-1] - 1e-9).astype(np.intp), np.floor(edges[1:] + 1e-9).astype(np.intp)
    before, after = plane[np.maximum(first - 1, 0)], plane[np.minimum(last, height - 1)]
    strips = before * (first - edges[:-1])[:, None].astype(np.float32)
    strips += after * (edges[1:] - last)[:, None].astype(np.float32)
    for strip, start, end in zip(strips, first.tolist(), last.tolist(), strict=True):
        if end > start:
            strip += np.asarray(cv2.reduce(plane[start:end], 0, cv2.REDUCE_SUM, dtype=cv2.CV_32F))[0]
    return np.asarray(np.round(strips / np.float32(height / count)), np.uint8)
