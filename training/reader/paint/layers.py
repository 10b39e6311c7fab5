"""A stamp that is laid over a cell, and shapes drawn smoothly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PIL import Image as Pillow
from PIL import ImageDraw

from training.reader.paint.colours import Colour

Pixels = npt.NDArray[np.float32]
"""Values of 0 to 255 for colours, 0 to 1 for how opaque they are."""

FINER = 4
"""How many times larger shapes are drawn before they are shrunk, for smooth edges."""


@dataclass(frozen=True)
class Stamp:
    """Layers to lay over a cell, from below to above: colour and opacity, each fits (height, width, 3)."""

    layers: tuple[tuple[Pixels, Pixels], ...] = ()

    def over(self, below: Pixels) -> Pixels:
        """The stamp laid over the pixels of a cell."""
        for colour, opacity in self.layers:
            below = below + (colour - below) * opacity
        return below

    def with_above(self, other: Stamp) -> Stamp:
        """This stamp with another one over it."""
        return Stamp(self.layers + other.layers)


def inked(colour: Colour, opacity: Pixels) -> Stamp:
    """One colour, laid on by an opacity of (height, width) or (height, width, 3)."""
    if opacity.ndim == 2:
        opacity = opacity[:, :, None]
    return Stamp(((np.array(colour, np.float32)[None, None, :], opacity),))


def pictured(picture: Pillow.Image) -> Stamp:
    """A picture with transparency."""
    pixels = np.asarray(picture.convert("RGBA"), np.float32)
    return Stamp(((pixels[:, :, :3], pixels[:, :, 3:] / np.float32(255)),))


def opacities(picture: Pillow.Image) -> Pixels:
    """A picture of one channel as values of 0 to 1, (height, width)."""
    pixels: Pixels = np.asarray(picture, np.float32) / np.float32(255)
    return pixels


class Canvas:
    """A transparent picture of a cell to draw on, in parts of the cell: (0, 0) left above to (1, 1)."""

    def __init__(self, width: int, height: int, *, smooth: bool = True) -> None:
        self._size = width, height
        self._finer = FINER if smooth else 1
        self._picture = Pillow.new("RGBA", (width * self._finer, height * self._finer), (0, 0, 0, 0))
        self._draw = ImageDraw.Draw(self._picture)

    def stamp(self) -> Stamp:
        """What was drawn."""
        return pictured(self._picture.resize(self._size, Pillow.Resampling.BOX))

    def polygon(
        self, points: Sequence[tuple[float, float]], colour: Colour, line: Colour | None = None
    ) -> None:
        """A filled polygon, with a thin line around it if a colour is given for that."""
        places = [self._at(*point) for point in points]
        self._draw.polygon(places, fill=colour, outline=None)
        if line is not None:
            self._draw.line(
                [*places, places[0]], fill=line, width=max(self._finer, self._picture.width // 24)
            )

    def line(self, points: Sequence[tuple[float, float]], colour: Colour, width: float) -> None:
        """A line of a width (part of the cell's width), at least one pixel."""
        thick = max(round(width * self._picture.width), self._finer)
        self._draw.line([self._at(*point) for point in points], fill=colour, width=thick, joint="curve")

    def ellipse(self, x: float, y: float, across: float, down: float, colour: Colour) -> None:
        """An ellipse around (x, y) with its two radii as parts of the cell."""
        self._draw.ellipse([self._at(x - across, y - down), self._at(x + across, y + down)], fill=colour)

    def ring(self, x: float, y: float, radius: float, colour: Colour, width: float) -> None:
        """A circle's line."""
        box = [self._at(x - radius, y - radius), self._at(x + radius, y + radius)]
        self._draw.ellipse(box, outline=colour, width=max(round(width * self._picture.width), self._finer))

    def rectangle(self, left: float, top: float, right: float, bottom: float, colour: Colour) -> None:
        """A filled rectangle."""
        self._draw.rectangle([self._at(left, top), self._at(max(right, left), max(bottom, top))], fill=colour)

    def _at(self, x: float, y: float) -> tuple[float, float]:
        return x * self._picture.width, y * self._picture.height


Design = Callable[[Canvas], None]
"""Draws one figure on a canvas."""


def drawn(design: Design, width: int, height: int, *, smooth: bool = True) -> Stamp:
    """A design drawn at the size of a cell."""
    canvas = Canvas(width, height, smooth=smooth)
    design(canvas)
    return canvas.stamp()


def moved(stamp: Stamp, right: int, down: int) -> Stamp:
    """A stamp of full size moved by whole pixels; what leaves the cell is lost."""
    return Stamp(
        tuple((_moved(colour, right, down), _moved(opacity, right, down)) for colour, opacity in stamp.layers)
    )


def _moved(pixels: Pixels, right: int, down: int) -> Pixels:
    if pixels.shape[0] == 1:
        return pixels
    result = np.zeros_like(pixels)
    height, width = pixels.shape[:2]
    source = pixels[max(-down, 0) : height - max(down, 0), max(-right, 0) : width - max(right, 0)]
    top, left = max(down, 0), max(right, 0)
    result[top : top + source.shape[0], left : left + source.shape[1]] = source
    return result
