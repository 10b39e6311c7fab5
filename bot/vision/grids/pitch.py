"""Where lines repeat along one direction: the pitch and the place of a comb that lies on the edges best.

The pitch comes from Fourier sums of the edges over the whole part, so a thirtieth of a pixel counts; the
place from what all cells share; then both are laid through the borders of the cells that were found.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from bot.vision.grids.periodicity import EDGE, Plane

Doubles = npt.NDArray[np.float64]

USUAL = 0.0, 0.25, 0.75
"""Of the strengths at each place of a cell, those from the first to the third quarter count."""

STRONG = 0.25, 0.25, 0.75
"""The same where lines of cells with few edges are left out, as a part of those that have many: the board
need not fill the part."""

WEAKEST = 0.25, 0.05, 0.25
"""Weak borders between strong drawings: every cell has the borders, not every one the drawings."""


ENOUGH_ROWS = 20
"""So many rows of a cell are looked at, at least, where the lines are laid through its borders."""

FINE = 17
"""So many pitches and starts are tried around those that were found first."""

LARGE = 150_000
"""Pixels of a plane from which on averaging it by parts of rows is worth the trouble."""

WHOLE = 0.93
"""A whole pitch is taken where the lines fit so well: most windows have one, and few cells tell little."""


@dataclass(frozen=True)
class Axis:
    """Where lines repeat along one direction."""

    pitch: float
    start: float
    """The place of one of the lines, in pixels."""

    def line(self, index: float) -> float:
        """The place of a line."""
        return self.start + index * self.pitch

    def lines(self, first: int, last: int) -> Doubles:
        """The places of lines from the first to the last."""
        return np.asarray(self.start + np.arange(first, last + 1) * self.pitch, np.float64)

    def index(self, place: float) -> float:
        """Which line lies at a place, fractions between lines."""
        return (place - self.start) / self.pitch


def fit_axis(
    plane: Plane, axis: Axis, first: int, last: int, fixed: float | None = None
) -> tuple[Axis, float]:
    """The pitch (if it is not fixed) and start near those given at which the lines lie on edges best.

    Also gives how much stronger the edges are on those lines than elsewhere: the sharpness.
    """
    low = max(0, round(axis.line(first) - 0.5 * axis.pitch))
    high = min(plane.shape[1], round(axis.line(last) + 0.5 * axis.pitch))
    # Of large cells every second row or so tells as much.
    part = plane[:: max(1, int(axis.pitch // ENOUGH_ROWS)), low:high]
    # No single line, like the outline of an opened area, may outweigh the rest.
    apart = max(1, round(axis.pitch / 14))
    near = np.round(axis.lines(first, last)).astype(np.intp) - low
    widest = cv2.dilate(part, np.ones((1, 2 * apart + 1), np.uint8), borderValue=0)
    usual = _means(np.asarray(widest, np.uint8))[near[(near >= 0) & (near < part.shape[1])]]
    sums = _means(_clipped(part, max(4.0, 1.3 * float(np.median(usual)))))
    width = max(0.7, axis.pitch / 24)
    reach = int(3 * width) + 1
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / width) ** 2)
    smooth: Doubles = np.convolve(np.pad(sums, reach), kernel / kernel.sum(), "valid").astype(np.float64)
    count = last - first
    # The outermost lines are not asked: what lies beyond them is no cell, and half of a gap may be missing.
    indices = np.arange(first + 1, last)
    middle = (first + last) / 2
    away = (indices - middle).astype(np.float64)
    pitches = axis.pitch + np.arange(-1.5, 1.5, 0.125) * (axis.pitch * 0.25 / count)
    pitches = np.append(pitches, np.round(axis.pitch)) if fixed is None else np.array([fixed])
    starts = axis.line(middle) + np.arange(-0.24, 0.24, 0.25 / axis.pitch) * axis.pitch
    places = starts[None, :, None] + pitches[:, None, None] * away[None, None, :] - low
    inside = (places >= 0) & (places < len(smooth))
    strength = np.where(inside, smooth[np.clip(np.round(places).astype(np.intp), 0, len(smooth) - 1)], 0)
    total = strength.sum(axis=2)
    # A whole pitch, where it fits as well: most windows have one.
    best = np.unravel_index(int(np.argmax(total)), total.shape)
    whole = int(np.argmax(total[-1]))
    if abs(pitches[-1] - axis.pitch) * count < 2 and total[-1, whole] >= WHOLE * total[best]:
        best = (np.intp(len(pitches) - 1), np.intp(whole))
    pitch, start = float(pitches[best[0]]), float(starts[best[1]])
    if fixed is None and best[0] != len(pitches) - 1:
        pitch, start = _refined(smooth, pitch, start - low, away, 0.03125 * axis.pitch / count)
        start += low
    # Of the two edges of a gap the stronger one counts.
    strongest = np.lib.stride_tricks.sliding_window_view(np.pad(smooth, apart), 2 * apart + 1).max(axis=1)
    lines = np.round(start - low + pitch * away).astype(np.intp)
    sharpness = float(strongest[np.clip(lines, 0, len(smooth) - 1)].mean() / (smooth.mean() + 1e-9))
    by_band = _bands(part, max(1, int(2 * plane.shape[0] / axis.pitch)))
    start = _centred(by_band, pitch, start - low, away) + low
    return Axis(pitch, start - middle * pitch), sharpness


def _refined(
    strengths: Doubles, pitch: float, start: float, indices: Doubles, step: float
) -> tuple[float, float]:
    """The pitch, which is known to a step, and the start at which the lines lie on the greatest strengths."""
    parts = np.linspace(-1, 1, FINE)
    pitches, starts = pitch + step * parts, start + 0.5 * parts
    places = starts[None, :, None] + pitches[:, None, None] * indices
    total = np.interp(places.ravel(), np.arange(len(strengths)), strengths, 0, 0)
    best = int(np.argmax(total.reshape(-1, len(indices)).sum(axis=1)))
    return float(pitches[best // FINE]), float(starts[best % FINE])


def _centred(bands: Plane, pitch: float, start: float, indices: Doubles) -> float:
    """The place of the lines, moved to the middle of the edges around them: a gap has one on each side.

    `bands` are the edges, averaged over half a cell's height each. What few cells have, like the foot of a
    digit near the border, must not draw the middle to it: of all borders of cells the weaker ones are asked.
    """
    reach = round(0.2 * pitch)
    places = np.round(start + pitch * indices)[:, None] + np.arange(-reach, reach + 1)
    there = bands[:, np.clip(places.astype(np.intp), 0, bands.shape[1] - 1)].reshape(-1, 2 * reach + 1)
    for part in (0.3, 0.5, 0.8):
        near = np.quantile(there, part, axis=0)
        if near.max() >= 2:
            break
    near = np.maximum(near - near.min() - 0.25 * np.ptp(near), 0)
    return start + float((near * np.arange(-reach, reach + 1)).sum() / max(1e-9, near.sum()))


def pitch_of(plane: Plane, pitch: float) -> float:
    """The pitch of the lattice across a part of the edges, near the one given."""
    sums = _means(_clipped(plane, 80))
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


class PhaseEstimator:
    """Where the borders between cells may lie, across a part of the edges: for one pitch."""

    def __init__(self, plane: Plane, pitch: float) -> None:
        # Cells along one line of them, at whole pixels: (cells, places).
        count = int(plane.shape[1] / pitch)
        places = np.floor(pitch * np.arange(count)[:, None] + np.arange(round(pitch))[None]).astype(np.intp)
        places = np.minimum(places, plane.shape[1] - 1)
        rows = _bands(_clipped(plane, EDGE), max(1, int(2 * plane.shape[0] / pitch)))
        self._folded = rows[:, places].reshape(-1, places.shape[1])
        self._pitch = pitch

    def phase(self, among: tuple[float, float, float]) -> float:
        """A place from the first pixel, less than a pitch. `among`: `USUAL`, `STRONG` or `WEAKEST`.

        What is drawn inside cells differs from cell to cell, borders do not: of the strength at each place
        of a cell, over the cells that `among` says, the middle ones are taken. Borders are several lines
        close together; their middle is looked for.
        """
        folded = self._folded
        least, low, high = among
        if least:
            strength = folded.sum(axis=1, dtype=np.float64)
            folded = folded[strength >= least * np.quantile(strength, 0.95)]
        return _middle_of(folded, low, high) * self._pitch / folded.shape[1]


def _middle_of(folded: Plane, low: float, high: float) -> float:
    """The place, of those of a cell, around which the lines are that cells share."""
    # Numpy sorts short integers that lie side by side ten times as fast as single bytes.
    columns = np.sort(np.ascontiguousarray(folded.T, np.int16), axis=1)
    count = len(folded)
    first = int(low * count)
    usual = columns[:, first : max(first + 1, int(high * count))].mean(axis=1)
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
    return middle


def _means(plane: Plane) -> Doubles:
    """The mean of every column."""
    return np.asarray(cv2.reduce(plane, 0, cv2.REDUCE_SUM, dtype=cv2.CV_32S), np.float64).ravel() / len(plane)


def _clipped(plane: Plane, most: float) -> Plane:
    return np.asarray(cv2.threshold(plane, most, most, cv2.THRESH_TRUNC)[1], np.uint8)


def _bands(plane: Plane, count: int) -> Plane:
    """The plane averaged to so many rows."""
    height, width = plane.shape
    if count >= height or height % count == 0 or plane.size < LARGE:
        return np.asarray(cv2.resize(plane, (width, count), interpolation=cv2.INTER_AREA), np.uint8)
    # The same as that call gives, in a quarter of its time: whole rows, and parts of those at the ends.
    edges = np.arange(count + 1) * (height / count)
    first, last = np.ceil(edges[:-1] - 1e-9).astype(np.intp), np.floor(edges[1:] + 1e-9).astype(np.intp)
    before, after = plane[np.maximum(first - 1, 0)], plane[np.minimum(last, height - 1)]
    bands = before * (first - edges[:-1])[:, None].astype(np.float32)
    bands += after * (edges[1:] - last)[:, None].astype(np.float32)
    for band, start, end in zip(bands, first.tolist(), last.tolist(), strict=True):
        if end > start:
            band += np.asarray(cv2.reduce(plane[start:end], 0, cv2.REDUCE_SUM, dtype=cv2.CV_32F))[0]
    return np.asarray(np.round(bands / np.float32(height / count)), np.uint8)
