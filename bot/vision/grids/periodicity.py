"""Where in a picture something repeats by the same step to the right and downwards.

The picture is looked at through overlapping square windows, at full size and made smaller two, four and
eight times, so that a window always holds several cells. In each window the edges are summed by columns
and by rows; where both sums repeat with one step (their autocorrelation has a peak there), the window may
lie on a board. Text repeats downwards only, noise and photographs not at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Rect
from bot.vision.grid import Image

Plane = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]
Marks = npt.NDArray[np.bool_]
Part = tuple[slice, slice]
"""Rows and columns."""

WINDOW = 128
"""The side of a window, in pixels of the picture that was made smaller."""

STRIDE = 32
"""From one window to the next."""

SHORTEST, LONGEST = 9, 42
"""The steps that are looked for in a window."""

ENOUGH = 0.25
"""The least autocorrelation at which sums are said to repeat."""

FAINTEST = 0.02
"""The least variance of the sums at which it is asked whether they repeat."""

LEVELS = (1, 2, 4, 8)
"""How many times the picture is made smaller."""

EDGE = 40
"""Edges stronger than this count as much as one of this strength: the weak ones matter as well."""


@dataclass(frozen=True)
class Periodicity:
    """A part of the picture that repeats."""

    rect: Rect
    """Of the windows that repeat; the board may reach further, and not quite as far."""
    pitch: float
    """The step, in pixels, to a tenth or so."""
    strength: float
    """How well and over how much it repeats: more is better, without a unit."""
    level: int
    """How many times smaller the picture was made where this was seen: the more, the less is known where it
    ends."""


@dataclass(frozen=True)
class Edges:
    """How strongly each pixel differs from the one before it."""

    across: Plane
    """From its left neighbour, 0 to 255 of the colour that differs most; shape (height, width)."""
    down: Plane
    """From its upper neighbour; turned, shape (width, height), so that both are looked at alike."""


def edges_of(image: Image) -> Edges:
    """The edges of a picture."""
    height, width = image.shape[:2]
    # One large array for what belongs together: many fresh small ones cost more than the work on them.
    channels = cv2.split(image, list(np.empty((3, height, width), np.uint8)))
    both = np.zeros((2, height, width), np.uint8)
    spare = np.empty((height, width), np.uint8)
    _largest_step(channels, (slice(None), slice(1, None)), (slice(None), slice(-1)), both[0], spare)
    _largest_step(channels, (slice(1, None), slice(None)), (slice(-1), slice(None)), both[1], spare)
    return Edges(both[0], np.asarray(cv2.transpose(both[1]), np.uint8))


def _largest_step(channels: Sequence[Any], here: Part, before: Part, out: Plane, spare: Plane) -> None:
    """Set a part of `out` to the difference of the colour that differs most there from another part."""
    cv2.absdiff(channels[0][here], channels[0][before], out[here])
    for channel in channels[1:]:
        cv2.absdiff(channel[here], channel[before], spare[here])
        cv2.max(out[here], spare[here], out[here])


def periodicities(image: Image, edges: Edges) -> list[Periodicity]:
    """The parts that repeat, the strongest first."""
    found: list[Periodicity] = []
    for level in LEVELS:
        height, width = image.shape[0] // 2, image.shape[1] // 2
        if min(height, width) * (2 if level == 1 else 1) < WINDOW // 2:
            break
        if level > 1:
            # Cut to whole pixels of the smaller one: then it is exactly so many times smaller.
            even = image[: 2 * height, : 2 * width]
            image = np.asarray(cv2.resize(even, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
            edges = edges_of(image)
        found += _at_level(edges, level)
    return sorted(found, key=lambda one: -one.strength)


def _at_level(edges: Edges, level: int) -> list[Periodicity]:
    across = _repeats(edges.across)
    across_wanted = across[..., 1:-1].max(axis=2) >= ENOUGH
    down = _repeats(edges.down, across_wanted.T).transpose(1, 0, 2)
    # A step to the right and one downwards agree to a pixel: cells are square.
    wide = np.maximum(np.maximum(down[..., :-2], down[..., 2:]) - 0.02, down[..., 1:-1])
    both = np.minimum(across[..., 1:-1], wide)
    steps = np.arange(SHORTEST, LONGEST + 1)
    best = both.max(axis=2)
    good = best >= ENOUGH
    if not good.any():
        return []
    # Twice the step repeats as well: the shortest one that is nearly as good is the step itself.
    rising = np.pad(both, ((0, 0), (0, 0), (1, 1)), constant_values=-1)
    peaks = (both >= rising[..., :-2]) & (both >= rising[..., 2:]) & (both >= 0.75 * best[..., None])
    first = np.where(good, np.argmax(peaks, axis=2), -9)
    found: list[Periodicity] = []
    while (first >= 0).any():
        # Neighbouring windows may differ by a pixel: the step that most windows have gathers those.
        weights = np.bincount(first[first >= 0], best[first >= 0])
        index = int(np.argmax(weights))
        mask = np.abs(first - index) <= 1
        first[mask] = -9
        count, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
        for label in range(1, count):
            inside = labels == label
            left, top, width, height = (int(value) for value in stats[label][:4])
            rect = Rect(
                left * STRIDE * level,
                top * STRIDE * level,
                ((width - 1) * STRIDE + WINDOW) * level,
                ((height - 1) * STRIDE + WINDOW) * level,
            )
            weight = float(best[inside].sum()) * level * level
            pitch = _peak(both[inside].mean(axis=0), index, steps) * level
            found.append(Periodicity(rect, pitch, weight, level))
    return found


def _peak(curve: npt.NDArray[Any], index: int, steps: npt.NDArray[Any]) -> float:
    """The step at a peak, between whole ones by the parabola through it and its neighbours."""
    if not 0 < index < len(curve) - 1:
        return float(steps[index])
    before, here, after = (float(value) for value in curve[index - 1 : index + 2])
    bend = before - 2 * here + after
    shift = 0.0 if bend >= 0 else float(np.clip(0.5 * (before - after) / bend, -0.5, 0.5))
    return float(steps[index]) + shift


def _repeats(plane: Plane, wanted: Marks | None = None) -> Floats:
    """How well the sums of columns repeat in each window: shape (down, across, steps + 2).

    The steps are `SHORTEST - 1` to `LONGEST + 1`; the values autocorrelations, up to 1, and 0 in windows that
    are not wanted: shape (down, across).
    """
    smooth = np.asarray(cv2.blur(_sums(plane), (3, 1), borderType=cv2.BORDER_REPLICATE), np.float32)
    wide = min(WINDOW, smooth.shape[1])
    windows = np.lib.stride_tricks.sliding_window_view(smooth, wide, axis=1)[:, ::STRIDE]
    # Where nothing is, nothing repeats.
    lively = windows.max(axis=2) > FAINTEST**0.5
    if wanted is not None:
        lively &= wanted
    level = windows[lively]
    level -= level.mean(axis=1, keepdims=True)
    spread = 2.5 * level.std(axis=1, keepdims=True)
    np.clip(level, -spread, spread, out=level)
    lags = np.arange(SHORTEST - 1, LONGEST + 2)
    out = np.zeros((*lively.shape, len(lags)), np.float32)
    if not len(level):
        return out
    correlation = _autocorrelation(level)
    power = correlation[:, :1] / wide
    usable = np.maximum(1, wide - lags)
    out[lively] = np.where(
        (power > FAINTEST) & (wide - lags >= 2 * lags // 2),
        correlation[:, SHORTEST - 1 :] / usable / np.maximum(power, 1e-6),
        0,
    )
    return out


def _sums(plane: Plane) -> Floats:
    """The means of the columns in parts as high as windows, `STRIDE` apart: shape (parts, columns).

    The columns are filled up with zeros to a multiple of `STRIDE`; rows that are missing count as zeros.
    """
    height, width = plane.shape
    sums = np.zeros((max(1, -(-height // STRIDE)), -(-width // STRIDE) * STRIDE), np.float32)
    for index, strip in enumerate(sums):
        part = plane[index * STRIDE : (index + 1) * STRIDE]
        clipped = cv2.threshold(part, EDGE, EDGE, cv2.THRESH_TRUNC)[1]
        strip[:width] = np.asarray(cv2.reduce(clipped, 0, cv2.REDUCE_SUM, dtype=cv2.CV_32F))[0]
    sums = np.round(sums / STRIDE)
    tall = WINDOW // STRIDE
    if len(sums) < tall:
        return np.asarray(sums.mean(axis=0, keepdims=True), np.float32)
    return np.asarray(sum(sums[n : len(sums) - tall + 1 + n] for n in range(tall)) / tall, np.float32)


def _autocorrelation(rows: Floats) -> Floats:
    """For each row (rows, values) the sums of its products with itself moved by 0 to `LONGEST + 1`."""
    length = cv2.getOptimalDFTSize(rows.shape[1] + LONGEST + 2)
    padded = np.zeros((len(rows), length), np.float32)
    padded[:, : rows.shape[1]] = rows
    # OpenCV's transform of many short rows takes a tenth of the time of numpy's.
    spectrum = cv2.dft(padded, flags=cv2.DFT_ROWS)
    power = cv2.mulSpectrums(spectrum, spectrum, cv2.DFT_ROWS, conjB=True)
    back = cv2.dft(power, flags=cv2.DFT_ROWS | cv2.DFT_INVERSE | cv2.DFT_SCALE)
    return np.asarray(back, np.float32)[:, : LONGEST + 2]
