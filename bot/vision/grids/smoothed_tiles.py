"""Finds boards of tiles in windows that the desktop scales by a fraction, and thereby smooths.

There no edge lies on a whole pixel, but the centre of a tile is known to a fraction of one. The centres of
all columns and rows determine the scale, which both share, and how many of the first ones are one toolkit
pixel wider: by least squares over a table of scales.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bot.vision.components import Boxes
from bot.vision.grid import MIN_BOARD_SIDE, Grid

SCALES = np.arange(0.75, 3.005, 0.01)
"""The scales that are tried: pixels of the picture for each pixel of the toolkit."""

MAX_STEP_ROUNDING = 2.0
"""How much more than one toolkit pixel the steps between columns may differ, in pixels: each of the two edges
of a tile lies inside a pixel."""

SMEARED_GAP = 0.74
"""How much narrower a gap looks, in toolkit pixels: what smears into it is not background."""

GAP_WEIGHT, WHOLE_PITCH_WEIGHT = 4.0, 2.0
"""Weights in the misfit of a scale, in square pixels: for the squared difference from the scale that the gaps
show, and for the squared deviation of the pitch from whole toolkit pixels."""

MAX_OFFSET = 0.75
"""Maximum distance of the centre of a column from its place on the lattice, in pixels."""

MIN_TILES_SEEN = 0.7
"""Minimum part of the cells that must be found as tiles."""

Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True)
class _ScaleFits:
    """The columns, or the rows, of a board, and how well they fit each scale."""

    centres: Doubles
    """In pixels, in rising order: shape (columns,)."""
    errors: Doubles
    """The sum of the squared distances of the centres from the best lattice, in square pixels, for each scale
    and number of wide columns: shape (scales, columns)."""

    def misfits(self) -> Doubles:
        """How badly each of `SCALES` fits, in square pixels: shape (scales,)."""
        wide = self.errors.argmin(axis=1)
        extra = SCALES[:, None] * _wide_before(len(self.centres))[wide]
        pitches = (self.centres - extra) @ np.linalg.pinv(_line_design(len(self.centres)))[1]
        toolkit_pitches = pitches / SCALES
        deviations = np.square(toolkit_pitches - np.round(toolkit_pitches))
        return np.asarray(self.errors.min(axis=1) + WHOLE_PITCH_WEIGHT * deviations, np.float64)

    def fit(self, scale: int) -> tuple[float, float, int] | None:
        """The start and the pitch, in pixels, and the number of wide columns at one of `SCALES`.

        None if a centre lies too far from the lattice.
        """
        wide = int(self.errors[scale].argmin())
        extra = SCALES[scale] * _wide_before(len(self.centres))[wide]
        design = _line_design(len(self.centres))
        (start, pitch), *_ = np.linalg.lstsq(design, self.centres - extra, rcond=None)
        offset = np.abs(self.centres - extra - design @ np.array([start, pitch])).max()
        return (float(start), float(pitch), wide) if offset <= MAX_OFFSET else None


def smoothed_grid(boxes: Boxes, gap: int) -> Grid | None:
    """The grid of tiles of one size, `gap` toolkit pixels apart, from the boxes around them; None if none."""
    size = boxes[:, 2:].mean(axis=0)
    centres = boxes[:, :2] + boxes[:, 2:] / 2
    columns, rows = (_fit_scales(centres[:, side], float(size[side])) for side in (0, 1))
    if columns is None or rows is None:
        return None
    counts = len(columns.centres), len(rows.centres)
    if len(boxes) < MIN_TILES_SEEN * counts[0] * counts[1]:
        return None
    pitches = [np.diff(one.centres).mean() for one in (columns, rows)]
    scale_of_gaps = (np.mean(pitches) - size.mean()) / (gap - SMEARED_GAP)
    misfits = columns.misfits() + rows.misfits() + GAP_WEIGHT * (SCALES - scale_of_gaps) ** 2
    scale = int(misfits.argmin())
    x_fit, y_fit = columns.fit(scale), rows.fit(scale)
    if x_fit is None or y_fit is None or scale in (0, len(SCALES) - 1):
        return None
    (x, width, wide_columns), (y, height, wide_rows) = x_fit, y_fit
    magnification = round(float(SCALES[scale]), 2)
    return Grid(x, y, width, height, *counts, wide_columns, wide_rows, magnification)


def _fit_scales(centres: Doubles, size: float) -> _ScaleFits | None:
    """The columns from the centres of their tiles of a width; None if they are not side by side."""
    ordered = np.sort(centres)
    groups = np.split(ordered, np.flatnonzero(np.diff(ordered) > size / 4) + 1)
    places = np.array([group.mean() for group in groups if len(group) >= MIN_BOARD_SIDE])
    if len(places) < MIN_BOARD_SIDE:
        return None
    steps = np.diff(places)
    if np.ptp(steps) > SCALES[-1] + MAX_STEP_ROUNDING or steps.min() < size:
        return None
    wide_before, design = _wide_before(len(places)), _line_design(len(places))
    # The residuals of the best straight line: of the centres, and of one pixel for each wide column before.
    residual_of = np.eye(len(places)) - design @ np.linalg.pinv(design)
    left, extra = residual_of @ places, wide_before @ residual_of
    scales = SCALES[:, None]
    errors = left @ left - 2 * scales * (extra @ left) + scales**2 * np.square(extra).sum(axis=1)
    return _ScaleFits(places, errors)


def _line_design(count: int) -> Doubles:
    """The design matrix of equally spaced centres: shape (columns, 2), for the start and the pitch."""
    return np.stack([np.ones(count), np.arange(count) + 0.5], axis=1)


def _wide_before(count: int) -> Doubles:
    """How many wide columns lie before the centre of each: shape (numbers of wide columns, columns)."""
    wide, index = np.arange(count)[:, None], np.arange(count)
    twice: Doubles = np.minimum(index, wide) + np.minimum(index + 1, wide)
    return twice / 2
