"""Smooth shapes: drawn on a picture that is `FINER` times as large, which is then averaged down."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Rect

Image = npt.NDArray[np.uint8]
"""A picture: shape (height, width, 3), blue, green, red."""
Colour = tuple[int, int, int]
"""Blue, green, red, 0 to 255."""
Points = Sequence[tuple[float, float]]

FINER = 8
"""Factor of the resolution at which shapes are drawn."""
_BITS = 4
"""Fractional bits of the coordinates that OpenCV gets."""
_FRACTION = 1 << _BITS


class Sketch:
    """Shapes over a picture. Coordinates are in units of which `units` span the width of the picture."""

    def __init__(self, base: Image, units: float) -> None:
        height, width = base.shape[:2]
        self._size = (width, height)
        self._unit = width * FINER / units
        self._fine: Image = np.repeat(np.repeat(base, FINER, axis=0), FINER, axis=1)

    def polygon(self, points: Points, colour: Colour) -> None:
        """A filled polygon."""
        cv2.fillPoly(self._fine, [self._at(points)], colour, cv2.LINE_8, _BITS)

    def disc(self, x: float, y: float, radius: float, colour: Colour) -> None:
        """A filled circle."""
        self.polygon(arc(x, y, radius, radius, 0, 360), colour)

    def stroke(self, points: Points, width: float, colour: Colour) -> None:
        """A line of `width` units through the points, with round ends and joints."""
        for (x0, y0), (x1, y1) in pairwise(points):
            length = float(np.hypot(x1 - x0, y1 - y0)) or 1.0
            dx, dy = (y0 - y1) / length * width / 2, (x1 - x0) / length * width / 2
            self.polygon(
                [(x0 + dx, y0 + dy), (x1 + dx, y1 + dy), (x1 - dx, y1 - dy), (x0 - dx, y0 - dy)], colour
            )
        for x, y in points:
            self.disc(x, y, width / 2, colour)

    def picture(self) -> Image:
        """The picture with all shapes, averaged down to its size."""
        small = cv2.resize(self._fine, self._size, interpolation=cv2.INTER_AREA)
        return np.asarray(small, dtype=np.uint8)

    def _at(self, points: Points) -> npt.NDArray[np.int32]:
        # In OpenCV whole coordinates are the centres of pixels: half a pixel less puts edges on the edges of
        # pixels.
        fine = (np.array(points, dtype=np.float64) * self._unit - 0.5) * _FRACTION
        rounded: npt.NDArray[np.int32] = np.round(fine).astype(np.int32)
        return rounded


def arc(x: float, y: float, width: float, height: float, start: float, end: float) -> Points:
    """49 points along an ellipse with the radii `width` and `height`, between two angles in degrees,
    clockwise from the right."""
    angles = np.radians(np.linspace(start, end, 49))
    return [(x + width * float(np.cos(a)), y + height * float(np.sin(a))) for a in angles]


def blank(width: int, height: int, colour: Colour) -> Image:
    """A picture of `width` x `height` pixels in one colour."""
    return np.full((height, width, 3), colour, dtype=np.uint8)


def bevel(image: Image, rect: Rect, width: int, light: Colour, shade: Colour) -> None:
    """Draw an edge of `width` pixels inside a rectangle: `light` at the top and left, `shade` at the bottom
    and right. The two meet on the diagonals of the corners, so a sunken edge is a raised one with swapped
    colours.
    """
    for step in range(width):
        left, top, right, bottom = rect.x + step, rect.y + step, rect.right - step, rect.bottom - step
        image[bottom - 1, left:right] = shade
        image[top:bottom, right - 1] = shade
        image[top, left : right - 1] = light
        image[top : bottom - 1, left] = light
