"""Where in a picture something repeats by the same step to the right and downwards.

The picture is looked at through overlapping square windows, at full size and made smaller two, four and
eight times, so that a window always holds several cells. In each window the edges are summed by columns
and by rows; where both sums repeat with one step (their autocorrelation has a peak there), the window may
lie on a board. Text repeats downwards only, noise and photographs not at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Rect
from bot.vision.grid import Image

Plane = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]

WINDOW = 128
"""The side of a window, in pixels of the picture that was made smaller."""

STRIDE = 32
"""From one window to the next."""

SHORTEST, LONGEST = 9, 42
"""The steps that are looked for in a window."""

ENOUGH = 0.25
"""The least autocorrelation at which sums are said to repeat."""

LEVELS = (1, 2, 4, 8)
"""How many times the picture is made smaller."""

EDGE = 40
"""Edges stronger than this count as much as one of this strength: the weak ones matter as well."""


@dataclass(frozen=True)
class Repetition:
    """A part of the picture that repeats."""

    rect: Rect
    """Of the windows that repeat; the board may reach further, and not quite as far."""
    pitch: float
    """The step, in pixels, to a tenth or so."""
    strength: float
    """How well and over how much it repeats: more is better, without a unit."""


@dataclass(frozen=True)
class Edges:
    """How strongly each pixel differs from the one before it."""

    across: Plane
    """From its left neighbour, 0 to 255 of the colour that differs most; shape (height, width)."""
    down: Plane
    """From its upper neighbour; turned, shape (width, height), so that both are looked at alike."""


def edges_of(image: Image) -> Edges:
    """The edges of a picture."""
    across = np.zeros(image.shape[:2], np.uint8)
    down = np.zeros(image.shape[:2], np.uint8)
    across[:, 1:] = _largest(cv2.absdiff(image[:, 1:], image[:, :-1]))
    down[1:] = _largest(cv2.absdiff(image[1:], image[:-1]))
    return Edges(across, np.asarray(cv2.transpose(down), np.uint8))


def _largest(colours: Any) -> Plane:
    blue, green, red = (cv2.extractChannel(colours, channel) for channel in range(3))
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)


def repetitions(image: Image, edges: Edges) -> list[Repetition]:
    """The parts that repeat, the strongest first."""
    found: list[Repetition] = []
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


def _at_level(edges: Edges, level: int) -> list[Repetition]:
    across = _repeats(edges.across)
    down = _repeats(edges.down).transpose(1, 0, 2)
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
    found: list[Repetition] = []
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
            found.append(Repetition(rect, _peak(both[inside].mean(axis=0), index, steps) * level, weight))
    return found


def _peak(curve: npt.NDArray[Any], index: int, steps: npt.NDArray[Any]) -> float:
    """The step at a peak, between whole ones by the parabola through it and its neighbours."""
    if not 0 < index < len(curve) - 1:
        return float(steps[index])
    before, here, after = (float(value) for value in curve[index - 1 : index + 2])
    bend = before - 2 * here + after
    shift = 0.0 if bend >= 0 else float(np.clip(0.5 * (before - after) / bend, -0.5, 0.5))
    return float(steps[index]) + shift


def _repeats(plane: Plane) -> Floats:
    """How well the sums of columns repeat in each window: shape (down, across, steps + 2).

    The steps are `SHORTEST - 1` to `LONGEST + 1`; the values autocorrelations, up to 1.
    """
    height, width = plane.shape
    strips = max(1, -(-height // STRIDE))
    padded = cv2.copyMakeBorder(
        cv2.threshold(plane, EDGE, EDGE, cv2.THRESH_TRUNC)[1],
        0,
        strips * STRIDE - height,
        0,
        max(0, -(-width // STRIDE) * STRIDE - width),
        cv2.BORDER_CONSTANT,
    )
    sums = cv2.resize(padded, (padded.shape[1], strips), interpolation=cv2.INTER_AREA).astype(np.float32)
    tall = WINDOW // STRIDE
    if strips >= tall:
        sums = sum(sums[n : strips - tall + 1 + n] for n in range(tall)) / tall  # type: ignore[assignment]
    else:
        sums = sums.mean(axis=0, keepdims=True)
    smooth = np.asarray(cv2.blur(sums, (3, 1), borderType=cv2.BORDER_REPLICATE)).reshape(len(sums), -1)
    wide = min(WINDOW, smooth.shape[1])
    windows = np.lib.stride_tricks.sliding_window_view(smooth, wide, axis=1)[:, ::STRIDE]
    level = windows - windows.mean(axis=2, keepdims=True)
    spread = level.std(axis=2, keepdims=True)
    level = np.clip(level, -2.5 * spread, 2.5 * spread)
    size = 2 * WINDOW
    spectrum = np.fft.rfft(level, size, axis=2)
    correlation = np.fft.irfft(spectrum.real**2 + spectrum.imag**2, size, axis=2)[..., : LONGEST + 2]
    lags = np.arange(SHORTEST - 1, LONGEST + 2)
    power = correlation[..., :1] / wide
    usable = np.maximum(1, wide - lags)
    out: Floats = np.where(
        (power > 0.02) & (wide - lags >= 2 * lags // 2),
        correlation[..., SHORTEST - 1 : LONGEST + 2] / usable / np.maximum(power, 1e-6),
        0,
    ).astype(np.float32)
    return out
