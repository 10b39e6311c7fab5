"""Finds out which of several pictures a window shows at a place: faces, and the digits of a counter.

The pictures are compared at every offset of up to `MAX_OFFSET` pixels by the root mean square of their colour
differences. tests/vision/test_header.py checks the limits at eight scales, three ways of scaling and three
offsets inside a pixel.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Rect
from bot.vision.grid import Image

Floats = npt.NDArray[np.float32]

MAX_OFFSET = 2
"""How far from its place a picture is searched, in pixels: places are rounded."""

MAX_DIFFERENCE, MAX_SCALED_DIFFERENCE = 14.0, 60.0
"""The largest root mean square difference (0 to 255) at which a place shows a picture of the same size; and
the same for one that had to be scaled: half a pixel off, thin lines differ as much."""

DIFFERENT, CLEARLY_NEARER = 30, 0.7
"""Where two pictures differ, that is a channel by more than the first (0 to 255), the distance to the right
one is at most the second part of that to the other."""


class PictureMatcher:
    """Compares places of one window with some pictures, each by its name, all of one size."""

    def __init__(self, pictures: Mapping[str, Image], *, exact: bool) -> None:
        """`exact`: whether the window shows the pictures at their own size."""
        self._names = list(pictures)
        self._pictures = list(pictures.values())
        self._limit = MAX_DIFFERENCE if exact else MAX_SCALED_DIFFERENCE
        self._size_changes: tuple[int, ...] = (0,) if exact else (-1, 0, 1)
        """Sizes of scaled pictures are rounded: they may be a pixel larger or smaller."""
        self._scaled: dict[tuple[int, int], Floats] = {}
        """The pictures at a width and a height, one in each row."""

    def __len__(self) -> int:
        return len(self._names)

    def match(self, image: Image, place: Rect) -> str | None:
        """The name of the picture at a place of an image (height, width, 3); None where none clearly is."""
        left, top = max(0, place.x - MAX_OFFSET), max(0, place.y - MAX_OFFSET)
        part = image[top : max(0, place.bottom + MAX_OFFSET), left : max(0, place.right + MAX_OFFSET)]
        if not self._names or part.shape[0] <= place.height or part.shape[1] <= place.width:
            return None
        fits = [self._fit(part, place.width + more, place.height + more) for more in self._size_changes]
        best = min((fit for fit in fits if fit is not None), key=lambda fit: fit.distance)
        return self._names[best.index] if best.distance <= self._limit and best.is_clear() else None

    def _fit(self, part: Image, width: int, height: int) -> _Fit | None:
        """The picture that, at a size, fits best anywhere in a part of the image; None if that is smaller."""
        if part.shape[0] < height or part.shape[1] < width:
            return None
        pictures = self._at_size(width, height)
        windows = np.lib.stride_tricks.sliding_window_view(part, (height, width, 3))
        shown = windows.reshape(-1, height * width * 3).astype(np.float32)
        # cv2.matchTemplate takes 0.1 ms for each picture, however small it is.
        squares, at = cv2.batchDistance(pictures, shown, cv2.CV_32F, normType=cv2.NORM_L2SQR, K=1)
        index = int(np.argmin(squares[:, 0]))
        distance = float(np.sqrt(squares[index, 0] / shown.shape[1]))
        return _Fit(distance, index, shown[at[index, 0]], pictures)

    def _at_size(self, width: int, height: int) -> Floats:
        if (width, height) not in self._scaled:
            # Resizing to the same size copies.
            scaled = [
                cv2.resize(one, (width, height), interpolation=cv2.INTER_AREA) for one in self._pictures
            ]
            self._scaled[width, height] = np.stack(scaled).reshape(len(scaled), -1).astype(np.float32)
        return self._scaled[width, height]


@dataclass(frozen=True)
class _Fit:
    """The picture that fits best, and where."""

    distance: float
    """The root mean square difference, 0 to 255."""
    index: int
    shown: Floats
    """What the image shows there: shape (values,)."""
    pictures: Floats
    """All pictures at that size: shape (pictures, values)."""

    def is_clear(self) -> bool:
        """Whether the image is nearer to this picture than to each other one where the two differ: elsewhere
        scaling puts both equally wrong."""
        own = self.pictures[self.index]
        for other in self.pictures:
            differ = np.abs(own - other) > DIFFERENT
            to_own, to_other = (float(np.square(self.shown - one)[differ].sum()) for one in (own, other))
            if to_own > CLEARLY_NEARER**2 * to_other:
                return False
        return True
