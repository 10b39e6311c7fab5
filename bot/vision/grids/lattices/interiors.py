"""Finds the interiors of cells: the plain parts of a picture, up to the lines, bevels or gaps around them.

A pixel is flat if it differs little from its left and its upper neighbour. The connected components of flat
pixels are the interiors of cells, whatever their shape, and whatever is drawn in the middle of them. Opened
cells without lines between them are one component.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from bot.vision.components import Labels, components
from bot.vision.grid import Plane
from bot.vision.grids.lattices.periodicity import Gradients

FLATNESS = (3, 8, 20)
"""The thresholds (0 to 255) that are tried: flat pixels differ from their neighbours by at most these. Faint
lines need a low one, lossy pictures a high one. Tuned on the pictures of training/reader."""

MIN_INTERIOR, MAX_INTERIOR = 5, 200
"""Range of the width and of the height of an interior, in pixels."""

MIN_FLAT_PART = 0.25
"""Minimum part of the rectangle of an interior that is flat: a drawing in the middle takes the rest."""

MAX_ELONGATION = 2.2
"""Maximum ratio of the sides of an interior: cells up to 1.7 times as wide as high, less a bevel."""

MIN_DRAWING, MAX_DRAWING, MAX_DRAWING_RATIO = 5, 100, 1.6
"""Range of the height of a drawing, in pixels, and maximum ratio of its width to its height."""

DOTS = 2, 12, 2.5
"""The same for dots: least and most height, and most width over height."""

Boxes = npt.NDArray[np.float64]
"""Rectangles: shape (count, 4), each x, y, width, height in pixels."""


@dataclass(frozen=True)
class FlatParts:
    """The flat components of a picture at one threshold."""

    labels: Labels
    boxes: Boxes
    """The rectangle around each component, by its number; number 0 is what is not flat."""
    interiors: npt.NDArray[np.intp]
    """The numbers of the components that may be interiors of cells."""
    flat: Plane
    """255 for flat pixels: shape (height, width)."""

    @cached_property
    def drawings(self) -> Boxes:
        """The rectangles around what stands alone on flat ground and may be a digit or a mark in a cell."""
        return self._alone(MIN_DRAWING, MAX_DRAWING, MAX_DRAWING_RATIO)

    @cached_property
    def dots(self) -> Boxes:
        """The rectangles around what is small and may be a dot, or a part of a digit, in a cell."""
        return self._alone(*DOTS)

    def _alone(self, least: int, most: int, ratio: float) -> Boxes:
        """The rectangles around what stands alone on flat ground, of such heights, in pixels, and at most so
        many times as wide as high."""
        width, height = self._standing[:, 2:].T
        chosen: Boxes = self._standing[(height >= least) & (height <= most) & (width <= ratio * height)]
        return chosen

    @cached_property
    def _standing(self) -> Boxes:
        """The rectangles around all that stands alone on flat ground."""
        standing = components(np.asarray(cv2.bitwise_not(self.flat), np.uint8), 8)
        return standing.boxes[1:].astype(np.float64)


def flat_parts(gradients: Gradients, flatness: int) -> FlatParts:
    """The flat components of a picture with these gradients."""
    x_flat = cv2.threshold(gradients.x, flatness, 255, cv2.THRESH_BINARY_INV)[1]
    y_flat = cv2.threshold(gradients.y, flatness, 255, cv2.THRESH_BINARY_INV)[1]
    flat = np.asarray(cv2.bitwise_and(x_flat, cv2.transpose(y_flat)), np.uint8)
    plain = components(flat, 4)
    boxes = plain.boxes.astype(np.float64)
    # The first pixel after an edge is not flat, but belongs to the interior.
    boxes += np.where(boxes[:, :2] > 0, -1, 0)[:, [0, 1, 0, 1]] * (1, 1, -1, -1)
    width, height = boxes[:, 2], boxes[:, 3]
    possible = (np.minimum(width, height) >= MIN_INTERIOR) & (np.maximum(width, height) <= MAX_INTERIOR)
    possible &= plain.areas >= MIN_FLAT_PART * width * height
    possible &= np.maximum(width, height) <= MAX_ELONGATION * np.minimum(width, height)
    possible[0] = False
    return FlatParts(plain.labels, boxes, np.flatnonzero(possible), flat)
