"""Finds the parts of a picture that repeat with one pitch both to the right and downwards.

The picture is examined in overlapping square windows, at full size and reduced two, four and eight times, so
that some window always holds several cells. In each window the gradients are averaged over the columns and
over the rows. Where the autocorrelations of both profiles have a peak at one lag, the window may lie on a
board. Text repeats downwards only; noise and photographs do not repeat at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Rect
from bot.vision.grid import Image, Plane

Floats = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]

WINDOW, STRIDE = 128, 32
"""Side of a window, and distance between neighbouring windows, in pixels of the reduced picture."""

MIN_PITCH, MAX_PITCH = 9, 42
"""Range of the pitches in a window, in pixels of the reduced picture."""

MIN_CORRELATION, PITCH_SLACK = 0.25, 0.02
"""Minimum autocorrelation (up to 1) of a profile that repeats, and what it loses at a lag one pixel off."""

SHORTER_PITCH = 0.75
"""A peak at a shorter lag is preferred if it reaches this part of the highest autocorrelation: twice the
pitch repeats as well as the pitch itself."""

MIN_VARIANCE = 0.02
"""Minimum variance of a profile, in squares of the 0 to 255 of colours: a plain part does not repeat."""

MAX_DEVIATION = 2.5
"""Profiles are clipped at this many standard deviations, so that no single line outweighs the others."""

MAX_GRADIENT = 40
"""Stronger gradients (0 to 255) count as this one: the weak ones matter as well."""


@dataclass(frozen=True)
class Periodicity:
    """A part of the picture that repeats."""

    rect: Rect
    """The windows that repeat. A board there may end before their edge or reach beyond it."""
    pitch: float
    """The lag of the peak, in pixels of the full picture, exact to about a tenth of a pixel."""
    strength: float
    """The sum of the autocorrelations of the windows times their scale: larger is better, without a unit."""
    reduction: int
    """The factor by which the picture was reduced: the larger, the less exactly `rect` is known."""


@dataclass(frozen=True)
class Gradients:
    """How strongly each pixel differs from the one before it, 0 to 255 of the channel that differs most."""

    x: Plane
    """From its left neighbour: shape (height, width)."""
    y: Plane
    """From its upper neighbour, transposed to (width, height): the same code serves both directions."""

    def part(self, rect: Rect) -> Gradients:
        """Those of a part of the picture."""
        rows, columns = slice(rect.y, rect.bottom), slice(rect.x, rect.right)
        return Gradients(self.x[rows, columns], self.y[columns, rows])


def gradients_of(image: Image) -> Gradients:
    """The gradients of a picture (height, width, 3)."""
    height, width = image.shape[:2]
    # A few large arrays: allocating many small ones costs more than the work on them.
    channels = cv2.split(image, list(np.empty((3, height, width), np.uint8)))
    both = np.zeros((2, height, width), np.uint8)
    spare = np.empty((height, width), np.uint8)
    for out, here, before in ((both[0], np.s_[:, 1:], np.s_[:, :-1]), (both[1], np.s_[1:], np.s_[:-1])):
        cv2.absdiff(channels[0][here], channels[0][before], out[here])
        for channel in channels[1:]:
            cv2.absdiff(channel[here], channel[before], spare[here])
            cv2.max(out[here], spare[here], out[here])
    return Gradients(both[0], np.asarray(cv2.transpose(both[1]), np.uint8))


def periodicities(image: Image, gradients: Gradients) -> list[Periodicity]:
    """The parts of a picture (height, width, 3) that repeat, the strongest first."""
    found: list[Periodicity] = []
    for reduction in (1, 2, 4, 8):
        height, width = image.shape[0] // 2, image.shape[1] // 2
        if min(height, width) * (2 if reduction == 1 else 1) < WINDOW // 2:
            break
        if reduction > 1:
            # An odd last row or column is left out, so that the factor is exactly two.
            even = image[: 2 * height, : 2 * width]
            image = np.asarray(cv2.resize(even, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
            gradients = gradients_of(image)
        found += _at_reduction(gradients, reduction)
    return sorted(found, key=lambda one: -one.strength)


def _at_reduction(gradients: Gradients, reduction: int) -> list[Periodicity]:
    """The parts that repeat in a reduced picture, in pixels of the full one."""
    x = _correlations(gradients.x)
    repeats_in_x = x[..., 1:-1].max(axis=2) >= MIN_CORRELATION
    y = _correlations(gradients.y, repeats_in_x.T).transpose(1, 0, 2)
    # Cells are square: the lags in both directions agree to a pixel.
    y_nearby = np.maximum(np.maximum(y[..., :-2], y[..., 2:]) - PITCH_SLACK, y[..., 1:-1])
    both = np.minimum(x[..., 1:-1], y_nearby)
    best = both.max(axis=2)
    good = best >= MIN_CORRELATION
    if not good.any():
        return []
    padded = np.pad(both, ((0, 0), (0, 0), (1, 1)), constant_values=-1)
    peaks = (both >= padded[..., :-2]) & (both >= padded[..., 2:]) & (both >= SHORTER_PITCH * best[..., None])
    # For each window the index of its pitch, counted from MIN_PITCH; negative where nothing repeats.
    first = np.where(good, np.argmax(peaks, axis=2), -9)
    found: list[Periodicity] = []
    while (first >= 0).any():
        # The lags of neighbouring windows may differ by a pixel: the commonest lag collects those.
        weights = np.bincount(first[first >= 0], best[first >= 0])
        index = int(np.argmax(weights))
        mask = np.abs(first - index) <= 1
        first[mask] = -9
        count, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
        for label in range(1, count):
            inside = labels == label
            left, top, width, height = (STRIDE * reduction * value for value in stats[label, :4].tolist())
            overlap = (WINDOW - STRIDE) * reduction
            rect = Rect(left, top, width + overlap, height + overlap)
            strength = float(best[inside].sum()) * reduction * reduction
            pitch = (MIN_PITCH + index + _peak_shift(both[inside].mean(axis=0), index)) * reduction
            found.append(Periodicity(rect, pitch, strength, reduction))
    return found


def _peak_shift(curve: npt.NDArray[Any], index: int) -> float:
    """How far the peak at an index lies from it, by a parabola through the values there and beside it."""
    if not 0 < index < len(curve) - 1:
        return 0.0
    before, here, after = (float(value) for value in curve[index - 1 : index + 2])
    bend = before - 2 * here + after
    return 0.0 if bend >= 0 else float(np.clip(0.5 * (before - after) / bend, -0.5, 0.5))


def _correlations(plane: Plane, wanted: Bools | None = None) -> Floats:
    """The autocorrelations (up to 1) of the column profiles of all windows.

    Out: shape (windows down, windows across, lags), for the lags from `MIN_PITCH - 1` to `MAX_PITCH + 1`;
    0 for windows that are plain or not `wanted`, shape (windows down, windows across).
    """
    smooth = np.asarray(cv2.blur(_profiles(plane), (3, 1), borderType=cv2.BORDER_REPLICATE), np.float32)
    width = min(WINDOW, smooth.shape[1])
    windows = np.lib.stride_tricks.sliding_window_view(smooth, width, axis=1)[:, ::STRIDE]
    chosen = (windows.max(axis=2) > MIN_VARIANCE**0.5) & (True if wanted is None else wanted)
    profiles = windows[chosen]
    profiles -= profiles.mean(axis=1, keepdims=True)
    limit = MAX_DEVIATION * profiles.std(axis=1, keepdims=True)
    np.clip(profiles, -limit, limit, out=profiles)
    lags = np.arange(MIN_PITCH - 1, MAX_PITCH + 2)
    out = np.zeros((*chosen.shape, len(lags)), np.float32)
    if not len(profiles):
        return out
    products = _autocorrelation(profiles)
    variance = products[:, :1] / width
    overlaps = np.maximum(1, width - lags)
    correlations = products[:, MIN_PITCH - 1 :] / overlaps / np.maximum(variance, 1e-6)
    out[chosen] = np.where((variance > MIN_VARIANCE) & (overlaps >= lags), correlations, 0)
    return out


def _profiles(plane: Plane) -> Floats:
    """The means of the columns in strips as high as a window, `STRIDE` apart: shape (strips, columns).

    The columns are padded with zeros to a multiple of `STRIDE`; missing rows count as zeros.
    """
    height, width = plane.shape
    means = np.zeros((max(1, -(-height // STRIDE)), -(-width // STRIDE) * STRIDE), np.float32)
    for index, mean in enumerate(means):
        strip = plane[index * STRIDE : (index + 1) * STRIDE]
        clipped = cv2.threshold(strip, MAX_GRADIENT, MAX_GRADIENT, cv2.THRESH_TRUNC)[1]
        mean[:width] = np.asarray(cv2.reduce(clipped, 0, cv2.REDUCE_SUM, dtype=cv2.CV_32F))[0]
    means = np.round(means / STRIDE)
    tall = WINDOW // STRIDE
    if len(means) < tall:
        return np.asarray(means.mean(axis=0, keepdims=True), np.float32)
    return np.asarray(sum(means[n : len(means) - tall + 1 + n] for n in range(tall)) / tall, np.float32)


def _autocorrelation(rows: Floats) -> Floats:
    """The sum of the products of each row with itself moved by a lag: (rows, values) to (rows, lags).

    The lags are 0 to `MAX_PITCH + 1`. Method: the inverse Fourier transform of the power spectrum.
    """
    length = cv2.getOptimalDFTSize(rows.shape[1] + MAX_PITCH + 2)
    padded = np.zeros((len(rows), length), np.float32)
    padded[:, : rows.shape[1]] = rows
    # OpenCV transforms many short rows in a tenth of numpy's time.
    spectrum = cv2.dft(padded, flags=cv2.DFT_ROWS)
    power = cv2.mulSpectrums(spectrum, spectrum, cv2.DFT_ROWS, conjB=True)
    back = cv2.dft(power, flags=cv2.DFT_ROWS | cv2.DFT_INVERSE | cv2.DFT_SCALE)
    return np.asarray(back, np.float32)[:, : MAX_PITCH + 2]
